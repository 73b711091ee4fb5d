"""Where the money of an episode went: by channel, store, goods and supplier, and what was lost on the way.

Everything here is read from the views of `results.db` (`views.sql`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from sqlite3 import Connection
from types import SimpleNamespace
from typing import Any

from ecbench.market.ledger import CHANNELS
from ecbench.tools.catalog import WAIT

WORST_NEGOTIATIONS = 10  # where all tables of an episode are shown
LISTS = {"stores": "store", "categories": "category", "skus": "sku", "suppliers": "supplier", "scams": "scam"}
LISTS |= {"cheats": "cheat", "promotions": "promotion", "events": "event", "negotiations": "negotiation"}
"""By the name of a list in the JSON of a statement: the view that it comes from, without `by_`."""


class StatementLine(SimpleNamespace):
    """A row of a view, its columns as attributes."""


@dataclass(frozen=True)
class Statement:
    """The statement of a seat; each part is read when it is first asked for."""

    database: Connection
    seat: int = 0

    def lines(self, view: str) -> list[StatementLine]:
        """The rows of `by_NAME`, in its order."""
        found = self.database.execute(f"select * from by_{view} where seat = ?", (self.seat,))
        names = [column for column, *_ in found.description]
        return [StatementLine(**dict(zip(names, row, strict=True))) for row in found]

    def remainder(self, outside: str) -> dict[str, float]:
        """What belongs to no line of stores (`store`), or of categories and SKUs (`goods`), signed."""
        return dict(self._rows("select name, amount from remainders where seat = ? and outside = ?", outside))

    @cached_property
    def channels(self) -> dict[str, float]:
        """Signed; the stake and these add up to the final assets."""
        names = ", ".join(f"{channel}_to_date" for channel in CHANNELS)
        [amounts] = self._rows(f"select {names} from days where seat = ? order by rowid desc limit 1")
        return dict(zip(CHANNELS, amounts, strict=True))

    @cached_property
    def overpaid(self) -> Mapping[bool, float]:
        """Paid above the floors, by whether the supplier is honest."""
        paid = self._rows("select honest, sum(overpaid) from by_supplier where seat = ? group by honest")
        return {True: 0.0, False: 0.0} | {bool(honest): amount for honest, amount in paid}

    @cached_property
    def fulfilment(self) -> StatementLine:
        """Customers' orders by what became of them, and the revenue of those that were not shipped."""
        [row] = self._rows(
            "select coalesce(sum(outcome = 'shipped'), 0), coalesce(sum(outcome = 'cancelled'), 0), "
            "coalesce(sum(outcome = 'voided'), 0), "
            "coalesce(sum(case when outcome in ('cancelled', 'voided') then net end), 0.0) from sales where seat = ?"
        )
        names = ("orders_shipped", "orders_cancelled", "orders_voided", "revenue_lost")
        return StatementLine(**dict(zip(names, row, strict=True)))

    @cached_property
    def rollovers(self) -> dict[str, int]:
        """Calls that ran past closing time, so that the next morning came before they acted, by tool."""
        query = "select tool, count(*) from calls where seat = ? and mornings and tool <> ? group by tool"
        return dict(self._rows(f"{query} order by count(*) desc, min(rowid)", WAIT))

    def to_json(self) -> dict[str, Any]:
        """Of the negotiations only the worst: there are thousands."""
        lists = {name: [_json(vars(line)) for line in self.lines(view)] for name, view in LISTS.items()}
        return {
            "channels": _json(self.channels),
            **lists,
            "negotiations": lists["negotiations"][:WORST_NEGOTIATIONS],
            "outside_stores": _json(self.remainder("store")),
            "outside_goods": _json(self.remainder("goods")),
            "overpaid_honest": round(self.overpaid[True], 2),
            "overpaid_fraudulent": round(self.overpaid[False], 2),
            "fulfilment": _json(vars(self.fulfilment)),
            "rollovers": self.rollovers,
        }

    def _rows(self, query: str, *more: str) -> Sequence[tuple[Any, ...]]:
        return self.database.execute(query, (self.seat, *more)).fetchall()


def _json(values: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in values.items() if name != "seat"}
    return {name: round(value, 2) if isinstance(value, float) else value for name, value in kept.items()}
