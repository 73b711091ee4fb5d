"""The behaviour version rises between two releases if a reply, a letter, a world or a derived figure changes."""

import gzip
from hashlib import sha256
from pathlib import Path

from ecbench.cancellation import StopFlag
from ecbench.players.merchants.registry import merchant_names
from ecbench.runs.behaviour import BEHAVIOUR
from ecbench.runs.evaluate import evaluate
from ecbench.runs.folder import MANIFEST, create_run, open_run
from ecbench.runs.play.episodes import Listener, play_here
from ecbench.runs.terms import SeatTerms, Terms
from ecbench.world.load import load_world

RECORDINGS = Path(__file__).parents[1] / "recordings"
DIGESTS = {1: "397973d1576dace638e0ce96fef8ee396fcd3e8f2e1f34ef412f202f163c76df"}
"""Of everything that the short years below and the recordings hold, by behaviour version."""


def test_what_a_run_holds_is_that_of_the_behaviour_version(tmp_path: Path) -> None:
    others = [(name, "default", 6) for name in merchant_names() if name != "steady"]
    for agent, world, days in (("steady", "default", 16), ("steady", "seed-7", 5), *others):
        evaluate(agent, world=world, days=days, out=tmp_path / f"{agent}-{world}")
    for agent, days in (("steady", 16), ("oracle", 6), ("haggler", 60)):
        evaluate(agent, days=days, rules="fair", out=tmp_path / f"{agent}-fair")
    _arena(tmp_path / "arena")
    found = sha256()
    for path in sorted(path for path in tmp_path.rglob("*") if path.is_file() and path.name != MANIFEST):
        found.update(f"{path.relative_to(tmp_path).as_posix()}\n".encode() + path.read_bytes())
    for tape in sorted(RECORDINGS.glob("*.json.gz")):
        found.update(gzip.decompress(tape.read_bytes()))
    advice = (
        "replies or figures have changed: if BEHAVIOUR in runs/behaviour.py is the number of a release, raise it and "
        f"add a digest, else replace its digest: {found.hexdigest()}"
    )
    assert {**DIGESTS, BEHAVIOUR: found.hexdigest()} == DIGESTS, advice
    assert max(DIGESTS) == BEHAVIOUR
    assert len(set(DIGESTS.values())) == len(DIGESTS)


def _arena(folder: Path) -> None:
    world = load_world("default")
    seats = (SeatTerms("steady"), SeatTerms("haggler"))
    run = create_run(folder, Terms(world.name, world.id, world.seed, seats, 4, 1e5), episodes=1, world_source="default")
    assert open_run(folder).origin.replayable
    assert play_here(run, 0, world, Listener(), StopFlag()).over
