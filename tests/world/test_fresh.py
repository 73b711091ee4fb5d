"""Fresh worlds by name: made when they are wanted, the same wherever that is."""

from pathlib import Path

import pytest
from tests.cli.command import Command

from ecbench.world.load import is_named, load_world
from ecbench.world.problems import WorldError


def test_a_world_by_its_seed_is_the_one_that_world_new_writes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert Command(capsys, "world", "new", "--seed", "11", "--out", str(tmp_path / "w")).code == 0
    assert load_world("seed-11").id == load_world(tmp_path / "w").id
    assert is_named("seed-11") and is_named("default") and not is_named(str(tmp_path / "w"))


@pytest.mark.parametrize("name", ["seed-", "seed--1", "seed-1.5", "seed-٣", "seed-" + "9" * 40, "seed-x"])
def test_what_is_no_seed_is_a_folder_that_does_not_exist(name: str) -> None:
    with pytest.raises(WorldError, match=r"no such folder.*seed-N is a fresh one"):
        load_world(name)
