"""Sequential price discipline and its permutation null (eq:d6_regret to eq:d6_z)."""

from collections.abc import Callable
from math import sqrt
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecbench.metrics.learning import anchoring, discipline, null_moments, repeat_pairs
from ecbench.suppliers.records import Session

Build = Callable[..., Session]


def test_positions_of_honest_pairs_bought_twice_run_from_floor_to_reference_in_order_of_their_days(
    session: Build,
) -> None:
    prices = [40.0, 50.0, 75.0, 100.0, 130.0]  # clipped at both ends
    clipped = [session(price, day) for day, price in enumerate(prices)]
    assert repeat_pairs(clipped) == [[0.0, 0.0, 0.5, 1.0, 1.0]]
    named = [("late", 60.0, 5), ("early", 70.0, 2), ("late", 90.0, 6), ("early", 80.0, 1)]
    assert repeat_pairs([session(price, day, supplier=name) for name, price, day in named]) == [[0.6, 0.4], [0.2, 0.8]]
    unread = [
        session(75.0, 1, supplier="once"),
        *(session(price, 1, supplier="fraud", honest=False) for price in (75.0, 70.0)),
        *(session(price, 1, supplier="walked") for price in (75.0, None)),
        *(session(75.0, day, supplier="flat", floor=100.0) for day in (1, 2)),
        *(session(75.0, 1, supplier="other", sku=sku) for sku in ("mug", "cup")),
    ]
    assert repeat_pairs(unread) == [] and anchoring(unread) is None


def test_regret_is_paid_against_the_best_price_so_far_and_a_new_low_needs_a_margin() -> None:
    """0.5, 0.7 (+0.2), 0.495 (too close to count), 0.3 (a new low), 0.4 (+0.1)."""
    regret, new_lows = discipline([[0.5, 0.7, 0.495, 0.3, 0.4]])
    assert regret == pytest.approx(0.3)
    assert new_lows == 1


def test_two_deals_rising_by_half_the_range_against_their_coin_flip_null(session: Build) -> None:
    """Shuffled, the pair rises or falls evenly: regret 0.5 with a share h of the replicates, else a new low."""
    report = anchoring([session(60.0, 1), session(85.0, 2)])
    assert report is not None
    rng = Random(20260101)
    rises = 0
    for _ in range(400):
        order = [0.2, 0.7]
        rng.shuffle(order)
        rises += order == [0.2, 0.7]
    h = rises / 400
    spread = sqrt(h * (1 - h))
    assert report["anchor_regret"] == 0.5
    assert report["anchor_regret_null"] == round(0.5 * h, 4)
    assert report["anchor_regret_ratio"] == round(1 / h, 4)
    assert report["anchor_regret_z"] == round((h - 1) / spread, 3)
    assert (report["new_low_rate"], report["new_low_rate_ratio"]) == (0.0, 0.0)
    assert report["new_low_rate_null"] == round(1 - h, 4)
    assert report["new_low_rate_z"] == round((h - 1) / spread, 3)
    assert report["sample_size"] == {"repeat_pairs": 1, "reorders": 1}


@settings(max_examples=20)
@given(st.lists(st.lists(st.floats(0, 1), min_size=2, max_size=9), min_size=1, max_size=6))
def test_the_null_shuffles_fresh_copies_of_every_pair_from_one_stream(pairs: list[list[float]]) -> None:
    reorders = sum(len(pair) - 1 for pair in pairs)
    rng = Random(20260101)
    regrets, new_lows = [], []
    for _ in range(400):
        regret, lows = 0.0, 0
        for pair in pairs:
            copy = list(pair)
            rng.shuffle(copy)
            for t in range(1, len(copy)):
                best = min(copy[:t])
                regret += max(0.0, copy[t] - best)
                lows += copy[t] < best - 0.01
        regrets.append(regret / reorders)
        new_lows.append(lows / reorders)
    got = null_moments(pairs, reorders)
    for values, (own_mean, spread) in zip((regrets, new_lows), got, strict=True):
        mean = sum(values) / 400
        assert own_mean == pytest.approx(mean, abs=1e-12)
        assert spread == pytest.approx(sqrt(sum((v - mean) ** 2 for v in values) / 400), abs=1e-9)


def test_a_price_held_exactly_has_no_regret_and_no_null_to_compare_with(session: Build) -> None:
    report = anchoring([session(75.0, day) for day in (1, 2, 3)])
    assert report is not None
    assert (report["anchor_regret"], report["anchor_regret_null"], report["new_low_rate_null"]) == (0.0, 0.0, 0.0)
    assert report["anchor_regret_ratio"] is None and report["new_low_rate_ratio"] is None
    assert report["anchor_regret_z"] is None and report["new_low_rate_z"] is None
    report = anchoring([session(75.0, 1), session(75.2, 2)])  # within the margin: a regret, but no new low
    assert report is not None and report["anchor_regret_z"] is not None
    assert report["new_low_rate_z"] is None and report["new_low_rate_ratio"] is None
    report = anchoring([session(50.0, 1), session(50.00004, 2)])  # prices are not rounded
    assert report is not None and report["anchor_regret_ratio"] is not None
