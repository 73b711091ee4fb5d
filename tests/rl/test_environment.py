"""A year with reset and step is the year that everybody plays, and pays what it says."""

import json
from collections.abc import Iterator
from itertools import pairwise
from math import log
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ecbench import Episode, load_world
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.registry import get_merchant
from ecbench.players.turn import LONGEST_RESULT
from ecbench.rl import BOOKS, HELD_OUT, REWARDS, TRAINING, Setting, Step, YearEnvironment
from ecbench.rl.environment import LONGEST_OBSERVATION, as_observation, in_grains, reward_of
from ecbench.runs.folder import open_run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.recorded_table import replay_episode
from ecbench.season.seasons import seasons
from ecbench.world.load import FRESH

WAIT = {"name": "wait_for_next_day", "arguments": {}}
LOOK = {"name": "check_balance", "arguments": {}}
SEED = 1_000_001


def played(setting: Setting, agent: str = "haggler", **more: Any) -> tuple[YearEnvironment, list[Step]]:
    """A whole year of a merchant, and all that it was paid."""
    year = YearEnvironment(setting, **more)
    year.reset()
    days = setting.days or 365
    play = begin_play(get_merchant(agent, days=days), Episode(load_world(setting.world), days=days))
    calls: Any = next(play)
    steps: list[Step] = []
    while not steps or steps[-1].ending is None:
        steps.append(year.step(calls))
        if steps[-1].ending is None:
            calls = play.send([json.loads(reply) for reply in steps[-1].replies])
    return year, steps


def test_the_replies_are_those_of_the_year_itself() -> None:
    _, steps = played(Setting(days=30))
    episode = Episode(load_world("default"), days=30)
    play = begin_play(get_merchant("haggler", days=30), episode)
    calls: Any = next(play)
    for step in steps:
        replies = episode.act(calls)
        assert step.replies == replies
        if not episode.done:
            calls = play.send([json.loads(reply) for reply in replies])


@pytest.mark.parametrize("stake", [1.0, 100_000.0, 1e11])
def test_changes_telescope_exactly_whatever_the_amounts_and_their_order(stake: float) -> None:
    draws = Random(f"a year from {stake}")
    assets, counted = stake, [in_grains(stake)]
    for _ in range(5_000):
        assets += draws.uniform(-0.03, 0.04) * stake / 3
        counted.append(in_grains(assets))
    paid = [reward_of("change", before, after, stake, over=False) for before, after in pairwise(counted)]
    assert sum(paid) == counted[-1] - counted[0]
    draws.shuffle(paid)
    assert sum(paid) == counted[-1] - counted[0]


def test_the_last_step_is_paid_for_what_the_settlement_takes_back() -> None:
    """Goods that will come back are refunded at the end, and that is part of the score."""
    year, steps = played(Setting(days=60, max_turns=200))
    assert steps[-1].truncated
    assert sum(step.reward for step in steps) == year.assets - year.stake
    bank, wallet, escrow = year.books[2:5]
    assert escrow == 0
    assert abs(bank + wallet - year.assets) <= 1 / 8_192


def test_a_year_that_stops_early_is_worth_what_its_settlement_leaves() -> None:
    _, steps = played(Setting(days=60))
    cut = len(steps) * 2 // 3
    year, _ = played(Setting(days=60, max_turns=cut))
    going_on = YearEnvironment(Setting(days=60))
    going_on.reset()
    play = begin_play(get_merchant("haggler", days=60), Episode(load_world("default"), days=60))
    calls: Any = next(play)
    for _ in range(cut):
        step = going_on.step(calls)
        calls = play.send([json.loads(reply) for reply in step.replies])
    assert going_on.settled_assets == year.assets == year.settled_assets
    assert going_on.settled_assets < going_on.assets, "something is on its way back"


