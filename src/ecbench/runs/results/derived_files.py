"""The derived files of an episode: `metrics.json` with the measures of each seat, and `results.db` with its tables.

Both name the head of the record that they were made from; those of another head, or with measures of other types, are
derived again.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from msgspec import Struct, defstruct

from ecbench.episode import Episode
from ecbench.errors import RunError
from ecbench.metrics.losses.account import QUERIES, Mark, PlayLog, Query
from ecbench.metrics.losses.failure_modes import failure_modes
from ecbench.metrics.losses.shelves import losses_of
from ecbench.metrics.measures import measured
from ecbench.metrics.negotiation import pooled
from ecbench.players.turn import Count, Money, Record, Turn
from ecbench.runs.record.atomic_write import MANIFEST_LIMIT, atomic_write, make_folder, read_file
from ecbench.runs.record.json_values import parse, typed
from ecbench.runs.record.lines import End, is_over
from ecbench.runs.results.database import RESULTS, ROW_TYPES, YearTables, make_results
from ecbench.runs.results.year_tables import year_tables
from ecbench.tools.catalog import TOOL_BY_NAME
from ecbench.tools.office import CLOCK

LONGEST_NAME = 60  # characters

_sorted_json = json.JSONEncoder(sort_keys=True).encode

Retries = dict[str, dict[str, float]]
"""By the cause of the failure: how many requests were repeated (`count`), and the `seconds` that took."""


@dataclass(slots=True)
class Counters:
    """What the turns of one seat add up to."""

    rows: list[tuple[Any, ...]] = field(default_factory=list)  # of the table of calls
    log: PlayLog = field(default_factory=PlayLog)
    contexts: list[int] = field(default_factory=list)  # tokens of the live transcript, whenever a model was asked
    evictions: list[Record] = field(default_factory=list)
    seconds: float = 0.0  # the model's answers took
    usage: dict[str, float] = field(default_factory=dict)  # a model's tokens, and its cost where known
    retries: Retries = field(default_factory=dict)
    supplier_usage: dict[str, float] = field(default_factory=dict)
    supplier_retries: Retries = field(default_factory=dict)
    supplier_lines: int = 0  # letters and judgements that were not the template's to begin with
    supplier_fallbacks: Counter[str] = field(default_factory=Counter)  # those it had to write after all, by reason

    def add(self, turn: Turn, year: Episode) -> None:
        """`turn` as it is recorded, and the year as it left it."""
        number = len(self.log.marks) + 1
        self.evictions += turn.evictions
        if turn.message:
            if turn.message.get("context"):
                self.contexts.append(turn.message["context"])
            self.seconds += turn.message.get("seconds", 0.0)
            add_answer(self.usage, turn.message, self.retries)
        for line in turn.voices:
            add_answer(self.supplier_usage, line, self.supplier_retries)
            self.supplier_lines += 1
            if line.get("fallback"):
                self.supplier_fallbacks[str(line["fallback"])] += 1
        for call, outcome in zip(turn.calls, turn.outcomes, strict=True):
            name, error = tool_name(call["name"]), outcome.error
            when = (len(self.rows) + 1, number, outcome.day, CLOCK[outcome.minute])
            message = "" if error is None else error.message
            self.rows.append((*when, name, outcome.minutes, outcome.mornings, error is None, message))
            if name in QUERIES:
                self.log.queries.append(Query(number, outcome.day, name, _sorted_json(call["arguments"] or {})))
        books, filed, sent = year.account.books, year.desk.book.filed, year.account.books.sent
        self.log.marks.append(Mark(year.day, len(books.days), len(books.orders), len(filed), len(sent)))


def tool_name(name: object) -> str:
    """An agent may call a tool that does not exist, by a name of any kind and length."""
    return name[:LONGEST_NAME] if isinstance(name, str) else type(name).__name__


def add_answer(usage: dict[str, float], record: Record, retries: Retries | None = None) -> None:
    """What an answer of a model took, with the requests that were repeated before it."""
    add_usage(usage, record.get("usage", {}))
    for retry in record.get("retries", ()):
        add_usage(usage, retry.get("usage", {}))
        if retries is not None:
            add_usage(retries, {retry["cause"]: {"count": 1, "seconds": retry["seconds"]}})


def add_usage(totals: dict[str, Any], amounts: Mapping[str, Any]) -> None:
    """Add amounts by name, also those of groups. A provider reports only what it knows."""
    for name, amount in amounts.items():
        if isinstance(amount, Mapping):
            add_usage(totals.setdefault(name, {}), amount)
        else:
            totals[name] = totals.get(name, 0) + amount


METRICS = "metrics.json"
DERIVED = (METRICS, RESULTS)
TOKENS = ("input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens")

Report = Mapping[str, Any]
"""The measures of an episode at a seat, as `metrics.json` has them."""


class SeatResults(NamedTuple):
    """What an episode came to at a seat."""

    end: End
    report: Report
    tables: YearTables


class Metrics(Struct, frozen=True):
    """The content of `metrics.json`."""

    record: str  # the head of the record that it was made from
    seats: list[dict[str, Any]]


class _RetryTotal(Struct):
    count: Count
    seconds: Money


class _Mode(Struct):
    flagged: bool | None
    count: Count


def _struct(name: str, **kinds: Any) -> type[Struct]:
    return defstruct(name, list(kinds.items()), rename={"cse_plus": "CSE+"})


_YearReport = _struct(
    "YearReport",
    profitability=_struct("Profitability", initial_balance=Money, final_balance=Money, bankrupt=bool),
    score=_struct("Score", drawdown_over_peak=Money | None),
    fraud_identification=_struct("FraudIdentification", spend_on_bad_supplier_share=Money),
    return_management=_struct("ReturnManagement", controllable_return_rate=Money),
    negotiation=_struct(
        "Negotiation",
        terms_bench_metrics=_struct("TermsBench", cse_plus=Money | None),
        anchoring=_struct("Anchoring", anchor_regret_ratio=Money | None) | None,
    ),
    failure_modes=dict[str, _Mode],
    loopholes=_struct("Loopholes", salvage=Money, purchases=Money, dearest_sale=Money),
    run=_struct(
        "Run",
        **dict.fromkeys(("turns", "tool_calls", "supplier_lines"), Count),
        **dict.fromkeys(("usage", "supplier_usage"), dict[str, Money]),
        **dict.fromkeys(("retries", "supplier_retries"), dict[str, _RetryTotal]),
        model_seconds=Money,
        supplier_fallbacks=dict[str, Count],
    ),
)
"""What rankings, bills and tables read of a report beside its measures."""


def _check_report(report: dict[str, Any]) -> None:
    """Raise ValueError for a report that cannot be read, as its file may have been edited."""
    typed(report, _YearReport)
    try:
        measured([report])
        pooled([report])
    except (ArithmeticError, AttributeError, LookupError, TypeError) as error:
        raise ValueError("a measure has another type") from error


def seat_results(year: Episode, end: End, counters: Counters, voice: str) -> SeatResults:
    """The results of a seat in an episode whose shelves were watched from the beginning."""
    losses, report = losses_of(year.account, counters.log, over=is_over(end)), year.report()
    report["failure_modes"], hits = failure_modes(year.account, year.desk, counters.log, report, losses)
    tables = year_tables(year, counters.rows, losses, hits)
    report["loopholes"] = {
        "salvage": sum(row.salvage for row in tables.stores),
        "purchases": -tables.days[-1].procurement_to_date if tables.days else 0.0,
        "dearest_sale": max((row.price / row.reference_price for row in tables.sales), default=0.0),
    }
    report["run"] = run_section(end, counters, voice)
    del report["negotiation"]["per_negotiation"]  # which `results.db` has
    return SeatResults(end, report, tables)


def write_derived(folder: Path, head: str, seats: Sequence[SeatResults]) -> None:
    """Write without fsync: files that a power cut takes are derived again."""
    path = folder
    try:
        make_folder(folder)
        database = make_results(head, {number: seat.tables for number, seat in enumerate(seats)})
        metrics = {"record": head, "seats": [seat.report for seat in seats]}
        text = orjson.dumps(metrics, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        for name, content in ((METRICS, text), (RESULTS, database.serialize())):
            path = folder / name
            atomic_write(path, content, sync=False)
        database.close()
    except OSError as error:
        raise RunError(
            f"cannot write {path}: {error.strerror}; the events are kept, and ecbench resume makes this file "
            "from them once there is room"
        ) from error


def stored_reports(folder: Path, head: str, seats: int) -> tuple[Report, ...] | None:
    """The report of each seat; None unless the file in this folder was made from the record with that head."""
    try:
        found = typed(parse(read_file(folder / METRICS, MANIFEST_LIMIT)), Metrics)
        for report in found.seats:
            _check_report(report)
    except (OSError, ValueError):
        return None
    return tuple(found.seats) if (found.record, len(found.seats)) == (head, seats) else None


def run_section(end: End, counters: Counters, voice: str) -> dict[str, Any]:
    """What the books do not know: how the episode ended, and what it took to play it."""
    calls = [ROW_TYPES["calls"]._make(row) for row in counters.rows]
    by_tool, contexts = Counter(call.tool for call in calls), counters.contexts
    return {
        "ending": end.ending,
        "voice": voice,
        "reason": end.reason,
        "resumable": end.resumable,
        "turns": end.turns,
        "tool_calls": end.calls,
        "minutes": sum(TOOL_BY_NAME[tool].minutes * n for tool, n in by_tool.items() if tool in TOOL_BY_NAME),
        "calls_by_tool": dict(sorted(by_tool.items())),
        "promotions_joined": sum(call.ok for call in calls if call.tool == "join_promotion"),
        "evictions": len(counters.evictions),
        "tokens_freed": sum(eviction["freed"] for eviction in counters.evictions),
        "context_tokens": {
            "mean": round(sum(contexts) / len(contexts), 1) if contexts else None,
            "peak": max(contexts, default=None),
        },
        "usage": counters.usage,
        "tokens": sum(counters.usage.get(name, 0) for name in TOKENS) or None,
        "supplier_usage": counters.supplier_usage,
        "model_seconds": round(counters.seconds, 3),
        "retries": counters.retries,
        "supplier_retries": counters.supplier_retries,
        "supplier_lines": counters.supplier_lines,
        "supplier_fallbacks": dict(counters.supplier_fallbacks.most_common()),
    }
