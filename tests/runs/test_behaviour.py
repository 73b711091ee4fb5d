"""The behaviour version rises between two releases if a reply, a letter, a world or a derived figure changes."""

import gzip
import json
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from sqlite3 import connect

import pytest
from tests.cli.command import Command

from ecbench import __version__
from ecbench.players.merchants.registry import merchant_names
from ecbench.runs.evaluate import evaluate
from ecbench.runs.folder import MANIFEST, create_run
from ecbench.runs.manifest import BEHAVIOUR
from ecbench.runs.play.play_here import play_here
from ecbench.runs.results.database import RESULTS, ROW_TYPES
from ecbench.runs.terms import SeatTerms, Terms
from ecbench.world.load import load_world
from ecbench.world.model import World

RECORDINGS = Path(__file__).parents[1] / "recordings"
DIGESTS = {1: "75e0fdb10615e19ab5fef03ec21d7ffab86f7c292f6a51b014b51e8d68e27b81"}
"""Of everything that the short years below and the recordings hold, by behaviour version."""


def _content(path: Path) -> bytes:
    """Of a database its rows: the bytes around them depend on the version of SQLite."""
    if path.name != RESULTS:
        return path.read_bytes()
    with closing(connect(path)) as database:
        rows = [database.execute(f"select * from {table}").fetchall() for table in ROW_TYPES]
    return repr(rows).encode()


def test_run_contents_match_the_behaviour_version(tmp_path: Path) -> None:
    others = [(name, "default", 6) for name in merchant_names() if name != "steady"]
    for agent, world, days in (("steady", "default", 16), ("steady", "seed-7", 5), *others):
        evaluate(agent, world=world, days=days, out=tmp_path / f"{agent}-{world}")
    for agent, days in (("steady", 16), ("insider", 6), ("haggler", 60)):
        evaluate(agent, days=days, rules="fair", out=tmp_path / f"{agent}-fair")
    _arena(tmp_path / "arena")
    found = sha256()
    for path in sorted(path for path in tmp_path.rglob("*") if path.is_file() and path.name != MANIFEST):
        found.update(f"{path.relative_to(tmp_path).as_posix()}\n".encode() + _content(path))
    for tape in sorted(RECORDINGS.glob("*.json.gz")):
        found.update(gzip.decompress(tape.read_bytes()))
    advice = (
        "replies or figures have changed: if BEHAVIOUR in runs/manifest.py is the number of a release, raise it and "
        f"add a digest, else replace its digest: {found.hexdigest()}"
    )
    assert {**DIGESTS, BEHAVIOUR: found.hexdigest()} == DIGESTS, advice
    assert max(DIGESTS) == BEHAVIOUR
    assert len(set(DIGESTS.values())) == len(DIGESTS)


@pytest.mark.parametrize(
    "command", [["show"], ["verify"], ["resume"], ["fork", "--day", "0", "--agent", "idle"]], ids=" ".join
)
def test_a_run_of_another_behaviour_is_refused_in_one_line_that_names_its_version(
    command: list[str], tmp_path: Path, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    create_run(tmp_path / "run", Terms.alone(world, agent="idle"), episodes=1, world_source="default")
    path = tmp_path / "run" / MANIFEST
    manifest = json.loads(path.read_text())
    for stated in ({"ecbench": "7.0", "behaviour": BEHAVIOUR + 1}, {"ecbench": "7.0", "behaviour": 0}):
        path.write_text(json.dumps(manifest | stated))
        refused = Command(capsys, command[0], str(path.parent), *command[1:])
        assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1)
        assert "recorded by ecbench 7.0" in refused.err and "pip install ecbench==7.0" in refused.err
    path.write_text(json.dumps(manifest | {"behaviour": BEHAVIOUR + 1}))
    of_this_version = Command(capsys, command[0], str(path.parent), *command[1:]).err
    assert f"another state of ecbench {__version__}" in of_this_version and "pip install" not in of_this_version
    path.write_text(json.dumps(manifest | {"behaviour": "new"}))
    assert "behaviour" in Command(capsys, command[0], str(path.parent), *command[1:]).err


def _arena(folder: Path) -> None:
    world = load_world("default")
    seats = (SeatTerms("steady"), SeatTerms("haggler"))
    run = create_run(folder, Terms.of_seats(world, seats, 4, 1e5), episodes=1, world_source="default")
    assert play_here(run, 0).over
