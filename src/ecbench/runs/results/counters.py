"""What the turns of a year add up to beside the books: calls, tokens, retries, and when in the play what happened."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ecbench.episode import Episode
from ecbench.metrics.failure_modes import QUERIES, Mark, PlayLog, Query
from ecbench.runs.results.call_log import CallLog, tool_name
from ecbench.seat import Record, Turn

_TIME = '"current_time":"'
_JOINED = '{"success":true,'

Retries = dict[str, dict[str, float]]
"""By the cause of the failure: how many requests were made again (`count`), and the `seconds` that took."""


@dataclass(slots=True)
class ContextUse:
    """Tokens of the live transcript that a model was asked with."""

    turns: int = 0
    total: int = 0
    peak: int = 0

    def add(self, tokens: int) -> None:
        self.turns += 1
        self.total += tokens
        self.peak = max(self.peak, tokens)

    def to_json(self) -> dict[str, Any]:
        """Null for whoever has no context, or had it before it was recorded."""
        if not self.turns:
            return {"mean": None, "peak": None}
        return {"mean": round(self.total / self.turns, 1), "peak": self.peak}


@dataclass(slots=True)
class Tally:
    """What the turns of a year add up to."""

    by_tool: Counter[str] = field(default_factory=Counter)
    promotions_joined: int = 0
    evictions: int = 0
    tokens_freed: int = 0
    context: ContextUse = field(default_factory=ContextUse)
    usage: dict[str, float] = field(default_factory=dict)  # a model's tokens, and its cost where known
    supplier_usage: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0  # the model's answers took
    retries: Retries = field(default_factory=dict)
    supplier_retries: Retries = field(default_factory=dict)
    supplier_lines: int = 0  # letters and judgements that were not the template's to begin with
    supplier_fallbacks: Counter[str] = field(default_factory=Counter)  # those it had to write after all, by reason
    log: PlayLog = field(default_factory=PlayLog)
    calls: CallLog = field(default_factory=CallLog)

    def add(self, turn: Turn, year: Episode) -> None:
        """`turn` as it is recorded, and the year as it left it."""
        self.by_tool.update(tool_name(call["name"]) for call in turn.calls)
        self.evictions += len(turn.evictions)
        self.tokens_freed += sum(eviction["freed"] for eviction in turn.evictions)
        if turn.said.get("context"):
            self.context.add(turn.said["context"])
        self.seconds += turn.said.get("seconds", 0.0)
        _add_answer(self.usage, self.retries, turn.said)
        for line in turn.voices:
            _add_answer(self.supplier_usage, self.supplier_retries, line)
            self.supplier_lines += 1
            if line.get("fallback"):
                self.supplier_fallbacks[str(line["fallback"])] += 1
        self._log(turn, year)
        self.calls.add(len(self.log.marks), turn, year)

    def _log(self, turn: Turn, year: Episode) -> None:
        log, number = self.log, len(self.log.marks) + 1
        began = log.marks[-1].day if log.marks else 0
        for call, reply in zip(turn.calls, turn.replies, strict=True):
            if call["name"] in QUERIES:
                day = _day(reply, year, began)
                log.queries.append(
                    Query(number, day, call["name"], json.dumps(call["arguments"] or {}, sort_keys=True))
                )
            elif call["name"] == "join_promotion" and reply.startswith(_JOINED):
                self.promotions_joined += 1
        books, filed = year.account.books, year.desk.book.filed
        log.marks.append(Mark(year.day, len(books.days), len(books.orders), len(filed)))


def _day(reply: str, year: Episode, began: int) -> int:
    """A query may be answered on another morning than its turn began on."""
    place = reply.rfind(_TIME)
    if place < 0:
        return began
    start = place + len(_TIME)
    answered = reply[start : start + len("2026-01-01")]
    return next((row.day for row in reversed(year.account.books.days) if row.date.isoformat() == answered), 0)


def _add_answer(usage: dict[str, float], retries: Retries, record: Record) -> None:
    add_usage(usage, record.get("usage", {}))
    for retry in record.get("retries", ()):
        add_usage(usage, retry.get("usage", {}))
        add_retries(retries, {retry["cause"]: {"count": 1, "seconds": retry["seconds"]}})


def add_retries(totals: Retries, more: Retries) -> None:
    for cause, found in more.items():
        total = totals.setdefault(cause, {"count": 0, "seconds": 0.0})
        total["count"] += found["count"]
        total["seconds"] = round(total["seconds"] + found["seconds"], 3)


def add_usage(totals: dict[str, float], amounts: Mapping[str, float]) -> None:
    """A provider reports only what it knows, so each name is summed over those that have it."""
    for name, amount in amounts.items():
        totals[name] = totals.get(name, 0) + amount
