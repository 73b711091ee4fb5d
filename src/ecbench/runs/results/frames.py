"""A run as data frames of polars."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import NoneType
from typing import Any, NamedTuple, get_args

from ecbench.extras import import_with_extra, require_extra
from ecbench.metrics.anchors import with_skill
from ecbench.metrics.measures import MEASURES, measured_year
from ecbench.runs.folder import Run, open_run
from ecbench.runs.results.anchors_file import bound_of
from ecbench.runs.results.database import COLUMNS, query
from ecbench.runs.results.year_view import YearView, view_year

Frame = Any
"""A `polars.DataFrame`."""


@dataclass(frozen=True, slots=True)
class RunFrames:
    """A run: `episodes` has a row for each year with its end and every measure; the others are the tables of all years.

    Each table is an attribute of its name, such as `days`, and all are in `tables`. The first column of each is
    `episode`. docs/metrics.md explains every column. `query` answers other questions.
    """

    run: Run = field(repr=False)
    tables: Mapping[str, Frame]

    def __getattr__(self, name: str) -> Frame:
        if name in (tables := object.__getattribute__(self, "tables")):
            return tables[name]
        raise AttributeError(f"a run has no table {name!r}; its tables are {', '.join(tables)}")

    def __dir__(self) -> list[str]:
        return [*object.__dir__(self), *self.tables]

    def query(self, sql: str, episode: int = 0) -> Frame:
        """The result of a SELECT on the tables and views of an episode, which are those of `ecbench show RUN --sql`.

        They are read from its `results.db`, which is not part of any proof, or from a replay if that does not belong to
        the record. Raises RunError if the query fails or would do anything but read.
        """
        names, rows = query(view_year(self.run, episode).database, sql)
        polars = import_with_extra("polars", "frames")
        return polars.DataFrame(rows, schema=names, orient="row", infer_schema_length=None)


class RunTable(NamedTuple):
    """A table of all years; `kinds` are int, float, str, bool, date, datetime, or a tuple of one of them, by column."""

    kinds: Mapping[str, Any]
    rows: Sequence[Sequence[Any]]

    def frame(self) -> Frame:
        """Raises MissingExtra without polars."""
        polars, schema = import_with_extra("polars", "frames"), {}
        for name, kind in self.kinds.items():
            plain = get_args(kind)[0] if NoneType in get_args(kind) else kind
            schema[name] = polars.List(get_args(plain)[0]) if get_args(plain) else plain
        # A number of more than 64 bits becomes null.
        return polars.DataFrame(self.rows, schema=schema, orient="row", strict=False)


def load_run(folder: str | Path, *, world: str | None = None, entry: int = 0) -> RunFrames:
    """All tables of a run folder as data frames; of an arena those of one `entry`.

    A year that is interrupted or still being played is shown as its record stands, and a damaged record up to the
    damage, with a warning. `world` is the location of the run's world, if it was moved. Raises RunError if the folder
    cannot be read.
    """
    require_extra("frames")
    run = open_run(Path(folder)).with_world_at(world).at_seat(0, entry)
    views = [view_year(run, episode) for episode in range(run.episodes)]
    for view in views:
        if view.damage:
            warnings.warn(f"{view.damage}. The tables end there; see ecbench resume --salvage", stacklevel=2)
    return RunFrames(run, {name: table.frame() for name, table in run_tables(views).items()})


def run_tables(views: Sequence[YearView]) -> dict[str, RunTable]:
    """The tables of some years, the table of the episodes first."""
    found = {"episodes": RunTable(EPISODE_KINDS, [episode_row(view) for view in views])}
    for name, columns in COLUMNS.items():
        rows = [(view.episode, *row) for view in views for row in getattr(view.tables, name)]
        found[name] = RunTable({"episode": int, **columns}, rows)
    return found


EPISODE_KINDS: Mapping[str, Any] = {
    "episode": int,
    "agent": str,
    "world": str,
    "seed": int,
    "ending": str | None,
    "day": int,
    **dict.fromkeys(MEASURES, float | None),
}


def episode_row(view: YearView) -> tuple[Any, ...]:
    """A year without an end has none here, and figures as if it had stopped where its record does."""
    world, ending = view.run.world_of(view.episode), None if view.unfinished else view.end.ending
    figures = measured_year(with_skill(view.report, bound_of(view.run, view.episode))).values()
    return (view.episode, view.run.player.agent, world.name, world.seed, ending, view.end.day, *figures)
