"""Negotiation quality over a handful of sessions (eq:d1_se_plus, eq:d1_oracle)."""

from collections.abc import Callable

import pytest
from tests.metrics.conftest import BARGAIN, LEFT

from ecbench.market.marketplace import Account
from ecbench.metrics.negotiation import (
    Dealings,
    SessionScore,
    by_counterpart,
    by_family,
    by_supplier_type,
    deal_counts,
    mean_step,
    pooled,
    quality,
    score,
    session_row,
    unfinished,
    value_extraction,
)
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.grammar import BargainAction
from ecbench.suppliers.records import Session
from ecbench.suppliers.sessions import decide

Build = Callable[..., Session]


@pytest.fixture
def season(session: Build) -> list[SessionScore]:
    """Honest: surplus 1.0 of 50, 0.5 of 50, 0.25 of 200, one walk-away from 100. Fraudulent: 0.8 and a walk-away."""
    return [
        score(s)
        for s in (
            session(50.0, turns=3, critical_violations=("ResViol",), secondary_violations=("MonoViol", "MonoViol")),
            session(75.0, turns=6, template="taciturn"),
            session(250.0, turns=4, reference_price=300.0, floor=100.0, opening_target=240.0, template="adversarial"),
            session(None, turns=9, reference_price=200.0, floor=100.0, opening_target=150.0),
            session(60.0, turns=7, honest=False, template="adversarial", critical_violations=("BoundViol", "ResViol")),
            session(None, turns=2, honest=False, template="adversarial"),
        )
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("AGR+", 0.75),  # 3 of 4 honest sessions
        ("SE+", 0.4375),  # (1.0 + 0.5 + 0.25 + 0) / 4: a disagreement is a zero
        ("CSE+", 0.5833),  # 1.75 / 3
        ("AbsSE+", 31.25),  # (50 + 25 + 50 + 0) / 4
        ("AbsCSE+", 41.6667),  # 125 / 3
        ("%Oracle", 31.25),  # 125 of 50 + 50 + 200 + 100: it owns the range of a walk-away
        ("FAGR-", 0.5),  # of the fraudulent sessions
        ("CritViol", 0.3333),  # 2 of 6: several critical flags of a session count once
    ],
)
def test_the_headline_rates_of_a_handful_of_sessions(season: list[SessionScore], name: str, expected: float) -> None:
    assert value_extraction(season)[name] == expected


def test_deals_rounds_and_money_saved_cover_both_kinds_of_supplier(season: list[SessionScore]) -> None:
    counts = deal_counts(season)
    assert counts["total_violations"] == {"critical": 3, "secondary": 2}
    assert (counts["total_negotiations"], counts["total_deals"], counts["total_rejections"]) == (6, 4, 2)
    assert counts["avg_rounds_to_deal"] == 5.0  # (3 + 6 + 4 + 7) / 4
    assert counts["total_money_saved_vs_initial"] == 45.0  # 30 + 5 - 10 + 20
    assert counts["avg_surplus_efficiency"] == 0.6375  # (1 + 0.5 + 0.25 + 0.8) / 4


def test_sessions_are_counted_by_family_and_kind_and_averaged_over_deals(season: list[SessionScore]) -> None:
    families = {"Candid": (2, 1, 1.0), "Taciturn": (1, 1, 0.5), "Adversarial": (3, 2, 0.525)}  # (0.25 + 0.8) / 2
    assert [(name, *each.values()) for name, each in by_family(season).items()] == [
        (name, *figures) for name, figures in families.items()
    ]
    assert by_supplier_type(season) == {
        "good": {"negotiations": 4, "deals": 3, "avg_efficiency": 0.5833},
        "bad": {"negotiations": 2, "deals": 1, "avg_efficiency": 0.8},
    }


def test_aggregates_are_formed_from_rounded_session_figures(session: Build) -> None:
    """Each deal misses its target by 0.00004, which rounds to nothing; a thousand unrounded would make 0.04."""
    deals = [score(session(80.00004))] * 1000
    assert deal_counts(deals)["total_money_saved_vs_initial"] == 0.0
    assert deal_counts([score(session(75.0, turns=turns)) for turns in (3, 4, 4)])["avg_rounds_to_deal"] == 3.67


def test_rates_are_null_and_counts_zero_without_a_session() -> None:
    rates = value_extraction([])
    assert rates.pop("CritViol") == 0.0
    assert set(rates.values()) == {None}
    counts = deal_counts([])
    assert (counts["avg_rounds_to_deal"], counts["total_money_saved_vs_initial"]) == (0.0, 0.0)
    assert by_supplier_type([])["bad"] == {"negotiations": 0, "deals": 0, "avg_efficiency": 0.0}
    assert set(quality([], None).values()) == {None}


def test_a_rate_is_null_without_a_session_that_it_reads_and_zero_without_a_deal(session: Build) -> None:
    rates, section = value_extraction([score(session(None))]), quality([score(session(None))], None)
    assert (rates["AGR+"], rates["SE+"], rates["AbsSE+"], rates["%Oracle"]) == (0.0, 0.0, 0.0, 0.0)
    assert (rates["CSE+"], rates["AbsCSE+"], rates["FAGR-"]) == (None, None, None)
    assert (section["avg_rounds_to_deal"], section["total_money_saved_vs_initial"]) == (0.0, 0.0)
    rates = value_extraction([score(session(60.0, honest=False))])
    assert {rates[name] for name in ("AGR+", "SE+", "CSE+", "%Oracle")} == {None} and rates["FAGR-"] == 1.0


