"""What a review keeps beside an episode, `review.json`; answers are written as they arrive."""

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
    with suppress(RunError):
        if review is not None and review.record == record_head(read_episode(run, episode)):
            return review
    return None
