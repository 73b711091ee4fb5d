"""A year's turns and negotiations in a compact form, for a page to search and to draw."""

import json
from collections.abc import Mapping
from typing import Any

from ecbench.pages.reply_blocks import KnownNames, shortened_blocks, yuan_and_fen
from ecbench.pages.reply_view import ReplyView, reply_view
from ecbench.pages.report.names import kind_name
from ecbench.pages.report.templates_env import offer_ladder, page_templates
from ecbench.pages.report.year_data import ShownYear
from ecbench.players.turn import shortened
from ecbench.runs.record.reader import Recording
from ecbench.runs.results.derived_files import tool_name
from ecbench.tools.outcome import Outcome
from ecbench.world.model import World

FIRST_ROWS = 8  # of a table in a reply
JSON_PART = 4  # of the characters that a text keeps


def transcript(recording: Recording, world: World | None, longest: int) -> dict[str, Any]:
    """What was said and called, in order, each as a part of a page.

    Texts are cut at `longest` characters, and so are the blocks of a view: what matters stands at their beginning. The
    JSON of arguments and reply, which a view has already shown, keeps a part of that.
    """
    known, cards = KnownNames(world, _store_names(recording)), page_templates().get_template("call_card.html.j2").module
    calls: list[dict[str, Any]] = []
    day = 0
    for number, (turn, state) in enumerate(zip(recording.turns, recording.states, strict=True), start=1):
        when = {"turn": number, "day": day, "until": state.day}
        said = turn.message.get("text")
        if said and isinstance(said, str):
            part = cards.said(shortened(said, longest))  # type: ignore[attr-defined]
            calls.append({**when, "tool": "says", "supplier": "", "html": part})
        for outcome in turn.outcomes:
            tool, arguments = tool_name(outcome.call["name"]), outcome.call["arguments"]
            supplier = _supplier(arguments, known) if tool == "chatbox" else ""
            title = " · ".join(filter(None, (tool.replace("_", " "), supplier)))
            part = cards.call_card(title, f"turn {number}", *_texts(outcome, known, longest))  # type: ignore[attr-defined]
            calls.append({**when, "tool": tool, "supplier": supplier, "html": part})
        day = state.day
    return {"calls": calls, "longest": longest}


def _texts(outcome: Outcome, known: KnownNames, longest: int) -> tuple[ReplyView, list[str]]:
    view = reply_view(outcome, known, FIRST_ROWS)
    raw = [shortened(text, longest // JSON_PART) for text in (_text(outcome.call["arguments"]), outcome.text)]
    return view._replace(blocks=shortened_blocks(view.blocks, longest)), raw


def _store_names(recording: Recording) -> dict[str, str]:
    """By id, from the replies to calls that opened a store."""
    opened = [
        outcome.reply
        for turn in recording.turns
        for outcome in turn.outcomes
        if outcome.call["name"] == "open_store" and not outcome.failed
    ]
    return {str(reply["store_id"]): str(reply["store_name"]) for reply in opened}


def _text(arguments: Any) -> str:
    return json.dumps(arguments, ensure_ascii=False, separators=(",", ":")) if arguments else ""


def _supplier(arguments: Any, known: KnownNames) -> str:
    to = arguments.get("uid") if isinstance(arguments, Mapping) else None
    return known.supplier(to)[:80] if to and isinstance(to, str) else ""


def ladders(year: ShownYear, step: int = 1) -> dict[str, Any]:
    """Concluded negotiations, every `step`-th: goods, supplier, prices and a drawing; no `price` without a deal."""
    sessions = year.tables.sessions if year.tables else []
    rows = [_negotiation(year.world, row) for row in sessions[::step]]
    return {"rows": rows, "step": step, "all": len(sessions)}


def _negotiation(world: World | None, row: Any) -> dict[str, Any]:
    products = world.product_by_sku if world else {}
    price = None if row.final_price is None else round(row.final_price, 2)
    floor, reference = round(row.floor, 2), round(row.reference_price, 2)
    goods = products[row.sku].title if row.sku in products else row.sku
    kind = kind_name(row.template if row.honest else row.scam)
    closed = "No deal."
    if price is not None:
        won = f", which wins {(reference - price) / (reference - floor):.2f} of the range" if reference > floor else ""
        closed = f"Closed at {yuan_and_fen(price)}{won}."
    return {
        "day": row.day_concluded,
        "supplier": row.supplier,
        "goods": goods,
        "kind": kind,
        "floor": floor,
        "price": price,
        "told": f"Day {row.day_concluded}, {row.supplier}, {goods} ({kind}). The supplier meant to open at "
        f"{yuan_and_fen(row.opening_target)}. {closed}",
        "html": offer_ladder(row.supplier_prices, row.agent_prices, floor, reference, price),
    }
