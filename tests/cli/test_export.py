"""Training data from the command line: what is refused, and what is forced."""

from pathlib import Path

import pytest
from tests.cli.command import Cli, refusal


@pytest.mark.parametrize("option", ["--whole", "--credit", "--force"])
def test_options_of_training_data_are_refused_for_tables(cli: Cli, option: str) -> None:
    assert f"{option} is for training data" in refusal(cli, "export", "run", "--format", "csv", option, "--out", "out")


def test_a_year_on_a_world_with_a_salt_is_exported_only_by_force(cli: Cli) -> None:
    assert cli("run", "--agent", "idle", "--days", "2", "--world", f"seed-5:{'ab' * 16}", "--out", "run").code == 0
    export = ("export", "run", "--format", "messages", "--out", "out")
    assert "seasons stay unseen" in refusal(cli, *export)
    assert not Path("out").exists()
    assert cli(*export, "--force").code == 0
    assert Path("out/openai.jsonl").exists()
