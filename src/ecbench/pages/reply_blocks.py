"""The parts of a shown reply: facts, tables, letters and notes, with every figure formatted for a person."""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Literal, NamedTuple

from ecbench.formatting import MISSING, SHORT_MONTHS, counted, percent
from ecbench.world.model import World

BlockKind = Literal["facts", "table", "letter", "notes"]
FIRST_ROWS = 50  # of a table
SKU_LIKE = re.compile(r"( \()?\b(\w{6,})\b(?(1)\))")
QUOTED = re.compile(r"'(\w+)'")


class Block(NamedTuple):
    """A part of a shown reply. Everything in it is text.

    The rows of facts are a label and a value, those of notes one text each. The first row of a letter has its words,
    each further one an action. A column whose heading starts with > is aligned to the right.
    """

    kind: BlockKind
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    left_out: int = 0  # further rows


@dataclass(frozen=True, slots=True)
class KnownNames:
    """What goods, suppliers, store types and stores are called; their ids where the world or the store is not known."""

    world: World | None
    stores: Mapping[str, str] = field(default_factory=dict)  # by id

    def goods(self, sku: Any) -> str:
        found = self.world.product_by_sku.get(sku) if self.world and isinstance(sku, str) else None
        return found.title if found else str(sku)

    def supplier(self, address: Any) -> str:
        found = self.world.supplier_by_email.get(address.lower()) if self.world and isinstance(address, str) else None
        return found.name if found else str(address)

    def store_type(self, store_type: Any) -> str:
        found = self.world.store_type_by_id.get(store_type) if self.world and isinstance(store_type, str) else None
        return found.name if found else str(store_type)

    def store(self, store_id: Any) -> str:
        return self.stores.get(store_id, str(store_id)) if isinstance(store_id, str) else str(store_id)

    def in_letter(self, text: str) -> str:
        """The text with titles in the place of SKUs; a SKU that follows its title is left out."""
        return SKU_LIKE.sub(self._named, text) if self.world else text

    def _named(self, found: re.Match[str]) -> str:
        product = self.world.product_by_sku.get(found[2]) if self.world else None
        if product is None:
            return found[0]
        titled = found[1] and found.string.endswith(product.title, 0, found.start())
        return "" if titled else found[0].replace(found[2], product.title)

    def in_text(self, text: str) -> str:
        """The text with the titles of the SKUs that it quotes."""
        return QUOTED.sub(lambda found: f"'{self.goods(found[1])}'", text) if self.world else text


@dataclass(frozen=True, slots=True)
class ShownCall:
    """A call with its decoded reply, as the functions of the tools read it."""

    given: Mapping[str, Any]
    reply: Mapping[str, Any]
    names: KnownNames
    most_rows: int = FIRST_ROWS


class ReplyField(NamedTuple):
    """A member of a reply: its label, its name, and its kind, which is one of `_FORMATS`."""

    label: str
    name: str
    kind: str = "text"

    @property
    def heading(self) -> str:
        return f">{self.label}" if self.kind in ("money", "count", "number", "share") else self.label


@cache
def declarations() -> Mapping[str, Any]:
    """What `replies.toml` declares of each tool."""
    return tomllib.loads((files("ecbench.pages") / "replies.toml").read_text(encoding="utf-8"))


def fields_of(declared: Iterable[str]) -> list[ReplyField]:
    """Fields as `replies.toml` writes them: "label | name | kind", or the name of a group of them."""
    groups, found = declarations()["groups"], list[ReplyField]()
    for each in declared:
        found += fields_of(groups[each]) if each in groups else [ReplyField(*each.split(" | "))]
    return found


def yuan_and_fen(amount: float) -> str:
    """¥1,000.00 or -¥1,000.00."""
    return f"-¥{-amount:,.2f}" if amount <= -0.005 else f"¥{abs(amount):,.2f}"


def facts(
    call: ShownCall, fields: Iterable[ReplyField], source: Mapping[str, Any] | None = None, title: str = ""
) -> Block:
    """The members that the reply, or `source` within it, has."""
    values = call.reply if source is None else source
    found = [(field, values.get(field.name)) for field in fields]
    shown = [(f.label, cell(call, f, value)) for f, value in found if not _is_empty(value, f.kind)]
    return Block("facts", title, (), shown)


def table(call: ShownCall, title: str, fields: Sequence[ReplyField], rows: Sequence[Mapping[str, Any]]) -> Block:
    """The first rows; a column without any value is left out."""
    first = rows[: call.most_rows]
    used = [field for field in fields if any(not _is_empty(row.get(field.name)) for row in first)]
    cells = [[cell(call, field, row.get(field.name)) for field in used] for row in first]
    return Block("table", title, [field.heading for field in used], cells, len(rows) - len(first))


def notes(title: str, *texts: object) -> Block:
    return Block("notes", title, (), [(text,) for text in texts if isinstance(text, str) and text])


def cell(call: ShownCall, field: ReplyField, value: Any) -> str:
    return MISSING if _is_empty(value) else formatted(call.names, field.kind, value)


def formatted(names: KnownNames, kind: str, value: Any) -> str:
    """A value as a person is shown it."""
    return _FORMATS[kind](names, value)


def _is_empty(value: Any, kind: str = "") -> bool:
    return value is None or value in ("", [], {}) or (kind == "discount" and not value)


def plain(value: Any) -> str:
    """Any value as text, without brackets of JSON around it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "; ".join([f"{label(str(name))} {plain(part)}" for name, part in value.items()])
    if isinstance(value, list):
        return ", ".join([plain(part) for part in value])
    if isinstance(value, int | float):
        return f"{value:,.6g}" if isinstance(value, float) else f"{value:,}"
    return MISSING if value is None else str(value)


_FORMATS: Mapping[str, Callable[[KnownNames, Any], str]] = {
    "text": lambda _, value: plain(value),
    "money": lambda _, value: yuan_and_fen(value),
    "count": lambda _, value: f"{value:,}",
    "number": lambda _, value: f"{value:g}",
    "share": lambda _, value: percent(value),
    "discount": lambda _, value: percent(value),
    "id": lambda _, value: str(value),
    "goods": lambda names, value: names.goods(value),
    "store_type": lambda names, value: names.store_type(value),
    "store": lambda names, value: names.store(value),
    "problem": lambda names, value: names.in_text(value),
    "note": lambda _, value: str(value).replace("the memo", "the note"),
    "sources": lambda _, rows: ", ".join([f"{row['supplier']} {row['units_delivered']:,}" for row in rows]),
    "month": lambda _, value: SHORT_MONTHS[value - 1],
}


def label(name: str) -> str:
    return name.replace("_", " ")


def shortened_blocks(blocks: Iterable[Block], longest: int) -> list[Block]:
    """As much of the blocks as about `longest` characters hold; what is missing is counted or marked."""
    kept, room = [], longest
    for block in blocks:
        rows: list[Sequence[str]] = []
        for row in block.rows:
            size = sum(map(len, row))
            if size > room:
                rows += [(f"{row[0][:room]} …",)] if block.kind == "letter" and not rows else []
                room = 0
                break
            rows.append(row)
            room -= size
        if rows:
            kept.append(block._replace(rows=rows, left_out=block.left_out + len(block.rows) - len(rows)))
        if room <= 0:
            break
    return kept


def units(count: int) -> str:
    return counted(count, "unit", ",")
