"""`review.json`: the review that lies beside a year."""

from contextlib import suppress
from pathlib import Path
from typing import Any

from ecbench.errors import RunError
from ecbench.review.engine import ENGINE
from ecbench.review.model import Review, review_from
from ecbench.review.positions import record_head
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.record.atomic_write import MANIFEST_LIMIT, atomic_write, read_file
from ecbench.runs.record.chain import FIRST, chained, next_head
from ecbench.runs.record.json_values import encode, parse
from ecbench.runs.record.lines import is_over
from ecbench.runs.record.reader import last_line_end

REVIEW = "review.json"
VERSION = 4  # of a review's content; a review of a different version is made anew


def store_review(folder: Path, review: Review) -> str:
    """Write it atomically; returns why that failed."""
    try:
        atomic_write(folder / REVIEW, chained(encode({"made": VERSION, **review.to_json()}), FIRST)[0])
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
        line = read_file(folder / REVIEW, MANIFEST_LIMIT)
        if next_head(line, FIRST) is None:
            return None
        found: dict[str, Any] = parse(line)
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
