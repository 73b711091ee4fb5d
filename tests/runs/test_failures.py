"""A merchant's failure is its own, whatever it raises or yields: told in one line with its place, the year kept."""

import json
import re
import sys
from pathlib import Path

import pytest
from tests.runs.conftest import NewRun, Play, files_of

from ecbench.errors import RunError
from ecbench.players.user_errors import LONGEST, one_line
from ecbench.runs.play.agents import canonical_name
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.recorded_table import replay_episode
from ecbench.world.model import World

BAD = Path(__file__).with_name("bad_merchants.py")
FAILURES = {
    "Surrogate": r"the merchant failed: ValueError: half a pair: \\ud83d \(",
    "Exits": r"the merchant failed: SystemExit: I quit \(",
    "OwnKind": r"the merchant failed: Odd \(",
    "Unspeakable": r"the merchant yielded a batch that is refused: a turn is a list of calls, not Thing \(",
    "Tricky": r"the merchant yielded a batch that is refused: the calls could not be read \(ZeroDivisionError\) \(",
    "OnErrands": r"the merchant yielded a batch that is refused: a turn is a list of calls, not dict \(",
}
AT_ONCE = {
    "NoGenerator": r"the merchant failed: LookupError: no schemas for me \(",
    "NoPlay": r"the merchant's play returns no generator; write ",
}


def lines_of(merchant: str) -> range:
    """The lines of the class, as its place must be one of them."""
    text = BAD.read_text().splitlines()
    start = text.index(f"class {merchant}(Merchant):") + 1
    rest = [number for number, line in enumerate(text, start=1) if number > start and line.startswith("class ")]
    return range(start, rest[0] if rest else len(text) + 1)


@pytest.mark.parametrize("merchant", FAILURES)
def test_any_failure_is_one_line_with_its_location_and_keeps_the_record(
    new_run: NewRun, play: Play, world: World, merchant: str
) -> None:
    run = new_run(f"{BAD}:{merchant}")
    result = play(run)
    assert result.end is not None, result.problem
    reason = result.end.reason
    assert re.match(FAILURES[merchant], reason)
    place = re.search(r"\(bad_merchants.py, line (\d+)\), in turn 2$", reason)
    assert place is not None, reason
    assert int(place[1]) in lines_of(merchant)
    assert "\n" not in reason and len(reason) < LONGEST + 200
    assert (result.end.ending, result.end.resumable, result.end.turns) == ("stopped", True, 1)
    assert json.loads(files_of(run)["metrics.json"])["seats"][0]["run"]["reason"] == reason
    assert replay_episode(run.terms, 0, world, read_episode(run, 0)).ends[0] == result.end


def test_a_call_that_json_cannot_hold_fails_alone_and_is_recorded_with_its_problem(new_run: NewRun, play: Play) -> None:
    run = new_run("SendsTooMuch", days=20)
    play(run)
    outcome = read_episode(run, 0).turns[1].outcomes[-1]
    assert outcome.error is not None and outcome.error.kind == "unreadable" and outcome.minutes == 0
    assert "hold a whole number of 16,610 bits" in outcome.call["problem"] == outcome.error.message


@pytest.mark.parametrize("merchant", AT_ONCE)
def test_a_merchant_that_fails_as_it_sits_down_has_failed_as_well(new_run: NewRun, play: Play, merchant: str) -> None:
    result = play(new_run(f"{BAD}:{merchant}"))
    assert result.end is not None
    assert re.match(AT_ONCE[merchant], result.end.reason)
    assert result.end.reason.endswith("in turn 1")


def test_what_a_merchant_does_on_its_way_out_changes_nothing(new_run: NewRun, play: Play) -> None:
    run = new_run(f"{BAD}:WorseOnTheWayOut", days=3)
    result = play(run)
    assert result.end is not None
    assert (result.end.ending, result.end.reason) == ("year_end", "")


def test_a_persons_interrupt_is_not_the_merchants_and_loses_nothing(
    new_run: NewRun, play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    whole, run = (new_run(f"{BAD}:Interrupted", name=name, days=6) for name in ("whole", "run"))
    play(whole)
    Path("interrupt").touch()
    with pytest.raises(KeyboardInterrupt):
        play(run)
    Path("interrupt").unlink()
    result = play(run)
    assert result.end is not None and result.end.ending == "year_end"
    assert files_of(run) == files_of(whole)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("int('x')", "ValueError: invalid literal for int() with base 10: 'x'"),
        ("raise ValueError('\\ud83d\\n[/red]')", r"ValueError: \ud83d [/red]"),
    ],
)
def test_a_merchant_that_cannot_be_loaded_is_refused_in_one_line(tmp_path: Path, code: str, message: str) -> None:
    file = tmp_path / "unloadable.py"
    file.write_text(code)
    with pytest.raises(RunError) as refused:
        canonical_name(f"{file}:Merchant")
    assert f"cannot be loaded: {message}" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_merchants_file_may_have_the_name_of_a_module_of_pythons_own(
    tmp_path: Path, new_run: NewRun, play: Play
) -> None:
    file = tmp_path / "json.py"
    file.write_text(
        "class Merchant:\n    def play(self, schemas):\n        yield []\n        yield []\n        yield []"
    )
    result = play(new_run(f"{file}:Merchant"))
    assert result.end is not None and result.end.ending == "idle"
    assert "loads" in vars(sys.modules["json"])


def test_one_line_is_short_and_can_be_written_to_any_file() -> None:
    assert one_line("a\n\tb  c") == "a b c"
    assert one_line("x" * 1_000) == "x" * LONGEST + "..."
    assert one_line("\ud83d").encode() == rb"\ud83d"
