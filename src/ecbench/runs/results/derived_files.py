"""The derived files of a year: its tables and its metrics.

They are written when a year ends, with a checksum manifest, and can be derived again from its record at any time, byte
for byte.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from ecbench.episode import Episode
from ecbench.errors import RunError
from ecbench.metrics.failure_modes import failure_modes
from ecbench.runs.record.atomic_write import atomic_write, make_folder
from ecbench.runs.record.lines import End
from ecbench.runs.results.checksum_manifest import METRICS
from ecbench.runs.results.counters import Counters
from ecbench.runs.results.tables import sheets, year_tables


def derived_files(year: Episode, end: End, counters: Counters, voice: str) -> dict[str, str]:
    """The text of each derived file of a year, in the order in which they are written."""
    return sheets(year_tables(year, counters.rows)) | {METRICS: _json(full_report(year, end, counters, voice))}


def full_report(year: Episode, end: End, counters: Counters, voice: str) -> dict[str, Any]:
    """What `metrics.json` says of a year."""
    report = year.report()
    modes = failure_modes(year.account, year.desk, counters.log, report)
    return report | {"failure_modes": modes, "run": run_section(end, counters, voice)}


def _json(metrics: dict[str, Any]) -> str:
    try:
        return orjson.dumps(metrics, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()
    except TypeError:  # a number of more than 64 bits, or half of a surrogate pair in the name of a call
        return json.dumps(metrics, indent=2) + "\n"


def write_derived(folder: Path, files: Mapping[str, str]) -> None:
    """Write without fsync: files that a power cut takes do not match the manifest, and are derived again."""
    path = folder
    try:
        make_folder(folder)
        for name, text in files.items():
            path = folder / name
            atomic_write(path, text.encode(), sync=False)
    except OSError as error:
        raise RunError(
            f"cannot write {path}: {error.strerror}; the events are kept, and ecbench resume makes this file "
            "from them once there is room"
        ) from error


def run_section(end: End, counters: Counters, voice: str) -> dict[str, Any]:
    """What the books do not know: how the year ended, and what it took to play it."""
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
