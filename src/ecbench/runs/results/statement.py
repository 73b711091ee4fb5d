"""Where the money of an episode went: by channel, store, goods and supplier, and what was lost on the way.

Everything here is read from the views of `results.db` (`views.sql`). `ecbench show` and the report print the tables.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from sqlite3 import Connection
from types import SimpleNamespace
from typing import Any, Literal, NamedTuple

from ecbench.errors import RunError
from ecbench.market.ledger import CHANNELS
from ecbench.metrics.losses.causes import CAUSE_BY_KEY
from ecbench.number_words import MISSING, yuan, yuan_or_millions
from ecbench.tools.catalog import WAIT

WORST_NEGOTIATIONS = 10  # where all tables of an episode are shown
LISTS = {"stores": "store", "categories": "category", "skus": "sku", "suppliers": "supplier", "scams": "scam"}
LISTS |= {
    "losses": "loss",
    "cheats": "cheat",
    "promotions": "promotion",
    "events": "event",
    "negotiations": "negotiation",
}
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
        lines = [StatementLine(**dict(zip(names, row, strict=True))) for row in found]
        for line in lines if view == "loss" else ():
            line.title, line.kind = CAUSE_BY_KEY[line.cause].title, CAUSE_BY_KEY[line.cause].kind
        return lines

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


Kind = Literal["text", "count", "day", "yuan", "price", "share"]
SHOWN = 12  # lines of any table but negotiations, where all tables of a year are shown; of profits
WORST = 4  # of them are those that lost most


class LineColumn(NamedTuple):
    """`extra` columns are left out where there is no room for all."""

    key: str
    heading: str
    kind: Kind = "text"
    extra: bool = False

    @property
    def number(self) -> bool:
        return self.kind != "text"

    def value(self, line: Any) -> Any:
        """None for what is not known."""
        return getattr(line, self.key)

    def text(self, line: Any, *, narrow: bool = False) -> str:
        value = self.value(line)
        if value is None:
            return MISSING
        if self.kind == "yuan":
            return yuan_or_millions(value) if narrow else yuan(value)
        if self.kind == "price":
            return f"¥{value:,.2f}"
        if self.kind == "share":
            return f"{value:.0%}"
        return f"{value:,}" if self.kind == "count" else str(value).removeprefix("store_")


@dataclass(frozen=True, slots=True)
class StatementTable:
    """`remainder` is what belongs to no line; with it the results add up to the year's profit."""

    name: str
    title: str
    note: str
    columns: Sequence[LineColumn]
    lines: Sequence[Any]
    remainder: Mapping[str, float] = field(default_factory=dict)
    shown: int = SHOWN
    worst: int = 0  # of these, from its end

    def excerpt(self, times: int = 1) -> Sequence[Any]:
        """The lines that stand where all tables of a year are shown, or so many times as many."""
        most, worst = times * self.shown, times * self.worst
        if len(self.lines) <= most:
            return self.lines
        return [*self.lines[: most - worst], *self.lines[len(self.lines) - worst :]]

    @property
    def total(self) -> float:
        """Of the results, with the remainder."""
        results: list[float] = [line.result for line in self.lines]
        return sum(results) + sum(self.remainder.values())

    @property
    def sum_text(self) -> str:
        """What belongs to no line, and what all comes to."""
        amounts = [f"{name} {yuan(amount)}" for name, amount in self.remainder.items() if abs(amount) >= 0.5]
        outside = f"Not in these lines: {', '.join(amounts) or 'nothing'}."
        return f"{outside} With all lines: {yuan(self.total)}, the final assets less the stake."

    def note_on(self, shown: Sequence[LineColumn]) -> str:
        """The note without its sentences on columns that are left out."""
        left_out = tuple(f"{column.heading}:" for column in self.columns if column not in shown)
        sentences = self.note.replace(". ", ".\n").splitlines()
        return " ".join(sentence for sentence in sentences if not sentence.startswith(left_out))

    def sorted_by(self, column: str) -> "StatementTable":
        """Numbers from the largest, texts from A; lines without a value last. The column is never left out."""
        found = next((each for each in self.columns if column.lower() in (each.key, each.heading.lower())), None)
        if found is None:
            known = ", ".join(each.key for each in self.columns)
            raise RunError(f"the table has no column {column!r:.40}; its columns are {known}")
        filled = [line for line in self.lines if found.value(line) is not None]
        empty = [line for line in self.lines if found.value(line) is None]
        ordered = sorted(filled, key=found.value, reverse=found.number)
        columns = [each._replace(extra=False) if each is found else each for each in self.columns]
        return replace(self, lines=[*ordered, *empty], columns=columns)

    def matching(self, text: str) -> "StatementTable":
        """Lines with the text in one of their texts, in capitals or not; their remainder is not known."""
        texts, wanted = [column for column in self.columns if not column.number], text.lower()
        lines = [line for line in self.lines if any(wanted in str(each.value(line)).lower() for each in texts)]
        return replace(self, lines=lines, remainder={})

    def first(self, limit: int | None) -> "StatementTable":
        """The first lines; all for None."""
        return replace(self, lines=self.lines[:limit])

    def rows(self) -> list[list[Any]]:
        """All cells as values, rounded to the cent."""
        return [[_rounded(column.value(line)) for column in self.columns] for line in self.lines]

    def to_json(self) -> dict[str, Any]:
        names = [column.key for column in self.columns]
        return {
            "table": self.name,
            "note": self.note,
            "lines": [dict(zip(names, row, strict=True)) for row in self.rows()],
            "remainder": {name: _rounded(amount) for name, amount in self.remainder.items()},
        }


