"""What a review leaves in the folder of its year: every answer of the engine, and the review that follows from them.

`evaluations.jsonl` grows by one line for each answer, so a review that is stopped or killed goes on where it was, a
quick one is a part of the full one, and one of a year that has gone on since asks only about its new weeks.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from msgspec import Struct

from ecbench.errors import RunError
from ecbench.review.engine import ENGINE
from ecbench.review.model import Review, review_from
from ecbench.review.questions import Evaluation
from ecbench.runs.record.atomic_write import (
    HELD,
    atomic_write,
    make_folder,
    open_file,
    read_file,
    read_open,
    try_lock,
    write_all,
)
from ecbench.runs.record.checksums import Checksum, encode
from ecbench.runs.record.schema import Yuan, parse, typed
from ecbench.runs.terms import Terms

REVIEW = "review.json"
EVALUATIONS = "evaluations.jsonl"
MADE = 2  # counts up when a review says more than before, or otherwise; earlier ones are made again

KIND = ("world", "rules", "rule_set", "days", "stake")  # of the terms: what decides where calls lead

Key = tuple[str, int]


class EvaluationRecord(Struct, frozen=True):
    """An answer as a file holds it."""

    position: str
    day: int
    variant: int
    assets: Yuan


class Evaluations:
    """The engine's answers about one year, locked while somebody adds to them."""

    def __init__(self, path: Path, file: int | None, known: dict[Key, float]) -> None:
        self._path = path
        self._file = file
        self.known = known

    def add(self, answer: Evaluation) -> None:
        """Raises RunError where the disk is full: whatever lies there already is kept."""
        self.known[answer.key] = answer.assets
        if self._file is not None:
            with _using(self._path):
                write_all(self._file, _line(answer))


@contextmanager
def opened_evaluations(folder: Path, terms: Terms, *, again: bool = False) -> Iterator[Evaluations]:
    """Those that were kept; `again` drops them. Where nothing may be written they are only held in mind.

    Raises RunError where another review of the year is under way, and where the disk is full.
    """
    path = folder / EVALUATIONS
    try:
        make_folder(folder)
        file = open_file(path, os.O_RDWR | os.O_CREAT)
    except OSError:
        yield Evaluations(path, None, {} if again else _read_only(path, terms))
        return
    try:
        _lock(file, path)
        with _using(path):
            content = b"" if again else read_open(file, path)
            known, size = _known(content, terms)
            os.ftruncate(file, size)
            os.lseek(file, size, os.SEEK_SET)
            if not size:
                write_all(file, _heading(terms))
        yield Evaluations(path, file, known)
    finally:
        os.close(file)


@contextmanager
def _using(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise RunError(f"cannot use {path}: {error.strerror}; mend that and give the command again") from error


def _lock(file: int, path: Path) -> None:
    try:
        try_lock(file)
    except OSError as error:
        if error.errno in HELD:
            raise RunError(f"{path} is being written by another review; wait until it is done") from error
        raise RunError(f"cannot lock {path}: {error.strerror}") from error


def _read_only(path: Path, terms: Terms) -> dict[Key, float]:
    try:
        return _known(read_file(path), terms)[0]
    except OSError:
        return {}


def _known(content: bytes, terms: Terms) -> tuple[dict[Key, float], int]:
    """The answers that are whole and of this engine, and where they end: a kill may have cut the last line off."""
    heading = _heading(terms)
    if not content.startswith(heading):
        return {}, 0
    known, size = {}, len(heading)
    for line in content[size:].splitlines(keepends=True):
        answer = _answer(line)
        if answer is None:
            break
        known[answer.key] = answer.assets
        size += len(line)
    return known, size


def _line(answer: Evaluation) -> bytes:
    told = {"position": answer.check, "day": answer.day, "variant": answer.variant, "assets": answer.assets}
    return Checksum().seal(told)


def _answer(line: bytes) -> Evaluation | None:
    """None unless it is as it was written."""
    if not line.endswith(b"\n") or not Checksum().holds(line):
        return None
    try:
        record = typed(parse(line), EvaluationRecord)
    except ValueError:
        return None
    return Evaluation(record.position, record.day, record.variant, record.assets)


def _heading(terms: Terms) -> bytes:
    """Who answered, and about a year of which kind: under other terms the same calls lead elsewhere."""
    kind = {name: value for name, value in terms.to_json().items() if name in KIND}
    return Checksum().seal({"engine": ENGINE, "terms": blake2b(encode(kind), digest_size=8).hexdigest()})


def keep_review(folder: Path, review: Review) -> str:
    """Written whole; says why it could not be."""
    try:
        atomic_write(folder / REVIEW, Checksum().seal({"made": MADE, **review.to_json()}))
    except OSError as error:
        return f"cannot write {folder / REVIEW}: {error.strerror}"
    return ""


def drop_review(folder: Path) -> None:
    with suppress(OSError):  # what cannot be written over is not written over
        (folder / REVIEW).unlink(missing_ok=True)


def kept_review(folder: Path, record: str | None = None) -> Review | None:
    """The review that lies in an episode's folder; None where there is none of this engine, or none that is whole.

    `record` is the checksum of the record that it must be of.
    """
    with suppress(OSError, ValueError):
        line = read_file(folder / REVIEW)
        if not Checksum().holds(line):
            return None
        found: dict[str, Any] = parse(line)
        if found.get("made") != MADE or found.get("engine") != ENGINE:
            return None
        review = review_from(found)
        return review if record in (None, review.record) else None
    return None
