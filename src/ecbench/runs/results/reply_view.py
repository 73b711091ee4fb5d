"""The one rendering of a tool's reply: a sentence that says what happened, and blocks of facts, tables and letters.

Board, report and `ecbench show` draw the same view. No figure is formatted anywhere else.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ecbench.runs.results.letter_replies import letter_reply
from ecbench.runs.results.reply_blocks import (
    FIRST_ROWS,
    Block,
    KnownNames,
    ReplyField,
    ShownCall,
    facts,
    label,
    notes,
    plain,
    table,
)
from ecbench.runs.results.tool_replies import REFUSALS, TOOL_REPLIES
from ecbench.tools.outcome import Outcome

LONGEST_SENTENCE = 1_000  # characters
UNREADABLE = (KeyError, TypeError, ValueError, AttributeError, IndexError)
SILENT = {"current_time", "success", "error", "note", "system_notifications", "balance_reminder"}
ASKED = {
    "store_id": ReplyField("Store", "store_id", "store"),
    "store_type": ReplyField("Trade", "store_type", "trade"),
    "store_name": ReplyField("Name", "store_name"),
    "category": ReplyField("Category", "category"),
    "product_name": ReplyField("Name of a product", "product_name"),
    "product_id": ReplyField("Product", "product_id", "goods"),
    "event_name": ReplyField("Promotion", "event_name"),
    "discount_rate": ReplyField("Discount", "discount_rate"),
    "speed": ReplyField("Freight", "speed"),
    "amount": ReplyField("Amount", "amount"),
    "action": ReplyField("Action", "action"),
    "title": ReplyField("Title", "title"),
}


class ReplyView(NamedTuple):
    """What a call did, for a person."""

    sentence: str
    failed: bool  # something of what was asked was not carried out
    blocks: list[Block]


def reply_view(outcome: Outcome, names: KnownNames, most_rows: int = FIRST_ROWS) -> ReplyView:
    """The view of a call and its reply. What no tool of this version replies is shown name by name."""
    try:
        view = known_view(outcome, names, most_rows)
    except UNREADABLE:
        view = _generic_view(outcome, names, most_rows)
    if len(view.sentence) <= LONGEST_SENTENCE:
        return view
    return view._replace(sentence=f"{view.sentence[:LONGEST_SENTENCE]} …")


def known_view(outcome: Outcome, names: KnownNames, most_rows: int = FIRST_ROWS) -> ReplyView:
    """The view of a reply as the tools give it; raises one of UNREADABLE where it has a different form."""
    tool, reply = str(outcome.call.get("name")), outcome.reply
    given = outcome.call.get("arguments")
    call = ShownCall(given if isinstance(given, Mapping) else {}, reply, names, most_rows)
    if tool == "chatbox" and ("supplier_reply" in reply or "responses" in reply):
        sentence, blocks = letter_reply(call)
    elif isinstance(reply.get("error"), str):
        sentence, blocks = _refusal(call, tool)
    else:
        sentence, blocks = TOOL_REPLIES[tool](call)
    blocks = [*blocks, *_asked(call, tool, outcome.failed), *_notices(call)]
    return ReplyView(sentence, outcome.error is not None, [block for block in blocks if block.rows])


def _refusal(call: ShownCall, tool: str) -> tuple[str, list[Block]]:
    coded = call.reply["error"].isidentifier()  # a code, which a note explains
    why = call.reply["note"] if coded and "note" in call.reply else call.reply["error"]
    known = facts(call, (ReplyField("Titles", "titles"),))
    return f"{REFUSALS.get(tool, 'Nothing was done')}: {call.names.in_text(why)}.", [known]


def _asked(call: ShownCall, tool: str, failed: bool) -> Iterator[Block]:
    """The arguments of a search or of a refused call; the sentence states those of other calls."""
    if failed or tool in ("market_search", "list_products", "supplier_search"):
        fields = [ASKED[name] for name in call.given if name in ASKED]
        yield facts(call, fields, call.given, "Asked for")


def _notices(call: ShownCall) -> Iterator[Block]:
    """What a reply of any tool may carry besides its own."""
    reply = call.reply
    if "error" not in reply:
        yield notes("", reply.get("note"))
    yield notes("Warning", reply.get("balance_reminder"))
    days = reply.get("system_notifications", ())
    yield notes("News", *(f"{day['date']}: {item['content']}" for day in days for item in day["news"]))


def _generic_view(outcome: Outcome, names: KnownNames, most_rows: int) -> ReplyView:
    """Name by name: plain values as facts, lists of objects as tables."""
    try:
        reply = outcome.reply
    except ValueError:
        reply = outcome.text
    why = outcome.error.message if outcome.error else ""
    sentence = f"Not carried out: {why}." if why else "The tool has replied."
    if not isinstance(reply, Mapping):
        return ReplyView(sentence, bool(why), [Block("letter", "", (), [(plain(reply),)])])
    call = ShownCall({}, reply, names, most_rows)
    shown = {name: value for name, value in reply.items() if name not in SILENT}
    lists = {name: value for name, value in shown.items() if _is_table(value)}
    values = [ReplyField(label(str(name)), name) for name in shown if name not in lists]
    tables = [
        table(call, label(str(name)), [ReplyField(label(str(column)), column) for column in rows[0]], rows)
        for name, rows in lists.items()
    ]
    blocks = [facts(call, values), *tables, notes("", reply.get("note"))]
    return ReplyView(sentence, bool(why), [block for block in blocks if block.rows])


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, Mapping) for row in value)
