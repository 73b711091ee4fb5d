"""The one rendering of a tool's reply: a sentence that says what happened, and blocks of facts, tables and letters.

`replies.toml` declares both for each tool, and `letter_replies` for letters.

Board, report and `ecbench show` draw the same view. No figure is formatted anywhere else.
"""

from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import chain
from operator import getitem
from string import Formatter
from typing import Any, NamedTuple

from ecbench.formatting import counted
from ecbench.pages.letter_replies import letter_reply
from ecbench.pages.reply_blocks import (
    FIRST_ROWS,
    Block,
    KnownNames,
    ReplyField,
    ShownCall,
    declarations,
    facts,
    fields_of,
    formatted,
    notes,
    plain,
    table,
)
from ecbench.tools.outcome import Outcome

LONGEST_SENTENCE = 1_000  # characters
UNREADABLE = (KeyError, TypeError, ValueError, AttributeError, IndexError, StopIteration)


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
        view = _generic_view(outcome)
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
        sentence, blocks = _form_view(call, tool)
    blocks = [*blocks, *_asked(call, tool, outcome.failed), *_notices(call)]
    return ReplyView(sentence, outcome.error is not None, [block for block in blocks if block.rows])


def _form_view(call: ShownCall, tool: str) -> tuple[str, list[Block]]:
    """The sentence and the blocks of the first form of a tool that fits its reply."""
    reply = call.reply
    form = next(each for each in declarations()["forms"][tool] if _fits(each, reply))
    blocks = [_block(call, declared) for declared in form.get("blocks", ())]
    if "rows" not in form:
        return ReplySentence(call.names).format(form["sentence"], **reply), blocks
    rows = reply[form["rows"]]
    done = [row for row in rows if row["success"]]
    wrong = [row["error"] for row in rows if not row["success"]]
    sentence = ReplySentence(call.names).format(form["sentence"], **reply, done=done)
    if not done:
        sentence = declarations()["refusals"][tool]
    if not wrong:
        return f"{sentence}.", blocks
    counts = f"; {len(wrong):,} refused" if done else ""
    return f"{sentence}{counts}: {call.names.in_text(wrong[0])}.", blocks


def _fits(form: Mapping[str, str], reply: Mapping[str, Any]) -> bool:
    return bool(reply.get(form["when"])) if "when" in form else form.get("has") is None or form["has"] in reply


def _block(call: ShownCall, declared: Mapping[str, Any]) -> Block:
    title, reply = declared.get("title", ""), call.reply
    if "facts" in declared:
        source = reply[declared["facts"]] if declared["facts"] else reply
        return facts(call, fields_of(declared["fields"]), source, title)
    if "table" in declared:
        rows = reply[declared["table"]]
        if isinstance(rows, Mapping):
            items = rows.items()
            rows = [{"key": key, **(row if isinstance(row, Mapping) else {"value": row})} for key, row in items]
        return table(call, title, fields_of(declared["fields"]), rows)
    if "notes" in declared:
        texts = [reduce(getitem, name.split("."), reply) for name in declared["notes"]]
        return notes(title, *chain(*(text if isinstance(text, list) else [text] for text in texts)))
    if "letter" in declared:
        return Block("letter", title, (), [(str(reply[declared["letter"]]),)])
    written = call.given.get(declared["written"])
    return Block("letter", title, (), [(written,)] if isinstance(written, str) else [])


class ReplySentence(Formatter):
    """Formats the sentences of `replies.toml`."""

    def __init__(self, names: KnownNames) -> None:
        self.names = names

    def format_field(self, value: Any, format_spec: str) -> str:
        kind, *words = format_spec.split() or ["text"]
        if kind == "n":
            return counted(value if isinstance(value, int) else len(value), words[0], ",")
        if kind == "sum":
            total = sum([row[words[0]] for row in value])
            return counted(total, words[1], ",") if words[1:] else f"{total:,}"
        return formatted(self.names, kind, value) if format_spec else str(value)


def _refusal(call: ShownCall, tool: str) -> tuple[str, list[Block]]:
    coded = call.reply["error"].isidentifier()  # a code, which a note explains
    why = call.reply["note"] if coded and "note" in call.reply else call.reply["error"]
    known = facts(call, (ReplyField("Titles", "titles"),))
    return f"{declarations()['refusals'].get(tool, 'Nothing was done')}: {call.names.in_text(why)}.", [known]


def _asked(call: ShownCall, tool: str, failed: bool) -> Iterator[Block]:
    """The arguments of a search or of a refused call; the sentence states those of other calls."""
    if failed or tool in ("market_search", "list_products", "supplier_search"):
        known = {field.name: field for field in fields_of(declarations()["asked"]["fields"])}
        fields = [known[name] for name in call.given if name in known]
        yield facts(call, fields, call.given, "Asked for")


def _notices(call: ShownCall) -> Iterator[Block]:
    """What a reply of any tool may carry besides its own."""
    reply = call.reply
    if "error" not in reply:
        yield notes("", reply.get("note"))
    yield notes("Warning", reply.get("balance_reminder"))
    days = reply.get("system_notifications", ())
    yield notes("News", *(f"{day['date']}: {item['content']}" for day in days for item in day["news"]))


def _generic_view(outcome: Outcome) -> ReplyView:
    """What came back, name by name."""
    try:
        reply = outcome.reply
    except ValueError:
        reply = outcome.text
    why = outcome.error.message if outcome.error else ""
    sentence = f"Not carried out: {why}." if why else "The tool has replied."
    return ReplyView(sentence, bool(why), [Block("letter", "", (), [(plain(reply),)])])
