"""Show a recorded run day by day, or recompute it."""

from functools import partial
from pathlib import Path
from typing import Any

import typer

from ecbench.cli.arena_runs import replay_arena
from ecbench.cli.exit_codes import FAILED
from ecbench.cli.plain_table import plain_console, plain_table
from ecbench.cli.plain_text import say, say_json
from ecbench.cli.progress import day_of_year, how_it_ended
from ecbench.number_words import yuan
from ecbench.runs.arena.folder import is_arena
from ecbench.runs.errors import Divergence, RunError
from ecbench.runs.folder import Run, open_run
from ecbench.runs.play.episodes import Result, open_episode, read_episode
from ecbench.runs.play.recorded_seat import replay_year
from ecbench.runs.record.events import State
from ecbench.runs.record.reader import Recording
from ecbench.runs.results.summary import summarize
from ecbench.runs.results.summary_file import write_summary
from ecbench.runs.verify.derived_check import strange_file
from ecbench.world.model import World


def replay_folder(
    folder: Path, episode: int | None, every: int, world: str | None, *, verify: bool, rebuild: bool, as_json: bool
) -> None:
    if is_arena(folder):
        replay_arena(folder, verify=verify, rebuild=rebuild, as_json=as_json)
        return
    run = open_run(folder).with_world_at(world)
    chosen = range(run.episodes) if episode is None else [episode]
    recordings = {number: read_episode(run, number) for number in chosen}
    if verify or rebuild:
        facts = _recompute(run, recordings, rebuild=rebuild)
    else:
        facts = [_facts(run, number, recording) for number, recording in recordings.items()]
    if as_json:
        say_json(facts)
    elif verify or rebuild:
        for fact in facts:
            say(_verdict(fact, rebuild=rebuild))
    else:
        for number, recording in recordings.items():
            _print_year(run.called(number), recording, every)
    if any(fact["difference"] for fact in facts):
        raise typer.Exit(FAILED)


def _recompute(run: Run, recordings: dict[int, Recording], *, rebuild: bool) -> list[dict[str, Any]]:

    rebuilt: list[Result] = []
    compare = partial(_rebuild, rebuilt) if rebuild else _verify
    facts = []
    for number, world in run.on_their_worlds(recordings):
        recording = recordings[number]
        fact = _facts(run, number, recording)
        try:
            if not recording.damage:
                fact["difference"] = compare(run, number, world, recording)
        except Divergence as difference:
            fact["difference"] = str(difference)
        facts.append(fact)
    if rebuild and len(rebuilt) == run.episodes:
        write_summary(summarize(run, rebuilt))
    return sorted(facts, key=lambda fact: int(fact["episode"]))


def _verify(run: Run, episode: int, world: World, recording: Recording) -> str:

    files = replay_year(run.terms_of(episode), episode, world, recording).files if recording.begun else {}
    return strange_file(run, episode, files, recording)


def _rebuild(rebuilt: list[Result], run: Run, episode: int, world: World, recording: Recording) -> str:

    if recording.begun:
        with open_episode(run, episode) as opened:
            result = opened.close_with(replay_year(run.terms_of(episode), episode, world, opened.recording))
        if result.problem:
            raise RunError(result.problem)
        rebuilt.append(result)
    return ""


def _facts(run: Run, number: int, recording: Recording) -> dict[str, Any]:
    return {
        "episode": number,
        "world": run.site(number).name,
        "turns": len(recording.turns),
        "calls": recording.states[-1].calls if recording.states else 0,
        "day": recording.states[-1].day if recording.states else 0,
        "ending": recording.end.ending if recording.end else None,
        "final_assets": recording.end.final_assets if recording.end else None,
        "dropped": recording.dropped,
        "difference": recording.damage,
    }


def _verdict(fact: dict[str, Any], *, rebuild: bool) -> str:
    if fact["difference"]:
        return f"DIFFERENT: {fact['difference']}"
    if not fact["turns"]:
        return f"episode {fact['episode']}: not one turn is recorded, so there is nothing to recompute"
    done = "rebuilt" if rebuild else "verified"
    return f"episode {fact['episode']}: {done}; {fact['calls']:,} calls in {fact['turns']:,} turns match the record"


def _print_year(name: str, recording: Recording, every: int) -> None:
    console = plain_console()
    columns = (">Day", ">Date", ">Bank", ">Wallet", ">Escrow", ">Total", ">Stores", ">Calls", ">Turns")
    table = plain_table(*columns, title=f"{name.capitalize()}: {_ending(recording)}", no_wrap=True)
    for state in _day_ends(recording, every):
        money = [yuan(amount) for amount in (state.bank, state.wallet, state.escrow, state.total)]
        table.add_row(
            str(state.day), day_of_year(state.time), *money, str(state.stores), f"{state.calls:,}", f"{state.turn:,}"
        )
    console.print(table)
    for note in (recording.dropped, recording.damage):
        if note:
            console.print(f"Note: {note}")


def _day_ends(recording: Recording, every: int) -> list[State]:
    """The last state of every so many days, and the last of all."""
    last_of_day = {state.day: state for state in recording.states}
    final = max(last_of_day, default=0)
    return [state for day, state in sorted(last_of_day.items()) if day % every == 0 or day == final]


def _ending(recording: Recording) -> str:
    if recording.end is None:
        return "not finished" if recording.turns else "not begun"
    return how_it_ended(recording.end)
