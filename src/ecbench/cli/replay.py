"""ecbench replay: look at a recorded run, and prove that it is what happened."""

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ecbench.cli.exit_codes import FAILED
from ecbench.cli.plain_text import say, say_json
from ecbench.cli.run_episodes import JsonOption, RunArgument, WorldPlaceOption

if TYPE_CHECKING:
    from ecbench.runs.folder import Run
    from ecbench.runs.play.episodes import Result
    from ecbench.runs.record.reader import Recording
    from ecbench.world.model import World


def replay(
    run: RunArgument,
    verify: Annotated[
        bool, typer.Option("--verify", help="Recompute every reply and fail on the first difference.")
    ] = False,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Recompute, and rewrite the files derived from the events.")
    ] = False,
    episode: Annotated[
        int | None, typer.Option("--episode", metavar="N", min=0, help="Only this year. [default: all]")
    ] = None,
    every: Annotated[int, typer.Option("--every", min=1, metavar="DAYS", help="Days between two lines.")] = 7,
    world: WorldPlaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a recorded run day by day, or verify it.

    With --verify or --rebuild the year is recomputed from its calls, without its agent. The exit code is 1 if the
    result differs.
    """
    from ecbench.cli.arena_runs import replay_arena
    from ecbench.runs.arena.folder import is_arena
    from ecbench.runs.folder import open_run
    from ecbench.runs.play.episodes import read_episode

    if is_arena(run):
        replay_arena(run, verify=verify, rebuild=rebuild, as_json=as_json)
        return
    opened = open_run(run).with_world_at(world)
    chosen = range(opened.episodes) if episode is None else [episode]
    recordings = {number: read_episode(opened, number) for number in chosen}
    if verify or rebuild:
        facts = _recompute(opened, recordings, rebuild=rebuild)
    else:
        facts = [_facts(opened, number, recording) for number, recording in recordings.items()]
    if as_json:
        say_json(facts)
    elif verify or rebuild:
        for fact in facts:
            say(_verdict(fact, rebuild=rebuild))
    else:
        from ecbench.cli.replay_tables import print_year

        for number, recording in recordings.items():
            print_year(opened.called(number), recording, every)
    if any(fact["difference"] for fact in facts):
        raise typer.Exit(FAILED)


def _recompute(run: "Run", recordings: "dict[int, Recording]", *, rebuild: bool) -> list[dict[str, Any]]:
    from ecbench.errors import Divergence
    from ecbench.runs.results.summary import summarize
    from ecbench.runs.results.summary_file import write_summary

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


def _verify(run: "Run", episode: int, world: "World", recording: "Recording") -> str:
    from ecbench.runs.play.recorded_seat import replay_year
    from ecbench.runs.verify.derived_check import strange_file

    files = replay_year(run.terms_of(episode), episode, world, recording).files if recording.begun else {}
    return strange_file(run, episode, files, recording)


def _rebuild(rebuilt: "list[Result]", run: "Run", episode: int, world: "World", recording: "Recording") -> str:
    from ecbench.errors import RunError
    from ecbench.runs.play.episodes import open_episode
    from ecbench.runs.play.recorded_seat import replay_year

    if recording.begun:
        with open_episode(run, episode) as opened:
            result = opened.close_with(replay_year(run.terms_of(episode), episode, world, opened.recording))
        if result.problem:
            raise RunError(result.problem)
        rebuilt.append(result)
    return ""


def _facts(run: "Run", number: int, recording: "Recording") -> dict[str, Any]:
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
    return f"episode {fact['episode']}: {done}; {fact['calls']:,} calls in {fact['turns']:,} turns came out as recorded"
