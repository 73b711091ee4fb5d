"""docs/paper.md: every command on it works on a short run, and every label of the paper's results is on it."""

import re
import shlex
from pathlib import Path

import pytest
from tests.cli.command import Cli, Command

from ecbench.metrics.measures import MEASURES
from ecbench.metrics.paper_tables import paper_tables

PAGE = (Path(__file__).parents[1] / "docs" / "paper.md").read_text(encoding="utf-8")
COMMANDS = list(dict.fromkeys(re.findall(r"`(ecbench [^`]+)`", PAGE)))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from ecbench.cli import main

    folder = tmp_path_factory.mktemp("paper") / "run"
    with pytest.raises(SystemExit):
        main(("run", "--agent", "haggler", "--days", "20", "--out", str(folder), "--quiet"))
    return folder


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: Command(capsys, *arguments)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_page_works(cli: Cli, run: Path, command: str) -> None:
    _, *arguments = shlex.split(command.replace("RUN", str(run)))
    done = cli(*arguments)
    assert done.code == 0, done.err
    assert done.out.strip() or any(Path().iterdir())


def test_the_page_names_every_label_that_a_measure_or_a_table_has() -> None:
    labels = {label for measure in MEASURES.values() for label in re.findall(r"(?:tab|fig):\w+", measure.paper)}
    labels |= {table.terms.label for table in paper_tables({})}
    assert {label for label in labels if f"`{label}`" not in PAGE} == set()


def test_the_page_gives_the_figures_the_names_that_the_report_has() -> None:
    report = (Path(__file__).parents[1] / "docs" / "understand.md").read_text(encoding="utf-8").splitlines()
    section = PAGE.partition("## Figures of results")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`fig:[^|]+) \| (`[^|]+) \|", section, re.MULTILINE)
    assert len(rows) == 16
    for labels, keys in rows:
        for key in re.findall(r"`([\w-]+)`", keys):
            (line,) = [line for line in report if line.startswith(f"| `{key}` |")]
            assert key == "bargains" or re.findall(r"`(fig:\w+)`", labels)[0] in line