def _rounded(value: Any) -> Any:
    return round(value, 2) if isinstance(value, float) else value


STORE = (
    LineColumn("store", "Store"),
    LineColumn("type", "Type"),
    LineColumn("opened", "From", "day"),
    LineColumn("closed", "To", "day"),
    LineColumn("units", "Units", "count", extra=True),
    LineColumn("missed", "Missed", "yuan", extra=True),
    LineColumn("revenue", "Revenue", "yuan"),
    LineColumn("refunds", "Refunds", "yuan"),
    LineColumn("goods", "Goods", "yuan"),
    LineColumn("costs", "Costs", "yuan"),
    LineColumn("result", "Result", "yuan"),
)
GOODS = (
    LineColumn("units_bought", "Bought", "count", extra=True),
    LineColumn("units_sold", "Sold", "count"),
    LineColumn("missed", "Missed", "yuan", extra=True),
    LineColumn("revenue", "Revenue", "yuan"),
    LineColumn("refunds", "Refunds", "yuan"),
    LineColumn("freight", "Freight", "yuan", extra=True),
    LineColumn("goods", "Goods", "yuan"),
    LineColumn("unsold", "Unsold", "yuan", extra=True),
    LineColumn("salvage", "Salvage", "yuan", extra=True),
    LineColumn("result", "Result", "yuan"),
)
CATEGORY = (LineColumn("category", "Category"), *GOODS)
SKU = (LineColumn("sku", "SKU"), LineColumn("title", "Title"), LineColumn("category", "Category", extra=True), *GOODS)
SUPPLIER = (
    LineColumn("supplier", "Supplier"),
    LineColumn("kind", "Kind"),
    LineColumn("orders", "Orders", "count"),
    LineColumn("spend", "Spend", "yuan"),
    LineColumn("overpaid", "Above floor", "yuan"),
    LineColumn("units", "Delivered", "count", extra=True),
    LineColumn("short_units", "Short", "count"),
    LineColumn("defective_units", "Defective", "count"),
)
LOSS = (
    LineColumn("title", "Cause"),
    LineColumn("kind", "Kind"),
    LineColumn("days", "Days", "count"),
    LineColumn("units", "Units", "count", extra=True),
    LineColumn("amount", "Yuan", "yuan"),
)
CHEAT = (
    LineColumn("supplier", "Supplier"),
    LineColumn("scam", "Scam"),
    LineColumn("orders", "Orders", "count", extra=True),
    LineColumn("spend", "Spend", "yuan", extra=True),
    LineColumn("above_floor", "Price", "yuan"),
    LineColumn("missing_units", "Missing units", "count", extra=True),
    LineColumn("missing", "Missing", "yuan"),
    LineColumn("defects", "Defects", "yuan"),
    LineColumn("fees", "Fees", "yuan"),
    LineColumn("cost", "Cost", "yuan"),
)
NEGOTIATION = (
    LineColumn("day", "Day", "day"),
    LineColumn("supplier", "Supplier"),
    LineColumn("kind", "Kind", extra=True),
    LineColumn("sku", "SKU", extra=True),
    LineColumn("title", "Title"),
    LineColumn("units", "Units", "count"),
    LineColumn("price", "Paid", "price", extra=True),
    LineColumn("floor", "Floor", "price", extra=True),
    LineColumn("above_floor", "Above floor", "yuan", extra=True),
    LineColumn("left", "Left", "yuan", extra=True),
    LineColumn("rounds", "Bids", "count", extra=True),
    LineColumn("wasted_rounds", "Wasted", "count"),
    LineColumn("why", "Bid that cost most"),
    LineColumn("bid", "Bid", "price", extra=True),
    LineColumn("bid_cost", "It cost", "yuan", extra=True),
    LineColumn("loss", "Loss", "yuan"),
    LineColumn("session", "Session", "day", extra=True),
)
PROMOTION = (
    LineColumn("promotion", "Promotion"),
    LineColumn("store", "Store", extra=True),
    LineColumn("type", "Type"),
    LineColumn("first", "From", "day"),
    LineColumn("last", "To", "day"),
    LineColumn("days", "Days", "count", extra=True),
    LineColumn("discount", "Off", "share"),
    LineColumn("units", "Units", "count"),
    LineColumn("given", "Given", "yuan", extra=True),
    LineColumn("earned", "Earned", "yuan"),
    LineColumn("added", "Added", "yuan"),
)
EVENT = (
    LineColumn("event", "Event"),
    LineColumn("stores", "Stores and demand"),
    LineColumn("first", "From", "day"),
    LineColumn("last", "To", "day"),
    LineColumn("delayed_orders", "Delayed", "count"),
    LineColumn("units", "Units", "count"),
    LineColumn("earned", "Earned", "yuan"),
    LineColumn("added", "Added", "yuan"),
)
DAY = (
    LineColumn("day", "Day", "day"),
    LineColumn("row", "At", extra=True),
    LineColumn("date", "Date"),
    LineColumn("bank", "Bank", "yuan"),
    LineColumn("wallet", "Wallet", "yuan"),
    LineColumn("escrow", "Escrow", "yuan"),
    LineColumn("total", "Total", "yuan"),
    LineColumn("open_stores", "Stores", "count"),
    LineColumn("units", "Stock", "count", extra=True),
    LineColumn("orders_sold", "Sold", "count", extra=True),
    LineColumn("orders_cancelled", "Cancelled", "count", extra=True),
    LineColumn("calls", "Calls", "count"),
    LineColumn("turns", "Turns", "count", extra=True),
)
MISSED_NOTE = "Missed: the margin of sales lost to empty shelves."
STORE_NOTE = (
    "Goods: what the units sold had cost. Costs: freight, setup and days, less salvage. From, To: its days. "
    f"{MISSED_NOTE}"
)
GOODS_NOTE = f"Goods: all that was bought. Unsold: the part of it that nobody bought. {MISSED_NOTE}"
SUPPLIER_NOTE = "Above floor: the price over the lowest that an honest supplier would take, and fees."
LOSS_NOTE = (
    "Kind: paid causes share no yuan; a missed one is computed with all else as it was, so missed amounts may overlap."
)
CHEAT_NOTE = (
    "Price: above the honest floor. Missing: paid for and not delivered, at the floor. Defects: refunds that sound "
    "goods would not have caused."
)
NEGOTIATION_NOTE = (
    "Loss: what was paid above the floor, or at the next purchase above a quote that was left; the two may overlap. "
    "Wasted: bids that neither lowered the quote nor were accepted."
)
OCCASION_NOTE = (
    "Earned: on these days, with the goods (exact). Added: over the same days without it, by the demand formulas with "
    "the same shelves and the profit of a unit as it was (estimated)."
)

