"""Where the money of an episode went: by channel, store, goods and supplier, from the views of `results.db`."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from sqlite3 import Connection
from types import SimpleNamespace
from typing import Any, Literal, NamedTuple

from ecbench.errors import RunError
from ecbench.formatting import MISSING, yuan, yuan_or_millions
from ecbench.market.ledger import CHANNELS
from ecbench.metrics.losses.account import CAUSE_BY_KEY

SHOWN = 12  # lines of a table where all tables of an episode are shown; of profits
WORST = 4  # of them are those that lost most


class StatementLine(SimpleNamespace):
    """A row of a view, its columns as attributes."""


@dataclass(frozen=True)
class Statement:
    """The statement of a seat; each part is read when it is first asked for."""

    database: Connection
    seat: int = 0

    def lines(self, view: str) -> list[StatementLine]:
        """The rows of `by_NAME`, in its order."""
        lines = self._lines(f"by_{view}")
        for line in lines if view == "loss" else ():
            line.title, line.kind = CAUSE_BY_KEY[line.cause].title, CAUSE_BY_KEY[line.cause].kind
        return lines

    def _lines(self, view: str) -> list[StatementLine]:
        found = self.database.execute(f"select * from {view} where seat = ?", (self.seat,))
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
        [line] = self._lines("fulfilment")
        return line

    @cached_property
    def rollovers(self) -> dict[str, int]:
        """Calls that ran past closing time, so that the next morning came before they acted, by tool."""
        return {line.tool: line.calls for line in self._lines("rollovers")}

    def to_json(self) -> dict[str, Any]:
        """The statement as JSON, with only the worst negotiations: there are thousands."""
        views = {table["plural"]: name for name, table in _declared().items() if "long" not in table}
        views |= {"scams": "scam"}
        lists = {name: [_json(vars(line)) for line in self.lines(view)] for name, view in views.items()}
        return {
            "channels": _json(self.channels),
            **lists,
            "negotiations": lists["negotiations"][: _declared()["negotiation"]["shown"]],
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
    return {name: rounded(value) for name, value in values.items() if name != "seat"}


def rounded(value: Any) -> Any:
    """A fraction to the cent; any other value as it is."""
    return round(value, 2) if isinstance(value, float) else value


Kind = Literal["text", "count", "day", "yuan", "price", "share", "number"]


class LineColumn(NamedTuple):
    """`extra` columns are left out where there is no room for all."""

    key: str
    heading: str
    kind: Kind = "text"
    extra: bool = False

    @property
    def number(self) -> bool:
        return self.kind != "text"

    def text(self, line: Any, *, narrow: bool = False) -> str:
        value = getattr(line, self.key)  # None for what is not known
        if value is None:
            return MISSING
        return yuan_or_millions(value) if narrow and self.kind == "yuan" else TEXTS[self.kind](value)


TEXTS: Mapping[Kind, Callable[[Any], str]] = {
    "yuan": yuan,
    "price": "¥{:,.2f}".format,
    "number": lambda value: f"{value:,.2f}".removesuffix(".00"),
    "share": "{:.0%}".format,
    "count": "{:,}".format,
    **dict.fromkeys(("text", "day"), lambda value: str(value).removeprefix("store_")),
}


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
        """The lines that are shown beside other tables of a year; `times` asks for that many times more."""
        most, worst = times * self.shown, times * self.worst
        if len(self.lines) <= most:
            return self.lines
        return [*self.lines[: most - worst], *self.lines[len(self.lines) - worst :]]

    @property
    def total(self) -> float:
        """The sum of the results and the remainder."""
        results: list[float] = [line.result for line in self.lines]
        return sum(results) + sum(self.remainder.values())

    @property
    def sum_text(self) -> str:
        """What belongs to no line, and the total."""
        amounts = [f"{name} {yuan(amount)}" for name, amount in self.remainder.items() if abs(amount) >= 0.5]
        outside = f"Not in these lines: {', '.join(amounts) or 'nothing'}."
        return f"{outside} With all lines: {yuan(self.total)}, the final assets less the stake."

    def rows(self) -> list[list[Any]]:
        """All cells as values, rounded to the cent."""
        return [[rounded(getattr(line, column.key)) for column in self.columns] for line in self.lines]

    def to_json(self) -> dict[str, Any]:
        names = [column.key for column in self.columns]
        return {
            "table": self.name,
            "note": self.note,
            "lines": [dict(zip(names, row, strict=True)) for row in self.rows()],
            "remainder": _json(self.remainder),
        }


@cache
def _declared() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads((files("ecbench.runs.results") / "statement.toml").read_text(encoding="utf-8"))


def statement_table(found: Statement, name: str) -> StatementTable:
    """One table; raises RunError if there is none of that name."""
    if name not in _declared():
        raise RunError(f"there is no table {name!r:.40}; --by takes one of {', '.join(_declared())}")
    table = _declared()[name]
    return StatementTable(
        name,
        table["title"],
        table["note"],
        [LineColumn(key, heading, kind, bool(extra)) for key, heading, kind, *extra in table["columns"]],
        found.lines(name),
        found.remainder(table["outside"]) if "outside" in table else {},
        shown=table.get("shown", SHOWN),
        worst=WORST if "outside" in table else 0,
    )


def statement_tables(found: Statement) -> dict[str, StatementTable]:
    """By name, in the order of a statement, without the long tables."""
    return {name: statement_table(found, name) for name, table in _declared().items() if "long" not in table}
