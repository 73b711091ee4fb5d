"""What a review keeps beside an episode: `review.json`, and `evaluations.jsonl` with every answer of the engine.

Both are derived: what cannot be read is made anew. The answers are an append-only log, so a review that is stopped or
killed continues where it was, a quick one is a part of the full one, and a review of an episode that has continued
since asks only about its new weeks.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins

from ecbench.analysis.review.engine import ENGINE
from ecbench.analysis.review.model import Review, review_from
from ecbench.analysis.review.positions import record_head
from ecbench.analysis.review.questions import Evaluation
from ecbench.errors import RunError
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.record.append_only_log import AppendOnlyLog
from ecbench.runs.record.atomic_write import MANIFEST_LIMIT, atomic_write, read_file
from ecbench.runs.record.json_values import Yuan, encode, parse, typed
from ecbench.runs.record.lines import is_over
from ecbench.runs.record.reader import last_line_end
from ecbench.runs.terms import Terms

REVIEW = "review.json"
EVALUATIONS = "evaluations.jsonl"
VERSION = 4  # of a review's content; a review of a different version is made anew
KIND = ("world", "rules", "rule_set", "days", "stake")  # of the terms: what decides where calls lead
HOW_TO_CONTINUE = "the answers so far are kept, run the same command again once there is room"

Key = tuple[str, int]


def store_review(folder: Path, review: Review) -> str:
    """Write it atomically; returns why that failed."""
    try:
        atomic_write(folder / REVIEW, encode({"made": VERSION, **review.to_json()}) + b"\n")
    except OSError as error:
        return f"cannot write {folder / REVIEW}: {error.strerror}"
    return ""


def delete_review(folder: Path) -> None:
    with suppress(OSError):  # a folder that may not be written remains as it is
        (folder / REVIEW).unlink(missing_ok=True)


def read_review(folder: Path, record: str | None = None) -> Review | None:
    """The review in the results folder of a year; None where there is none of this engine, or it is damaged.

    `record` is the checksum of the record that it must be of.
    """
    with suppress(OSError, ValueError):
        found: dict[str, Any] = parse(read_file(folder / REVIEW, MANIFEST_LIMIT))
        if found.get("made") != VERSION or found.get("engine") != ENGINE:
            return None
        review = review_from(found)
        return review if record in (None, review.record) else None
    return None


def review_of_record(run: Run, episode: int) -> Review | None:
    """The review of a year as its record stands; None where there is none, or the year has gone on since."""
    review = read_review(run.review_folder(episode))
    return review if review is not None and review.record == _record_of(run, episode) else None


def _record_of(run: Run, episode: int) -> str | None:
    """The head of the record; of an episode that is over, its last line states it."""
    ended = last_line_end(run.events_path(episode), run.seats)
    if ended is not None and all(map(is_over, ended.ends)):
        return ended.head
    try:
        return record_head(read_episode(run, episode))
    except RunError:
        return None


class EvaluationRecord(Struct, frozen=True):
    """An answer as a line holds it."""

    position: str
    day: int
    variant: int
    assets: Yuan


class Evaluations:
    """The engine's answers about one year. Without a log that may be written they are in memory only."""

    def __init__(self, log: AppendOnlyLog | None, terms: Terms, *, anew: bool) -> None:
        self.known: dict[Key, float] = {}
        self._log = log if log is not None and not log.locked_out else None
        heading = _heading(terms)
        size = self._read(log.read(), heading) if log is not None and not anew else 0
        if self._log is not None:
            self._log.keep(size)
            if not size:
                self._log.append(heading, sync=False)

    def add(self, answer: Evaluation) -> None:
        """Raises RunError where the disk is full: the answers before are kept."""
        self.known[answer.key] = answer.assets
        if self._log is not None:
            record = {"position": answer.check, "day": answer.day, "variant": answer.variant, "assets": answer.assets}
            self._log.append(encode(record) + b"\n", sync=False)

    def _read(self, content: bytes, heading: bytes) -> int:
        """Take the answers of this engine up to the first line that is not whole; returns where they end."""
        if not content.startswith(heading):
            return 0
        size = len(heading)
        with suppress(ValueError):
            for line in content[size:].splitlines(keepends=True):
                record = typed(parse(line), EvaluationRecord)
                if not line.endswith(b"\n"):
                    break
                self.known[record.position, record.variant] = record.assets
                size += len(line)
        return size


@contextmanager
def opened_evaluations(folder: Path, terms: Terms, *, anew: bool = False) -> Iterator[Evaluations]:
    """Those of a results folder, locked meanwhile; `anew` drops them.

    Raises RunError where another review of the year is under way, and where the disk is full.
    """
    path = folder / EVALUATIONS
    try:
        log = AppendOnlyLog(path, attempts=1, how_to_continue=HOW_TO_CONTINUE)
    except RunError:
        if path.is_file():
            raise
        yield Evaluations(None, terms, anew=anew)
        return
    with log:
        yield Evaluations(log, terms, anew=anew)


def _heading(terms: Terms) -> bytes:
    """Which engine answered, and about a year of which kind: under other terms the same calls lead elsewhere."""
    kind = {name: value for name, value in to_builtins(terms).items() if name in KIND}
    return encode({"engine": ENGINE, "terms": blake2b(encode(kind), digest_size=8).hexdigest()}) + b"\n"
