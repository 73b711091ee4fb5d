"""Reviews on the board: the one that lies beside a year, or the command that makes one."""

import shlex
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen
from threading import Lock
from typing import Any

from ecbench.analysis.review.stored_review import review_of_record
from ecbench.pages.board.run_index import Library
from ecbench.pages.board.server.subprocesses import Workers
from ecbench.pages.board.views.review_view import reviewed_year
from ecbench.runs.folder import Run

LAST_BYTES = 4_096  # of a command's output, in which its last line is looked for


@dataclass(frozen=True, slots=True)
class ReviewState:
    """A review; else how to make one, whether that is under way, and the last line of its output."""

    review: dict[str, Any] | None
    command: str
    under_way: bool = False
    output: str = ""


class Reviews:
    """The reviews in the folder, and those that subprocesses of this board are building."""

    def __init__(self, library: Library, workers: Workers) -> None:
        self._library = library
        self._workers = workers
        self._lock = Lock()
        self._making: dict[tuple[str, int], tuple[Popen[bytes], Path]] = {}

    def state(self, run: str, episode: int) -> ReviewState:
        recorded = self._library.run_of(run, episode)
        location = recorded.folder.relative_to(self._library.folder.parent)  # as typed beside the folder of runs
        command = shlex.join(["ecbench", *_command(recorded, str(location), episode)])
        process, log = self._making.get((run, episode), (None, None))
        under_way = process is not None and process.poll() is None
        review = None if under_way else review_of_record(recorded, episode)
        output = _last_line(log) if log is not None and review is None else ""
        return ReviewState(reviewed_year(review) if review else None, command, under_way, output)

    def make(self, run: str, episode: int, *, quick: bool) -> ReviewState:
        """In a subprocess, unless one is under way."""
        with self._lock:
            process, _ = self._making.get((run, episode), (None, None))
            if process is None or process.poll() is not None:
                recorded = self._library.run_of(run, episode)
                command = _command(recorded, str(recorded.folder), episode)
                log = self._library.folder / f".{recorded.folder.name}-{recorded.entry}-{episode}.review.log"
                depth = ["--quick"] if quick else []
                process = self._workers.start(*command, *depth, "--jobs", "1", log=log)
                self._making[run, episode] = process, log
        return self.state(run, episode)


def _command(run: Run, folder: str, episode: int) -> list[str]:
    chosen = {"--episode": episode, "--seat": run.seat(episode)}
    return ["review", folder, *(word for name, value in chosen.items() if value for word in (name, str(value)))]


def _last_line(log: Path) -> str:
    try:
        said = log.read_bytes()[-LAST_BYTES:].decode(errors="replace").split("\n")
    except OSError:
        return ""
    return next((line.strip() for line in reversed(said) if line.strip()), "")
