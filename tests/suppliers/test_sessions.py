"""The session book: openings, cycles, standing quotes, agreements that wait for their order."""

from typing import Any

import pytest
from tests.suppliers.conftest import Talk, offer

from ecbench.market.marketplace import Account
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.named_kernel import open_kernel
from ecbench.suppliers.records import Decision
from ecbench.world.model import World

SKU = "aaa111"
GENEROUS = 1_000.0  # five times the reference: no kernel turns it down


def accept(price: float | None, quantity: int = 2, sku: str = SKU) -> dict[str, Any]:
    return {"action": "accept", "sku_id": sku, "price": price, "quantity": quantity}


def reject(sku: str = SKU) -> dict[str, Any]:
    return {"action": "reject", "sku_id": sku}


def quote(answer: Decision) -> float:
    assert answer.verdict == "Offer" and answer.price is not None
    return answer.price


def test_a_first_offer_is_answered_at_round_two_after_the_opening(talk: Talk, world: World, desk: SupplierDesk) -> None:
    (answer,) = talk("taciturn", offer(50.0)).answers
    kernel = open_kernel(world, "Dogwood Traders", SKU, 0)
    kernel.answer(None)
    assert answer.round == 2
    assert answer.price == kernel.answer(50.0).price
    assert desk.active_sessions == 1


def test_accepting_the_standing_quote_to_the_cent_orders_at_it(
    talk: Talk, desk: SupplierDesk, account: Account
) -> None:
    standing = quote(talk("taciturn", offer(50.0)).answers[0])
    exchange = talk("taciturn", accept(round(standing, 2), 3))
    assert exchange.answers[0].price == standing
    assert exchange.answers[0].round == 3
    assert exchange.orders[0].unit_price == round(standing, 2)
    assert account.books.purse.bank == pytest.approx(100_000 - 3 * round(standing, 2))
    (session,) = desk.sessions
    assert (session.outcome, session.closed_by, session.final_price) == ("Agreement", "AgentAccept", standing)
    assert session.turns == 4  # opening, offer, counter, acceptance
    assert desk.active_sessions == 0


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (accept(None), "accept_missing_price"),
        (accept(1.0), "accept_price_mismatch"),
        (offer(10.0, sku="zzz999"), "unknown_sku"),
        (reject("nothing"), "unknown_sku"),
    ],
)
def test_what_cannot_be_decided_is_an_error_that_changes_nothing(
    talk: Talk, desk: SupplierDesk, action: dict[str, Any], code: str
) -> None:
    standing = quote(talk("taciturn", offer(50.0)).answers[0])
    (answer,) = talk("taciturn", action).answers
    assert (answer.verdict, answer.error_code, answer.price) == ("Error", code, None)
    assert talk("taciturn", accept(standing)).orders[0].placed


@pytest.mark.parametrize(
    ("off", "code"),
    [(0.0049, None), (-0.0049, None)] + [(off, "accept_price_mismatch") for off in (0.0051, -0.0051, 0.02, -0.05)],
)
def test_an_acceptance_names_the_standing_quote_within_half_a_cent(talk: Talk, off: float, code: str | None) -> None:
    standing = quote(talk("taciturn", offer(50.0)).answers[0])
    exchange = talk("taciturn", accept(standing + off))
    assert exchange.answers[0].error_code == code
    assert len(exchange.orders) == (code is None)


def test_without_talks_there_is_nothing_to_accept_or_reject(talk: Talk) -> None:
    answers = talk("taciturn", accept(100.0), reject(), accept(None)).answers
    assert [a.error_code for a in answers] == ["no_active_negotiation", "no_active_negotiation", "accept_missing_price"]
    assert [a.round for a in answers] == [0, 0, 0]


def test_after_a_session_ended_an_error_still_names_the_next_round(talk: Talk) -> None:
    talk("taciturn", offer(50.0), reject())
    assert talk("taciturn", reject()).answers[0].round == 3


def test_a_rejection_files_a_disagreement_at_once(talk: Talk, desk: SupplierDesk) -> None:
    answer = talk("taciturn", offer(50.0), reject()).answers[1]
    assert (answer.verdict, answer.price, answer.round) == ("Reject", None, 3)
    (session,) = desk.sessions
    assert (session.outcome, session.closed_by, session.final_price) == ("Disagreement", "AgentReject", None)
    assert session.turns == 4


def test_a_new_cycle_starts_with_fresh_draws_from_the_same_type(talk: Talk, world: World, desk: SupplierDesk) -> None:
    talk("taciturn", offer(GENEROUS, 1))
    (answer,) = talk("taciturn", offer(50.0)).answers
    kernel = open_kernel(world, "Dogwood Traders", SKU, 1)
    kernel.answer(None)
    assert (answer.round, answer.price) == (2, kernel.answer(50.0).price)
    assert desk.sessions[0].opening_target == 149.81


