"""A year that a page shows, with the database that its figures query."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ecbench.analysis.review.model import Review
from ecbench.analysis.review.strategy import TOGETHER
from ecbench.metrics.labels import BAND_OF
from ecbench.metrics.losses.account import CAUSES
from ecbench.pages.report.report_database import add_functions
from ecbench.pages.report.run_data import PlayedYear, review_of
from ecbench.pages.year_days import Funds, calendar_spans
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
        return review_of(self.played)

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
