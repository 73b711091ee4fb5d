"""A command that fails leaves nothing behind, and a damaged record as it was."""

from pathlib import Path

import pytest
from tests.cli.command import Cli, files_in

from ecbench.runs.record import atomic_write


@pytest.fixture
def played(cli: Cli, small_world: Path) -> Path:
    """Two short years of a merchant that only waits."""
    options = ("--agent", "idle", "--days", "3", "-n", "2", "--world", str(small_world))
    assert cli("run", *options, "--out", "played", "--quiet").code == 0
    return Path("played")


@pytest.mark.parametrize("failing", ["write_new_file", "sync_folder"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_an_export_that_fails_leaves_nothing_behind(
    cli: Cli, played: Path, monkeypatch: pytest.MonkeyPatch, failing: str, error: BaseException
) -> None:
    before = files_in(Path())
    calls = []

    def fail(*given: object) -> None:
        calls.append(given)
        if len(calls) == (3 if failing == "write_new_file" else 1):
            raise error
        Path(str(given[0])).touch()

    monkeypatch.setattr(atomic_write, failing, fail)
    done = cli("export", str(played), "--out", "new/export")
    ended = (done.code, len(done.err.splitlines()), done.out)
    assert ended == ((2, 1, "") if isinstance(error, OSError) else (130, 0, ""))
    assert calls and files_in(Path()) == before and not Path("new").exists()


@pytest.mark.parametrize("damage", ["a line is edited", "the end is lost"])
@pytest.mark.parametrize(
    "command",
    ["resume RUN --quiet", "show RUN", "report RUN --out new", "review RUN --quick -j 1", "export RUN --out new"],
)
def test_a_damaged_record_is_refused_and_nothing_is_written(cli: Cli, played: Path, command: str, damage: str) -> None:
    """A record that lost only its end is otherwise complete: `resume` writes the end again, others use it as it is."""
    for record in played.rglob("events.jsonl"):
        lines = record.read_bytes().splitlines(keepends=True)
        record.write_bytes(b"".join([lines[0], b" ", *lines[1:]] if damage == "a line is edited" else lines[:-1]))
    before = files_in(played)
    done = cli(*command.replace("RUN", str(played)).split())
    if damage == "the end is lost":
        assert done.code == 0
        return
    assert done.code == (1 if command.startswith("show") else 2) and "events.jsonl" in done.err
    assert files_in(played) == before and not Path("new").exists()
