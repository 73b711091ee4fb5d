"""What an agent's calls have shown it so far: trades, categories, goods, suppliers and price lists.

A page keeps all of it, so that nothing has to be looked up twice: what is noted here is what the replies contained.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from sys import intern
from typing import Any, Literal

from ecbench.suppliers.catalog import price_list_in
from ecbench.tools.outcome import Outcome

Kind = Literal["trade", "category", "product", "supplier", "quote", "answer"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One row that a reply contained. A later one of the same kind and key replaces the fields that it has."""

    kind: Kind
    key: str
    row: dict[str, Any]
    turn: int
    day: int


class Knowledge:
    """The findings of one seat, in the order of its turns."""

    def __init__(self) -> None:
        self._findings: list[Finding] = []

    def learn(self, turn: int, outcomes: Sequence[Outcome]) -> None:
        """Note what the replies to a turn contained."""
        for outcome in outcomes:
            read = _READERS.get(str(outcome.call.get("name")))
            if read is not None and not outcome.failed:
                found = read(outcome.reply, outcome.call.get("arguments"))
                self._findings += [
                    Finding(kind, intern(key), _shared(row), turn, outcome.day) for kind, key, row in found
                ]

    def between(self, since: int, until: int) -> list[Finding]:
        """What turns `since` + 1 to `until` showed, each kind and key once, every field as it was shown last."""
        first, last = (bisect_right(self._findings, turn, key=lambda each: each.turn) for turn in (since, until))
        merged: dict[tuple[Kind, str], Finding] = {}
        for each in self._findings[first:last]:
            before = merged.get((each.kind, each.key))
            merged[each.kind, each.key] = each if before is None else replace(each, row=before.row | each.row)
        return list(merged.values())


Row = tuple[Kind, str, dict[str, Any]]


def _market(reply: Any, _given: Any) -> Iterator[Row]:
    if reply.get("view") == "store_detail":
        yield "trade", reply["store_type"], _without_time(reply)
        for row in reply["subcategories"]:
            yield "category", row["category"], {**row, "store_type": reply["store_type"]}
    for row in reply.get("store_types", ()):
        yield "trade", row["store_type"], row
    if detail := reply.get("detail"):
        yield "category", detail["category"], detail


def _products(reply: Any, _given: Any) -> Iterator[Row]:
    for row in reply.get("results", ()):
        yield "product", row["product_id"], row


def _suppliers(reply: Any, _given: Any) -> Iterator[Row]:
    for row in reply.get("results", ()):
        yield "supplier", row["supplier_email"], row


def _letters(reply: Any, given: Any) -> Iterator[Row]:
    """Price lists and decisions; of a letter to several suppliers each answer names its sender."""
    for answer in reply.get("responses", [reply]):
        sender = answer.get("uid") or (given.get("uid") if isinstance(given, dict) else None)
        for line in price_list_in(str(answer.get("supplier_reply", "")))[0]:
            product = {"product_id": line.sku, "title": line.title, "size": line.size}
            yield "product", line.sku, {**product, "reference_price": line.reference}
            quote = {"supplier": sender, "sku": line.sku, "reference": line.reference, "quote": line.quote}
            yield "quote", f"{sender} {line.sku}", quote
        for decided in answer.get("negotiation_responses", ()):
            yield "answer", f"{sender} {decided['sku_id']}", decided


def _shared(row: dict[str, Any]) -> dict[str, Any]:
    """The same row with one object for equal texts: names repeat in thousands of rows."""
    return {name: intern(value) if type(value) is str else value for name, value in row.items()}


def _without_time(reply: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in reply.items() if name not in ("view", "current_time")}


_READERS = {"market_search": _market, "list_products": _products, "supplier_search": _suppliers, "chatbox": _letters}
