"""Ten recurring ways of losing money or time, each with one mechanical rule (tab:failure_modes).

A rule marks where to look. What was lost there is said by the account of losses. A mode is flagged where it has a hit.
Upward drift can only be tested where a price was paid twice: elsewhere it is neither flagged nor clear.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, NamedTuple

from ecbench.market.marketplace import Account
from ecbench.metrics.daily import daily_rows, standing
from ecbench.metrics.estimators import Report
from ecbench.metrics.losses.account import Loss
from ecbench.metrics.losses.causes import CANCELLED, IDLE_WALLET
from ecbench.metrics.losses.play_log import PlayLog, Query
from ecbench.metrics.negotiation import takes_opening_quote
from ecbench.metrics.rounding import yuan
from ecbench.metrics.solvency import covered_overdraft
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.records import Session
from ecbench.suppliers.scams import PRE_DEAL

EDGE_DAYS = 14  # mornings at either end of the year
DRIFT_Z = -1.96


class Hit(NamedTuple):
    """One place where a rule fires: the day, the turn (None: not known), and what happened."""

    day: int
    turn: int | None
    what: str
    lost: float | None = None  # yuan, by the account of losses; None where the account has no cause for it
    facts: Mapping[str, Any] = {}  # what a program would ask for: supplier, sku, yuan, orders

    def to_json(self) -> dict[str, Any]:
        lost = {} if self.lost is None else {"lost": yuan(self.lost)}
        return {"day": self.day, "turn": self.turn, "what": self.what, **lost, **self.facts}


class Filed(NamedTuple):
    """A concluded session and its number in filing order, from 1."""

    number: int
    session: Session


@dataclass(slots=True)
class Year:
    """What the rules read."""

    account: Account
    sessions: list[Filed]
    log: PlayLog
    anchor_z: float | None  # of the year's permutation test on repeat orders; None: there is none
    lost: Mapping[object, float]  # yuan by order, by ("session", its number), and by (day, cause)

    def session_hit(self, filed: Filed, what: str) -> Hit:
        session = filed.session
        facts = {"supplier": session.supplier, "sku": session.sku, "session": filed.number}
        lost = self.lost.get(("session", filed.number), 0.0)
        return Hit(session.day_concluded, self.log.turn_of_session(filed.number), what, lost, facts)


def bankruptcy(year: Year) -> Iterator[Hit]:
    """The bank was below zero on ten mornings in a row."""
    account = year.account
    if account.ending == "bankruptcy":
        day, limit = account.market.day, account.rules.unpaid_limit
        owed = f"¥{-account.books.days[-1].bank:,.2f}"
        what = f"the bank was below zero on {limit} mornings in a row, by {owed} on the last"
        yield Hit(day, year.log.turn_of_day(day), what)


def covered_overdrafts(year: Year) -> Iterator[Hit]:
    """A morning below zero whose shortfall the wallet alone would have cleared; escrow is not looked at."""
    for row in filter(covered_overdraft, standing(year.account)):
        what = f"the bank stood at ¥{row.bank:,.2f} while the wallet held ¥{row.wallet:,.2f}"
        lost = year.lost.get((row.day, IDLE_WALLET), 0.0)
        yield Hit(row.day, year.log.turn_of_day(row.day), what, lost, {"yuan": yuan(-row.bank)})


def paid_pre_deal_fraud(year: Year) -> Iterator[Hit]:
    """Money went to a supplier who lies before the deal: a fee, a deadline, a promised discount."""
    return _paid(year, before=True)


def paid_post_deal_fraud(year: Year) -> Iterator[Hit]:
    """Money went to a supplier who cheats with the goods: too few of them, or defective ones."""
    return _paid(year, before=False)


def _paid(year: Year, *, before: bool) -> Iterator[Hit]:
    for number, order in enumerate(year.account.books.orders, start=1):
        scam = year.account.world.supplier_by_name[order.supplier].scam
        if scam and (scam in PRE_DEAL) == before:
            goods = f"{order.quantity} x {order.product.sku}" if order.product else "a membership fee"
            what = f"paid {order.supplier} ({scam}) ¥{order.charged:,.2f} for {goods}"
            facts = {"supplier": order.supplier, "scam": scam, "order": order.number, "yuan": yuan(order.charged)}
            yield Hit(order.day, year.log.turn_of_order(number), what, year.lost.get(order.number, 0.0), facts)


def fraud_reordered(year: Year) -> Iterator[Hit]:
    """A second agreement on one SKU with one fraudulent supplier, whatever was known of the first by then."""
    seen: Counter[tuple[str, str]] = Counter()
    for filed in year.sessions:
        session = filed.session
        if not session.honest and session.outcome == "Agreement":
            pair = (session.supplier, session.sku)
            seen[pair] += 1
            if seen[pair] > 1:
                what = f"deal {seen[pair]} with {session.supplier} ({session.scam}) for {session.sku}"
                yield year.session_hit(filed, what)


def opening_quote_accepted(year: Year) -> Iterator[Hit]:
    """An honest deal at or above the price the supplier meant to open with."""
    for filed in year.sessions:
        session = filed.session
        if session.honest and takes_opening_quote(session):
            what = f"took {session.supplier}'s opening price: ¥{session.final_price:,.2f} a unit"
            yield year.session_hit(filed, f"{what}, where the floor was ¥{session.floor:,.2f}")


def upward_drift(year: Year) -> Iterator[Hit] | None:
    """Repeat orders overpay by more than a reshuffle of their own prices would, at z of -1.96 or below.

    The hits are those that paid more than the pair had cost before. No test without two prices to reshuffle.
    """
    z = year.anchor_z
    return None if z is None else _overpaid(year) if z <= DRIFT_Z else iter(())


def _overpaid(year: Year) -> Iterator[Hit]:
    best: dict[tuple[str, str], float] = {}
    for filed in sorted(year.sessions, key=lambda each: each.session.day_concluded):
        session, price = filed.session, filed.session.final_price
        if not session.honest or price is None or session.reference_price <= session.floor:
            continue
        lowest = best.setdefault((session.supplier, session.sku), price)
        if price > lowest:
            what = f"paid {session.supplier} ¥{price:,.2f} a unit of {session.sku}, which had cost ¥{lowest:,.2f}"
            yield year.session_hit(filed, what)
        best[session.supplier, session.sku] = min(lowest, price)


def query_repeated(year: Year) -> Iterator[Hit]:
    """The catalog or the suppliers were searched again with the very same arguments."""
    first: dict[tuple[str, str], Query] = {}
    for query in year.log.queries:
        earlier = first.setdefault((query.tool, query.arguments), query)
        if earlier is not query:
            what = f"{query.tool} {query.arguments} again, first asked in turn {earlier.turn} on day {earlier.day}"
            yield Hit(query.day, query.turn, what, facts={"tool": query.tool})


def early_cancellation(year: Year) -> Iterator[Hit]:
    """Orders missed their deadline on one of the first 14 mornings."""
    return _cancelled(year, range(1, EDGE_DAYS + 1))


def late_cancellation(year: Year) -> Iterator[Hit]:
    """The same on one of the last 14 mornings of the year, and what was unshipped when it ended."""
    days = year.account.market.days
    return _cancelled(year, range(days - EDGE_DAYS + 1, days + 1))


def _cancelled(year: Year, window: range) -> Iterator[Hit]:
    for row in daily_rows(year.account):
        lost, how = row.orders_cancelled, "missed their deadline"
        if row.kind == "final":
            lost, how = row.orders_voided, "unshipped when the year ended"
        if lost and row.books.day in window:
            day, turn = row.books.day, year.log.turn_of_day(row.books.day)
            margin = year.lost.get((day, CANCELLED), 0.0)
            yield Hit(day, turn, f"{_orders(lost)} {how}", margin, {"orders": lost})


def _orders(count: int) -> str:
    return "1 order" if count == 1 else f"{count:,} orders"


Rule = Callable[[Year], Iterator[Hit] | None]
RULES: Mapping[str, Rule] = {
    "bankruptcy": bankruptcy,
    "covered_overdraft": covered_overdrafts,
    "paid_pre_deal_fraud": paid_pre_deal_fraud,
    "paid_post_deal_fraud": paid_post_deal_fraud,
    "fraud_reordered": fraud_reordered,
    "opening_quote_accepted": opening_quote_accepted,
    "upward_drift": upward_drift,
    "query_repeated": query_repeated,
    "early_cancellation": early_cancellation,
    "late_cancellation": late_cancellation,
}


def failure_modes(
    account: Account, desk: SupplierDesk, log: PlayLog, report: Report, losses: Sequence[Loss]
) -> dict[str, Any]:
    """Each mode by name: whether it is flagged (null: no test), how often it was hit, where, and what was lost there.

    `report` is the year's own, which has made the test on repeat orders already.
    """
    anchoring = report["negotiation"]["anchoring"]
    filed = [Filed(*each) for each in enumerate(desk.sessions, start=1)]
    z = None if anchoring is None else anchoring["anchor_regret_z"]
    year = Year(account, filed, log, z, _lost(losses, desk.book.ordered))
    found = {}
    for name, rule in RULES.items():
        hits = rule(year)
        rows = [] if hits is None else [hit.to_json() for hit in hits]
        found[name] = {"flagged": None if hits is None else bool(rows), "count": len(rows), "hits": rows}
    return found


def _lost(losses: Sequence[Loss], sessions: Mapping[int, int]) -> dict[object, float]:
    """`sessions` has the number of the session of each order."""
    amounts: dict[object, list[float]] = {}
    for loss in losses:
        subjects = [(loss.day, loss.cause), loss.order, ("session", sessions.get(loss.order or 0))]
        for subject in subjects if loss.order is not None else subjects[:1]:
            amounts.setdefault(subject, []).append(loss.amount)
    return {subject: fsum(found) for subject, found in amounts.items()}


def total_hits(report: Report) -> int:
    """Of all modes of a year."""
    return sum(mode["count"] for mode in report["failure_modes"].values())


class Incidence(NamedTuple):
    """In how many years of a run a mode is flagged, of those that could be tested."""

    flagged: int
    tested: int


def incidence(reports: Sequence[Report]) -> dict[str, Incidence]:
    found = {}
    for name in RULES:
        flags = [report.get("failure_modes", {}).get(name, {}).get("flagged") for report in reports]
        tested = [flag for flag in flags if flag is not None]
        found[name] = Incidence(sum(tested), len(tested))
    return found