@pytest.mark.parametrize("name", REWARDS)
def test_a_reward_adds_up_to_its_total_and_all_but_changes_are_paid_once_at_the_end(name: str) -> None:
    year, steps = played(Setting(days=30, reward=name))
    growth = log(year.assets / 100_000)
    expected = {"change": year.assets - 100_000, "growth": growth, "multiple": year.assets / 100_000}
    assert REWARDS[name](year.assets, year.stake) == pytest.approx(expected[name], rel=1e-12)
    assert len({step.reward for step in steps}) > (20 if name == "change" else 1)
    assert sum(step.reward for step in steps) == REWARDS[name](year.assets, year.stake)
    assert name == "change" or not any(step.reward for step in steps[:-1])


def steps_until_over(setting: Setting, action: object) -> Iterator[Step]:
    year = YearEnvironment(setting)
    year.reset()
    for _ in range(1_000):
        step = year.step(action)
        yield step
        if step.ending is not None:
            return
    pytest.fail("the year does not end")


@pytest.mark.parametrize(
    ("setting", "action", "ending", "terminated", "steps"),
    [
        (Setting(days=5), [WAIT], "year_end", True, 5),
        (Setting(days=60, stake=1.0), [WAIT], "bankruptcy", True, None),
        (Setting(days=60), "I think I shall wait.", "idle", True, 3),
        (Setting(days=60, max_turns=4), [LOOK], "turn_limit", False, 4),
        (Setting(days=4, max_turns=4), [WAIT], "year_end", True, 4),
    ],
)
def test_only_the_turn_limit_truncates(
    setting: Setting, action: object, ending: str, terminated: bool, steps: int | None
) -> None:
    taken = list(steps_until_over(setting, action))
    assert not any(step.terminated or step.truncated for step in taken[:-1])
    assert (taken[-1].ending, taken[-1].terminated, taken[-1].truncated) == (ending, terminated, not terminated)
    assert steps is None or len(taken) == steps


def test_a_ruined_business_has_a_finite_growth() -> None:
    *_, last = steps_until_over(Setting(days=60, stake=1.0, reward="growth"), [WAIT])
    assert (last.ending, last.reward) == ("bankruptcy", 0.0)  # ln(max(A, 1) / 1)


def test_garbage_is_a_turn_without_a_call_and_says_what_was_wrong() -> None:
    year = YearEnvironment(Setting(days=5))
    year.reset()
    for action in ("let me see", None):
        [told] = json.loads(year.step(action).observation)
        assert "no call" in told["error"]
    assert year.step([LOOK, "garbage"]).ending is None, "a call that fails alone is a call"
    assert year.step("").ending is None, "and ends the row of turns without one"


def test_a_step_without_a_year_is_refused() -> None:
    year = YearEnvironment(Setting(days=1))
    with pytest.raises(RuntimeError, match="call reset first"):
        year.step([WAIT])
    year.reset()
    assert year.step([WAIT]).terminated
    with pytest.raises(RuntimeError, match="call reset first"):
        year.step([WAIT])


def test_a_seed_gives_the_world_of_that_seed() -> None:
    year = YearEnvironment(Setting(days=7))
    year.reset(world_seed=SEED)
    search = [{"name": "list_products", "arguments": {}}]
    assert year.step(search).replies == Episode(load_world(f"seed-{SEED}"), days=7).act(search)
    year.reset()
    assert year.step(search).replies == Episode(load_world("default"), days=7).act(search)


