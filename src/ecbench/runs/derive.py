"""What follows from a recorded year: the daily books, the sessions, the orders and the metrics, as files.

They are written when a year ends, sealed with the end they belong to (`seal`), and can be made again from its events at
any time, byte for byte.
"""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from ecbench.episode import Episode
from ecbench.market.books import DayRecord, PurchaseOrder
from ecbench.market.ledger import CHANNELS
from ecbench.market.marketplace import Marketplace
from ecbench.runs.disk import sync_folder, write_whole
from ecbench.runs.events import End, Record, Turn
from ecbench.runs.problems import RunError
from ecbench.runs.seal import METRICS, SEAL, seal
from ecbench.suppliers.records import Session

DAY_COLUMNS = (*DayRecord._fields[:-1], *(f"{channel}_to_date" for channel in CHANNELS))
LONGEST_NAME = 60  # characters


Retries = dict[str, dict[str, float]]
"""By the cause of the failure: how many requests were made again (`count`), and the `seconds` that took."""


@dataclass(slots=True)
class Tally:
    """What the turns add up to beside the books."""

    by_tool: Counter[str] = field(default_factory=Counter)
    evictions: int = 0
    usage: dict[str, float] = field(default_factory=dict)  # a model's tokens, and its cost where known
    supplier_usage: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0  # the model's answers took
    retries: Retries = field(default_factory=dict)
    supplier_retries: Retries = field(default_factory=dict)
    supplier_lines: int = 0  # letters and judgements that were not the template's to begin with
    supplier_fallbacks: Counter[str] = field(default_factory=Counter)  # those it had to write after all, by reason

    def add(self, turn: Turn) -> None:
        self.by_tool.update(tool_name(call["name"]) for call in turn.calls)
        self.evictions += len(turn.evictions)
        self.seconds += turn.said.get("seconds", 0.0)
        _add_answer(self.usage, self.retries, turn.said)
        for line in turn.voices:
            _add_answer(self.supplier_usage, self.supplier_retries, line)
            self.supplier_lines += 1
            if line.get("fallback"):
                self.supplier_fallbacks[str(line["fallback"])] += 1


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


def tool_name(name: object) -> str:
    """An agent may call a tool that there is not, by a name of any kind and length."""
    return name[:LONGEST_NAME] if isinstance(name, str) else type(name).__name__


def add_usage(totals: dict[str, float], amounts: Mapping[str, float]) -> None:
    """A provider reports only what it knows, so each name is summed over those that have it."""
    for name, amount in amounts.items():
        totals[name] = totals.get(name, 0) + amount


def derived_files(year: Episode, end: End, end_check: str, tally: Tally, voice: str) -> dict[str, str]:
    """The text of each derived file of a finished year, in the order in which they are written: the seal last."""
    books, desk = year.account.books, year.office.desk
    metrics = year.report() | {"run": _run_section(end, tally, voice)}
    files = {
        "days.csv": _sheet(DAY_COLUMNS, ((*day[:-1], *day.flows) for day in books.days)),
        "sessions.csv": _sheet(Session._fields, (_session_cells(session) for session in desk.sessions)),
        "orders.csv": _sheet(
            PurchaseOrder._fields, (_order_cells(year.account.market, order) for order in books.orders)
        ),
        METRICS: _json(metrics),
    }
    return files | {SEAL: seal(end_check, end.turns, files)}


def _json(metrics: dict[str, Any]) -> str:
    try:
        return orjson.dumps(metrics, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()
    except TypeError:  # a number of more than 64 bits, or half of a surrogate pair in the name of a call
        return json.dumps(metrics, indent=2) + "\n"


def write_derived(folder: Path, files: Mapping[str, str]) -> None:
    try:
        for name, text in files.items():
            write_whole(folder / name, text.encode())
        sync_folder(folder)
    except OSError as error:
        raise RunError(
            f"cannot write {folder / name}: {error.strerror}; the events are kept, and ecbench resume makes this file "
            "from them once there is room"
        ) from error


def _run_section(end: End, tally: Tally, voice: str) -> dict[str, Any]:
    """What the books do not know: how the year ended, and what it took to play it."""
    return {
        "ending": end.ending,
        "voice": voice,
        "reason": end.reason,
        "resumable": end.resumable,
        "turns": end.turns,
        "tool_calls": end.calls,
        "calls_by_tool": dict(sorted(tally.by_tool.items())),
        "evictions": tally.evictions,
        "usage": tally.usage,
        "supplier_usage": tally.supplier_usage,
        "model_seconds": round(tally.seconds, 3),
        "retries": tally.retries,
        "supplier_retries": tally.supplier_retries,
        "supplier_lines": tally.supplier_lines,
        "supplier_fallbacks": dict(tally.supplier_fallbacks.most_common()),
    }


def _session_cells(session: Session) -> list[object]:
    return [" ".join(map(str, cell)) if isinstance(cell, tuple) else cell for cell in session]


def _order_cells(market: Marketplace, order: PurchaseOrder) -> list[object]:
    """A membership fee is an order without a product."""
    row = order._asdict() | {
        "placed": market.moment(order.placed),
        "product": order.product.sku if order.product else "",
        "arrives": market.moment(order.arrives),
    }
    return list(row.values())


def _sheet(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()
