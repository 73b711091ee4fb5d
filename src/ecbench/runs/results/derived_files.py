"""What follows from a recorded year: its tables and the metrics, as files.

They are written when a year ends, sealed with the end they belong to (`seal`), and can be made again from its events at
any time, byte for byte.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson

from ecbench.episode import Episode
from ecbench.metrics.failure_modes import failure_modes
from ecbench.runs.errors import RunError
from ecbench.runs.record.atomic_write import write_whole
from ecbench.runs.record.events import End
from ecbench.runs.results.checksums import METRICS, SEAL, seal
from ecbench.runs.results.counters import Tally
from ecbench.runs.results.tables import sheets, year_tables


def derived_files(year: Episode, end: End, end_check: str, tally: Tally, voice: str) -> dict[str, str]:
    """The text of each derived file of a finished year, in the order in which they are written: the seal last."""
    files = sheets(year_tables(year, tally.calls.rows)) | {METRICS: _json(full_report(year, end, tally, voice))}
    return files | {SEAL: seal(end_check, end.turns, files)}


def full_report(year: Episode, end: End, tally: Tally, voice: str) -> dict[str, Any]:
    """What `metrics.json` says of a year."""
    report = year.report()
    modes = failure_modes(year.account, year.desk, tally.log, report)
    return report | {"failure_modes": modes, "run": run_section(end, tally, voice)}


def _json(metrics: dict[str, Any]) -> str:
    try:
        return orjson.dumps(metrics, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()
    except TypeError:  # a number of more than 64 bits, or half of a surrogate pair in the name of a call
        return json.dumps(metrics, indent=2) + "\n"


def write_derived(folder: Path, files: Mapping[str, str]) -> None:
    """Nobody waits for the disk here: files that a power cut takes do not match the seal, and are made again."""
    try:
        for name, text in files.items():
            write_whole(folder / name, text.encode(), sync=False)
    except OSError as error:
        raise RunError(
            f"cannot write {folder / name}: {error.strerror}; the events are kept, and ecbench resume makes this file "
            "from them once there is room"
        ) from error


def run_section(end: End, tally: Tally, voice: str) -> dict[str, Any]:
    """What the books do not know: how the year ended, and what it took to play it."""
    return {
        "ending": end.ending,
        "voice": voice,
        "reason": end.reason,
        "resumable": end.resumable,
        "turns": end.turns,
        "tool_calls": end.calls,
        "calls_by_tool": dict(sorted(tally.by_tool.items())),
        "promotions_joined": tally.promotions_joined,
        "evictions": tally.evictions,
        "tokens_freed": tally.tokens_freed,
        "context_tokens": tally.context.to_json(),
        "usage": tally.usage,
        "supplier_usage": tally.supplier_usage,
        "model_seconds": round(tally.seconds, 3),
        "retries": tally.retries,
        "supplier_retries": tally.supplier_retries,
        "supplier_lines": tally.supplier_lines,
        "supplier_fallbacks": dict(tally.supplier_fallbacks.most_common()),
    }
