"""What `arena`, and `resume`, `replay` and `fork` of an arena's folder have in common."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import typer
from rich.console import Console

from ecbench.cli import servers
from ecbench.cli.arena_progress import ArenaBoard, ArenaLines, ArenaSilence
from ecbench.cli.arena_tables import print_arena
from ecbench.cli.exit_codes import BAD_INPUT, FAILED, INTERRUPTED
from ecbench.cli.options import Output, SeatServer
from ecbench.cli.plain_table import plain_console
from ecbench.cli.plain_text import harmless, say, say_json
from ecbench.cli.progress import STOPPING
from ecbench.cli.run_episodes import check_reach, new_folder, provenance, way_on
from ecbench.cli.signals import stopping_on_signals
from ecbench.number_words import yuan
from ecbench.runs.arena.crew import play_rounds
from ecbench.runs.arena.folder import ArenaRun, open_arena
from ecbench.runs.arena.fork import take_over_seat
from ecbench.runs.arena.open_seats import OpenSeats, has_outside_seats, open_seats_of
from ecbench.runs.arena.play import ArenaListener, RoundResult
from ecbench.runs.arena.seat_names import door_of, lasting_seat_name
from ecbench.runs.arena.summary import arena_json, write_arena_summary
from ecbench.runs.arena.terms import ArenaTerms
from ecbench.runs.arena.verify import verify_round
from ecbench.runs.errors import RunError
from ecbench.runs.folder import refuse_used
from ecbench.runs.play.agents import short_name
from ecbench.runs.play.cancellation import StopFlag
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.external_sessions import GAVE_UP
from ecbench.runs.record.events import Terms
from ecbench.world.load import load_world


def check_server(agents: Sequence[str], server: SeatServer) -> None:
    """Raise RunError where seats for the outside could not be served, before a folder is made."""
    refuse_tokens(agents, server.tokens)
    if has_outside_seats(agents):
        servers.arena_seats.refuse_address(server)


def refuse_tokens(agents: Sequence[str], tokens: Sequence[str]) -> None:
    """Raises RunError unless there are as many as are asked for, or none."""
    doors = [door_of(agent) for agent in agents if door_of(agent)]
    wanted = len([door for door in doors if door != "board"]) + ("board" in doors)
    if not all(token and token.isascii() and token.isprintable() and " " not in token for token in tokens):
        raise RunError("--token: a token is made of letters, digits and signs of ASCII, without spaces, one at least")
    if tokens and wanted and not (len(tokens) == len(set(tokens)) == wanted):
        raise RunError(
            f"--token: {len(tokens)} tokens, {len(set(tokens))} different ones where {wanted} are needed: one for each "
            "seat of http and mcp, and one for all persons"
        )


def reach_models(terms: ArenaTerms) -> None:
    """See that the models answer before anything is written; raises RunError with what to set."""
    for agent, options in terms.models.items():
        check_reach(
            Terms("", "", 0, agent, terms.days, terms.stake, rule_set=terms.rule_set, rules=terms.rules, model=options)
        )


def play_arena(run: ArenaRun, server: SeatServer, jobs: int, output: Output) -> None:
    """Play what is not over yet, print, and leave with exit code 1, 2 or 130 where it did not come to its end."""
    console = plain_console(stderr=output.as_json)
    stop = StopFlag()
    live = console.is_terminal and not output.silent
    with stopping_on_signals(stop, STOPPING, harmless(way_on(run.folder)), live=live):
        with _served(run, server, stop, output) as places:
            with _listening(console, run, stop, silent=output.silent) as listener:
                results = play_rounds(run, range(run.terms.rounds), jobs, listener, stop, places)
            _print(console, run, results, as_json=output.as_json)
        _leave(run, results, stop.requested)


@contextmanager
def _served(run: ArenaRun, server: SeatServer, stop: StopFlag, output: Output) -> Iterator[OpenSeats]:
    """Serve the seats for the outside, if there are any."""
    places = open_seats_of(run)
    if places:
        refuse_tokens(run.terms.agents, server.tokens)
        with servers.arena_seats.served(run, places, server, stop, as_json=output.as_json):
            yield places
    else:
        yield places


@contextmanager
def _listening(console: Console, run: ArenaRun, stop: StopFlag, *, silent: bool) -> Iterator[ArenaListener]:
    if silent:
        yield ArenaSilence(run.terms)
    elif console.is_terminal:
        with ArenaBoard(console, run.terms, stop) as board:
            yield board
    else:
        yield ArenaLines(console, run.terms)


def _print(console: Console, run: ArenaRun, results: Sequence[RoundResult], *, as_json: bool) -> None:
    write_arena_summary(run, results)
    if as_json:
        say_json(arena_json(run, results))
    else:
        print_arena(console, run, results)
        say(f"\nArena folder: {run.folder}")


def _leave(run: ArenaRun, results: Sequence[RoundResult], interrupted: bool) -> None:
    labels = run.terms.labels
    failed = False
    for result in results:
        if result.problem:
            say(f"ecbench: round {result.number}: {result.problem}", err=True)
        for seat, year in enumerate(result.seats):
            place = f"round {result.number}, seat {seat} ({labels[run.terms.entry_at(result.number, seat)]})"
            if year.problem:
                say(f"ecbench: {place}: {year.problem}", err=True)
            elif year.end and year.end.reason and year.end.ending != GAVE_UP:
                say(f"ecbench: {place}, day {year.end.day}: {year.end.reason}", err=True)
            else:
                continue
            failed = True
    unfinished = len(results) < run.terms.rounds or not all(result.over for result in results)
    if unfinished:
        say(way_on(run.folder), err=True)
    if any(result.problem for result in results):
        raise typer.Exit(BAD_INPUT)
    if unfinished and interrupted:
        raise typer.Exit(INTERRUPTED)
    if failed or unfinished:
        raise typer.Exit(FAILED)


def resume_arena(folder: Path, server: SeatServer, turn_seconds: int | None, jobs: int, output: Output) -> None:
    """`turn_seconds` holds from here on; without it, what the arena was begun with."""

    run = open_arena(folder)
    for agent in run.terms.agents:
        lasting_seat_name(agent)
    refuse_jobs(run.terms.agents, jobs)
    if turn_seconds is not None:
        run = replace(run, terms=replace(run.terms, turn_seconds=turn_seconds))
    play_arena(run, server, jobs, output)


def refuse_jobs(agents: Sequence[str], jobs: int) -> None:
    if jobs > 1 and has_outside_seats(agents):
        raise RunError(f"--jobs {jobs}: with a seat that is played from outside, rounds are played one after another")


def replay_arena(folder: Path, *, verify: bool, rebuild: bool, as_json: bool) -> None:
    """Show how far the rounds have come, or recompute them; exit code 1 where they come out otherwise."""
    run = open_arena(folder)
    begun = [number for number in range(run.terms.rounds) if run.begun(number)]
    facts = [fact for number in begun for fact in _round_facts(run, number, verify=verify or rebuild, rebuild=rebuild)]
    if as_json:
        say_json(facts)
    else:
        for fact in facts:
            say(_verdict(fact, verified=verify or rebuild))
        if not facts:
            say("No round has begun.")
    if any(fact["difference"] for fact in facts):
        raise typer.Exit(FAILED)


def _round_facts(run: ArenaRun, number: int, *, verify: bool, rebuild: bool) -> list[dict[str, Any]]:
    difference, turns = verify_round(run, number, rebuild=rebuild) if verify else ("", None)
    facts = []
    for seat, own in enumerate(run.seat_runs(number, load_world(run.terms.world_of(number)))):
        recording = read_episode(own, 0)
        facts.append(
            {
                "round": number,
                "seat": seat,
                "agent": own.terms.agent,
                "turns": len(recording.turns),
                "verified_turns": None if turns is None else turns[seat],
                "day": recording.states[-1].day if recording.states else 0,
                "ending": recording.end.ending if recording.end else None,
                "final_assets": recording.end.final_assets if recording.end else None,
                "difference": recording.damage or difference,
            }
        )
    return facts


def _verdict(fact: Mapping[str, Any], *, verified: bool) -> str:
    place = f"round {fact['round']}, seat {fact['seat']} ({short_name(fact['agent'])})"
    if fact["difference"]:
        return f"{place}: DIFFERENT: {fact['difference']}"
    if verified:
        waiting = fact["turns"] - fact["verified_turns"]
        rest = f"; {waiting:,} wait for a turn of a rival that was not finished" if waiting else ""
        return f"{place}: verified; {fact['verified_turns']:,} turns match the record{rest}"
    how = "not over" if fact["ending"] is None else str(fact["ending"]).replace("_", " ")
    money = "" if fact["final_assets"] is None else f" with {yuan(fact['final_assets'])}"
    return f"{place}: {how} on day {fact['day']}{money}, {fact['turns']:,} turns"


def fork_arena(
    folder: Path,
    number: int,
    seat: int | None,
    day: int,
    agent: str,
    model: Mapping[str, Any],
    out: Path | None,
    output: Output,
    server: SeatServer,
) -> None:
    run = open_arena(folder)
    if not (number < run.terms.rounds and run.begun(number)):
        raise RunError(f"{folder}: round {number} has not begun")
    if seat is None or seat >= run.terms.seats:
        given = "--seat is missing" if seat is None else f"there is no seat {seat}"
        raise RunError(f"{folder}: {given}; its seats are 0 to {run.terms.seats - 1}")
    if out is not None:
        refuse_used(out)
    agents = [
        agent if entry == run.terms.entry_at(number, seat) else each for entry, each in enumerate(run.terms.agents)
    ]
    check_server(agents, server)
    place = out or new_folder(f"arena-{short_name(agent)}")
    takeover = take_over_seat(run, number=number, seat=seat, day=day, agent=agent, model=model)
    forked = takeover.create_in(place, provenance(agent))
    reach_models(forked.terms)
    play_arena(forked, server, 1, output)
