"""ecbench replay: look at a recorded run, and prove that it is what happened."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ecbench.cli.exit_codes import FAILED
from ecbench.cli.plain_text import say, say_json
from ecbench.cli.playing import JsonOption, RunArgument, WorldPlaceOption

if TYPE_CHECKING:
    from ecbench.runs.folder import Run
    from ecbench.runs.reader import Recording


def replay(
    run: RunArgument,
    verify: Annotated[
        bool, typer.Option("--verify", help="Recompute every reply and fail on the first difference.")
    ] = False,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Recompute, and write the files that derive from the events anew.")
    ] = False,
    episode: Annotated[
        int | None, typer.Option("--episode", metavar="N", min=0, help="Only this year. [default: all]")
    ] = None,
    every: Annotated[int, typer.Option("--every", min=1, metavar="DAYS", help="Days between the lines shown.")] = 7,
    world: WorldPlaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a recorded run day by day, or verify it.

    With --verify or --rebuild the year is recomputed from its calls, without its agent. The exit code is 1 where it
    comes out otherwise.
    """
    from ecbench.runs.folder import open_run
    from ecbench.runs.session import read_episode

    opened = open_run(run)
    chosen = range(opened.episodes) if episode is None else [episode]
    recordings = {number: read_episode(opened, number) for number in chosen}
    if verify or rebuild:
        facts = _recompute(opened, recordings, world, rebuild=rebuild)
    else:
        facts = [_facts(number, recording) for number, recording in recordings.items()]
    if as_json:
        say_json(facts)
    elif verify or rebuild:
        for fact in facts:
            say(_verdict(fact, rebuild=rebuild))
    else:
        from ecbench.cli.replay_tables import print_year

        for number, recording in recordings.items():
            print_year(number, recording, every)
    if any(fact["difference"] for fact in facts):
        raise typer.Exit(FAILED)


def _recompute(
    run: "Run", recordings: "dict[int, Recording]", world: str | None, *, rebuild: bool
) -> list[dict[str, Any]]:
    from ecbench.runs.derive import write_derived
    from ecbench.runs.play import replay_year
    from ecbench.runs.problems import Divergence

    loaded = run.load_world(world)
    facts = []
    for number, recording in recordings.items():
        fact = _facts(number, recording)
        try:
            played = replay_year(run.terms, number, loaded, recording)
        except Divergence as difference:
            fact["difference"] = str(difference)
        else:
            if rebuild:
                write_derived(run.episode_folder(number), played.files)
            else:
                fact["difference"] = fact["difference"] or _stale_file(run, number, played.files)
        facts.append(fact)
    return facts


def _stale_file(run: "Run", episode: int, files: dict[str, str]) -> str:
    """The first derived file that says something else than the events; one that is missing says nothing wrong."""
    for name, text in files.items():
        path = run.episode_folder(episode) / name
        if path.exists() and path.read_text(encoding="utf-8") != text:
            return f"episode {episode}: {path} does not follow from the events; --rebuild makes it anew"
    return ""


def _facts(number: int, recording: "Recording") -> dict[str, Any]:
    return {
        "episode": number,
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
    done = "rebuilt" if rebuild else "verified"
    return f"episode {fact['episode']}: {done}; {fact['calls']:,} calls in {fact['turns']:,} turns came out as recorded"
