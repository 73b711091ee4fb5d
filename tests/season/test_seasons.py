"""Seasons: worlds that nobody chose, and terms that a run keeps or does not."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from tests.cli.command import Command
from tests.run_values import changed, run_of, with_terms

from ecbench.errors import RunError
from ecbench.runs.folder import Run
from ecbench.runs.terms import Fork
from ecbench.season.season_file import FULL, SHORT
from ecbench.season.seasons import departures, open_world, season_named, season_of, season_terms, seasons, seeds_of
from ecbench.world.fields import SEED
from ecbench.world.load import load_world

IDLER = """\
class Idler:
    def play(self, schemas):
        yield [{"name": "open_store", "arguments": {"store_type": "pet", "store_name": "Idle"}}]
        while True:
            yield [{"name": "wait_for_next_day", "arguments": {}}]
"""


@pytest.fixture
def a_run() -> Run:
    """As the season asks for it."""
    season = season_named()
    terms = season_terms(season, "steady", {})
    return run_of("out", terms, season.episodes, season.worlds)


def test_seeds_follow_from_the_name_of_a_season_and_from_nothing_else() -> None:
    assert seeds_of("2026-11") == seeds_of("2026-11")
    assert not set(seeds_of("2026-11")) & set(seeds_of("2026-12"))
    assert len(set(seeds_of("2026-11"))) == 10 and all(seed in SEED for seed in seeds_of("2026-11"))


@pytest.mark.parametrize("season", seasons(), ids=lambda season: season.name)
def test_the_worlds_of_a_season_are_those_it_was_issued_with(season: Any) -> None:
    assert [site.seed for site in season.worlds[:-1]] == seeds_of(season.name, season.kind.worlds)
    for site in (season.worlds[0], season.worlds[5], season.worlds[-1]):
        assert load_world(site.source).id == site.id, "the generator changed: issue a new season"
    assert open_world(season).id == season.worlds[0].id


def test_a_season_that_another_generator_made_is_not_played() -> None:
    season = season_named()
    other = replace(season, worlds=(structs.replace(season.worlds[0], id="0" * 64), *season.worlds[1:]))
    with pytest.raises(RunError, match="was issued with another generator"):
        open_world(other)


def test_a_run_on_the_seasons_terms_departs_from_nothing(a_run: Run) -> None:
    season = season_named()
    assert season_of(a_run) == season and list(departures(a_run, season)) == []


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"days": 30}, "days: 30, where the season has 365"),
        ({"stake": 5.0}, "stake"),
        ({"rules": {"commission": 0.0}}, "changed rules"),
        ({"rule_set": "fair"}, "rule set: 'fair-2', where the season has 'paper'"),
        ({"max_turns": 9}, "turn limit"),
        ({"voice": "openai/m"}, "suppliers' voice"),
        ({"model": {"brief": "Win."}}, "brief"),
        ({"model": {"window": {"limit": 1}}}, "context window"),
        ({"transport": "inspect"}, "transport"),
        ({"fork": Fork("a", 0, 3, 9)}, "fork"),
        ({"agent": "insider"}, "insider reads hidden state"),
    ],
)
def test_any_other_term_is_a_departure(a_run: Run, change: dict[str, Any], word: str) -> None:
    (line,) = departures(with_terms(a_run, changed(a_run.terms, **change)), season_named())
    assert word in line


def test_a_rival_another_number_of_years_or_other_worlds_are_departures(a_run: Run) -> None:
    season, shared = season_named(), a_run.stating(seats=a_run.terms.seats * 2)
    assert "seats: 2, where the season has 1" in departures(shared, season)
    assert "11 episodes" in next(departures(a_run.stating(episodes=11), season))
    fewer = a_run.stating(worlds=a_run.worlds[:-1])
    assert season_of(fewer) is None and "its worlds are not those" in next(departures(fewer, season))


def test_a_season_is_played_verified_and_told_from_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("idler.py").write_text(IDLER, encoding="utf-8")
    season = season_named("2026-11-short")
    played = Command(capsys, "season", "play", season.name, "--agent", "idler.py:Idler", "--out", "run", "--json")
    told = json.loads(played.out)
    assert played.code == 0 and len(told["episodes"]) == len(told["worlds"]) == 11
    assert [each["world"] for each in told["episodes"]] == [site.name for site in season.worlds]
    assert "practice" in played.err and played.err.count("ranks only within the season") == 1
    proof = Command(capsys, "verify", "run", "--season", season.name, "--json")
    facts = json.loads(proof.out)
    assert proof.code == 0 and facts["season"] == season.name and facts["departures"] == []
    assert f"worlds and terms are those of season {season.label}" in facts["proven"]
    assert "practice: its seeds follow from its name" in season.label and facts["practice_season"]
    assert "idler.py:Idler made the calls" in facts["not_proven"][0]  # code of others is not run

    clear = ("--against", "run", "--until-clear", "--out", "stopped", "--json")
    again = Command(capsys, "season", "play", season.name, "--agent", "idler.py:Idler", *clear)
    told = json.loads(again.out)
    assert again.code == 0 and told["stopped_early"] and len(told["episodes"]) == 6
    assert told["interim_analyses"][0]["decision"] == "excluded" and "interim analyses after 6, 8, 10" in again.err
    assert told["ladder"]["alone"] == "5 of 11 episodes not over"


def test_seasons_are_listed_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(Command(capsys, "season", "list", "--json").out)["seasons"]
    assert [each["name"] for each in listed] == [season.name for season in seasons()]
    assert all(each["practice"] for each in listed)
    shown = Command(capsys, "season", "show", "2026-11").out
    assert "seed-2451967006" in shown and "days 365" in shown
    for text in (shown, Command(capsys, "season", "list").out):
        assert "issued 2026-11-16" in text and "its seeds follow from its name" in text
    missing = Command(capsys, "season", "show", "1999-01")
    assert missing.code == 2
    assert "there is no season '1999-01'; there are 2026-11, 2026-11-short for practice" in missing.err


def test_a_short_season_has_one_shorter_year_on_each_world_and_keeps_its_own_terms() -> None:
    season = season_named("2026-11-short")
    terms = season_terms(season, "steady", {})
    run = run_of("out", terms, season.episodes, season.worlds)
    assert (terms.days, len(run.worlds), run.episodes) == (180, 11, 11)
    assert season_of(run) == season and list(departures(run, season)) == []
    assert SHORT.has_shape_of(run) and not FULL.has_shape_of(run)
    (line,) = departures(run.stating(days=365), season)
    assert line == "days: 365, where the season has 180"
    assert season_named().kind is FULL  # the default stays a full one
