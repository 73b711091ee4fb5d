"""What a review keeps beside an episode: `review.json`, with every answer of the engine and the review made of them.

It is derived: what cannot be read, or is of another engine, is recomputed. The answers are written as they arrive, so a
review that is stopped or killed continues where it was, a quick one is a part of the full one, and a review of an
episode that has continued since asks only about its new weeks.
"""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct, field

from ecbench.analysis.review.engine import ENGINE
from ecbench.analysis.review.model import Review
from ecbench.analysis.review.recorded_year import record_head
from ecbench.errors import RunError
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.record.atomic_write import MANIFEST_LIMIT, atomic_write, read_file
from ecbench.runs.record.json_values import Yuan, encode, parse, typed
from ecbench.runs.record.lines import is_over
from ecbench.runs.record.reader import last_line_end

REVIEW = "review.json"
VERSION = 6  # of the file's content; one of a different version is recomputed


class StoredReview(Struct, frozen=True):
    """The answers of an engine by the key of the question, and the review once there is one."""

    made: int = VERSION
    engine: str = ENGINE
    answers: dict[str, Yuan] = field(default_factory=dict)
    review: Review | None = None


def store_review(folder: Path, review: Review | None, answers: Mapping[str, float]) -> None:
    """Write what there is of both, atomically."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        atomic_write(folder / REVIEW, encode(StoredReview(answers=dict(answers), review=review)) + b"\n")
    except OSError as error:
        raise RunError(f"cannot write {folder / REVIEW}: {error.strerror}") from error


def read_stored(folder: Path) -> StoredReview:
    """What the results folder of a year has of this engine; nothing if the file is absent or damaged."""
    with suppress(OSError, ValueError):
        found = typed(parse(read_file(folder / REVIEW, MANIFEST_LIMIT)), StoredReview)
        if (found.made, found.engine) == (VERSION, ENGINE):
            return found
    return StoredReview()


def review_of_record(run: Run, episode: int) -> Review | None:
    """The review of a year as its record stands; None if there is none, or the year has continued since."""
    review = read_stored(run.episode_folder(episode)).review
    return review if review is not None and review.record == _record_of(run, episode) else None


def _record_of(run: Run, episode: int) -> str | None:
    """The head of the record; of an episode that is over, its last line states it."""
    ended = last_line_end(run.events_path(episode), run.seats)
    if ended is not None and all(map(is_over, ended.ends)):
        return ended.head
    with suppress(RunError):
        return record_head(read_episode(run, episode))
    return None
