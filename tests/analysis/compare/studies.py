"""Little studies with planned looks: a finished rival, and a run that has its plan and no year yet."""

from dataclasses import replace
from pathlib import Path

from tests.cli.test_garbled import command
from tests.conftest import write_little_world

from ecbench.analysis.compare.entries import read_entries
from ecbench.analysis.compare.stopping import plan_against
from ecbench.runs.folder import Run, create_run, open_run
from ecbench.runs.signatures.keys import SigningKey
from ecbench.world.load import load_world
from ecbench.world.save import save_world

DAYS = 9


def write_rival(place: Path, worlds: int, agent: str = "idle") -> Path:
    """A year on each of so many little worlds."""
    (place / "source").mkdir()
    world = load_world(write_little_world(place / "source"))
    for number in range(worlds):
        save_world(replace(world, name=f"shop-{number}", seed=number), place / f"shop{number}")
    sources = ",".join(str(place / f"shop{number}") for number in range(worlds))
    folder = place / "rival"
    code, _, err = command(
        "run", "--agent", agent, "--worlds", sources, "--days", str(DAYS), "--out", str(folder), "-q"
    )
    assert code == 0, err
    return folder


def begin_study(
    folder: Path, rival: Path, agent: str, *, signing_key: SigningKey | None = None, planned: bool = True
) -> Run:
    """A run with a plan against the rival, as `season play --until-clear` begins it; `resume` plays it."""
    against = open_run(rival)
    first, *others = against.worlds
    return create_run(
        folder,
        against.terms.with_seat(0, agent=agent),
        episodes=against.episodes,
        world_source=first.source,
        others=others,
        stopping=plan_against(read_entries([against])[0], against.worlds) if planned else None,
        signing_key=signing_key,
    )
