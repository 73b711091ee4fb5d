"""ecbench arena, and the other commands on its folder."""

import json
from pathlib import Path

import pytest
from tests.cli.command import Cli, refusal
from tests.runs.conftest import TRADER


@pytest.fixture
def played(small_world: Path, tmp_path: Path, cli: Cli) -> Path:
    told = cli(
        "arena", "--seats", f"{TRADER},idle,idle", "--rounds", "2", "--worlds", str(small_world), "--days", "6",
        "--out", str(tmp_path / "arena"), "-q",
    )  # fmt: skip
    assert told.code == 0, told.err
    return tmp_path / "arena"


def test_standings_and_meetings_are_printed(played: Path, cli: Cli) -> None:
    told = cli("resume", str(played))
    assert told.code == 0
    names = ("MyMerchant", "idle-1", "idle-2")
    for phrase in (*names, "Rating", "Richer than", "From 2 rounds", f"Arena folder: {played}"):
        assert phrase in told.out, phrase


def test_json_holds_every_round_and_the_standings(played: Path, cli: Cli) -> None:
    found = json.loads(cli("resume", str(played), "--json").out)
    assert [result["round"] for result in found["results"]] == [0, 1]
    assert [seat["entry"] for seat in found["results"][1]["seats"]] == ["idle-2", "my_merchant.py:MyMerchant", "idle-1"]
    assert len(found["standings"]) == 3 and all(result["over"] for result in found["results"])
    assert found["head_to_head"]["entries"] == ["my_merchant.py:MyMerchant", "idle-1", "idle-2"]


def test_an_arena_and_each_of_its_seats_have_a_summary(played: Path, cli: Cli) -> None:
    whole = json.loads((played / "summary.json").read_bytes())
    assert len(whole["standings"]) == 3 and len(whole["results"]) == 2
    for number in range(2):
        for seat in range(3):
            own = json.loads((played / f"rounds/{number}/seats/{seat}/summary.json").read_bytes())
            ended = whole["results"][number]["seats"][seat]["final_assets"]
            assert own["axes"]["final_assets"] == pytest.approx(ended)
            assert (own["ranks"], own["no_place"]) == ({}, f"It shared its market with others, seat {seat} of 3.")


@pytest.mark.parametrize("command", ["show", "export", "report"])
def test_a_seat_is_read_as_a_run_and_an_arena_says_where_its_seats_are(
    command: str, played: Path, tmp_path: Path, cli: Cli
) -> None:
    out = [] if command == "show" else ["--out", str(tmp_path / "out")]
    assert cli(command, str(played / "rounds/0/seats/0"), *out).code == 0
    assert f"is an arena, not a run; each of its seats is one, such as {played}/rounds/0/seats/0" in refusal(
        cli, command, str(played), *out
    )


def test_it_is_proven_by_replay(played: Path, cli: Cli) -> None:
    told = cli("replay", str(played), "--verify")
    assert told.code == 0 and told.out.count("turns match the record") == 6
    events = played / "rounds/1/seats/0/episodes/0/events.jsonl"
    events.write_bytes(events.read_bytes().replace(b'"bank":', b'"bank": ', 1))
    assert cli("replay", str(played), "--verify").code in (1, 2)


def test_a_seat_is_taken_over(played: Path, tmp_path: Path, cli: Cli) -> None:
    told = cli("fork", str(played), "--seat", "0", "--day", "3", "--agent", "idle", "--out", str(tmp_path / "f"), "-q")
    assert told.code == 0, told.err
    assert cli("replay", str(tmp_path / "f"), "--verify").code == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--seats", "steady,,idle"], "name an agent for each seat"),
        (["--seats", "steady,nobody"], "nobody"),
        (["--seats", ",".join(["idle"] * 65)], "65 seats"),
        (["--seats", "idle", "--worlds", "9-3"], "9-3 is 0 worlds"),
        (["--seats", "idle", "--worlds", ","], "write seeds or ranges of seeds"),
        (["--seats", "idle", "--worlds", "0-9999999"], "10,000,000 worlds"),
        (["--seats", "idle,idle", "--base-url", "http://127.0.0.1:1/v1"], "no model has a seat"),
        (["--seats", "idle", "--set", "max_stores=x"], "max_stores"),
        (["--seats", "idle", "--supplier-model", "openai/x"], "suppliers write from templates"),
    ],
)
def test_bad_input_is_one_clear_line(options: list[str], message: str, tmp_path: Path, cli: Cli) -> None:
    told = cli("arena", *options, "--out", str(tmp_path / "arena"))
    assert told.code == 2
    assert message in told.err and told.err.count("\n") == 1
    assert not (tmp_path / "arena").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--day", "3"], "--seat is missing; its seats are 0 to 2"),
        (["--day", "3", "--seat", "3"], "there is no seat 3"),
        (["--day", "3", "--seat", "0", "--episode", "2"], "round 2 has not begun"),
        (["--day", "60", "--seat", "0"], "can be forked at days 0 to 5"),
    ],
)
def test_a_seat_that_cannot_be_taken_over_is_named(
    played: Path, options: list[str], message: str, tmp_path: Path, cli: Cli
) -> None:
    told = cli("fork", str(played), "--agent", "idle", "--out", str(tmp_path / "f"), *options)
    assert told.code == 2 and message in told.err
    assert not (tmp_path / "f").exists()