@pytest.mark.parametrize(
    ("price", "reference", "floor", "worth"),  # utility, efficiency, saved, range
    [
        (50.0, 100.0, 50.0, (50.0, 1.0, 30.0, 50.0)),  # at the floor
        (100.0, 100.0, 50.0, (0.0, 0.0, -20.0, 50.0)),  # at the reference price
        (110.0, 100.0, 50.0, (-10.0, -0.2, -30.0, 50.0)),  # beyond it: nothing is clamped
        (45.0, 100.0, 50.0, (55.0, 1.1, 35.0, 50.0)),
        (None, 100.0, 50.0, (0.0, 0.0, 0.0, 50.0)),  # no agreement
        (90.0, 100.0, 100.0, (10.0, 0.0, -10.0, 0.0)),  # no range to bargain over
        (90.0, 100.0, 110.0, (10.0, 0.0, -10.0, 0.0)),
        (99.75, 100.0, 99.5, (0.25, 0.5, -19.75, 0.5)),  # one below a yuan
    ],
)
def test_a_session_is_worth_what_it_won_of_the_range_and_saved_under_a_target_of_80(
    session: Build, price: float | None, reference: float, floor: float, worth: tuple[float, ...]
) -> None:
    scored = score(session(price, reference_price=reference, floor=floor))
    assert (scored.utility, scored.efficiency, scored.saved, scored.range) == worth
    assert scored.agreed is (price is not None)


def test_session_figures_have_four_decimals_while_the_agreed_price_stays_as_agreed(session: Build) -> None:
    row = session_row(score(session(66.666666, floor=40.0)))
    assert row["final_price"] == 66.666666
    assert row["agent_utility"] == 33.3333
    assert row["surplus_efficiency"] == 0.5556  # 33.333334 / 60
    assert row["money_saved_vs_initial"] == 13.3333


@pytest.mark.parametrize(
    ("prices", "step"),
    [((), 0.0), ((40.0,), 0.0), ((40.0, 46.0), 6.0), ((40.0, 50.0, 45.0), 2.5), ((90.0, 88.0, 85.0), -2.5)],
)
def test_a_concession_rate_is_the_mean_signed_step_of_one_side(prices: tuple[float, ...], step: float) -> None:
    assert mean_step(prices) == step


def test_fraudulent_counterparts_are_bad_and_adversarial_whatever_their_template(session: Build) -> None:
    row = session_row(score(session(75.0, honest=False, template="candid")))
    assert (row["supplier_type"], row["supplier_family"]) == ("bad", "Adversarial")


def test_years_are_pooled_deal_by_deal_and_by_kind_of_supplier(session: Build) -> None:
    """Two deals at 0.5 and 0.8 in one year and one at 0.2 in the next: 0.5, in 3, 5 and 4 turns."""
    bad = session(70.0, honest=False, template="candid")
    first = by_counterpart([score(each) for each in (session(75.0), session(60.0, turns=5), session(None), bad)])
    second = by_counterpart([score(session(90.0, turns=4))])
    candid = {"sessions": 3, "deals": 2, "surplus_sum": 1.3, "surplus": 0.65, "turns": 4.0}
    assert first["honest"]["candid"] == candid and first["honest"]["taciturn"]["surplus"] is None
    found = pooled([{"diagnostics": {"by_counterpart": year}} for year in (first, second)])
    assert found["honest"]["candid"] == pytest.approx((4, 3, 0.5, 4.0))
    assert found["fraudulent"]["qty_bait"] == pytest.approx((1, 1, 0.6, 3.0))
    assert found["fraudulent"]["vip_fee"] == Dealings(0, 0, None, None)


def test_sessions_without_a_deal_are_told_by_who_ended_them_or_as_left_open(account: Account) -> None:
    desk, world = SupplierDesk(), account.world
    honest = next(s for s in world.suppliers if s.honest)
    cheat = next(s for s in world.suppliers if s.scam)
    for supplier in (honest, cheat):
        product = world.products_by_category[supplier.category][0]
        low = BargainAction("offer", product.sku, 0.2 * product.reference_price, 1)
        answer, _ = decide(desk.book, account.economy, supplier, low, day=3)
        assert answer.verdict == "Offer"
    assert desk.sessions == [] and desk.active_sessions == 2
    [left, right] = desk.open_pairs
    assert (left.supplier, left.day_opened, left.standing) == (honest, 3, left.kernel.supplier_prices[-1])
    walked = LEFT._replace(closed_by="SupplierReject"), LEFT, LEFT, BARGAIN
    assert unfinished(list(map(score, walked)), [left, right]) == {
        "ended_by_agent": 2,
        "ended_by_supplier": 1,
        "abandoned_honest": 1,
        "abandoned_fraudulent": 1,
    }
