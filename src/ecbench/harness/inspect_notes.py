"""What a sample's year follows from, kept on disk while it is played, so that a retry asks nothing twice.

One JSON line for each answer of the model and for each line of a supplier that a model spoke. The file lies beside
the log of the evaluation, named by what an `inspect eval-retry` has in common with the evaluation it repeats: the
task's id, the sample and the epoch. It goes when the
year is scored.
"""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

from inspect_ai.log._samples import ActiveSample

Record = dict[str, Any]
FOLDER = "ecbench-years"


class Notes:
    """Answers and suppliers' lines of an earlier attempt, and those of this one behind them as they come.

    Without a path nothing outlasts the process.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._file: int | None = None
        self.answers: list[Record] = []
        self.voices: list[Record] = []
        self._kept = 0  # bytes of whole lines: one that a killed process did not finish is written over
        for line in _whole_lines(path):
            self._kept += len(line)
            record = json.loads(line)
            (self.answers if "answer" in record else self.voices).append(record.get("answer") or record["voice"])
        self._voices_again = len(self.voices)

    def begin(self) -> None:
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT, 0o666)
            os.ftruncate(self._file, self._kept)
            os.lseek(self._file, 0, os.SEEK_END)

    def note_answer(self, answer: Record) -> None:
        self._write({"answer": answer})

    def note_voice(self, line: Record) -> None:
        """Lines of an earlier attempt are spoken again first, and stand here already."""
        if self._voices_again:
            self._voices_again -= 1
        else:
            self._write({"voice": line})

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _write(self, record: Record) -> None:
        """On disk before the next request leaves: an answer costs money."""
        if self._file is not None:
            os.write(self._file, json.dumps(record).encode() + b"\n")
            os.fsync(self._file)


def _whole_lines(path: Path | None) -> list[bytes]:
    if path is None or not path.is_file():
        return []
    return [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]


def discard_notes(path: Path | None) -> None:
    """Once a year is scored nobody goes on with it."""
    if path is not None:
        path.unlink(missing_ok=True)
        with suppress(OSError):  # other samples may still have theirs there
            path.parent.rmdir()
            path.parent.parent.rmdir()


def notes_path(sample: ActiveSample | None) -> Path | None:
    """Where the notes of a sample lie; None where its log is not on this machine's disk."""
    if sample is None or not sample.log_location:
        return None
    place = urlparse(sample.log_location)
    if place.scheme not in ("", "file"):
        return None
    log = Path(unquote(place.path) if place.scheme else sample.log_location)
    task_id = log.stem.rpartition("_")[2]
    return log.parent / FOLDER / task_id / f"{sample.sample.id}-{sample.epoch}.jsonl"
