"""What the bound says of whole years: above every merchant, in step with the terms, and never where there is none."""

from dataclasses import replace
from typing import Any

import pytest
from tests.analysis.bound.tiny import tiny_world

from ecbench.analysis.bound.assets import NoBound, best_reputation, sale_windows, upper_bound
from ecbench.rules import DEFAULT_RULES
from ecbench.world.fields import MonthDay
from ecbench.world.model import Event, World
from ecbench.world.supplier_kinds import Scam


@pytest.fixture(scope="module")
def tiny() -> World:
    return tiny_world(("linear", 2.5), ("constant_elasticity", 1.6), goods=4, returns=0.1, days=60)


def test_more_money_and_more_days_never_lower_the_bound(tiny: World) -> None:
    stakes = [upper_bound(tiny, stake=stake) for stake in (1.0, 50.0, 400.0, 3_000.0, 1e5, 1e12)]
    years = [upper_bound(tiny, days=days, stake=400.0) for days in (1, 5, 6, 7, 19, 20, 21, 33, 34, 60, 400)]
    for bounds in (stakes, years):
        assert [bound.assets for bound in bounds] == sorted(bound.assets for bound in bounds)
    assert all(bound.assets >= bound.stake for bound in stakes + years)


def test_a_year_too_short_to_sell_anything_keeps_its_stake(tiny: World) -> None:
    assert upper_bound(tiny, days=5).assets == DEFAULT_RULES.stake  # ordered on day 0, sold on day 4, shipped on day 5
    assert upper_bound(tiny, days=6).assets > DEFAULT_RULES.stake


def test_a_stake_that_is_never_short_of_anything_adds_nothing_but_itself(tiny: World) -> None:
    rich, richer = upper_bound(tiny, stake=1e9), upper_bound(tiny, stake=2e9)
    assert richer.assets - rich.assets == pytest.approx(1e9)


def test_money_is_under_way_for_fourteen_days_under_the_published_rules(tiny: World) -> None:
    windows = sale_windows(tiny, DEFAULT_RULES, 60)
    assert [(window[0] - tiny.start).days for window in windows] == [4, 18, 32, 46]
    assert (windows[-1][-1] - tiny.start).days == 58  # the sales of day 59 never ship


def test_an_event_that_hurries_deliveries_shortens_the_cycle(tiny: World) -> None:
    hurried = replace(tiny, events=(Event("Express", MonthDay(5, 1), 3, {}, 0.4, None, "Everything is early."),))
    assert (sale_windows(hurried, DEFAULT_RULES, 60)[0][0] - tiny.start).days == 2


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        ("commission", 0.2),
        ("lead_days", (9, 9)),
        ("escrow_days", 30),
        ("platform_share", 0.05),
        ("operating_cost", {1: 500.0, 2: 500.0, 3: 500.0}),
        ("freight_cost", {"Small": 40.0, "Medium": 40.0, "Large": 40.0, "XLarge": 40.0}),
        ("storage_rate", {"Small": 40.0, "Medium": 40.0, "Large": 40.0, "XLarge": 40.0}),
        ("goodwill_base", 0.0),
        ("listing_fee", 8.0),
        ("most_listings", 3),  # of the eight goods of the world
        ("price_ceiling", 1.2),
        ("price_return_slope", 30.0),
    ],
)
def test_harder_rules_lower_the_bound(tiny: World, rule: str, value: Any) -> None:
    usual = upper_bound(tiny, stake=400.0)
    harder = upper_bound(tiny, stake=400.0, rules=DEFAULT_RULES.with_overrides({rule: value}))
    assert harder.assets < usual.assets


def test_suppliers_that_deliver_short_make_nothing_cheaper_and_dear_or_missing_ones_leave_less(tiny: World) -> None:
    def bound_with(scam: Scam) -> float:
        cheats = (replace(supplier, template="adversarial", scam=scam) for supplier in tiny.suppliers)
        return upper_bound(replace(tiny, suppliers=tuple(cheats)), stake=400.0).assets

    honest = upper_bound(tiny, stake=400.0).assets
    assert bound_with("qty_bait") == honest > bound_with("fake_urgency")
    assert upper_bound(replace(tiny, suppliers=()), stake=400.0).assets == pytest.approx(400.0)


def test_rules_that_let_goods_be_sold_over_and_over_are_refused(tiny: World) -> None:
    with pytest.raises(NoBound, match="return_days reaches 7 and escrow_days is 5"):
        upper_bound(tiny, rules=DEFAULT_RULES.with_overrides({"escrow_days": 5}))


def test_a_reputation_is_at_least_the_one_a_store_opens_with_and_at_most_perfect() -> None:
    assert best_reputation(DEFAULT_RULES, 0.0) == DEFAULT_RULES.opening_reputation
    assert 0.65 <= best_reputation(DEFAULT_RULES, 500.0) <= 0.651
    assert best_reputation(DEFAULT_RULES, 1e9) == 1.0
