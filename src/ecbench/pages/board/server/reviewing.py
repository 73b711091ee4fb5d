"""Reviews on the board: the one that lies beside a year, or the command that makes one."""

import shlex
from dataclasses import dataclass
from pathlib import Path
from subprocess import Popen
from threading import Lock
from typing import Any

from ecbench.analysis.review.curve import VERDICTS, Week
from ecbench.analysis.review.marks import WeekMark
from ecbench.analysis.review.model import Review
from ecbench.analysis.review.stored_review import review_of_record
from ecbench.formatting import yuan
from ecbench.metrics.losses.account import CAUSE_BY_KEY
from ecbench.pages.board.run_index import Library
from ecbench.pages.board.server.subprocesses import Workers
from ecbench.pages.report.year_curve import chart_mark, review_points
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


def reviewed_year(review: Review) -> dict[str, Any]:
    """The values with their 95% bands at each position, the weeks in between, the marks and the strategy."""
    marked = [(mark.first_day, mark.last_day) for mark in review.marks]
    return {
        "legend": _legend(review),
        "points": review_points(review),
        "weeks": [_week(week, (week.first_day, week.last_day) in marked) for week in review.weeks],
        "marks": [_mark(mark) for mark in review.marks],
        "strategy": [
            {"title": part.title, "had": part.had, "loss": round(part.loss, 2), "band": round(part.band, 2)}
            for part in review.strategy
        ],
    }


def _legend(review: Review) -> str:
    look = "a quick review with a wider band: " if review.quick else ""
    kept = f" The episode kept {review.accuracy:.1%} ± {review.accuracy_band:.1%} of it." if review.accuracy else ""
    signs = ", ".join(f"{sign} {verdict}" for sign, verdict in VERDICTS.items())
    return (
        f"The final assets of the engine from here, with its 95% band ({yuan(review.points[0].mean)} from day 0; {look}"
        f"{review.variants} variants at each of {len(review.points)} positions).{kept} {signs}"
    )


def _week(week: Week, marked: bool) -> dict[str, Any]:
    what = f"{'gained' if week.loss < 0 else 'lost'} {yuan(abs(week.loss))} ± {yuan(week.band)}"
    told = (
        f"Days {week.first_day} to {week.last_day} {what} of the engine's value (95%); this player usually loses "
        f"{yuan(week.usual)} in such days."
    )
    if not marked and week.loss > week.usual:
        told += " No mark: chance or habit explains it, or it is less than 5% of the value."
    return {"first": week.first_day, "last": week.last_day, "loss": round(week.loss, 2), "sentence": told}


def _mark(mark: WeekMark) -> dict[str, Any]:
    lasting = f" It stayed unusual until day {mark.until}." if mark.until > mark.last_day else ""
    causes = [{"title": CAUSE_BY_KEY[cause].title, "yuan": round(amount, 2)} for cause, amount in mark.causes.items()]
    sentence = f"{yuan(mark.cost)} more than this player usually loses: {mark.certainty}.{lasting}"
    return {**chart_mark(mark), "cost": round(mark.cost, 2), "sentence": sentence, "causes": causes}
