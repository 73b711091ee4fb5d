"""A year's turns and negotiations in a compact form, for a page to search and to draw."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ecbench.pages.reply_blocks import KnownNames, shortened_blocks
from ecbench.pages.reply_view import ReplyView, reply_view
from ecbench.pages.report.names import kind_name
from ecbench.pages.report.year_data import ShownYear
from ecbench.runs.record.reader import Recording
from ecbench.runs.results.counters import tool_name
from ecbench.world.model import World

NO_SUPPLIER = -1
CUT = "…"
FIRST_ROWS = 8  # of a table in a reply
JSON_PART = 4  # of the characters that a text keeps


class Names:
    """Names by number: each is written once."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}

    def number(self, name: str) -> int:
        return self.known.setdefault(name, len(self.known))


def transcript(recording: Recording, world: World | None, longest: int) -> dict[str, Any]:
    """Turns as [turn, first day, last day, text, calls], calls as [tool, supplier, view, arguments, reply].

    Texts are cut at `longest` characters, and so are the blocks of a view: what matters stands at their beginning. The
    JSON of arguments and reply, which a view has already shown, keeps a part of that.
    """
    tools, suppliers = Names(), Names()
    known = KnownNames(world, _store_names(recording))
    turns = []
    day = 0
    for number, (turn, state) in enumerate(zip(recording.turns, recording.states, strict=True), start=1):
        calls = []
        for outcome in turn.outcomes:
            tool, arguments = tool_name(outcome.call["name"]), outcome.call["arguments"]
            supplier = _supplier(arguments, known) if tool == "chatbox" else ""
            named = [tools.number(tool), suppliers.number(supplier) if supplier else NO_SUPPLIER]
            view = reply_view(outcome, known, FIRST_ROWS)
            calls.append([*named, *_cut_call(view, _text(arguments), outcome.text, longest)])
        said = turn.message.get("text") or ""
        turns.append([number, day, state.day, cut(said if isinstance(said, str) else "", longest), calls])
        day = state.day
    return {"tools": list(tools.known), "suppliers": list(suppliers.known), "turns": turns, "longest": longest}


def _store_names(recording: Recording) -> dict[str, str]:
    """By id, from the replies to calls that opened a store."""
    opened = [
        outcome.reply
        for turn in recording.turns
        for outcome in turn.outcomes
        if outcome.call["name"] == "open_store" and not outcome.failed
    ]
    return {str(reply["store_id"]): str(reply["store_name"]) for reply in opened}


def shortened(transcript: Mapping[str, Any], longest: int) -> dict[str, Any]:
    """The same transcript with its texts cut shorter."""
    turns = [
        [*when, cut(said, longest), [[tool, supplier, *_cut_call(view, asked, answered, longest)]
                                     for tool, supplier, view, asked, answered in calls]]
        for *when, said, calls in transcript["turns"]
    ]  # fmt: skip
    return {**transcript, "turns": turns, "longest": longest}


def _cut_call(view: ReplyView, asked: str, answered: str, longest: int) -> tuple[ReplyView, str, str]:
    shorter = view._replace(blocks=shortened_blocks(view.blocks, longest))
    return shorter, cut(asked, longest // JSON_PART), cut(answered, longest // JSON_PART)


def cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest].rstrip(CUT)}{CUT}"


def _text(arguments: Any) -> str:
    return json.dumps(arguments, ensure_ascii=False, separators=(",", ":")) if arguments else ""


def _supplier(arguments: Any, known: KnownNames) -> str:
    to = arguments.get("uid") if isinstance(arguments, Mapping) else None
    return known.supplier(to)[:80] if to and isinstance(to, str) else ""


def ladders(year: ShownYear, step: int = 1) -> dict[str, Any]:
    """Concluded negotiations, every `step`-th as a row: day, supplier, goods and kind as numbers, reference price,
    floor, the supplier's first wish, our prices, theirs, and the price agreed on, null where there was no deal."""
    suppliers, goods, kinds = Names(), Names(), Names()
    rows = []
    sessions = year.tables.sessions if year.tables else []
    products = year.world.product_by_sku if year.world else {}
    for row in sessions[::step]:
        kind = kind_name(row.template if row.honest else row.scam)
        named = [suppliers.number(row.supplier), goods.number(row.sku), kinds.number(kind)]
        worth = _cents((row.reference_price, row.floor, row.opening_target))
        final = None if row.final_price is None else round(row.final_price, 2)
        offers = [_cents(row.agent_prices), _cents(row.supplier_prices)]
        rows.append([row.day_concluded, *named, *worth, *offers, final])
    titled = [[sku, products[sku].title if sku in products else sku] for sku in goods.known]
    names = {"suppliers": list(suppliers.known), "goods": titled, "kinds": list(kinds.known)}
    return {**names, "rows": rows, "step": step, "all": len(sessions)}


def _cents(prices: Sequence[float]) -> list[float]:
    return [round(price, 2) for price in prices]
