"""Seasons that nobody can know before they open: announced with a commitment, opened with a secret and a beacon."""

import json
import stat
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins
from tests.cli.command import Command

from ecbench.errors import RunError
from ecbench.season.commitment import CHAIN, GENESIS, commitment_of, randomness_of, round_time, season_seeds
from ecbench.season.season_file import SHORT, announce, open_season, write_new
from ecbench.season.seasons import season_named, season_terms
from ecbench.world.fields import SEED

NAME, SECRET, RANDOMNESS = "2027-02", bytes(range(32)), bytes(range(100, 132))
NOW = 1_800_000_000
ROUND = (NOW - GENESIS) // 3 + 2  # the next one

Run = Callable[..., Command]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an announcement and its season, whose worlds are generated once."""
    folder = tmp_path_factory.mktemp("season")
    announced = announce(NAME, SECRET, ROUND, NOW, "2027-03-01")
    write_new(folder / "announced.json", announced)
    write_new(folder / "season.json", open_season(announced, SECRET, RANDOMNESS.hex(), "0.2.0"))
    return folder


@pytest.fixture
def suite(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: Command(capsys, "season", *map(str, arguments))


def test_the_time_of_a_round_is_that_of_drand_quicknet() -> None:
    assert round_time(1) == 1692803367
    assert round_time(ROUND) - 3 <= NOW < round_time(ROUND)


def test_seeds_depend_on_name_secret_round_and_beacon_and_fill_their_range() -> None:
    seeds = season_seeds(NAME, SECRET, 9, RANDOMNESS, 10)
    assert len(set(seeds)) == 10 and all(seed in SEED for seed in seeds) and max(seeds) > 2**61
    others = [
        season_seeds("2027-03", SECRET, 9, RANDOMNESS, 10),
        season_seeds(NAME, bytes(32), 9, RANDOMNESS, 10),
        season_seeds(NAME, SECRET, 10, RANDOMNESS, 10),
        season_seeds(NAME, SECRET, 9, bytes(32), 10),
    ]
    assert len({seed for each in (seeds, *others) for seed in each}) == 50
    assert commitment_of("a", b"bc") != commitment_of("ab", b"c")


def test_a_signature_stands_for_its_randomness_and_a_malformed_value_is_refused() -> None:
    assert randomness_of(bytes(48).hex()) == sha256(bytes(48)).digest()
    for text in ("", "xy" * 32, "ab" * 31, "ab " * 32):
        with pytest.raises(RunError, match="beacon value"):
            randomness_of(text)


def test_a_season_is_announced_opened_and_checked(suite: Run) -> None:
    soon = (int(time.time()) - GENESIS) // 3 + 1_000
    announced = json.loads(suite("announce", NAME, "--secret", "secret", "--round", soon, "--json").out)
    assert announced["rules"] == "fair-2"
    secret = Path("secret").read_text().strip()
    assert announced["commitment"] == commitment_of(NAME, bytes.fromhex(secret))
    assert secret not in Path("2027-02.announcement.json").read_text()
    assert stat.S_IMODE(Path("secret").stat().st_mode) == 0o600
    again = suite("announce", "2027-03", "--secret", "secret", "--round", soon)
    assert again.code == 2 and "never written over" in again.err and not Path("2027-03.announcement.json").exists()
    value = RANDOMNESS.hex()
    opened = suite("open", "2027-02.announcement.json", "--secret", "secret", "--beacon", value, "--json")
    assert opened.code == 0 and len(json.loads(opened.out)["worlds"]) == 10
    assert "the season is a rehearsal" in opened.err  # its round is still to come
    checked = suite("check", "2027-02.season.json", "--announcement", "2027-02.announcement.json", "--beacon", value)
    assert checked.code == 0, checked.out
    assert f"/{CHAIN}/public/{soon}" in checked.out and value in checked.out
    assert suite("open", "2027-02.announcement.json", "--secret", "secret", "--beacon", value).code == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["announce", NAME, "--secret", "s", "--round", "5"], "still to come"),
        (["announce", NAME, "--secret", "s", "--round", "9" * 30], "a round is a number"),
        (["announce", NAME, "--secret", "s", "--round", "60000000", "--rules", "none"], "there is no rule set 'none'"),
        (["announce", "a/b", "--secret", "s", "--round", "60000000"], "a season is named"),
        (["announce", "2026-11", "--secret", "s", "--round", "60000000"], "exists already"),
        (["announce", NAME, "--secret", "s", "--round", "60000000", "--opens", "soon"], "opens: "),
        (["announce", NAME, "--secret", "s", "--round", "60000000", "--opens", "2020-01-01"], "the day of its round"),
        (["open", "none.json", "--secret", "s", "--beacon", "ab" * 32], "cannot read none.json"),
        (["check", "none.json"], "cannot read none.json"),
        (["check", "2026-11"], "give a season file"),
        (["show", "none.json"], "cannot read none.json"),
    ],
    ids=lambda value: "",
)
def test_bad_input_is_refused_in_one_line_and_nothing_is_written(
    suite: Run, tmp_path: Path, arguments: list[str], message: str
) -> None:
    refused = suite(*arguments)
    assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert message in refused.err
    assert list(tmp_path.iterdir()) == []


def test_another_secret_does_not_open_a_season(suite: Run, made: Path) -> None:
    for secret in ("00" * 32, "xyz"):
        Path("secret").write_text(secret)
        refused = suite("open", made / "announced.json", "--secret", "secret", "--beacon", RANDOMNESS.hex())
        assert refused.code == 2 and not Path(f"{NAME}.season.json").exists()


def test_a_season_file_is_a_season(suite: Run, made: Path) -> None:
    season = season_named(str(made / "season.json"))
    assert season.label == NAME and len(season.worlds) == 11
    assert season_terms(season, "idle", {}).rule_set == season.rules == "fair-2"
    shown = json.loads(suite("show", made / "season.json", "--json").out)
    assert (shown["name"], shown["practice"], shown["issued"]) == (NAME, False, "2027-03-01")


def test_a_short_season_is_announced_opened_and_told_from_a_full_one(suite: Run) -> None:
    announced = announce(NAME, SECRET, ROUND, NOW, "2027-03-01", kind=SHORT)
    full = announce(NAME, SECRET, ROUND, NOW, "2027-03-01")
    assert to_builtins(announced) == to_builtins(full) | {"kind": "short"}
    write_new(Path("season.json"), open_season(announced, SECRET, RANDOMNESS.hex(), "0.2.0"))
    season = season_named("season.json")
    assert season.kind is SHORT and len(season.worlds) == SHORT.worlds + 1
    assert season_terms(season, "idle", {}).days == SHORT.days
    shown = json.loads(suite("show", "season.json", "--json").out)
    assert shown["kind"] == "short"
    record = json.loads(Path("season.json").read_text())
    for kind in (None, "long", "full"):  # a short season cannot pass for a full one, nor the other way round
        record["announcement"] |= {"kind": kind}
        Path("forged.json").write_text(json.dumps(record))
        assert suite("check", "forged.json").code in (1, 2) and suite("play", "forged.json", "--out", "run").code == 2


Forgery = Callable[[dict[str, Any]], None]


def _set(*path: Any, value: Any) -> Forgery:
    def forge(record: dict[str, Any]) -> None:
        for step in path[:-1]:
            record = record[step]
        record[path[-1]] = value

    return forge


@pytest.mark.parametrize(
    ("forge", "difference"),
    [
        (_set("secret", value="00" * 32), "commitment"),
        (_set("announcement", "name", value="2027-03"), "commitment"),
        (_set("announcement", "name", value="../2027-02"), "a season is named"),
        (_set("announcement", "round", value=ROUND + 1), "worlds"),
        (_set("beacon", value="00" * 48), "worlds"),
        (_set("beacon", value="00"), "beacon"),
        (_set("worlds", value=[]), "worlds: there are 0"),
        (_set("worlds", 3, value="00" * 32), "worlds"),
        (_set("known_world", value="00" * 32), "default"),
        (_set("more", value=1), "unknown field"),
        (_set("format", value="ecbench season 2"), "format"),
        (_set("announcement", "opens", value="2020-01-01"), "the day of its round"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_forged_season_file_is_refused_and_the_difference_named(
    suite: Run, made: Path, forge: Forgery, difference: str
) -> None:
    record = json.loads((made / "season.json").read_text())
    forge(record)
    Path("forged.json").write_text(json.dumps(record))
    checked = suite("check", "forged.json")
    assert checked.code in (1, 2) and difference in checked.out + checked.err
    if difference not in ("worlds", "default"):  # whose ids are compared as they are played
        assert suite("play", "forged.json", "--out", "run").code == 2 and not Path("run").exists()


def test_mixed_files_are_told_apart(suite: Run, made: Path) -> None:
    other = announce(NAME, bytes(32), ROUND, NOW, "2027-03-01")
    write_new(Path("other.json"), other)
    checked = suite("check", made / "season.json", "--announcement", "other.json", "--json")
    assert checked.code == 1 and "other.json is not the one" in json.loads(checked.out)["differences"][0]
    assert suite("check", made / "season.json", "--beacon", "00" * 32).code == 1
    assert suite("check", made / "announced.json").code == suite("show", made / "announced.json").code == 2
