"""Honest folders of every kind are accepted; every kind of forgery is refused, and the refusal names what differs."""

import shutil
from pathlib import Path
from random import Random

import pytest
from tests.cli.test_garbled import command
from tests.suite.forger import Forger
from tests.suite.forgeries import KINDS, Kind
from tests.suite.honest_folders import write_honest_folders, write_unfinished

DRAWS = 2  # of each kind


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return write_honest_folders(tmp_path_factory.mktemp("honest"))


def test_honest_folders_are_accepted(honest: dict[str, Path]) -> None:
    for name, folder in honest.items():
        for options in (("verify", str(folder)), ("replay", str(folder), "--verify")):
            code, out, err = command(*options)
            assert code == 0, (name, out, err)


def test_a_year_that_was_stopped_is_as_recorded_and_not_over(tmp_path: Path) -> None:
    folder = write_unfinished(tmp_path)
    assert command("replay", str(folder), "--verify")[0] == 0
    code, out, _ = command("verify", str(folder))
    assert code == 1 and "NOT OVER" in out and "DIFFERENT" not in out and "1 stopped and not over" in out


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_a_forgery_is_refused_by_the_name_of_what_differs(honest: dict[str, Path], tmp_path: Path, kind: Kind) -> None:
    for draw in range(DRAWS):
        draws = Random(f"{kind.name}/{draw}")
        source = draws.choice(kind.of)
        folder = Path(shutil.copytree(honest[source], tmp_path / f"{draw}" / source))
        words = kind.forge(Forger(folder, draws))
        for options in (("verify", str(folder)), ("replay", str(folder), "--verify")):
            if options[0] == "replay" and kind.asks_agents:
                continue
            code, out, err = command(*options)
            assert code in (1, 2), (source, out)
            assert words in out + err, (source, words, out + err)
