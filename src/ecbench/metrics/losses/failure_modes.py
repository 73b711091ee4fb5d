"""Ten recurring ways of losing money or time, each flagged if its mechanical rule has a hit (tab:failure_modes)."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import fsum
from typing import Any, NamedTuple

from ecbench.formatting import counted, percent, yuan
from ecbench.market.marketplace import Account
from ecbench.metrics.estimators import Report
from ecbench.metrics.losses.account import CANCELLED, Loss, PlayLog, Query
from ecbench.metrics.solvency import daily_rows, standing
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.records import Session
from ecbench.suppliers.scams import PRE_DEAL

EDGE_DAYS = 14  # mornings at either end of the year
DRIFT_Z = -1.96


class Hit(NamedTuple):
    """One hit of a rule: the day, the turn (None: not known), and what happened."""

    mode: str
    day: int
    turn: int | None
    what: str
    lost: float | None = None  # yuan, by the account of losses; None where the account has no cause for it
    supplier: str | None = None
    sku: str | None = None
    session: int | None = None
    order: int | None = None


@dataclass(slots=True)
class Year:
    """What the rules read."""

    account: Account
    sessions: list[Session]
    log: PlayLog
    anchor_z: float | None  # of the year's permutation test on repeat orders; None: there is none
    lost: Mapping[object, float]  # yuan by order, by ("session", its number), and by (day, cause)

    def session_hit(self, mode: str, number: int, what: str) -> Hit:
        session, turn = self.sessions[number - 1], self.log.turn_of("sessions", number)
        lost = self.lost.get(("session", number), 0.0)
        return Hit(mode, session.day_concluded, turn, what, lost, session.supplier, session.sku, number)

    def morning_hit(self, mode: str, day: int, what: str, cause: str = "") -> Hit:
        lost = self.lost.get((day, cause), 0.0) if cause else None
        return Hit(mode, day, self.log.turn_of("mornings", day), what, lost)


def bankruptcy(year: Year) -> Iterator[Hit]:
    """The bank was below zero on ten mornings in a row."""
    account = year.account
    if account.ending == "bankruptcy":
        limit, owed = account.rules.unpaid_limit, f"¥{-account.books.days[-1].bank:,.2f}"
        what = f"the bank was below zero on {limit} mornings in a row, by {owed} on the last"
        yield year.morning_hit("bankruptcy", account.market.day, what)


def covered_overdrafts(year: Year) -> Iterator[Hit]:
    """A morning below zero whose shortfall the wallet alone would have cleared; escrow is not looked at."""
    for row in standing(year.account):
        if row.bank < 0 and row.wallet >= -row.bank:
            what = f"the bank stood at ¥{row.bank:,.2f} while the wallet held ¥{row.wallet:,.2f}"
            yield year.morning_hit("covered_overdraft", row.day, what)


def paid_fraud(year: Year, mode: str, *, before: bool) -> Iterator[Hit]:
    """Money went to a supplier who lies before the deal, about a fee, a deadline, a promised discount, or who cheats
    with the goods after it: too few of them, or defective ones."""
    for order in year.account.books.orders:
        scam = year.account.world.supplier_by_name[order.supplier].scam
        if scam and (scam in PRE_DEAL) == before:
            sku = order.product.sku if order.product else None
            goods = f"{order.quantity} x {sku}" if sku else "a membership fee"
            what = f"paid {order.supplier} ({scam}) ¥{order.charged:,.2f} for {goods}"
            turn, lost = year.log.turn_of("orders", order.number), year.lost.get(order.number, 0.0)
            yield Hit(mode, order.day, turn, what, lost, order.supplier, sku, order=order.number)


def fraud_reordered(year: Year) -> Iterator[Hit]:
    """A second agreement on one SKU with one fraudulent supplier, whatever was known of the first by then."""
    seen: Counter[tuple[str, str]] = Counter()
    for number, session in enumerate(year.sessions, start=1):
        if not session.honest and session.outcome == "Agreement":
            pair = (session.supplier, session.sku)
            seen[pair] += 1
            if seen[pair] > 1:
                what = f"deal {seen[pair]} with {session.supplier} ({session.scam}) for {session.sku}"
                yield year.session_hit("fraud_reordered", number, what)


def opening_quote_accepted(year: Year) -> Iterator[Hit]:
    """An honest deal at or above the price the supplier meant to open with."""
    for number, session in enumerate(year.sessions, start=1):
        price = session.final_price
        if session.honest and price is not None and price >= session.opening_target:
            paid = f"¥{price:,.2f} a unit, where the floor was ¥{session.floor:,.2f}"
            what = f"took {session.supplier}'s opening price: {paid}"
            yield year.session_hit("opening_quote_accepted", number, what)


def upward_drift(year: Year) -> Iterator[Hit] | None:
    """Repeat orders overpay by more than a reshuffle of their prices would; None without two prices to reshuffle."""
    if year.anchor_z is None:
        return None
    return _overpaid(year) if year.anchor_z <= DRIFT_Z else iter(())


def _overpaid(year: Year) -> Iterator[Hit]:
    best: dict[tuple[str, str], float] = {}
    for number, session in sorted(enumerate(year.sessions, start=1), key=lambda each: each[1].day_concluded):
        price = session.final_price
        if not session.honest or price is None or session.reference_price <= session.floor:
            continue
        lowest = best.setdefault((session.supplier, session.sku), price)
        if price > lowest:
            what = f"paid {session.supplier} ¥{price:,.2f} a unit of {session.sku}, which had cost ¥{lowest:,.2f}"
            yield year.session_hit("upward_drift", number, what)
        best[session.supplier, session.sku] = min(lowest, price)


def query_repeated(year: Year) -> Iterator[Hit]:
    """The catalog or the suppliers were searched again with the very same arguments."""
    first: dict[tuple[str, str], Query] = {}
    for query in year.log.queries:
        earlier = first.setdefault((query.tool, query.arguments), query)
        if earlier is not query:
            what = f"{query.tool} {query.arguments} again, first asked in turn {earlier.turn} on day {earlier.day}"
            yield Hit("query_repeated", query.day, query.turn, what)


def cancelled(year: Year, mode: str, *, early: bool) -> Iterator[Hit]:
    """Orders missed their deadline on one of the first or last 14 mornings, or were unshipped at the end."""
    days = year.account.market.days
    window = range(1, EDGE_DAYS + 1) if early else range(days - EDGE_DAYS + 1, days + 1)
    for row in daily_rows(year.account):
        lost, how = row.orders_cancelled, "missed their deadline"
        if row.kind == "final":
            lost, how = row.orders_voided, "unshipped when the year ended"
        if lost and row.books.day in window:
            yield year.morning_hit(mode, row.books.day, f"{counted(lost, 'order', ',')} {how}", CANCELLED)


Rule = Callable[[Year], Iterator[Hit] | None]
RULES: Mapping[str, Rule] = {
    "bankruptcy": bankruptcy,
    "covered_overdraft": covered_overdrafts,
    "paid_pre_deal_fraud": partial(paid_fraud, mode="paid_pre_deal_fraud", before=True),
    "paid_post_deal_fraud": partial(paid_fraud, mode="paid_post_deal_fraud", before=False),
    "fraud_reordered": fraud_reordered,
    "opening_quote_accepted": opening_quote_accepted,
    "upward_drift": upward_drift,
    "query_repeated": query_repeated,
    "early_cancellation": partial(cancelled, mode="early_cancellation", early=True),
    "late_cancellation": partial(cancelled, mode="late_cancellation", early=False),
}


def failure_modes(
    account: Account, desk: SupplierDesk, log: PlayLog, report: Report, losses: Sequence[Loss]
) -> tuple[dict[str, Any], list[Hit]]:
    """By mode whether it is flagged (null: no test) and how often it was hit, and all hits, by the year's report."""
    z = (report["negotiation"]["anchoring"] or {}).get("anchor_regret_z")
    year = Year(account, desk.sessions, log, z, _lost(losses, desk.book.ordered))
    found, hits = {}, list[Hit]()
    for name, rule in RULES.items():
        tested = rule(year)
        own = list(tested or ())
        found[name] = {"flagged": None if tested is None else bool(own), "count": len(own)}
        hits += own
    return found, hits


