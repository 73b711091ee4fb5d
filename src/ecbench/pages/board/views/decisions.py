"""The best and the worst decisions of a year that is over, each in one sentence with its yuan: hidden truth.

The worst are the weeks that a review marks, then the dearest lines of the account of losses, which needs no review. The
best are goods that earned most and bargains that saved most.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import fsum
from typing import Any

from ecbench.analysis.review.curve import VERDICTS
from ecbench.analysis.review.marks import JUDGED, WeekMark
from ecbench.analysis.review.stored_review import review_of_record
from ecbench.formatting import counted
from ecbench.metrics.losses.account import (
    ABOVE_FLOOR,
    CANCELLED,
    CAUSE_BY_KEY,
    DEFECTIVE,
    EMPTY_SHELF,
    FEES,
    FREIGHT,
    PRICE,
    SHORT_DELIVERY,
    UNSOLD,
    Loss,
)
from ecbench.runs.folder import Run
from ecbench.runs.results.statement import StatementLine
from ecbench.runs.results.year_view import YearView, view_year
from ecbench.world.model import World

SHOWN = 3  # of each kind
BY_DEAL = (ABOVE_FLOOR, FEES)  # one decision a purchase; of other causes one a SKU or a supplier
BY_SUPPLIER = (SHORT_DELIVERY, DEFECTIVE)
BUYING = (*BY_DEAL, *BY_SUPPLIER, UNSOLD)  # causes that a purchase decided
BY_SKU = (EMPTY_SHELF, PRICE, CANCELLED, UNSOLD)
LEAST = 1.0  # yuan; less is not worth a sentence
AT_FLOOR = 0.005  # above it, as a share: the same price to a person


@dataclass(frozen=True, slots=True)
class JudgedDecision:
    """What was decided, on which day, in which turn it can be seen, and what it brought or cost."""

    day: int
    turn: int
    screen: str  # of the shop, where it shows
    yuan: float
    sentence: str


@dataclass(frozen=True, slots=True)
class Decisions:
    """The greatest first. `reviewed`: marks of a review are among the worst."""

    best: list[JudgedDecision]
    worst: list[JudgedDecision]
    reviewed: bool
    about: str  # how they were chosen


def decisions(run: Run, episode: int) -> Decisions:
    """The decisions of the player's own days: another agent decided what came before a fork."""
    view, review = view_year(run, episode), review_of_record(run, episode)
    own = _YearOfDecisions(view, run.load_world(episode), run.terms.fork.day if run.terms.fork else 0)
    return Decisions(own.best(), own.worst(review.marks if review else []), review is not None, _about(bool(review)))


def _about(reviewed: bool) -> str:
    weeks, overlap = ("weeks that the review marks, then ", "") if reviewed else ("", " The amounts may overlap.")
    return (
        "The best: goods that earned most after freight and refunds, and bargains that saved most against the first "
        f"quote. The worst: {weeks}the dearest line of each kind in the account of losses.{overlap}"
    )