def test_a_failed_order_leaves_the_talks_open_at_the_agreed_price(talk: Talk, desk: SupplierDesk) -> None:
    first = quote(talk("taciturn", offer(50.0)).answers[0])
    exchange = talk("taciturn", offer(GENEROUS, 1_000_000))
    assert exchange.answers[0].verdict == "Accept"
    assert exchange.orders[0].refusal is not None
    assert desk.sessions == [] and desk.active_sessions == 1
    assert talk("taciturn", accept(first)).answers[0].error_code == "accept_price_mismatch"
    assert talk("taciturn", accept(GENEROUS, 1)).orders[0].placed
    (session,) = desk.sessions
    assert (session.final_price, session.closed_by) == (GENEROUS, "AgentAccept")
    assert session.turns == 5  # opening, two offers, one counter, one closing move


def test_after_a_failed_order_the_kernel_counters_from_its_own_last_quote(talk: Talk, world: World) -> None:
    talk("taciturn", offer(50.0))
    talk("taciturn", offer(GENEROUS, 0))
    (answer,) = talk("taciturn", offer(51.0)).answers
    kernel = open_kernel(world, "Dogwood Traders", SKU, 0)
    for price in (None, 50.0, GENEROUS):
        kernel.answer(price)
    assert answer.price == kernel.answer(51.0).price
    assert answer.round == 4


def test_two_acceptances_of_one_sku_place_two_orders_and_file_one_session(talk: Talk, desk: SupplierDesk) -> None:
    exchange = talk("taciturn", offer(GENEROUS, 3), offer(GENEROUS - 1, 4))
    assert [(o.quantity, o.agreed_price, o.placed) for o in exchange.orders] == [
        (3, GENEROUS, True),
        (4, GENEROUS - 1, True),
    ]
    (session,) = desk.sessions
    assert session.final_price == GENEROUS - 1
    assert session.secondary_violations == ("MonoViol",)


@pytest.mark.parametrize(("quantities", "placed"), [((0, 4), [False, True]), ((3, 0), [True, False])])
def test_of_two_acceptances_one_charged_order_files_the_session(
    talk: Talk, desk: SupplierDesk, quantities: tuple[int, int], placed: list[bool]
) -> None:
    exchange = talk("taciturn", offer(GENEROUS, quantities[0]), offer(GENEROUS - 1, quantities[1]))
    assert [o.placed for o in exchange.orders] == placed
    (session,) = desk.sessions
    assert (session.outcome, session.final_price) == ("Agreement", GENEROUS - 1)
    assert desk.active_sessions == 0


def test_a_pair_that_awaits_its_order_cannot_be_accepted_or_rejected(talk: Talk, desk: SupplierDesk) -> None:
    answers = talk("taciturn", offer(GENEROUS, 1), accept(GENEROUS), reject()).answers
    assert [a.error_code for a in answers] == [None, "no_active_negotiation", "no_active_negotiation"]
    assert desk.sessions[0].outcome == "Agreement"


def test_a_counter_after_an_acceptance_does_not_undo_it(talk: Talk, desk: SupplierDesk) -> None:
    exchange = talk("taciturn", offer(GENEROUS, 1), offer(50.0, 1))
    assert [a.verdict for a in exchange.answers] == ["Accept", "Offer"]
    assert [(o.agreed_price, o.placed) for o in exchange.orders] == [(GENEROUS, True)]
    assert (desk.sessions[0].final_price, desk.sessions[0].closed_by) == (GENEROUS, "SupplierAccept")
    assert talk("taciturn", offer(50.0)).answers[0].round == 2  # a new cycle


def test_a_walk_away_after_an_acceptance_files_the_disagreement_and_still_orders(
    talk: Talk, desk: SupplierDesk, account: Account
) -> None:
    talk("taciturn", offer(1.0), offer(1.0), offer(1.0))  # rounds 2 to 4: too early to walk away
    exchange = talk("taciturn", offer(GENEROUS, 1), offer(1.0))
    assert [a.verdict for a in exchange.answers] == ["Accept", "Reject"]
    assert exchange.orders[0].placed and len(account.books.orders) == 1
    (session,) = desk.sessions
    assert (session.outcome, session.closed_by, session.final_price) == ("Disagreement", "SupplierReject", None)


def test_careless_offers_are_flagged_one_entry_each(talk: Talk, desk: SupplierDesk) -> None:
    talk("taciturn", offer(60.0), offer(55.0), offer(199.76, 0), offer(299.63, 0))
    talk("taciturn", reject())  # the failed orders kept the talks open
    (session,) = desk.sessions
    assert session.critical_violations == ("ResViol", "BoundViol", "ResViol")
    assert session.secondary_violations == ("MonoViol",)
    assert session.agent_prices == (60.0, 55.0, 199.76, 299.63)


def test_a_session_carries_what_the_metrics_need(talk: Talk, desk: SupplierDesk, account: Account) -> None:
    account.market.day = 4
    talk("vip_fee", offer(50.0))
    account.market.day = 9
    talk("vip_fee", reject())
    (session,) = desk.sessions
    assert (session.supplier, session.sku, session.honest, session.scam) == ("Gum Traders", SKU, False, "vip_fee")
    assert (session.template, session.reference_price) == ("adversarial", 199.75)
    assert session.floor == 101.27  # the honest floor, although this supplier reserves higher
    assert (session.day_opened, session.day_concluded) == (4, 9)
    assert len(session.supplier_prices) == 2
