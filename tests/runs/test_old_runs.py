"""Runs of earlier versions: their figures are shown as recorded, and nothing is replayed.

`old/runs.tar.xz` holds short years of ecbench 0.1 (schema 1) and of 0.2 before behaviour versions: merchants on two
worlds, a model, a model that failed half-way, an arena of two rounds, a fork, and a year whose process was killed.
"""

import csv
import json
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.cli.command import Command

from ecbench.board.run_index import Library
from ecbench.errors import OtherVersion
from ecbench.runs.folder import MANIFEST, create_run, open_run
from ecbench.runs.record.checksums import Checksum, checksum_of
from ecbench.runs.results.frames import load_run
from ecbench.runs.terms import Terms
from ecbench.world.model import World

VERSIONS = ("0.1", "0.2")
WHOLE = ("merchant", "model", "interrupted", "arena", "fork")
UNFINISHED = "unfinished"
FOLDERS = [f"{version}/{name}" for version in VERSIONS for name in (*WHOLE, UNFINISHED)]

Run = Callable[..., Command]


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("old")
    with tarfile.open(Path(__file__).parent / "old" / "runs.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return folder


@pytest.fixture
def ecbench(capsys: pytest.CaptureFixture[str]) -> Run:
    return lambda *arguments: Command(capsys, *map(str, arguments))


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def years(folder: Path) -> Iterator[Path]:
    """The folders with derived files."""
    return (path.parent for path in sorted(folder.rglob("metrics.json")))


@pytest.mark.parametrize("name", FOLDERS)
@pytest.mark.parametrize(
    "command",
    [
        ["verify"],
        ["replay", "--verify"],
        ["replay", "--rebuild"],
        ["resume"],
        ["resume", "--salvage"],
        ["review", "--quick"],
        ["verify", "--world", "default"],
    ],
    ids=" ".join,
)
def test_what_needs_a_replay_names_the_version_and_changes_nothing(
    old: Path, ecbench: Run, name: str, command: list[str]
) -> None:
    before = contents(old / name)
    refused = ecbench(command[0], old / name, *command[1:])
    version = f"{name[:3]}.0"
    assert (refused.code, refused.out) == (2, "")
    assert len(refused.err.splitlines()) == 1
    assert f"ecbench {version}" in refused.err
    assert "pip install ecbench==0.1.0" in refused.err or "the source of 2026-11-17 that recorded it" in refused.err
    assert "DIFFERENT" not in refused.err and "--world" not in refused.err
    assert contents(old / name) == before


@pytest.mark.parametrize("version", VERSIONS)
def test_a_fork_or_a_turn_on_the_board_is_refused(old: Path, ecbench: Run, tmp_path: Path, version: str) -> None:
    forked = ecbench("fork", old / version / "model", "--day", 2, "--agent", "idle", "--out", tmp_path / "fork")
    assert forked.code == 2 and f"recorded by {'ecbench 0.1.0' if version == '0.1' else 'another state'}" in forked.err
    assert not (tmp_path / "fork").exists()
    library = Library(old / version)
    spines = {spine.folder: spine for spine in library.spines()}
    assert not any(spine.live for spine in spines.values())
    assert spines["model"].ending == "year_end" and len(spines["model"].curve) > 2
    with pytest.raises(OtherVersion, match="recorded by"):
        library.year(spines["model"].id, 0)


@pytest.mark.parametrize("name", [name for name in FOLDERS if UNFINISHED not in name])
def test_recorded_figures_are_shown_exported_and_reported(old: Path, ecbench: Run, name: str, tmp_path: Path) -> None:
    note = f"was recorded by ecbench {name[:3]}.0; figures as recorded, not recomputed"
    folder = old / name
    metrics = [json.loads((year / "metrics.json").read_text()) for year in years(folder)]
    shown = ecbench("show", folder, "--json")
    facts = json.loads(shown.out)
    assert facts["ending"] == metrics[0]["run"]["ending"]
    assert round(facts["final_assets"], 2) == metrics[0]["profitability"]["final_balance"]
    assert ecbench("show", folder).code == ecbench("show", folder, "--day", 2).code == 0
    exported = ecbench("export", folder, "--out", tmp_path / "csv")
    page = ecbench("report", folder, "--out", tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size > 10_000
    for command in (shown, exported, page):
        assert (command.code, command.err.count("\n")) == (0, 1) and note in command.err
    with next((tmp_path / "csv").rglob("days.csv")).open(newline="") as mornings:
        bank = [row["bank"] for row in csv.DictReader(mornings)]
    with (next(years(folder)) / "days.csv").open(newline="") as mornings:
        recorded = [row["bank"] for row in csv.DictReader(mornings)]
    assert bank[: len(recorded)] == recorded
    for form in ("parquet", "release"):
        assert ecbench("export", folder, "--format", form, "--out", tmp_path / form).code == 0
    assert len(load_run(folder).episodes) == open_run(folder).episodes


@pytest.mark.parametrize("version", VERSIONS)
def test_recorded_years_are_compared_with_todays(old: Path, ecbench: Run, version: str, tmp_path: Path) -> None:
    assert ecbench("compare", old / version / "arena", "--json").code == 0
    new = tmp_path / "new"
    assert ecbench("run", "--agent", "first-quote", "--worlds", "1,2", "--days", 5, "--out", new, "-q").code == 0
    found = ecbench("compare", old / version / "merchant", new, "--anyway", "--json")
    assert found.code == 0 and json.loads(found.out)["pairs"], found.err
    assert ecbench("compare", old / version / UNFINISHED, new, "--anyway").code == 2
    tables = ecbench("tables", old / version / "merchant", "--only", "d1")
    assert tables.code == 0 and "figures as recorded, not recomputed" in tables.err


@pytest.mark.parametrize("name", [name for name in FOLDERS if UNFINISHED in name])
@pytest.mark.parametrize("command", [["show"], ["export", "--out", "csv"]], ids=" ".join)
def test_a_year_without_tables_is_refused_in_one_line(
    old: Path, ecbench: Run, name: str, command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused = ecbench(command[0], old / name, *command[1:])
    assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert "recorded by" in refused.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("version", VERSIONS)
def test_an_edited_table_is_not_shown(old: Path, ecbench: Run, version: str, tmp_path: Path) -> None:
    folder = copied(old / version / "model", tmp_path)
    table = folder / "episodes/0/days.csv"
    table.write_text(table.read_text().replace("100000.0", "999999.0"))
    assert "has no complete tables" in ecbench("show", folder).err


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("table", "column"), [("sales.csv", "freight"), ("orders.csv", "floor"), ("stores.csv", "name")]
)
def test_a_column_that_a_table_lacks_is_null(
    old: Path, ecbench: Run, version: str, table: str, column: str, tmp_path: Path
) -> None:
    folder = copied(old / version / "fork", tmp_path)
    drop_column(folder / "episodes/0", table, column)
    shown = ecbench("show", folder, "--json")
    assert shown.code == 0, shown.err
    if column == "freight":
        assert all(line["freight"] is None for line in json.loads(shown.out)["categories"] if line["units_sold"])
    assert ecbench("show", folder).code == ecbench("show", folder, "--day", 3, "--json").code == 0
    assert ecbench("report", folder, "--out", tmp_path / "page.html").code == 0
    assert ecbench("export", folder, "--out", tmp_path / "csv").code == 0
    with (tmp_path / "csv" / table).open(newline="") as rows:
        cells = [row[column] for row in csv.DictReader(rows)]
    assert cells and not any(cells)


def test_a_run_of_a_later_behaviour_is_refused(ecbench: Run, tmp_path: Path, world: World) -> None:
    create_run(tmp_path / "run", Terms.alone(world, agent="idle"), episodes=1, world_source="default")
    path = tmp_path / "run" / MANIFEST
    manifest = json.loads(path.read_text())
    path.write_text(json.dumps({**manifest, "ecbench": "7.0", "behaviour": manifest["behaviour"] + 1}))
    refused = ecbench("verify", tmp_path / "run")
    assert refused.code == 2 and "pip install ecbench==7.0" in refused.err
    path.write_text(json.dumps({**manifest, "behaviour": "new"}))
    assert "behaviour" in ecbench("verify", tmp_path / "run").err


def copied(folder: Path, to: Path) -> Path:
    for path, content in contents(folder).items():
        copy = to / folder.name / path.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(content)
    return to / folder.name


def drop_column(folder: Path, table: str, column: str) -> None:
    """As a version would have written it that did not know the column."""
    with (folder / table).open(newline="") as file:
        rows = [{name: cell for name, cell in row.items() if name != column} for row in csv.DictReader(file)]
    with (folder / table).open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    manifest = next(path for path in (folder / "seal.json", folder / "checksums.json") if path.exists())
    stated = json.loads(manifest.read_text())
    del stated["check"]
    stated["files"][table] = checksum_of((folder / table).read_bytes())
    manifest.write_bytes(Checksum().close(stated))
