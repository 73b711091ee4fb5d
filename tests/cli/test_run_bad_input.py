"""One clear message, exit code 2, nothing overwritten, and what can be kept is kept."""

from pathlib import Path
from shutil import copytree

import pytest
from tests.cli.command import TRADER, WAITS, Cli, complete, files_in, refusal, write_merchant
from tests.conftest import write_little_world

from ecbench.runs import folder

TOO_DEEP = "cannot be read as JSON (nested more than 120 deep)"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run on a world of its own."""
    place = tmp_path_factory.mktemp("recorded")
    world = str(write_little_world(place))
    complete("run", "--agent", TRADER, "--world", world, "--quiet", "--days", "40", "--out", str(place / "out"))
    return place / "out"


@pytest.fixture
def played(recorded: Path) -> str:
    return str(copytree(recorded, "out"))


def test_a_file_instead_of_a_folder_is_refused(cli: Cli) -> None:
    Path("taken").write_text("mine")
    assert "taken is not a folder" in refusal(cli, "run", "--agent", "idle", "--out", "taken")
    assert "taken/deeper is not a folder" in refusal(cli, "run", "--agent", "idle", "--out", "taken/deeper")
    assert Path("taken").read_text() == "mine"


@pytest.mark.parametrize(
    "command", [("resume",), ("show",), ("verify",), ("report",), ("fork", "--day", "1", "--agent", "idle")]
)
def test_folder_that_is_not_a_run_is_refused(cli: Cli, command: tuple[str, ...]) -> None:
    Path("empty").mkdir()
    assert refusal(cli, command[0], "empty", *command[1:]) == "ecbench: empty is not a run: it contains no run.json\n"
    for name in ("one", "two"):
        Path("empty", name).mkdir()
        Path("empty", name, "run.json").touch()
    assert "it is a folder of runs, name one of them: one, two" in refusal(cli, command[0], "empty", *command[1:])


def test_a_command_given_in_a_folder_that_was_deleted_is_refused(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert "was deleted; run the command in another one" in refusal(cli, "run", "--agent", "idle")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"schema": 3', '"schema": 1', "schema 1; this version reads schema 3 alone"),
        ('"days": 40', '"days": 41', "was recorded with days 40, but out/run.json says 41"),
        ('"days": 40', '"days": "forty"', "was edited by hand (days: expected int, got str)"),
        ('"stake": 100000.0', '"stake": NaN', "was edited by hand (stake: expected float >= 1.0)"),
        ('"episodes": 1,', "", "is incomplete or was edited by hand (object missing required field episodes)"),
        ('"model": {}', '"model": {"supplier": 5}', "(seats[0]: model.supplier: expected an object)"),
        ('"model": {}', '"model": {"model_args": [3]}', "(seats[0]: model.model_args: expected an object)"),
        ('"model": {}', '"model": {"supplier": {"model_args": 3}}', "model.supplier.model_args: expected an object)"),
        ('"fork": null', '"fork": ' + "[" * 100_000 + "]" * 100_000, TOO_DEEP),
        ('"rules": {}', '"rules": ' + '{"a":' * 121 + "1" + "}" * 121, TOO_DEEP),
        ("{", "", "cannot be read as JSON"),
    ],
)
def test_a_manifest_of_another_version_or_edited_by_hand_is_refused(
    cli: Cli, played: str, old: str, new: str, message: str
) -> None:
    manifest = Path(played, "run.json")
    manifest.write_text(manifest.read_text().replace(old, new, 1))
    before = files_in(played)
    assert message in refusal(cli, "resume", "out")
    assert files_in(played) == before


def test_a_run_on_a_world_that_has_changed_is_refused(cli: Cli, small_world: Path) -> None:
    played = "out"
    assert cli("run", "--agent", "idle", "--world", str(small_world), "--days", "3", "--out", played).code == 0
    before = files_in(played)
    products = small_world / "products.csv"
    unchanged = products.read_text()
    products.write_text(unchanged.replace("12.5", "12.6"))
    folder.world_of.cache_clear()  # a command has a process of its own
    taken_over = ("fork", played, "--day", "1", "--agent", "idle")
    same_world = "give the same world with --world DIR"
    for command in (("resume", played), taken_over):
        assert same_world in refusal(cli, *command)
    checked = cli("verify", played)  # another world is a difference like others
    assert checked.code == 1 and "DIFFERENT:" in checked.out and same_world in checked.text
    products.unlink()
    folder.world_of.cache_clear()
    assert "if it lies elsewhere now, give --world DIR" in refusal(cli, "resume", played)
    assert files_in(played) == before


def test_a_damaged_record_is_refused_and_salvaged_when_asked(cli: Cli, played: str) -> None:
    events = Path(played, "episodes/0/events.jsonl")
    whole = events.read_bytes()
    events.write_bytes(whole.replace(b'"day":30,"bank":', b'"day":30,"bank":9', 1))
    before = files_in(played)
    refused = cli("resume", played)
    message = refused.err
    assert refused.code == 2
    assert "edited or damaged; the " in message and "and reach day 29" in message
    assert message.count("ecbench resume out") == message.count("ecbench resume out --salvage") == 1
    assert files_in(played) == before
    assert cli("resume", played, "--salvage", "--quiet").code == 0
    assert events.read_bytes() == whole


def test_one_command_is_advised_for_a_damaged_and_a_stopped_episode(cli: Cli, small_world: Path) -> None:
    write_merchant("weary.py", "for day in range(9):", f"    {WAITS}", "raise OSError('tired')")
    weary = cli("run", "--agent", "weary.py:Mine", "--world", str(small_world), "-n", "2", "--quiet", "--out", "out")
    assert weary.code == 1 and weary.err.endswith("\nContinue with: ecbench resume out\n")
    events = Path("out/episodes/0/events.jsonl")
    events.write_bytes(events.read_bytes().replace(b'"turn":3', b'"turn":4', 1))
    write_merchant("weary.py", "for day in range(12):", f"    {WAITS}", "raise OSError('tired')")
    refused = cli("resume", "out", "--quiet")
    assert refused.code == 2 and refused.err.endswith("\nContinue with: ecbench resume out --salvage\n")
    write_merchant("weary.py", "for day in range(12):", f"    {WAITS}")
    assert cli("resume", "out", "--salvage", "--quiet").code == 0
