"""The constants of the economy: every one has a range, the manual says it, and nothing beyond it gets in."""

import json
from collections.abc import Mapping
from dataclasses import fields
from math import inf, nan, nextafter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ecbench
from ecbench import rules
from ecbench.rule_values import as_json, written
from ecbench.rules import DEFAULT_RULES, RULE_SETS, Rules, RuleSet, ranges_of, rule_set
from ecbench.runs.terms import Terms

MANUAL = Path(__file__).parents[1] / "docs" / "rules.md"
NO_NUMBERS: tuple[Any, ...] = (nan, inf, -inf, None, True, "1", [], {}, 10**400, -(10**400))


def test_a_value_is_written_for_a_reader() -> None:
    assert written(100_000.0) == "100,000"
    assert written(DEFAULT_RULES.freight_factor) == "fast 2, standard 1, slow 0.5"
    assert written(DEFAULT_RULES.lead_days) == "3, 7"
    assert written(((0, 1.0), (21, 1.4))) == "0 1, 21 1.4"


def test_a_value_goes_back_through_set() -> None:
    for name in DEFAULT_RULES.values():
        value = json.loads(json.dumps(as_json(getattr(DEFAULT_RULES, name))))
        changed = DEFAULT_RULES.with_overrides({name: value})
        assert getattr(changed, name) == getattr(DEFAULT_RULES, name)


@pytest.mark.parametrize("name", [each.name for each in fields(Rules)])
def test_no_rule_takes_what_lies_outside_its_range(name: str) -> None:
    default = DEFAULT_RULES.values()[name]
    for range_ in ranges_of(name):
        outside = [*NO_NUMBERS, range_.least - 1, max(range_.most + 1, nextafter(range_.most, inf))]
        outside += [range_.least] if range_.above else []
        outside += [range_.least + 0.5] if range_.whole else []
        for value in outside:
            for spoiled in spoilt(default, value, ranges_of(name).index(range_)):
                with pytest.raises(ValueError, match=f"{name}.* must "):
                    Rules().with_overrides({name: spoiled})


def spoilt(default: Any, value: Any, index: int) -> list[Any]:
    """The default with the value instead of one of its numbers, each in turn."""
    if isinstance(default, Mapping):
        return [{key: value} for key in default]
    if isinstance(default, tuple) and isinstance(default[0], tuple):
        steps = [list(step) for step in default]
        steps[0][index] = value
        return [steps]
    if isinstance(default, tuple):
        return [[value, default[1]], [default[0], value]]
    return [value]


def test_a_table_may_be_given_in_part_and_on_top_of_another_change() -> None:
    rules = Rules().with_overrides({"freight_factor": {"fast": 3}}).with_overrides({"freight_factor": {"slow": 0.25}})
    assert dict(rules.freight_factor) == {"fast": 3.0, "standard": 1.0, "slow": 0.25}
    with pytest.raises(ValueError, match="freight_factor must be a table of fast, standard, slow; got"):
        Rules(freight_factor={"fast": 3.0})


def test_a_rule_of_another_name_is_refused_with_the_closest_names() -> None:
    with pytest.raises(ValueError, match="there is no rule 'tax'; `ecbench list rules` lists all of them"):
        Rules().with_overrides({"tax": 1})
    with pytest.raises(ValueError, match="there is no rule 'comission'; did you mean commission"):
        Rules().with_overrides({"comission": 1})


def test_the_default_set_is_the_papers_and_another_differs_in_what_it_says() -> None:
    assert rule_set("paper") is DEFAULT_RULES
    paper, other = (rule_set(name).values() for name in ("paper", "no-salvage"))
    assert {name for name in paper if paper[name] != other[name]} == {"salvage_rate"}
    assert other["salvage_rate"] == 0.0


def test_a_set_without_its_version_is_the_newest_and_a_run_records_the_version(small_world: Path) -> None:
    world = ecbench.load_world(small_world)
    assert rule_set("fair") is rule_set("fair-2")
    assert Terms.alone(world, agent="idle", rule_set="fair").rule_set == "fair-2"


def test_the_manual_tells_every_rule_set() -> None:
    assert [name for name in RULE_SETS if f"- `{name}`" not in MANUAL.read_text()] == []


def test_an_episode_and_an_arena_take_rules_by_name(small_world: Path) -> None:
    world = ecbench.load_world(small_world)
    assert ecbench.Episode(world, rules="no-salvage").account.rules.salvage_rate == 0.0
    assert ecbench.Arena(world, seats=2, rules="no-salvage").accounts[1].rules.salvage_rate == 0.0
    with pytest.raises(ValueError, match="there is no rule set 'papers'; did you mean paper"):
        ecbench.Episode(world, rules="papers")


def test_numbers_of_other_libraries_are_numbers(small_world: Path) -> None:
    episode = ecbench.Episode(ecbench.load_world(small_world), days=np.int64(3), stake=np.float32(500))  # type: ignore[arg-type]
    assert (type(episode.bank), episode.bank) == (float, 500.0)
    assert Rules(commission=np.float64(0.5), max_stores=np.int32(2)).max_stores == 2  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "allowed"),
    [
        *[({"stake": stake}, "a number from 1 to 1,000,000,000,000") for stake in (0, -1, nan, inf, 1e13, "1", True)],
        *[({"days": days}, "a whole number from 1 to 36,525") for days in (-1, 0, 36_526, 1.5, nan, True, "7")],
    ],
)
def test_an_episode_takes_no_stake_and_no_days_out_of_range(
    small_world: Path, given: dict[str, Any], allowed: str
) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(given))} must be {allowed}; got"):
        ecbench.Episode(ecbench.load_world(small_world), **given)


def test_a_rule_set_that_is_added_can_be_played(small_world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    added = {**RULE_SETS, "slow-money": RuleSet(Rules(escrow_days=20), "revenue waits longer")}
    monkeypatch.setattr(rules, "RULE_SETS", added)
    episode = ecbench.Episode(ecbench.load_world(small_world), rules="slow-money")
    episode.act([{"name": "wait_for_next_day", "arguments": {}}])
    assert (episode.day, episode.account.rules.escrow_days) == (1, 20)