class _YearOfDecisions:
    def __init__(self, view: YearView, world: World, first_day: int) -> None:
        self._tables, self._statement = view.tables, view.statement
        self._titles = {product.sku: f"“{product.title}”" for product in world.products}
        self._first_day = first_day

    def best(self) -> list[JudgedDecision]:
        return _greatest(chain(self._goods(), self._bargains()))

    def worst(self, marks: Sequence[WeekMark]) -> list[JudgedDecision]:
        """Marked weeks, then of each cause the dearest line, outside of those weeks."""
        marked = [mark for mark in marks if mark.first_day >= self._first_day]
        weeks = _greatest(map(self._marked, marked))
        lines = [
            line
            for cause in JUDGED
            for line in _greatest(self._lines(cause))[:1]
            if not any(mark.first_day <= line.day <= mark.last_day for mark in marked)
        ]
        return _greatest([*weeks, *_greatest(lines)[: SHOWN - len(weeks)]])

    def _goods(self) -> Iterator[JudgedDecision]:
        for line in self._statement.lines("sku"):
            first = next(order for order in self._tables.orders if order.sku == line.sku)
            if line.result >= LEAST and first.day >= self._first_day:
                yield self._bought(first, line.result, self._earned(line))

    def _earned(self, line: StatementLine) -> str:
        paid = line.goods / line.units_bought
        return f"Chose {self._titles[line.sku]}: bought at ¥{paid:,.2f} a unit, {line.units_sold:,} sold."

    def _bargains(self) -> Iterator[JudgedDecision]:
        """What an order paid less than its supplier's first quote."""
        sessions = {row.session: row for row in self._tables.sessions}
        for order in self._tables.orders:
            row = sessions.get(order.session or 0)
            if row is None or not order.honest or not order.sku or order.day < self._first_day:
                continue
            saved = row.supplier_prices[0] * order.quantity - order.charged
            if saved >= LEAST and row.agent_prices:
                yield self._bought(order, saved, self._bargained(order, row))

    def _bargained(self, order: Any, row: Any) -> str:
        above = order.unit_price / row.floor - 1
        how = "at its floor" if above < AT_FLOOR else f"{above:.0%} above its floor"
        return (
            f"Bargained {order.supplier} down from ¥{row.supplier_prices[0]:,.2f} to ¥{order.unit_price:,.2f} for "
            f"{counted(order.quantity, 'unit')} of {self._titles[order.sku]}, {how}."
        )

    def _lines(self, cause: str) -> Iterator[JudgedDecision]:
        groups: dict[object, list[Loss]] = {}
        for loss in self._tables.losses:
            if loss.cause == cause and loss.day >= self._first_day:
                groups.setdefault(_subject(loss), []).append(loss)
        return (self._line(cause, losses) for losses in groups.values())

    def _line(self, cause: str, losses: Sequence[Loss]) -> JudgedDecision:
        worst = max(losses, key=lambda loss: loss.amount)
        amount, units = fsum(loss.amount for loss in losses), sum(loss.units for loss in losses)
        goods, order = self._titles.get(worst.sku or "", "your goods"), self._order(worst)
        sentence = _sentence(cause, goods, order, units, len({loss.day for loss in losses}))
        if order is not None and cause in BUYING:
            return self._bought(order, amount, sentence)
        return self._on(worst.day, "stores" if worst.sku else "money", amount, sentence)

    def _order(self, loss: Loss) -> Any:
        """The purchase that a loss is about: its own, else the last one before of the same goods and supplier."""
        about = [
            order
            for order in self._tables.orders
            if (loss.order is None or order.order == loss.order)
            and order.day <= loss.day
            and (loss.sku is None or order.sku == loss.sku)
            and (loss.supplier is None or order.supplier == loss.supplier)
        ]
        return about[-1] if about else None

    def _marked(self, mark: WeekMark) -> JudgedDecision:
        dearest = sorted(mark.causes.items(), key=lambda cause: -cause[1])[:2]
        why = " and ".join(f"{CAUSE_BY_KEY[cause].title.lower()} (¥{yuan:,.0f})" for cause, yuan in dearest)
        days = f"Days {mark.first_day} to {mark.last_day} were a {VERDICTS[mark.sign]}"
        return self._on(mark.first_day, "today", mark.cost, f"{days}{': ' + why if why else ''}.")

    def _bought(self, order: Any, yuan: float, sentence: str) -> JudgedDecision:
        clock = f"{order.placed:%H:%M}"
        turns = [call.turn for call in self._tables.calls if call.day == order.day and call.time == clock]
        if not turns:
            return self._on(order.day, "suppliers", yuan, sentence)
        return JudgedDecision(order.day, turns[0], "suppliers", round(yuan, 2), sentence)

    def _on(self, day: int, screen: str, yuan: float, sentence: str) -> JudgedDecision:
        turn = next((call.turn for call in reversed(self._tables.calls) if call.day <= day), 0)
        return JudgedDecision(day, turn, screen, round(yuan, 2), sentence)


def _greatest(found: Iterable[JudgedDecision]) -> list[JudgedDecision]:
    """At most three, each once."""
    worth = {each: None for each in found if each.yuan >= LEAST}
    return sorted(worth, key=lambda decision: -decision.yuan)[:SHOWN]


def _subject(loss: Loss) -> object:
    if loss.cause in BY_DEAL:
        return loss.order
    return loss.supplier if loss.cause in BY_SUPPLIER else loss.sku if loss.cause in BY_SKU else None


_SENTENCES: Mapping[str, str] = {  # what was decided; those that name a supplier need the order
    EMPTY_SHELF: "{goods} ran out on {days} while customers wanted more: this margin was missed.",
    PRICE: "The price of {goods} was not its best one on {days}: it would have earned this much more.",
    FREIGHT: "Parcels were sent at a speed that cost more than it was worth, on {days}.",
    CANCELLED: "Orders of {goods} were not shipped in time, and their margin was lost.",
    ABOVE_FLOOR: "Paid {supplier} {price} a unit for {units} of {goods}; it would have taken {floor}.",
    FEES: "Paid {supplier} a membership fee, which brings no goods.",
    SHORT_DELIVERY: "Trusted {supplier}, which cheats: {units} that were paid for never came.",
    DEFECTIVE: "Trusted {supplier}, which cheats: its goods were defective and came back.",
    UNSOLD: "Bought more of {goods} than customers wanted: {units} stayed unsold.",
}


def _sentence(cause: str, goods: str, order: Any, units: int, days: int) -> str:
    """What was decided; of causes without goods, what they are."""
    told = {"goods": goods, "units": counted(units, "unit"), "days": counted(days, "day")}
    if order is not None:
        floor = "less" if order.floor is None else f"¥{order.floor:,.2f}"
        told |= {"supplier": order.supplier, "price": f"¥{order.unit_price:,.2f}", "floor": floor}
    if cause not in _SENTENCES or (order is None and cause in BUYING):
        return f"{CAUSE_BY_KEY[cause].title}: {CAUSE_BY_KEY[cause].meaning}"
    return _SENTENCES[cause].format(**told)
