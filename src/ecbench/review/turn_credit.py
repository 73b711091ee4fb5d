"""What each turn of a recorded year cost by the bill, and what the engine says of the year before and after it."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from math import fsum
from typing import Any

from ecbench.market.economy import MINUTES
from ecbench.metrics.rounding import yuan
from ecbench.players.turn import State
from ecbench.review.bill.causes import (
    CANCELLED,
    CAUSE_BY_KEY,
    DEFECTIVE,
    EMPTY_SLOT,
    FREIGHT,
    STORAGE,
)
from ecbench.review.bill.charges import DIGITS, Charge
from ecbench.review.bill.making import bill_of_year, billed_year
from ecbench.review.bill.replayed_year import BilledYear
from ecbench.review.curve import Point
from ecbench.review.stored_review import review_of_record
from ecbench.runs.folder import Run

MORNING = (STORAGE, EMPTY_SLOT, CANCELLED, DEFECTIVE)  # charged on the morning of their day
LETTER, SHIP = "chatbox", "ship_orders"


def turn_credits(run: Run, episode: int) -> dict[int, Mapping[str, Any]]:
    """By the number of each complete turn at the entry's seat. Replays the year; raises as `bill_of` does.

    Every charge of the bill belongs to one turn, so that the turns add up to the bill. `value` is there where the
    year has a review.
    """
    year = billed_year(run, episode)
    states = [turn.state for turn in year.turns if turn.state is not None]
    owners = _Owners(year, states)
    sums: dict[int, dict[str, list[float]]] = {}
    for charge in bill_of_year(year).charges if states else ():
        if charge.amount:
            sums.setdefault(owners.of(charge), {}).setdefault(charge.cause, []).append(charge.amount)
    review = review_of_record(run, episode)
    credits: dict[int, Mapping[str, Any]] = {}
    for place, state in enumerate(states):
        bill = {cause: round(fsum(amounts), DIGITS) for cause, amounts in sums.get(place, {}).items()}
        went = fsum(amount for cause, amount in bill.items() if CAUSE_BY_KEY[cause].adds_up)
        began = states[place - 1].day if place else 0
        value = {"value": _values(review.points, began, state.day)} if review else {}
        credits[state.turn] = {"day": began, "bill": bill, "money_that_went": yuan(went), **value}
    return credits


class _Owners:
    """Finds the turn that a charge belongs to: the one that bought or shipped, else the one that ended the day."""

    def __init__(self, year: BilledYear, states: Sequence[State]) -> None:
        self._days = [state.day for state in states]
        acted = [(place, outcome) for place, turn in enumerate(year.turns) for outcome in turn.outcomes]
        wrote = {each.day * MINUTES + each.minute: place for place, each in acted if each.call.get("name") == LETTER}
        self._orders = {
            (order.day, order.supplier, order.product.sku if order.product else None): wrote[order.placed]
            for order in year.books.orders
        }
        self._shipped = {each.day: place for place, each in acted if each.call.get("name") == SHIP and not each.failed}

    def of(self, charge: Charge) -> int:
        """The place of the turn among those of the seat."""
        return min(self._place(charge), len(self._days) - 1)

    def _place(self, charge: Charge) -> int:
        if charge.cause in MORNING:
            return bisect_left(self._days, charge.day)
        if charge.supplier is not None:
            return self._orders[charge.day, charge.supplier, charge.sku]
        if charge.cause == FREIGHT and charge.day in self._shipped:
            return self._shipped[charge.day]
        return bisect_right(self._days, charge.day)


def _values(points: Sequence[Point], began: int, ended: int) -> dict[str, Any]:
    """The engine's last value that was known when the turn began, and the first one after it."""
    days = [point.day for point in points]
    before = bisect_right(days, began) - 1
    after = min(max(bisect_left(days, ended), before + 1), len(points) - 1)
    return {"before": _value(points[before]), "after": _value(points[after])}


def _value(point: Point) -> dict[str, Any]:
    return {"day": point.day, "yuan": yuan(point.mean), "band": yuan(point.band)}
