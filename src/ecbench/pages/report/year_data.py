"""A year that a page shows, with the database that its figures query."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from ecbench.analysis.review.curve import VERDICTS
from ecbench.analysis.review.marks import WeekMark
from ecbench.analysis.review.model import Review
from ecbench.analysis.review.stored_review import review_of_record
from ecbench.analysis.review.strategy import TOGETHER
from ecbench.formatting import yuan
from ecbench.metrics.labels import BAND_OF
from ecbench.metrics.losses.account import CAUSE_BY_KEY, CAUSES
from ecbench.pages.report.names import spaced
from ecbench.pages.report.report_database import add_functions
from ecbench.pages.report.run_data import PlayedYear
from ecbench.pages.year_days import Funds, calendar_spans, chart_of
from ecbench.runs.results.database import YearTables, empty_database
from ecbench.runs.results.statement import Statement
from ecbench.runs.results.year_view import YearView, view_year
from ecbench.world.model import World

BESIDE: Mapping[str, str] = {
    "money": "day, bank, wallet, escrow, total",
    "facts": "ended, reviewed_over, accuracy",
    "occasions": "name, kind, first, last",
    "store_types": "type, name",
    "causes": "cause, title, kind, reviewed",
    "bands": "tool, band",
    "review_points": "day, value, band, assets",
    "review_marks": "day, last, sign, cost",
    "review_parts": "part, had, loss, band, together",
}
"""Tables beside those of `results.db`, with what the page knows besides: world, review and the names of things."""


@dataclass(frozen=True)
class ShownYear:
    """An episode with its results; without a report only its money is known."""

    played: PlayedYear
    world: World | None = None  # None where it cannot be found: the page has no names and no calendar then

    @property
    def money(self) -> Sequence[Funds]:
        return self.played.money

    @cached_property
    def view(self) -> YearView | None:
        return view_year(self.played.run, self.played.episode) if self.played.report is not None else None

    @property
    def tables(self) -> YearTables | None:
        return self.view.tables if self.view else None

    @property
    def statement(self) -> Statement | None:
        """Where the money went."""
        return self.view.statement if self.view else None

    @cached_property
    def review(self) -> Review | None:
        """None where the year has no review."""
        return review_of_record(self.played.run, self.played.episode)

    @property
    def seat(self) -> int:
        return self.view.seat if self.view else 0

    @cached_property
    def database(self) -> sqlite3.Connection:
        """The results of the year, and beside them the tables of BESIDE."""
        database = add_functions(self.view.database if self.view else empty_database())
        for name, rows in self._beside().items():
            columns = BESIDE[name].split(", ")
            database.execute(f"create temp table {name} ({BESIDE[name]})")
            database.executemany(f"insert into temp.{name} values ({', '.join('?' * len(columns))})", rows)
        return database

    def _beside(self) -> dict[str, Iterable[tuple[Any, ...]]]:
        review, last = self.review, self.money[-1].day if self.money else 0
        lost = review.lost if review else {}
        return {
            "money": [(*row, row.total) for row in self.money],
            "facts": [(int(self.played.end is not None), review.over if review else None,
                       review.accuracy if review else None)],
            "occasions": [(span.name, span.kind, span.first, span.last + 1)
                          for span in (calendar_spans(self.world, last) if self.world else ())],
            "store_types": [(kind.id, kind.name) for kind in self.world.store_types] if self.world else [],
            "causes": [(cause.key, cause.title, cause.kind, lost.get(cause.key)) for cause in CAUSES],
            "bands": BAND_OF.items(),
            "review_points": [(p.day, p.mean, p.band, p.assets) for p in review.points] if review else [],
            "review_marks": [(m.first_day, m.last_day, m.sign, m.cost) for m in review.marks] if review else [],
            "review_parts": [(part.title, part.had, part.loss, part.band, int(part.key == TOGETHER))
                             for part in (review.strategy if review else ())],
        }  # fmt: skip


Row = TypeVar("Row")


def year_curve(year: ShownYear) -> dict[str, Any] | None:
    """Money by day, calendar, overdrawn mornings, failure modes and review; None of less than a day."""
    if len(year.money) < 2:
        return None
    funds, last = _by_day({row.day: row for row in year.money}), year.money[-1].day
    failures = dict.fromkeys((hit.mode, hit.day) for hit in (year.tables.failures if year.tables else ()))
    return {
        **chart_of(funds, last, year.world, calendar_spans(year.world, last) if year.world else ()),
        "dots": [{"day": day, "text": spaced(mode)} for mode, day in failures],
        "value": review_points(year.review) if year.review else None,
        "marks": [chart_mark(mark) for mark in year.review.marks] if year.review else [],
    }


def _by_day(rows: Mapping[int, Row]) -> list[Row]:
    """From day 0 on; for a day without a row that of the day before."""
    found = [rows[0]]
    for day in range(1, max(rows) + 1):
        found.append(rows.get(day, found[-1]))
    return found


def review_points(review: Review) -> list[dict[str, Any]]:
    return [{"day": point.day, "value": round(point.mean), "band": round(point.band)} for point in review.points]


def chart_mark(mark: WeekMark) -> dict[str, Any]:
    kind, causes = VERDICTS[mark.sign], ", ".join(CAUSE_BY_KEY[cause].title.lower() for cause in mark.causes)
    cost = f"{yuan(mark.cost)} more than usual{f' ({causes})' if causes else ''}; {mark.certainty}"
    text = f"{kind}, days {mark.first_day} to {mark.last_day}, {cost}"
    return {"day": mark.first_day, "last": mark.last_day, "sign": mark.sign, "kind": kind, "text": text}
