"""A year's turns and negotiations in a compact form, for a page to search and to draw."""

import json
from collections.abc import Mapping
from typing import Any

from ecbench.pages.reply_blocks import KnownNames, shortened_blocks
from ecbench.pages.reply_view import reply_view
from ecbench.pages.report.names import kind_name
from ecbench.pages.report.year_data import ShownYear
from ecbench.runs.record.reader import Recording
from ecbench.runs.results.derived_files import tool_name
from ecbench.world.model import World

CUT = "…"
FIRST_ROWS = 8  # of a table in a reply
JSON_PART = 4  # of the characters that a text keeps


def transcript(recording: Recording, world: World | None, longest: int) -> dict[str, Any]:
    """What was said and called, in order: a call has a view, what the agent said has none.

    Texts are cut at `longest` characters, and so are the blocks of a view: what matters stands at their beginning. The
    JSON of arguments and reply, which a view has already shown, keeps a part of that.
    """
    known = KnownNames(world, _store_names(recording))
    calls: list[dict[str, Any]] = []
    day = 0
    for number, (turn, state) in enumerate(zip(recording.turns, recording.states, strict=True), start=1):
        when = {"turn": number, "day": day, "until": state.day}
        said = turn.message.get("text")
        if said and isinstance(said, str):
            calls.append({**when, "tool": "says", "supplier": "", "asked": said, "answered": ""})
        for outcome in turn.outcomes:
            tool, arguments = tool_name(outcome.call["name"]), outcome.call["arguments"]
            supplier = _supplier(arguments, known) if tool == "chatbox" else ""
            view = reply_view(outcome, known, FIRST_ROWS)
            texts = {"view": view, "asked": _text(arguments), "answered": outcome.text}
            calls.append({**when, "tool": tool, "supplier": supplier, **texts})
        day = state.day
    return shortened({"calls": calls}, longest)


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
    return {"calls": [_cut_call(call, longest) for call in transcript["calls"]], "longest": longest}


def _cut_call(call: Mapping[str, Any], longest: int) -> dict[str, Any]:
    view, room = call.get("view"), longest
    if view is not None:
        view, room = view._replace(blocks=shortened_blocks(view.blocks, longest)), longest // JSON_PART
    return {**call, "view": view, "asked": cut(call["asked"], room), "answered": cut(call["answered"], room)}


def cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[:longest].rstrip(CUT)}{CUT}"


def _text(arguments: Any) -> str:
    return json.dumps(arguments, ensure_ascii=False, separators=(",", ":")) if arguments else ""


def _supplier(arguments: Any, known: KnownNames) -> str:
    to = arguments.get("uid") if isinstance(arguments, Mapping) else None
    return known.supplier(to)[:80] if to and isinstance(to, str) else ""


def ladders(year: ShownYear, step: int = 1) -> dict[str, Any]:
    """Concluded negotiations, every `step`-th: goods, supplier and prices; `price` is None where there was no deal."""
    sessions = year.tables.sessions if year.tables else []
    products = year.world.product_by_sku if year.world else {}
    rows = [
        {
            "day": row.day_concluded,
            "supplier": row.supplier,
            "goods": products[row.sku].title if row.sku in products else row.sku,
            "kind": kind_name(row.template if row.honest else row.scam),
            "reference": round(row.reference_price, 2),
            "floor": round(row.floor, 2),
            "wish": round(row.opening_target, 2),
            "offers": [round(price, 2) for price in row.agent_prices],
            "quotes": [round(price, 2) for price in row.supplier_prices],
            "price": None if row.final_price is None else round(row.final_price, 2),
        }
        for row in sessions[::step]
    ]
    return {"rows": rows, "step": step, "all": len(sessions)}
