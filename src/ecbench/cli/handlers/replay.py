"""Show a recorded run day by day, or recompute it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer

from ecbench.cli.exit_codes import FAILED
from ecbench.cli.plain_table import plain_console, plain_table
from ecbench.cli.plain_text import say, say_json
from ecbench.cli.progress import day_of_year, how_it_ended
from ecbench.errors import Divergence, RunError
from ecbench.number_words import yuan
from ecbench.players.turn import State
from ecbench.runs.folder import Run, open_run
from ecbench.runs.play.episodes import Result, open_episode, read_episode
from ecbench.runs.play.recorded_table import replay_episode
from ecbench.runs.record.reader import Recording
from ecbench.runs.results.summary_file import write_results
from ecbench.runs.verify.run_check import check_run
from ecbench.world.model import World

Fact = dict[str, Any]


def replay_folder(
    folder: Path, episode: int | None, every: int, world: str | None, *, verify: bool, rebuild: bool, as_json: bool
) -> None:
    run = open_run(folder)
    chosen = range(run.episodes) if episode is None else [episode]
    recordings = {number: read_episode(run, number) for number in chosen}
    of_folder, differences = list[str](), dict[int, str]()
    if rebuild:
        differences = _rebuild_all(run.with_world_at(world), recordings)
    elif verify:
        found = check_run(run, world, chosen, ask_agents=False)
        of_folder = [*found.differences, *found.signer.differences]
        differences = {year.episode: year.difference for year in found.years}
    facts = [
        _fact(run.at_seat(number, seat), number, recording, differences.get(number) or "; ".join(of_folder))
        for number, recording in recordings.items()
        for seat in range(run.seats)
    ]
    if as_json:
        say_json(facts)
    elif of_folder and not any(differences.values()):
        for line in of_folder:
            say(f"DIFFERENT: {line}")
    elif verify or rebuild:
        for fact in facts:
            say(_verdict(run, fact, rebuild=rebuild))
    else:
        for number, recording in recordings.items():
            for seat in range(run.seats):
                _print_year(run.at_seat(number, seat), number, recording, every)
    if any(fact["difference"] for fact in facts):
        raise typer.Exit(FAILED)


def _rebuild_all(run: Run, recordings: dict[int, Recording]) -> dict[int, str]:
    """The first difference of each episode, if there is one."""
    rebuilt: list[Result] = []
    differences = {}
    for number, world in run.on_their_worlds(recordings):
        try:
            if recordings[number].begun and not recordings[number].damage:
                rebuilt.append(_rebuild(run, number, world))
        except Divergence as difference:
            differences[number] = str(difference)
    if len(rebuilt) == run.episodes:
        write_results(run, sorted(rebuilt, key=lambda result: result.episode))
    return differences


def _rebuild(run: Run, episode: int, world: World) -> Result:
    with open_episode(run, episode) as opened:
        result = opened.close_with(replay_episode(run.terms_of(episode), episode, world, opened.recording))
    if result.problem:
        raise RunError(result.problem)
    return result


def _fact(run: Run, number: int, recording: Recording, difference: str) -> Fact:
    seat = run.seat(number)
    states, end = _states(recording, seat), recording.end(seat)
    shared = {"seat": seat, "agent": run.player.agent} if run.seats > 1 else {}
    return {
        "episode": number,
        **shared,
        "world": run.world_of(number).name,
        "turns": len(states),
        "calls": states[-1].calls if states else 0,
        "day": states[-1].day if states else 0,
        "ending": end.ending if end else None,
        "final_assets": end.assets if end else None,
        "dropped": recording.dropped,
        "difference": recording.damage or difference,
    }


def _states(recording: Recording, seat: int) -> list[State]:
    return [turn.state for turn in recording.turns_of(seat) if turn.state is not None]


def _verdict(run: Run, fact: Fact, *, rebuild: bool) -> str:
    place = run.at_seat(fact["episode"], fact.get("seat", 0)).seat_called(fact["episode"])
    if fact["difference"]:
        return f"DIFFERENT: {fact['difference']}"
    if not fact["turns"]:
        return f"{place}: not one turn is recorded, so there is nothing to recompute"
    done = "rebuilt" if rebuild else "verified"
    return f"{place}: {done}; {fact['calls']:,} calls in {fact['turns']:,} turns match the record"


def _print_year(run: Run, number: int, recording: Recording, every: int) -> None:
    console, seat = plain_console(), run.seat(number)
    name = run.seat_called(number)
    columns = (">Day", ">Date", ">Bank", ">Wallet", ">Escrow", ">Total", ">Stores", ">Calls", ">Turns")
    states = _states(recording, seat)
    table = plain_table(*columns, title=f"{name[0].upper()}{name[1:]}: {_ending(recording, seat)}", no_wrap=True)
    for state in _day_ends(states, every):
        money = [yuan(amount) for amount in (state.bank, state.wallet, state.escrow, state.total)]
        table.add_row(
            str(state.day), day_of_year(state.time), *money, str(state.stores), f"{state.calls:,}", f"{state.turn:,}"
        )
    console.print(table)
    for note in (recording.dropped, recording.damage):
        if note:
            console.print(f"Note: {note}")


def _day_ends(states: Sequence[State], every: int) -> list[State]:
    """The last state of every so many days, and the last of all."""
    last_of_day = {state.day: state for state in states}
    final = max(last_of_day, default=0)
    return [state for day, state in sorted(last_of_day.items()) if day % every == 0 or day == final]


def _ending(recording: Recording, seat: int) -> str:
    end = recording.end(seat)
    if end is None:
        return "not finished" if recording.turns else "not begun"
    return how_it_ended(end)
