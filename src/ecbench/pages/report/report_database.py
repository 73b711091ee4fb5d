"""The runs of a report and the paper's models as one database in memory, which the figures of runs query.

`entrants` has a row for each run and each model of the paper, with a column for every measure and, behind `_std`, for
its standard deviation. The other tables name their entrant by its number.
"""

import math
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean, quantiles
from typing import Any

from ecbench.analysis.review.stored_review import review_of_record
from ecbench.formatting import yuan
from ecbench.metrics.labels import BANDS, SCAMS, packaged_rows
from ecbench.metrics.losses.account import CAUSES
from ecbench.metrics.losses.failure_modes import RULES
from ecbench.metrics.measures import AXES, MEASURES, Axis
from ecbench.metrics.published import leading_number, published_models, published_modes
from ecbench.metrics.ranks import Entrant, paper_entrants, ranks
from ecbench.pages.report.names import FRAUDULENT, SCAM_NAMES, kind_name, spaced
from ecbench.pages.report.run_data import PlayedRun, PlayedYear, interval_of
from ecbench.rules import DEFAULT_RULES
from ecbench.world.supplier_kinds import HONEST

PAPER = "The paper's 90"
PAPERS_KINDS = {row["kind"]: row for row in packaged_rows("published/presets")}
OWN_COLUMNS = ("number", "name", "published", "years", "bankrupt", "stake", "comparable", "ranked", "voiced",
               "assets_low", "assets_high")  # fmt: skip
TABLES: Mapping[str, str] = {
    "years": "number, episode, over, bankrupt, final_assets, accuracy",
    "days": "number, episode, day, total, last",
    "axes": "axis, title, number, higher",
    "kinds": "kind, name, number",
    "dealt": "number, kind, deals, surplus, shown",
    "scams": "scam, name, number",
    "parts": "number, of, part, value",
    "modes": "number, name, mode, flagged, tested, published",
    "ranks": "number, axis, place, rank, papers",
    "lost": "number, cause, title, yuan",
}


def add_functions(database: sqlite3.Connection) -> sqlite3.Connection:
    """The functions that queries of figures use beside SQLite's own; some builds of it have no sine."""
    functions: Mapping[str, Callable[[float], Any]] = {"yuan": yuan, "sine": math.sin, "cosine": math.cos}
    for name, function in functions.items():
        database.create_function(name, 1, _of_value(function), deterministic=True)
    database.create_aggregate("quartile", 2, _Quartile)  # type: ignore[arg-type]  # it takes the number of the quartile
    return database


def _of_value(function: Callable[[float], Any]) -> Callable[[float | None], Any]:
    return lambda value: None if value is None else function(value)


class _Quartile:
    """The first, second or third quartile of a column."""

    def __init__(self) -> None:
        self.values: list[float] = []
        self.number = 2

    def step(self, value: float | None, number: int) -> None:
        self.number = number
        if value is not None:
            self.values.append(value)

    def finalize(self) -> float | None:
        if len(self.values) < 2:
            return self.values[0] if self.values else None
        return quantiles(self.values, n=4, method="inclusive")[self.number - 1]


def report_database(runs: Sequence[PlayedRun]) -> sqlite3.Connection:
    """Everything that the figures of runs show."""
    database = add_functions(sqlite3.connect(":memory:"))
    columns = [*OWN_COLUMNS, *(name for measure in MEASURES for name in (measure, f"{measure}_std"))]
    database.execute(f"create table entrants ({', '.join(columns)})")
    for table, names in TABLES.items():
        database.execute(f"create table {table} ({names})")
    entrants = [*map(_run, range(len(runs)), runs), *_models(len(runs))]
    cells = ([row.get(name) for name in columns] for row in entrants)
    database.executemany(f"insert into entrants values ({', '.join('?' * len(columns))})", cells)
    rows = {name: list(made) for name, made in _fixed_rows().items()}
    for number, run in enumerate(runs):
        for name, made in _run_rows(number, run).items():
            rows.setdefault(name, []).extend(made)
    for row in entrants:
        rows["parts"] += _parts(row)
    rows["ranks"] = list(_ranks(runs))
    rows["modes"] += [(None, PAPER, spaced(mode), found.episodes, found.episodes_tested, 1)
                      for mode, found in published_modes().items()]  # fmt: skip
    for table, made in rows.items():
        marks = ", ".join("?" * len(TABLES[table].split(",")))
        database.executemany(f"insert into {table} values ({marks})", made)
    return database


def _run(number: int, run: PlayedRun) -> dict[str, Any]:
    found, interval = run.summary.measures, interval_of(run, "final_assets")
    known = {name: figure.value for name, figure in found.items()}
    known |= {f"{name}_std": figure.spread for name, figure in found.items()}
    own = run.entrant.values if found else {}
    return {
        **known,
        **{axis.name: own[axis.name] for axis in AXES if axis.name in own},
        "number": number,
        "name": run.label,
        "published": 0,
        "years": len(run.over),
        "bankrupt": sum(year.bankrupt for year in run.over),
        "stake": run.run.terms.stake,
        "comparable": int(run.comparable),
        "ranked": int(run.ranked),
        "voiced": int(run.run.terms.model_voice),
        **({"assets_low": interval[0], "assets_high": interval[1]} if interval else {}),
    }


