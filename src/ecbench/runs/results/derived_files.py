"""The derived files of an episode: `metrics.json` with the measures of each seat, and `results.db` with its tables.

They are written when an episode ends or stops, and can be derived again from its record at any time. Both name the head
of the record that they were made from. Files of another head are as good as none, and nothing else about them is
checked: they are never part of a proof.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import orjson
from msgspec import Struct

from ecbench.episode import Episode
from ecbench.errors import RunError
from ecbench.market.economy import Economy
from ecbench.metrics.losses.account import Loss
from ecbench.metrics.losses.all_losses import losses_of
from ecbench.metrics.losses.failure_modes import failure_modes
from ecbench.players.turn import Count, Money
from ecbench.runs.record.atomic_write import MANIFEST_LIMIT, atomic_write, make_folder, read_file
from ecbench.runs.record.json_values import parse, typed
from ecbench.runs.record.lines import End, is_over
from ecbench.runs.results.counters import Counters
from ecbench.runs.results.database import RESULTS, make_results
from ecbench.runs.results.money_facts import money_facts
from ecbench.runs.results.year_tables import YearTables, year_tables

METRICS = "metrics.json"
DERIVED = (METRICS, RESULTS)

Report = Mapping[str, Any]
"""The measures of an episode at a seat, as `metrics.json` has them."""


class _Profitability(Struct):
    initial_balance: Money
    final_balance: Money
    bankrupt: bool


class _ScoreRecord(Struct):
    drawdown_over_peak: Money | None


class _FraudIdentification(Struct):
    spend_on_bad_supplier_share: Money


class _ReturnManagement(Struct):
    controllable_return_rate: Money


class _TermsBench(Struct, rename={"cse_plus": "CSE+"}):
    cse_plus: Money | None


class _Anchoring(Struct):
    anchor_regret_ratio: Money | None


class _Negotiation(Struct):
    terms_bench_metrics: _TermsBench
    anchoring: _Anchoring | None


class _Loopholes(Struct):
    salvage: Money
    purchases: Money
    dearest_sale: Money


class _RetryTotal(Struct):
    count: Count
    seconds: Money


class _RunSection(Struct):
    turns: Count
    tool_calls: Count
    model_seconds: Money
    usage: dict[str, Money]
    supplier_usage: dict[str, Money]
    retries: dict[str, _RetryTotal]
    supplier_retries: dict[str, _RetryTotal]
    supplier_lines: Count
    supplier_fallbacks: dict[str, Count]


class _YearReport(Struct):
    """What the axes of a run and its bill read of `metrics.json`."""

    profitability: _Profitability
    score: _ScoreRecord
    fraud_identification: _FraudIdentification
    return_management: _ReturnManagement
    negotiation: _Negotiation
    loopholes: _Loopholes
    run: _RunSection


@dataclass(frozen=True, slots=True)
class SeatResults:
    """What an episode came to at a seat."""

    end: End
    report: Report
    tables: YearTables
    losses: Sequence[Loss]
    economy: Economy


class Metrics(Struct, frozen=True):
    """The content of `metrics.json`."""

    record: str  # the head of the record that it was made from
    seats: list[dict[str, Any]]


def seat_results(year: Episode, end: End, counters: Counters, voice: str) -> SeatResults:
    """Of an episode whose shelves were watched from the beginning."""
    losses = losses_of(year.account, counters.log, over=is_over(end))
    tables, report = year_tables(year, counters.rows), year.report()
    report["failure_modes"] = failure_modes(year.account, year.desk, counters.log, report, losses)
    report["loopholes"] = {
        "salvage": sum(row.salvage for row in tables.stores),
        "purchases": -tables.days[-1].procurement_to_date if tables.days else 0.0,
        "dearest_sale": max((row.price / row.reference_price for row in tables.sales), default=0.0),
    }
    report["run"] = run_section(end, counters, voice)
    del report["negotiation"]["per_negotiation"]  # which `results.db` has
    return SeatResults(end, report, tables, losses, year.account.economy)


def results_of(seats: Mapping[int, SeatResults], head: str = "") -> Connection:
    """The results of these seats as a database in memory."""
    facts = {seat: money_facts(own.tables, own.economy, own.losses) for seat, own in seats.items()}
    return make_results(head, {seat: (own.tables, facts[seat]) for seat, own in seats.items()})


def write_derived(folder: Path, head: str, seats: Sequence[SeatResults]) -> None:
    """Write without fsync: files that a power cut takes are derived again."""
    path = folder
    try:
        make_folder(folder)
        database = results_of(dict(enumerate(seats)), head)
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
    """The turns of all seats when the files in this folder were made; 0 where there are none."""
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
        "calls_by_tool": dict(sorted(counters.by_tool.items())),
        "promotions_joined": counters.promotions_joined,
        "evictions": counters.evictions,
        "tokens_freed": counters.tokens_freed,
        "context_tokens": counters.context.to_json(),
        "usage": counters.usage,
        "supplier_usage": counters.supplier_usage,
        "model_seconds": round(counters.seconds, 3),
        "retries": counters.retries,
        "supplier_retries": counters.supplier_retries,
        "supplier_lines": counters.supplier_lines,
        "supplier_fallbacks": dict(counters.supplier_fallbacks.most_common()),
    }
