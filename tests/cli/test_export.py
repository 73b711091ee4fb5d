"""Training data from the command line: what is refused, and what is forced."""

from pathlib import Path

import pytest
from tests.cli.command import Cli, refusal
from tests.run_values import year_terms

from ecbench.cli.commands.export import entry_folders
from ecbench.runs.folder import create_run


@pytest.mark.parametrize("option", ["--credit", "--force"])
def test_options_of_training_data_are_refused_for_tables(cli: Cli, option: str) -> None:
    assert f"{option} is for training data" in refusal(cli, "export", "run", "--format", "csv", option, "--out", "out")


def test_every_seat_of_an_arena_is_exported_into_a_folder_of_its_own(tmp_path: Path) -> None:
    agents = ("vendor/model:1", "vendor/model-1", "steady", "steady")
    terms = year_terms("w", *agents, days=2)
    entries = entry_folders(create_run(tmp_path / "arena", terms, episodes=1, world_source="w"))
    assert [run.player.agent for run in entries.values()] == list(agents)
    assert list(entries) == ["vendor-model-1-1", "vendor-model-1-2", "steady-1", "steady-2"]


def test_a_year_on_a_world_with_a_salt_is_exported_only_by_force(cli: Cli) -> None:
    assert cli("run", "--agent", "idle", "--days", "2", "--world", f"seed-5:{'ab' * 16}", "--out", "run").code == 0
    export = ("export", "run", "--format", "openai", "--out", "out")
    assert "seasons stay unseen" in refusal(cli, *export)
    assert not Path("out").exists()
    assert cli(*export, "--force").code == 0
    assert Path("out/openai.jsonl").exists()
