"""One clear message, exit code 2, nothing overwritten, and what can be kept is kept."""

import json
import resource
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest
from tests.cli.command import TRADER, Cli, files_in, refusal
from tests.conftest import write_little_world

from ecbench.cli import main
from ecbench.runs import folder

SMALL_DISK = 300_000  # bytes
TOO_DEEP = "cannot be read as JSON (nested more than 120 deep)"


@pytest.fixture
def options(small_world: Path) -> tuple[str, ...]:
    return ("--agent", TRADER, "--world", str(small_world), "--quiet")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run on a world of its own."""
    place = tmp_path_factory.mktemp("recorded")
    with pytest.raises(SystemExit) as ended:
        world = str(write_little_world(place))
        main(("run", "--agent", TRADER, "--world", world, "--quiet", "--days", "40", "--out", str(place / "out")))
    assert not ended.value.code
    return place / "out"


@pytest.fixture
def played(cli: Cli, options: tuple[str, ...]) -> str:
    assert cli("run", *options, "--days", "40", "--out", "out").code == 0
    return "out"


def test_a_folder_in_use_is_refused(cli: Cli, played: str, options: tuple[str, ...]) -> None:
    before = files_in(played)
    message = refusal(cli, "run", *options, "--out", played)
    assert message == (
        "ecbench: out is not empty; give --out a folder that does not exist yet or continue it: ecbench resume out\n"
    )
    assert files_in(played) == before


def test_file_instead_of_a_folder_is_refused(cli: Cli, options: tuple[str, ...]) -> None:
    Path("taken").write_text("mine")
    assert "taken is not a folder" in refusal(cli, "run", *options, "--out", "taken")
    assert "cannot write taken: File exists" in refusal(cli, "run", *options, "--out", "taken/deeper")
    assert Path("taken").read_text() == "mine"


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ("stedy", "no merchant is called 'stedy'; did you mean steady?"),
        ("nobody", "no merchant is called 'nobody'; the merchants are idle, first-quote, "),
        ("nowhere:Merchant", "cannot import 'nowhere'"),
        ("absent.py:Merchant", "no Python file at "),
        ("failing.py", "failing.py names a file without a class; write failing.py:"),
        ("json:JSONDecoder", "a merchant needs a method play"),
        ("broken.py:Merchant", "cannot be run: "),
        ("failing.py:Merchant", "cannot be loaded: ZeroDivisionError: division by zero"),
    ],
)
def test_an_agent_that_does_not_exist_is_refused_before_anything_is_written(
    cli: Cli, small_world: Path, agent: str, message: str
) -> None:
    Path("broken.py").write_text("class Merchant(:")
    Path("failing.py").write_text("1 / 0")
    told = refusal(cli, "run", "--agent", agent, "--world", str(small_world), "--out", "out")
    assert message in told
    assert not Path("out").exists()


def test_unknown_worlds_rules_and_executors_are_refused(cli: Cli, options: tuple[str, ...]) -> None:
    assert "no world at 'nowhere'" in refusal(cli, "run", "--agent", "idle", "--world", "nowhere", "--out", "out")
    assert "there is no rule 'tax'" in refusal(cli, "run", *options, "--set", "tax=1", "--out", "out")
    assert "there is no executor 'cloud'" in refusal(cli, "run", *options, "--executor", "cloud", "--out", "out")
    assert not Path("out").exists()


@pytest.mark.parametrize("option", ["--agent", "--rules", "--worlds", "--policy"])
def test_an_empty_option_is_refused(cli: Cli, option: str) -> None:
    """An unset variable of a shell is one."""
    assert "it is empty; leave it out, or give a value" in refusal(cli, "run", f"{option}=", "--out", "out")
    assert not Path("out").exists()


@pytest.mark.parametrize("command", [("resume",), ("show",), ("verify",), ("fork", "--day", "1", "--agent", "idle")])
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
        ('"schema": 3', '"schema": 7', "schema 7; this version reads schema 3 alone"),
        ('"days": 40', '"days": 41', "was recorded with days 40, but out/run.json says 41"),
        ('"days": 40', '"days": "forty"', "was edited by hand (days: expected int, got str)"),
        ('"days": 40', '"days": 0', "was edited by hand (days: expected int >= 1)"),
        ('"days": 40', '"days": 1e999', "was edited by hand (days: expected int, got float)"),
        ('"stake": 100000.0', '"stake": NaN', "was edited by hand (stake: expected float >= 1.0)"),
        ('"episodes": 1,', "", "is incomplete or was edited by hand (object missing required field episodes)"),
        ('"episodes": 1,', '"episodes": [1],', "was edited by hand (episodes: expected int, got array)"),
        ('"fork": null', '"fork": 7', "was edited by hand (fork: expected object | null, got int)"),
        (
            '"model": {}',
            '"model": {"supplier": 5}',
            "edited by hand (seats[0]: model.supplier: expected an object)",
        ),
        ('"model": {}', '"model": {"model_args": [3]}', "(seats[0]: model.model_args: expected an object)"),
        (
            '"model": {}',
            '"model": {"supplier": {"model_args": 3}}',
            "(seats[0]: model.supplier.model_args: expected an object)",
        ),
        ('"fork": null', '"fork": ' + "[" * 100_000 + "]" * 100_000, TOO_DEEP),
        ('"rules": {}', '"rules": ' + '{"a":' * 121 + "1" + "}" * 121, TOO_DEEP),
        ("{", "", "cannot be read as JSON"),
    ],
)
def test_a_manifest_of_another_version_or_edited_by_hand_is_refused(
    cli: Cli, recorded: Path, old: str, new: str, message: str
) -> None:
    played = copytree(recorded, "out")
    manifest = Path(played, "run.json")
    manifest.write_text(manifest.read_text().replace(old, new, 1))
    before = files_in(played)
    assert message in refusal(cli, "resume", "out")
    assert files_in(played) == before


def test_a_run_on_a_world_that_has_changed_is_refused(cli: Cli, played: str, small_world: Path) -> None:
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


def test_one_command_is_advised_for_a_damaged_and_a_stopped_episode(cli: Cli, options: tuple[str, ...]) -> None:
    merchant = Path("weary.py")
    merchant.write_text(
        "class Weary:\n    def play(self, schemas):\n        for day in range(9):\n"
        "            yield [{'name': 'wait_for_next_day', 'arguments': {}}]\n        raise OSError('tired')\n"
    )
    weary = cli("run", "--agent", "weary.py:Weary", *options[2:], "-n", "2", "--quiet", "--out", "out")
    assert weary.code == 1 and weary.err.endswith("\nContinue with: ecbench resume out\n")
    events = Path("out/episodes/0/events.jsonl")
    events.write_bytes(events.read_bytes().replace(b'"turn":3', b'"turn":4', 1))
    merchant.write_text(merchant.read_text().replace("9", "12"))
    refused = cli("resume", "out", "--quiet")
    assert refused.code == 2 and refused.err.endswith("\nContinue with: ecbench resume out --salvage\n")
    merchant.write_text(merchant.read_text().replace("raise OSError('tired')", "return"))
    assert cli("resume", "out", "--salvage", "--quiet").code == 0


def test_a_full_disk_keeps_every_turn_that_was_written(cli: Cli, options: tuple[str, ...]) -> None:
    def small_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (SMALL_DISK, SMALL_DISK))

    command = [sys.executable, "-m", "ecbench", "run", *options, "--out", "out"]
    full = subprocess.run(command, preexec_fn=small_disk, capture_output=True, text=True, check=False)
    assert full.returncode == 2
    assert "cannot write out/episodes/0/events.jsonl: File too large; all turns before this one are kept" in full.stderr
    assert "Traceback" not in full.stderr
    lines = Path("out/episodes/0/events.jsonl").read_bytes().splitlines()
    assert json.loads(lines[-1])["event"] == "turn"
    for arguments in (("resume", "out", "--quiet"), ("run", *options, "--out", "roomy")):
        assert cli(*arguments).code == 0
    assert Path("out/episodes/0/metrics.json").read_bytes() == Path("roomy/episodes/0/metrics.json").read_bytes()
    assert Path("out/episodes/0/events.jsonl").read_bytes() == Path("roomy/episodes/0/events.jsonl").read_bytes()


@pytest.mark.skipif(
    not Path("/proc/self").exists(), reason="needs a folder that nobody may write, such as Linux' /proc"
)
def test_a_read_only_folder_is_one_message(cli: Cli, options: tuple[str, ...]) -> None:
    told = refusal(cli, "run", *options, "--out", "/proc/self/runs")
    assert told.startswith("ecbench: cannot write /proc/self/runs: ") and told.count("\n") == 1
