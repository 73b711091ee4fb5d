"""A run as data frames, of polars or pandas."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import NoneType
from typing import Any, Literal, NamedTuple, get_args

from ecbench.errors import RunError
from ecbench.extras import install_command
from ecbench.metrics.anchors import with_skill
from ecbench.metrics.measures import MEASURES, measured_year
from ecbench.runs.folder import Run, open_run
from ecbench.runs.results.anchors_file import bound_of
from ecbench.runs.results.database import COLUMNS, query
from ecbench.runs.results.year_view import YearView, view_year

Library = Literal["polars", "pandas"]
LIBRARIES: tuple[Library, ...] = get_args(Library)
Frame = Any
"""A `polars.DataFrame` or a `pandas.DataFrame`."""


@dataclass(frozen=True, slots=True)
class RunFrames:
    """A run: `episodes` has a row for each year with its end and every measure; the others are the tables of all years.

    Each table is an attribute of its name, such as `days`, and all are in `tables`. The first column of each is
    `episode`. docs/metrics.md explains every column. `query` answers other questions.
    """

    run: Run = field(repr=False)
    library: Library = field(repr=False)
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
        frames = import_module(self.library)
        if self.library == "pandas":
            return frames.DataFrame(rows, columns=names)
        return frames.DataFrame(rows, schema=names, orient="row", infer_schema_length=None)


class RunTable(NamedTuple):
    """A table of all years; `kinds` are int, float, str, bool, date, datetime, or a tuple of one of them, by column."""

    kinds: Mapping[str, Any]
    rows: Sequence[Sequence[Any]]


def load_run(
    folder: str | Path, *, library: Library | None = None, world: str | None = None, entry: int = 0
) -> RunFrames:
    """All tables of a run folder as data frames; of an arena those of one `entry`.

    `library` is polars or pandas; by default the one that is installed, polars if both are. A year that is interrupted
    or still being played is shown as its record stands, and a damaged record up to the damage, with a warning. `world`
    is the location of the run's world, if it was moved. Raises RunError if the folder cannot be read.
    """
    found = installed_library(library)
    run = open_run(Path(folder)).with_world_at(world).at_seat(0, entry)
    views = [view_year(run, episode) for episode in range(run.episodes)]
    for view in views:
        if view.damage:
            warnings.warn(f"{view.damage}. The tables end there; see ecbench resume --salvage", stacklevel=2)
    return RunFrames(run, found, {name: FRAMES[found](table) for name, table in run_tables(views).items()})


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


def installed_library(library: Library | None = None) -> Library:
    """Raises RunError if the library is unknown or not installed."""
    if library is not None and library not in LIBRARIES:
        raise RunError(f"data frames come from {' or '.join(LIBRARIES)}, not from {library!r:.40}")
    found = next((name for name in ([library] if library else LIBRARIES) if find_spec(name)), None)
    if found is None:
        missing = f"{library} is not" if library else f"neither {' nor '.join(LIBRARIES)} is"
        raise RunError(f"{missing} installed; {install_command('frames')} brings polars")
    return found


def _plain(kind: Any) -> tuple[Any, bool]:
    """A kind without None, and whether it may be None."""
    parts = get_args(kind)
    return (parts[0], True) if NoneType in parts else (kind, False)


def polars_frame(table: RunTable) -> Frame:
    polars = import_module("polars")
    plain = {name: _plain(kind)[0] for name, kind in table.kinds.items()}
    schema = {name: polars.List(get_args(kind)[0]) if get_args(kind) else kind for name, kind in plain.items()}
    # A number of more than 64 bits becomes null.
    return polars.DataFrame(table.rows, schema=schema, orient="row", strict=False)


def _pandas(table: RunTable) -> Frame:
    pandas = import_module("pandas")
    frame = pandas.DataFrame(table.rows, columns=list(table.kinds))
    for name, kind in table.kinds.items():
        plain, optional = _plain(kind)
        if plain in (date, datetime):
            frame[name] = pandas.to_datetime(frame[name])
        elif plain in (int, float, bool):
            dtype = {int: "Int64" if optional else "int64", float: "float64", bool: "bool"}[plain]
            frame[name] = frame[name].astype(dtype)
    return frame


FRAMES: Mapping[Library, Callable[[RunTable], Frame]] = {"polars": polars_frame, "pandas": _pandas}
