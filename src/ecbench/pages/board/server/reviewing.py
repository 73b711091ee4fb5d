"""Reviews on the board: the one that lies beside a year, or the command that makes one."""

import shlex
from dataclasses import dataclass
from pathlib import Path
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
from ecbench.pages.report.templates_env import board_part
from ecbench.pages.report.year_data import chart_mark, review_points
from ecbench.runs.folder import Run


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

    def state(self, run: str, episode: int) -> ReviewState | None:
        """None of an episode in an arena: it cannot be reviewed."""
        recorded = self._library.run_of(run, episode)
        if recorded.seats > 1:
            return None
        location = recorded.folder.relative_to(self._library.folder.parent)  # as typed beside the folder of runs
        command = shlex.join(["ecbench", *_command(str(location), episode)])
        log = self._log(recorded, episode)
        under_way = self._workers.is_running(log)
        review = None if under_way else review_of_record(recorded, episode)
        output = "" if review else self._workers.last_line(log)
        return ReviewState(reviewed_year(review) if review else None, command, under_way, output)

    def make(self, run: str, episode: int, *, quick: bool) -> ReviewState | None:
        """In a subprocess, unless one is under way."""
        recorded = self._library.run_of(run, episode)
        command, log = _command(str(recorded.folder), episode), self._log(recorded, episode)
        with self._lock:
            if not self._workers.is_running(log):
                self._workers.start(*command, *(["--quick"] if quick else []), "--jobs", "1", log=log)
        return self.state(run, episode)

    def _log(self, run: Run, episode: int) -> Path:
        return self._library.folder / f".{run.folder.name}-{run.entry}-{episode}.review.log"


def _command(folder: str, episode: int) -> list[str]:
    return ["review", folder, *(("--episode", str(episode)) if episode else ())]


def reviewed_year(review: Review) -> dict[str, Any]:
    """The values with their 95% bands at each position, the weeks in between, the marks and the strategy."""
    marks = [_mark(mark) for mark in review.marks]
    strategy = [
        {"title": part.title, "had": part.had, "loss": round(part.loss, 2), "band": round(part.band, 2)}
        for part in review.strategy
    ]
    return {
        "legend": _legend(review),
        "points": review_points(review),
        "weeks": [_week(week, _mark_over(marks, week)) for week in review.weeks],
        "marks": marks,
        "strategy": strategy,
        "html": board_part("strategy", strategy=strategy),
    }


def _legend(review: Review) -> str:
    look = "a quick review with a wider band: " if review.quick else ""
    kept = f" The episode kept {review.accuracy:.1%} ± {review.accuracy_band:.1%} of it." if review.accuracy else ""
    signs = ", ".join(f"{sign} {verdict}" for sign, verdict in VERDICTS.items())
    return (
        f"The final assets of the engine from here, with its 95% band ({yuan(review.points[0].mean)} from day 0; {look}"
        f"{review.variants} variants at each of {len(review.points)} positions).{kept} {signs}"
    )


def _mark_over(marks: list[dict[str, Any]], week: Week) -> dict[str, Any] | None:
    """The mark of a week, which may reach further: what the account found on its days has joined it."""
    return next((mark for mark in marks if mark["day"] <= week.first_day and week.last_day <= mark["last"]), None)


def _week(week: Week, mark: dict[str, Any] | None) -> dict[str, Any]:
    shown = board_part("week", week=week, mark=mark)
    return {"first": week.first_day, "last": week.last_day, "loss": round(week.loss, 2), "html": shown}


def _mark(mark: WeekMark) -> dict[str, Any]:
    lasting = f" It stayed unusual until day {mark.until}." if mark.until > mark.last_day else ""
    causes = [{"title": CAUSE_BY_KEY[cause].title, "yuan": round(amount, 2)} for cause, amount in mark.causes.items()]
    sentence = f"{yuan(mark.cost)} more than this player usually loses: {mark.certainty}.{lasting}"
    return {**chart_mark(mark), "cost": round(mark.cost, 2), "sentence": sentence, "causes": causes}
