"""ecbench report --tables, and any measure as an axis of a comparison."""

from pathlib import Path

import pytest
from tests.cli.command import Cli, complete

from ecbench.cli.commands.report import TABLES
from ecbench.metrics.measures import DIMENSIONS, MEASURES
from ecbench.metrics.published import PAPER_TABLES, RESULTS, published_cells


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two short years that differ in nothing but their number."""
    folder = tmp_path_factory.mktemp("tables") / "run"
    complete("run", "--agent", "haggler", "--days", "40", "--episodes", "2", "--out", str(folder), "--quiet")
    return folder


def test_the_command_names_every_table() -> None:
    assert tuple(table.key for table in PAPER_TABLES) == TABLES


def test_every_measure_and_every_published_figure_is_in_the_tables(cli: Cli, run: Path) -> None:
    tables = cli("report", "--tables", str(run), "--json").json["tables"]
    rows = [figure | {"label": table["label"]} for table in tables for figure in table["figures"]]
    own = {row["measure"]: row for row in rows if row["row"] == "haggler"}
    beyond = {measure.name for dimension in ("abilities", "conduct") for measure in DIMENSIONS[dimension]}
    assert set(own) == set(MEASURES) - beyond  # which the paper has not
    metrics = cli("resume", str(run), "--json").json["measures"]
    assert 0.0 < own["skill"]["value"] < 0.5
    for name, row in own.items():
        assert (row["value"], row["std"]) == (metrics[name]["value"], metrics[name]["spread"]), name
    printed = {(row["label"], row["row"], row["measure"]): row for row in rows if row["published"]}
    for table in RESULTS:
        for model, cells in published_cells(table.file).items():
            for name, cell in cells.items():
                row = printed.pop((table.label, model, name))
                assert (row["value"], row["text"], row["std"]) == (cell.value, cell.text, cell.spread)
    assert not printed


def test_a_table_names_the_run_the_models_and_the_label(cli: Cli, run: Path) -> None:
    said = cli("report", "--tables", str(run), "--only", "d1").out
    for text in ("haggler", "Claude Opus 4.7 (max)", "tab:res", "0.811"):
        assert text in said
    assert max(map(len, said.splitlines())) <= 80


def test_kinds_of_suppliers_and_failure_modes_stand_beside_the_papers(cli: Cli, run: Path) -> None:
    shown = cli("report", "--tables", str(run), "--only", "presets", "--only", "failures", "--json")
    found = shown.json["tables"]
    presets, failures = ({(f["row"], f["measure"]): f["value"] for f in table["figures"]} for table in found)
    assert presets["candid", "surplus (paper)"] == 0.677
    assert sum(value for (_, name), value in presets.items() if name == "sessions (haggler)") > 0
    assert failures["bankruptcy", "episodes (paper)"] == 10
    assert failures["bankruptcy", "models (paper)"] == 4
    assert failures["bankruptcy", "tested (haggler)"] == 2


def test_any_measure_is_an_axis_of_a_comparison(cli: Cli, run: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    assert cli("run", "--agent", "idle", "--days", "40", "--out", str(other), "--quiet").code == 0
    said = cli("compare", str(run), str(other), "--axis", "turns", "--axis", "orders_sold", "--json").json
    assert [axis["axis"] for axis in said["pairs"][0]["axes"]] == ["turns", "orders_sold"]
