"""What the turns of a year add up to beside the books: calls, tokens, retries, and when in the play what happened."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ecbench.episode import Episode
from ecbench.metrics.losses.account import QUERIES, Mark, PlayLog, Query
from ecbench.players.turn import Record, Turn
from ecbench.tools.office import CLOCK
from ecbench.tools.outcome import Outcome

LONGEST_NAME = 60  # characters

_sorted_json = json.JSONEncoder(sort_keys=True).encode

Retries = dict[str, dict[str, float]]
"""By the cause of the failure: how many requests were repeated (`count`), and the `seconds` that took."""


@dataclass(slots=True)
class Counters:
    """What the turns of one seat add up to."""

    turns: int = 0
    calls: int = 0
    by_tool: Counter[str] = field(default_factory=Counter)
    promotions_joined: int = 0
    evictions: int = 0
    tokens_freed: int = 0
    contexts: list[int] = field(default_factory=list)  # tokens of the live transcript, whenever a model was asked
    usage: dict[str, float] = field(default_factory=dict)  # a model's tokens, and its cost where known
    supplier_usage: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0  # the model's answers took
    retries: Retries = field(default_factory=dict)
    supplier_retries: Retries = field(default_factory=dict)
    supplier_lines: int = 0  # letters and judgements that were not the template's to begin with
    supplier_fallbacks: Counter[str] = field(default_factory=Counter)  # those it had to write after all, by reason
    log: PlayLog = field(default_factory=PlayLog)
    rows: list[tuple[Any, ...]] = field(default_factory=list)  # of the table of calls

    def add(self, turn: Turn, year: Episode) -> None:
        """`turn` as it is recorded, and the year as it left it."""
        self.turns += 1
        for eviction in turn.evictions:
            self.evictions += 1
            self.tokens_freed += eviction["freed"]
        if turn.message:
            if turn.message.get("context"):
                self.contexts.append(turn.message["context"])
            self.seconds += turn.message.get("seconds", 0.0)
            _add_answer(self.usage, self.retries, turn.message)
        for line in turn.voices:
            _add_answer(self.supplier_usage, self.supplier_retries, line)
            self.supplier_lines += 1
            if line.get("fallback"):
                self.supplier_fallbacks[str(line["fallback"])] += 1
        for call, outcome in zip(turn.calls, turn.outcomes, strict=True):
            self._add_call(call, outcome)
        books, filed, sent = year.account.books, year.desk.book.filed, year.account.books.sent
        self.log.marks.append(Mark(year.day, len(books.days), len(books.orders), len(filed), len(sent)))

    def context_tokens(self) -> dict[str, Any]:
        """Null for a player without a context."""
        used = self.contexts
        return {"mean": round(sum(used) / len(used), 1) if used else None, "peak": max(used, default=None)}

    def _add_call(self, call: Record, outcome: Outcome) -> None:
        self.calls += 1
        name, error = tool_name(call["name"]), outcome.error
        self.by_tool[name] += 1
        when = (self.calls, self.turns, outcome.day, CLOCK[outcome.minute])
        message = "" if error is None else error.message
        self.rows.append((*when, name, outcome.minutes, outcome.mornings, error is None, message))
        if name in QUERIES:
            arguments = _sorted_json(call["arguments"] or {})
            self.log.queries.append(Query(self.turns, outcome.day, name, arguments))
        elif name == "join_promotion" and error is None:
            self.promotions_joined += 1


def tool_name(name: object) -> str:
    """An agent may call a tool that does not exist, by a name of any kind and length."""
    return name[:LONGEST_NAME] if isinstance(name, str) else type(name).__name__


def _add_answer(usage: dict[str, float], retries: Retries, record: Record) -> None:
    add_answer_usage(usage, record)
    for retry in record.get("retries", ()):
        add_usage(retries, {retry["cause"]: {"count": 1, "seconds": retry["seconds"]}})


def add_answer_usage(totals: dict[str, float], record: Record) -> None:
    """What an answer of a model took, with the answers that were refused before it."""
    for answer in (record, *record.get("retries", ())):
        add_usage(totals, answer.get("usage", {}))


def add_usage(totals: dict[str, Any], amounts: Mapping[str, Any]) -> None:
    """Add amounts by name, also those of groups. A provider reports only what it knows."""
    for name, amount in amounts.items():
        if isinstance(amount, Mapping):
            add_usage(totals.setdefault(name, {}), amount)
        else:
            totals[name] = totals.get(name, 0) + amount
