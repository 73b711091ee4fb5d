"""The seal on derived files: from which end of the record they were made, and that they are still as they were made.

A crash may leave files of two ends beside one another, and anybody may have been at them with an editor. What the seal
does not vouch for is made again from the events.
"""

from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from msgspec import Struct

from ecbench.runs.record.atomic_write import read_file
from ecbench.runs.record.events import Checksum, Count
from ecbench.runs.record.schema import YearReport, parse, typed
from ecbench.runs.results.tables import TABLE_FILES

METRICS = "metrics.json"
SEAL = "seal.json"
SEALED = (*TABLE_FILES, METRICS)
MADE = 4  # counts up when the files say more than before; earlier ones are made again

Report = Mapping[str, Any]
"""What `metrics.json` says of a year."""


class Seal(Struct, frozen=True):
    """Which end of a record the files beside it belong to."""

    end: str  # the checksum of the `end` line of the events
    turns: Count
    files: dict[str, str]  # the checksum of each
    made: Count = 1


def seal(end_check: str, turns: int, files: Mapping[str, str]) -> str:
    """One line, which ends in a checksum of its own as the lines of a record do."""
    return _line(Seal(end_check, turns, {name: _sum(text.encode()) for name, text in files.items()}, MADE)).decode()


def _line(content: Seal) -> bytes:
    made = {} if content.made == 1 else {"made": content.made}  # the first ones did not say
    return Checksum().seal({"end": content.end, "turns": content.turns, **made, "files": content.files})


def read_seal(folder: Path) -> Seal | None:
    """None where there is none, or none that holds: what lies there then vouches for nothing."""
    try:
        line = read_file(folder / SEAL)
        found = typed(parse(line), Seal)
    except (OSError, ValueError):
        return None
    return found if line == _line(found) else None  # to the byte: one with more in it was not made here


def sealed_report(folder: Path, end_check: str) -> Report | None:
    """The report of the year that ended so; None unless every file beside it is sealed with that end too."""
    found = read_seal(folder)
    if found is None or found.end != end_check or found.made != MADE:
        return None
    try:
        contents = {name: read_file(folder / name) for name in SEALED}
        if {name: _sum(content) for name, content in contents.items()} != found.files:
            return None
        report: Report = parse(contents[METRICS])
        typed(report, YearReport)
    except (OSError, ValueError):
        return None
    return report


def sealed_before(folder: Path, end_check: str) -> bool:
    """Whether the files are whole and of that end, made by a version that had less to say."""
    found = read_seal(folder)
    if found is None or found.end != end_check or found.made >= MADE:
        return False
    try:
        return {name: _sum(read_file(folder / name)) for name in found.files} == found.files
    except OSError:
        return False


def _sum(content: bytes) -> str:
    return blake2b(content, digest_size=8).hexdigest()