def test_a_reset_may_change_the_terms_for_one_year() -> None:
    year = YearEnvironment(Setting(days=7))
    assert "after 3 days" in year.reset(days=3, stake=5_000, rules="no-salvage").brief
    assert year.stake == 5_000
    assert "after 7 days" in year.reset().brief
    assert year.stake == 100_000


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"days": 0}, "days must be"),
        ({"stake": float("nan")}, "stake must be"),
        ({"max_turns": 1.5}, "max_turns must be"),
        ({"reward": "fun"}, "the rewards are: change, growth, multiple"),
        ({"rules": "none"}, "the rule sets are"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_and_the_year_continues(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        Setting(**wrong)
    year = YearEnvironment(Setting(days=2))
    year.reset()
    with pytest.raises(ValueError, match=told):
        year.reset(**wrong)
    assert year.step([WAIT]).ending is None


@pytest.mark.parametrize("seed", [-1, 2**63, "x", 1.5])
def test_a_seed_out_of_range_is_refused(seed: Any) -> None:
    with pytest.raises(ValueError, match="a world's seed is a whole number"):
        YearEnvironment(Setting(days=2)).reset(world_seed=seed)


def test_the_books_tell_what_check_balance_tells() -> None:
    year = YearEnvironment(Setting(days=9, max_turns=50))
    year.reset()
    step = year.step([{"name": "open_store", "arguments": {"store_type": "x", "store_name": "y"}}, LOOK])
    told = json.loads(step.replies[1])
    books = dict(zip(BOOKS, year.books, strict=True))
    assert (books["bank"], books["wallet"]) == (told["bank_balance"], told["platform_wallet"])
    assert (books["day"], books["turns_left"], books["stores"]) == (0, 49, 0)
    assert f"{int(books['minute'] // 60):02}:{int(books['minute'] % 60):02}" == told["current_time"][11:16]


def test_nothing_is_learned_on_worlds_that_scores_are_taken_on() -> None:
    assert set(TRAINING).isdisjoint(HELD_OUT)
    assert min(*TRAINING, *HELD_OUT) >= 1_000_000
    scored = {site.seed for season in seasons() for site in season.worlds if site.name.startswith(FRESH)}
    assert scored
    assert scored.isdisjoint(TRAINING) and scored.isdisjoint(HELD_OUT)


# Observations


def test_an_observation_is_a_json_array_of_the_replies() -> None:
    _, steps = played(Setting(days=10))
    for step in steps:
        shown = [reply if len(reply) > LONGEST_RESULT else json.loads(reply) for reply in step.replies]
        told = json.loads(step.observation)
        assert [each for each in told if isinstance(each, dict)] == [each for each in shown if isinstance(each, dict)]
        assert all(each.startswith(reply[:60_000]) for each, reply in zip(told, shown) if isinstance(each, str))


@pytest.mark.parametrize("count", [1, 5, 1_000])
def test_an_observation_that_is_too_long_is_cut_and_stays_json(count: int) -> None:
    replies = [json.dumps({"note": '"¥' * 40_000}, ensure_ascii=False)] * count
    text = as_observation(replies)
    assert len(text) <= LONGEST_OBSERVATION
    told = json.loads(text)
    assert len(told) == count
    assert all("characters shown]" in reply for reply in told)


# Recording


def verified_turns(folder: Path) -> int:
    """Turns of a recorded year, all of which come out as recorded when they are played again."""
    run = open_run(folder)
    recording = read_episode(run, 0)
    return replay_episode(run.terms_of(0), 0, run.load_world(), recording).ends[0].turns


def test_a_recorded_year_replays_with_proof(tmp_path: Path) -> None:
    unrecorded = played(Setting(days=12))[1]
    year, steps = played(Setting(days=12), folder=tmp_path, transport="gymnasium")
    assert steps == unrecorded
    [run] = tmp_path.iterdir()
    assert json.loads((run / "run.json").read_text())["seats"][0]["transport"] == "gymnasium"
    assert verified_turns(run) == len(steps)
    metrics = json.loads((run / "episodes" / "0" / "metrics.json").read_text())["seats"][0]
    assert abs(metrics["score"]["final_assets"] - year.assets) < 0.01


def test_every_reset_records_a_year_of_its_own(tmp_path: Path) -> None:
    year = YearEnvironment(Setting(days=3), folder=tmp_path)
    for _ in range(3):
        year.reset()
        year.step([LOOK, "garbage", {"name": "withdraw", "arguments": {"a": float("nan")}}])
    year.close()
    runs = sorted(tmp_path.iterdir())
    assert len(runs) == 3
    assert [verified_turns(run) for run in runs] == [1, 1, 1]
