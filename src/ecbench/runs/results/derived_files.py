"""The derived files of an episode: `metrics.json` with the measures of each seat, and `results.db` with its tables.

They are written when an episode ends or stops, and can be derived again from its record at any time. Both name the head
of the record that they were made from. Files of another head are as good as none, and nothing else about them is
checked: they are never part of a proof.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from msgspec import Struct, defstruct

from ecbench.episode import Episode
from ecbench.errors import RunError
from ecbench.metrics.losses.failure_modes import failure_modes
from ecbench.metrics.losses.shelves import losses_of
from ecbench.players.turn import Count, Money
from ecbench.runs.record.atomic_write import MANIFEST_LIMIT, atomic_write, make_folder, read_file
from ecbench.runs.record.json_values import parse, typed
from ecbench.runs.record.lines import End, is_over
from ecbench.runs.results.counters import Counters
from ecbench.runs.results.database import RESULTS, YearTables, make_results
from ecbench.runs.results.year_tables import year_tables
from ecbench.tools.catalog import TOOL_BY_NAME

METRICS = "metrics.json"
DERIVED = (METRICS, RESULTS)
TOKENS = ("input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens")

Report = Mapping[str, Any]
"""The measures of an episode at a seat, as `metrics.json` has them."""


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
"""What the axes of a run and its bill read of `metrics.json`."""


class SeatResults(NamedTuple):
    """What an episode came to at a seat."""

    end: End
    report: Report
    tables: YearTables


class Metrics(Struct, frozen=True):
    """The content of `metrics.json`."""

    record: str  # the head of the record that it was made from
    seats: list[dict[str, Any]]


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
        metrics = _json({"record": head, "seats": [seat.report for seat in seats]})
        for name, content in ((METRICS, metrics), (RESULTS, database.serialize())):
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
    found = _stored(folder)
    return tuple(found.seats) if found and (found.record, len(found.seats)) == (head, seats) else None


def stored_turns(folder: Path) -> int:
    """The turns of all seats when the files in this folder were made; 0 if there are none."""
    found = _stored(folder)
    return sum(report["run"]["turns"] for report in found.seats) if found else 0


def _stored(folder: Path) -> Metrics | None:
    try:
        found = typed(parse(read_file(folder / METRICS, MANIFEST_LIMIT)), Metrics)
        for report in found.seats:
            typed(report, _YearReport)
    except (OSError, ValueError):
        return None
    return found


def _json(metrics: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(metrics, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    except TypeError:  # a number of more than 64 bits, or half of a surrogate pair in the name of a call
        return json.dumps(metrics, indent=2).encode() + b"\n"


def run_section(end: End, counters: Counters, voice: str) -> dict[str, Any]:
    """What the books do not know: how the episode ended, and what it took to play it."""
    return {
        "ending": end.ending,
        "voice": voice,
        "reason": end.reason,
        "resumable": end.resumable,
        "turns": end.turns,
        "tool_calls": end.calls,
        "minutes": sum(TOOL_BY_NAME[tool].minutes * n for tool, n in counters.by_tool.items() if tool in TOOL_BY_NAME),
        "calls_by_tool": dict(sorted(counters.by_tool.items())),
        "promotions_joined": counters.promotions_joined,
        "evictions": counters.evictions,
        "tokens_freed": counters.tokens_freed,
        "context_tokens": counters.context_tokens(),
        "usage": counters.usage,
        "tokens": sum(counters.usage.get(name, 0) for name in TOKENS) or None,
        "supplier_usage": counters.supplier_usage,
        "model_seconds": round(counters.seconds, 3),
        "retries": counters.retries,
        "supplier_retries": counters.supplier_retries,
        "supplier_lines": counters.supplier_lines,
        "supplier_fallbacks": dict(counters.supplier_fallbacks.most_common()),
    }
