"""A run as data frames, of polars or pandas."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from ecbench.errors import RunError
from ecbench.extras import install_command
from ecbench.metrics.measures import MEASURES, measured
from ecbench.metrics.skill import with_skill
from ecbench.runs.folder import Run, open_run
from ecbench.runs.results.anchors_file import bound_of
from ecbench.runs.results.database import query
from ecbench.runs.results.year_tables import ROW_TYPES
from ecbench.runs.results.year_view import YearView, view_year

Library = Literal["polars", "pandas"]
LIBRARIES: tuple[Library, ...] = get_args(Library)
Frame = Any
"""A `polars.DataFrame` or a `pandas.DataFrame`."""


@dataclass(frozen=True, slots=True)
class RunFrames:
    """A run: `episodes` has a row for each year with its end and every measure; the others are the tables of all years.

    The first column of each is `episode`. docs/metrics.md explains every column. `query` answers other questions.
    """

    run: Run = field(repr=False)
    library: Library = field(repr=False)
    episodes: Frame
    days: Frame
    sales: Frame
    returns: Frame
    stores: Frame
    liquidations: Frame
    sessions: Frame
    open_sessions: Frame
    orders: Frame
    calls: Frame

    def query(self, sql: str, episode: int = 0) -> Frame:
        """The result of a SELECT on the tables and views of an episode, which are those of `ecbench show RUN --sql`.

        They are read from its `results.db`, which is not part of any proof, or from a replay if that does not belong to
        the record. Raises RunError where the query fails or would do anything but read.
        """
        names, rows = query(view_year(self.run, episode).database, sql)
        frames = import_module(self.library)
        if self.library == "pandas":
            return frames.DataFrame(rows, columns=names)
        return frames.DataFrame(rows, schema=names, orient="row", infer_schema_length=None)


@dataclass(frozen=True, slots=True)
class Columns:
    """A table column by column; `kinds` are int, float, str, bool, date, datetime, or a tuple of one of them."""

    kinds: Mapping[str, Any]
    values: Mapping[str, Sequence[Any]]

    @classmethod
    def of(cls, kinds: Mapping[str, Any], rows: Sequence[Sequence[Any]]) -> "Columns":
        by_column = list(zip(*rows, strict=True)) if rows else [()] * len(kinds)
        return cls(kinds, dict(zip(kinds, by_column, strict=True)))


def load_run(
    folder: str | Path, *, library: Library | None = None, world: str | None = None, entry: int = 0
) -> RunFrames:
    """All tables of a run folder as data frames; of an arena those of one `entry`.

    `library` is polars or pandas; by default the one that is installed, polars if both are. A year that is interrupted
    or still being played is shown as its record stands. `world` is the place of the run's world, if it was moved.
    Raises RunError where the folder cannot be read.
    """
    found = installed_library(library)
    run = open_run(Path(folder)).with_world_at(world).at_seat(0, entry)
    frames = {name: FRAMES[found](columns) for name, columns in run_columns(run).items()}
    return RunFrames(run=run, library=found, **frames)


def run_columns(run: Run) -> dict[str, Columns]:
    """The tables of all years of a run, the table of its episodes first."""
    views = [view_year(run, episode) for episode in range(run.episodes)]
    tables = {"episodes": _episodes(views)}
    for name, row_type in ROW_TYPES.items():
        rows = [(view.episode, *row) for view in views for row in getattr(view.tables, name)]
        tables[name] = Columns.of({"episode": int, **get_type_hints(row_type)}, rows)
    return tables


EPISODE_KINDS: Mapping[str, Any] = {
    "episode": int,
    "agent": str,
    "world": str,
    "seed": int,
    "ending": str | None,
    "day": int,
    **dict.fromkeys(MEASURES, float | None),
}


def _episodes(views: Sequence[YearView]) -> Columns:
    """A year without an end has none here, and figures as if it had stopped where its record does."""
    rows = []
    for view in views:
        ending = None if view.unfinished else view.end.ending
        figures = [
            figure.value for figure in measured([with_skill(view.report, bound_of(view.run, view.episode))]).values()
        ]
        rows.append(
            (
                view.episode,
                view.run.player.agent,
                view.run.world_of(view.episode).name,
                view.run.world_of(view.episode).seed,
                ending,
                view.end.day,
                *figures,
            )
        )
    return Columns.of(EPISODE_KINDS, rows)


def installed_library(library: Library | None = None) -> Library:
    """Raises RunError where the library is unknown or not installed."""
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
    if NoneType in parts:
        return next(part for part in parts if part is not NoneType), True
    return (str if get_origin(kind) is Literal else kind), False


def polars_frame(columns: Columns) -> Frame:
    polars = import_module("polars")
    simple = {
        int: polars.Int64,
        float: polars.Float64,
        str: polars.String,
        bool: polars.Boolean,
        date: polars.Date,
        datetime: polars.Datetime,
    }

    def kind_of(kind: Any) -> Any:
        plain, _ = _plain(kind)
        return polars.List(simple[get_args(plain)[0]]) if get_origin(plain) is tuple else simple[plain]

    schema = {name: kind_of(kind) for name, kind in columns.kinds.items()}
    values = {
        name: list(map(list, cells)) if get_origin(columns.kinds[name]) is tuple else list(cells)
        for name, cells in columns.values.items()
    }
    return polars.DataFrame(values, schema=schema, strict=False)  # a number of more than 64 bits becomes null


def _pandas(columns: Columns) -> Frame:
    pandas = import_module("pandas")
    frame = pandas.DataFrame({name: list(cells) for name, cells in columns.values.items()})
    for name, kind in columns.kinds.items():
        plain, optional = _plain(kind)
        if plain in (date, datetime):
            frame[name] = pandas.to_datetime(frame[name])
        elif plain in (int, float, bool):
            dtype = {int: "Int64" if optional else "int64", float: "float64", bool: "bool"}[plain]
            frame[name] = frame[name].astype(dtype)
    return frame


FRAMES: Mapping[Library, Callable[[Columns], Frame]] = {"polars": polars_frame, "pandas": _pandas}