def _models(first: int) -> Iterable[dict[str, Any]]:
    for number, model in enumerate(published_models(), start=first):
        printed: dict[str, float | None] = {name: cell.value for name, cell in model.figures.items()}
        printed |= {f"{name}_std": cell.spread for name, cell in model.figures.items()}
        yield {**printed, "number": number, "name": model.name, "published": 1, "years": model.episodes,
               "bankrupt": model["bankrupt_runs"], "stake": DEFAULT_RULES.stake, "comparable": 1, "ranked": 1,
               "voiced": 1}  # fmt: skip


def _fixed_rows() -> dict[str, Iterable[tuple[Any, ...]]]:
    easiest = sorted(HONEST, key=lambda kind: -leading_number(PAPERS_KINDS[kind]["surplus"]))
    kinds = [*easiest, FRAUDULENT]
    return {
        "axes": [(axis.name, axis.title, number, int(axis.higher_is_better)) for number, axis in enumerate(AXES)],
        "kinds": [(kind, kind_name(kind), number) for number, kind in enumerate(kinds)],
        "dealt": [
            (None, kind, int(leading_number(PAPERS_KINDS[kind]["sessions"])),
             float(leading_number(PAPERS_KINDS[kind]["surplus"])), PAPERS_KINDS[kind]["surplus"])
            for kind in easiest
        ],
        "scams": [(scam, SCAM_NAMES[scam], number) for number, scam in enumerate(SCAMS)],
        "modes": [],
        "parts": [],
    }  # fmt: skip


def _run_rows(number: int, run: PlayedRun) -> dict[str, Iterable[tuple[Any, ...]]]:
    reviews = {
        year.episode: review for year in run.distinct if (review := review_of_record(run.run, year.episode)) is not None
    }
    return {
        "years": [
            (number, year.episode, int(year.over), int(year.bankrupt), year.end.assets if year.end else None,
             reviews[year.episode].accuracy if year.episode in reviews else None)
            for year in run.years
        ],
        "days": [day for year in run.years for day in _days(number, year)],
        "dealt": [(number, kind, _deals(run, kind), run.summary.value(f"surplus_{kind}"), None)
                  for kind in (*HONEST, FRAUDULENT) if run.summary.value(f"surplus_{kind}") is not None],
        "modes": [(number, run.label, spaced(mode), found.flagged, found.tested, 0)
                  for mode in RULES if (found := run.summary.failure_modes.get(mode)) and found.tested],
        "lost": [(number, cause.key, cause.title, fmean(review.lost[cause.key] for review in reviews.values()))
                 for cause in CAUSES if reviews],
    }  # fmt: skip


def _parts(row: Mapping[str, Any]) -> Iterable[tuple[Any, ...]]:
    """Measures that are parts of a whole, a row each, in the order in which they are drawn."""
    for band in BANDS:
        yield row["number"], "calls", band, row.get(f"{band}_percent")
    for scam in SCAMS:
        yield row["number"], "scams", scam, row.get(f"fraud_spend_{scam}")
    for kind in HONEST:
        yield row["number"], "spending", kind, row.get(f"spend_{kind}_percent")
        yield row["number"], "roster", kind, row.get(f"roster_{kind}_percent")


def _days(number: int, year: PlayedYear) -> Iterable[tuple[Any, ...]]:
    """Total assets by day; of the last day what the year ended with."""
    totals = {row.day: round(row.total, 2) for row in year.money}
    return ((number, year.episode, day, total, int(day == max(totals))) for day, total in totals.items())


def _deals(run: PlayedRun, kind: str) -> int:
    """Over all years of a run."""
    found = run.summary.counterparts
    if kind == FRAUDULENT:
        return sum(dealings.deals for dealings in found[FRAUDULENT].values())
    return found["honest"][kind].deals


def rank_columns() -> list[Axis]:
    """The paper's columns: profit first, then fraud to execution, then the three readings of bargaining."""
    assets, cse, *middle, anchor = AXES
    return [assets, *middle, replace(MEASURES["oracle_percent"], title="% of oracle"), cse, anchor]


def _ranks(runs: Sequence[PlayedRun]) -> Iterable[tuple[Any, ...]]:
    """On each axis, of the runs that are ranked, among the paper's models (`papers` 1) and among themselves (0)."""
    columns = rank_columns()
    oracle = columns[-3].name

    def with_oracle(who: Entrant, value: float | None) -> Entrant:
        return replace(who, values={**who.values, oracle: value})

    own = {n: with_oracle(run.entrant, run.summary.value(oracle)) for n, run in enumerate(runs) if run.ranked}
    models = zip(paper_entrants(), published_models(), strict=True)
    papers = {n: with_oracle(who, model[oracle]) for n, (who, model) in enumerate(models, start=len(runs))}
    for among, entrants in ((0, own), (1, papers | own)):
        for index, axis in enumerate(columns):
            for number, rank in zip(entrants, ranks(list(entrants.values()), axis), strict=True):
                if rank is not None and own:
                    yield number, axis.title, index, rank, among
