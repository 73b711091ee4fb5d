"""The checksum manifest of derived files: which end of the record they belong to, and the checksum of each.

A crash may leave files of two ends side by side, and a file may have been edited. Files that do not match the manifest
are derived again from the record.
"""

from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from msgspec import Struct

from ecbench.players.turn import Count
from ecbench.runs.record.atomic_write import read_file
from ecbench.runs.record.chain import FIRST, chained
from ecbench.runs.record.json_values import encode, parse, typed
from ecbench.runs.results.report_schema import YearReport
from ecbench.runs.results.tables import TABLE_FILES

METRICS = "metrics.json"
CHECKSUMS = "checksums.json"
DERIVED = (*TABLE_FILES, METRICS)

Report = Mapping[str, Any]
"""What `metrics.json` says of a year."""


class ChecksumManifest(Struct, frozen=True):
    """Which end of a record, and which seat, the files beside it belong to."""

    end: str  # the head of the record
    seat: Count
    turns: Count  # of the seat
    files: dict[str, str]  # the checksum of each


def manifest_of(end_check: str, seat: int, turns: int, files: Mapping[str, str]) -> str:
    """One line, which ends in a digest of its own as the lines of a record do."""
    sums = {name: checksum_of(text.encode()) for name, text in files.items()}
    return _line(ChecksumManifest(end_check, seat, turns, sums)).decode()


def checksum_of(content: bytes) -> str:
    """Of a whole file."""
    return blake2b(content, digest_size=8).hexdigest()


def _line(content: ChecksumManifest) -> bytes:
    return chained(encode(content), FIRST)[0]


def read_checksums(folder: Path, seat: int = 0) -> ChecksumManifest | None:
    """None where there is no manifest of that seat, or none that matches its own checksum."""
    try:
        line = read_file(folder / CHECKSUMS)
        found = typed(parse(line), ChecksumManifest)
    except (OSError, ValueError):
        return None
    as_written = line == _line(found)  # to the byte: one with more in it was not written here
    return found if as_written and found.seat == seat else None


def verified_report(folder: Path, end_check: str, seat: int = 0) -> Report | None:
    """The report of the year that ended so at a seat; None unless every file beside it matches its checksum."""
    found = read_checksums(folder, seat)
    if found is None or found.end != end_check:
        return None
    try:
        contents = {name: read_file(folder / name) for name in DERIVED}
        if {name: checksum_of(content) for name, content in contents.items()} != found.files:
            return None
        report: Report = parse(contents[METRICS])
        typed(report, YearReport)
    except (OSError, ValueError):
        return None
    return report
