"""Years of other versions, as the files that were derived when they ended have them. Nothing is recomputed."""

from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from ecbench.runs.folder import EVENTS, Run
from ecbench.runs.record.atomic_write import read_file
from ecbench.runs.record.checksums import Checksum, checksum_of
from ecbench.runs.record.events import End
from ecbench.runs.record.schema import parse, typed
from ecbench.runs.results.checksum_manifest import CHECKSUMS, METRICS, Report
from ecbench.runs.results.report_schema import YearReport
from ecbench.runs.results.tables import DayRow, file_of
from ecbench.runs.results.tables.csv_files import read_sheet
from ecbench.runs.terms import Count

SEAL = "seal.json"  # of ecbench 0.1, in place of the checksum manifest


class VerifiedYear(NamedTuple):
    """What a year came to, by derived files that match their checksums."""

    end: End
    report: Report


class FileSums(Struct):
    """What every version's checksum manifest states."""

    end: str  # the checksum of the last line of the record
    turns: Count
    files: dict[str, str]


class Ending(Struct):
    """Of `metrics.json`: how the year ended."""

    ending: str
    reason: str = ""


def recorded_year(run: Run, episode: int) -> VerifiedYear | None:
    """None where the year is not over, or a file is missing or not as it was written. Raises RunError for a table."""
    folder = run.results_folder(episode)
    try:
        sums = typed(parse(read_file(_either(folder / CHECKSUMS, folder / SEAL))), FileSums)
        if any(checksum_of(read_file(folder / Path(name).name)) != check for name, check in sums.files.items()):
            return None
        record = read_file(_either(folder / EVENTS, run.events_path(episode)))
        if Checksum.of(record) != sums.end or METRICS not in sums.files:
            return None
        report: Report = parse(read_file(folder / METRICS))
        figures, ended = typed(report, YearReport), typed(report["run"], Ending)
    except (OSError, ValueError):
        return None
    last = read_sheet(folder / file_of("days"), DayRow, partly=True)[-1:]
    if not last:
        return None
    counts = figures.run
    end = End(ended.ending, last[0].total, last[0].day, counts.turns, counts.tool_calls, ended.reason)
    return VerifiedYear(end, report)


def _either(first: Path, second: Path) -> Path:
    return first if first.exists() else second