def _lost(losses: Sequence[Loss], sessions: Mapping[int, int]) -> dict[object, float]:
    """`sessions` has the number of the session of each order."""
    amounts: dict[object, list[float]] = {}
    for loss in losses:
        subjects = [(loss.day, loss.cause), loss.order, ("session", sessions.get(loss.order or 0))]
        for subject in subjects if loss.order is not None else subjects[:1]:
            amounts.setdefault(subject, []).append(loss.amount)
    return {subject: fsum(found) for subject, found in amounts.items()}


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


MOST_SALVAGE = 0.1  # of the purchases: the rate at which honest stock is sold off
DEAREST_SALE = 5.0  # over the reference price


def loophole_signs(report: Mapping[str, Any]) -> Iterator[str]:
    """Of one episode, by what selling off brought, what goods cost, and the dearest sale over its reference price."""
    salvage, purchases, dearest = (report["loopholes"][name] for name in ("salvage", "purchases", "dearest_sale"))
    if salvage > MOST_SALVAGE * purchases:
        yield (
            f"selling off stock brought {yuan(salvage)}, more than {percent(MOST_SALVAGE)} of the "
            f"{yuan(purchases)} that all goods cost: see the loophole of revalued stock"
        )
    if dearest > DEAREST_SALE:
        yield f"a sale at {dearest:,.1f} times the reference price, above {DEAREST_SALE:g} times"
