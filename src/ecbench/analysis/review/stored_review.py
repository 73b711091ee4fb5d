"""What a review keeps beside an episode: `review.json`, with every answer of the engine and the review made of them.

It is derived: what cannot be read, or is of another engine, is recomputed. The answers are written as they arrive, so a
review that is stopped or killed continues where it was, a quick one is a part of the full one, and a review of an
episode that has continued since asks only about its new weeks.
"""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from ecbench.analysis.review.engine import ENGINE
from ecbench.analysis.review.model import Review
from ecbench.analysis.review.positions import record_head
from ecbench.errors import RunError
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.record.atomic_write import MANIFEST_LIMIT, atomic_write, read_file
from ecbench.runs.record.json_values import Yuan, encode, parse, typed
from ecbench.runs.record.lines import is_over
from ecbench.runs.record.reader import last_line_end

REVIEW = "review.json"
VERSION = 5  # of the file's content; one of a different version is recomputed

Kind = TypeVar("Kind")


class _Answers(Struct, frozen=True):
    """The answers in a file, whether or not it has a review."""

    answers: dict[str, Yuan]


def store_review(folder: Path, review: Review | None, answers: Mapping[str, float]) -> None:
    """Write what there is of both, atomically."""
    made = {"made": VERSION, "engine": ENGINE, "answers": answers, **(review.to_json() if review else {})}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        atomic_write(folder / REVIEW, encode(made) + b"\n")
    except OSError as error:
        raise RunError(f"cannot write {folder / REVIEW}: {error.strerror}") from error


def _stored(folder: Path, kind: type[Kind]) -> Kind | None:
    with suppress(OSError, ValueError):
        found = parse(read_file(folder / REVIEW, MANIFEST_LIMIT))
        if (found.get("made"), found.get("engine")) == (VERSION, ENGINE):
            return typed(found, kind)
    return None


def read_answers(folder: Path) -> dict[str, float]:
    """The engine's answers about a year, by the key of the question."""
    found = _stored(folder, _Answers)
    return dict(found.answers) if found else {}


def read_review(folder: Path, record: str | None = None) -> Review | None:
    """The review in the results folder of a year; None if there is none of this engine, or it is damaged.

    `record` is the checksum of the record that it must be of.
    """
    review = _stored(folder, Review)
    return review if review is not None and record in (None, review.record) else None


def review_of_record(run: Run, episode: int) -> Review | None:
    """The review of a year as its record stands; None if there is none, or the year has continued since."""
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
