"""`evaluations.jsonl`: every answer of the engine about one year, in an append-only log.

A review that is stopped or killed continues where it was, a quick one is a part of the full one, and a review of a year
that has gone on since asks only about its new weeks.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

from msgspec import Struct, to_builtins

from ecbench.errors import RunError
from ecbench.review.engine import ENGINE
from ecbench.review.questions import Evaluation
from ecbench.runs.record.append_only_log import AppendOnlyLog
from ecbench.runs.record.chain import FIRST, chained, next_head, whole_lines
from ecbench.runs.record.json_values import Yuan, encode, parse, typed
from ecbench.runs.terms import Terms

EVALUATIONS = "evaluations.jsonl"
KIND = ("world", "rules", "rule_set", "days", "stake")  # of the terms: what decides where calls lead
HOW_TO_CONTINUE = "the answers so far are kept, run the same command again once there is room"

Key = tuple[str, int]


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
        self._head = FIRST
        size = self._read(log.read(), _heading(terms)) if log is not None and not anew else 0
        if self._log is not None:
            self._log.keep(size)
            if not size:
                self._append(_heading(terms))

    def add(self, answer: Evaluation) -> None:
        """Raises RunError where the disk is full: the answers before are kept."""
        self.known[answer.key] = answer.assets
        self._append({"position": answer.check, "day": answer.day, "variant": answer.variant, "assets": answer.assets})

    def _append(self, record: dict[str, object]) -> None:
        if self._log is not None:
            line, self._head = chained(encode(record), self._head)
            self._log.append(line, sync=False)

    def _read(self, content: bytes, heading: dict[str, object]) -> int:
        """Take the answers of this engine up to the first line that is not whole; returns where they end."""
        first, head = chained(encode(heading), FIRST)
        if not content.startswith(first):
            return 0
        self._head, size = head, len(first)
        for line in whole_lines(content[size:]):
            found = next_head(line, self._head)
            record = _record(line) if found is not None else None
            if found is None or record is None:
                break
            self.known[record.position, record.variant] = record.assets
            self._head, size = found, size + len(line)
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


def _record(line: bytes) -> EvaluationRecord | None:
    try:
        return typed(parse(line), EvaluationRecord)
    except ValueError:
        return None


def _heading(terms: Terms) -> dict[str, object]:
    """Which engine answered, and about a year of which kind: under other terms the same calls lead elsewhere."""
    kind = {name: value for name, value in to_builtins(terms).items() if name in KIND}
    return {"engine": ENGINE, "terms": blake2b(encode(kind), digest_size=8).hexdigest()}