DAY_NOTE = "The opening, every morning, and the settlement at the end. Sold, Cancelled: orders of customers."
EVENT_NOTE = f"{OCCASION_NOTE} Delayed: orders placed meanwhile that came later; without a figure."


def statement_table(found: Statement, name: str) -> StatementTable:
    """One table; raises RunError where there is none of that name."""
    if name not in TABLES:
        raise RunError(f"there is no table {name!r:.40}; --by takes one of {', '.join(TABLES)}")
    title, note, columns, outside = TABLES[name]
    return StatementTable(
        name,
        title,
        note,
        columns,
        found.lines(name),
        found.remainder(outside) if outside else {},
        shown=WORST_NEGOTIATIONS if name == "negotiation" else SHOWN,
        worst=WORST if outside else 0,
    )


TABLES: Mapping[str, tuple[str, str, Sequence[LineColumn], str]] = {
    "store": ("By store", STORE_NOTE, STORE, "store"),
    "category": ("By category", GOODS_NOTE, CATEGORY, "goods"),
    "sku": ("By SKU", GOODS_NOTE, SKU, "goods"),
    "supplier": ("By supplier", SUPPLIER_NOTE, SUPPLIER, ""),
    "loss": ("Where the money was lost", LOSS_NOTE, LOSS, ""),
    "cheat": ("Cheats, and what each cost", CHEAT_NOTE, CHEAT, ""),
    "negotiation": ("Negotiations, the worst first", NEGOTIATION_NOTE, NEGOTIATION, ""),
    "promotion": ("Promotions joined", OCCASION_NOTE, PROMOTION, ""),
    "event": ("Events lived through", EVENT_NOTE, EVENT, ""),
    "day": ("By day", DAY_NOTE, DAY, ""),
}
"""By name: title, note, columns, and which remainder belongs to it."""


def statement_tables(found: Statement) -> dict[str, StatementTable]:
    """By name, in the order of a statement, which does not list the days."""
    return {name: statement_table(found, name) for name in TABLES if name != "day"}
