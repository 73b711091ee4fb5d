"""The tables of a run as files for other programs: CSV, Parquet, SQLite, or what the published release writes."""

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, count
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from ecbench.csv_text import sheet
from ecbench.errors import RunError
from ecbench.extras import require_extra
from ecbench.metrics.negotiation import score, session_row
from ecbench.runs.folder import Run
from ecbench.runs.record.atomic_write import refuse_used, write_folder, write_new_file
from ecbench.runs.results.database import empty_database, insert_tables
from ecbench.runs.results.frames import EPISODE_KINDS, episode_row, run_tables
from ecbench.runs.results.statement import rounded
from ecbench.runs.results.year_view import YearView, view_year
from ecbench.suppliers.records import Session

ANALYSIS = (
    "profitability",
    "negotiation_quality",
    "fraud_identification",
    "supplier_engagement",
    "return_management",
    "fulfilment_quality",
)
"""The sections of the release's analysis, beside `reward`; the negotiation metrics are a separate file."""
OWN_FIELD = ("return_management", "controllable_return_rate_corrected")  # which the release does not have
RELEASE_ENDINGS = {"year_end": "max_days_reached"}
BALANCE = {
    "date": "date",
    "bank_balance": "bank",
    "platform_wallet": "wallet",
    "total_balance": "total",
    "open_stores": "open_stores",
    "warehouse_items": "units",
    "storage_charged": "storage",
}
"""The release's columns of the daily balance, and ours. The total has the money in escrow, too."""

Files = Iterator[tuple[str, bytes]]


def export_entries(entries: Mapping[str, Run], folder: Path, form: str) -> list[Path]:
    """Write the files of a format into an empty or missing folder, or none if a record is damaged. Raises RunError."""
    refuse_used(folder)
    made = ((location, FORMATS[form](run)) for location, run in entries.items())
    return write_folder(
        folder, [(str(Path(location, name)), content) for location, files in made for name, content in files]
    )


def refuse_damage(damage: str) -> None:
    """Raise RunError if a record is damaged."""
    if damage:
        raise RunError(f"{damage}. What is damaged cannot be exported; see ecbench resume --salvage")


def _whole_years(run: Run) -> Iterator[YearView]:
    for episode in range(run.episodes):
        view = view_year(run, episode)
        refuse_damage(view.damage)
        yield view


def _csv(run: Run) -> Files:
    for name, table in run_tables(list(_whole_years(run))).items():
        yield f"{name}.csv", sheet(table.kinds, table.rows).encode()


def _parquet(run: Run) -> Files:
    require_extra("frames")
    for name, table in run_tables(list(_whole_years(run))).items():
        buffer = io.BytesIO()
        table.frame().write_parquet(buffer)
        yield f"{name}.parquet", buffer.getvalue()


def _release(run: Run) -> Files:
    """The files of the published release, in its words: `good` and `bad`, its families and personalities."""
    analyses = []
    for view in _whole_years(run):
        analyses.append(_analysis(view))
        yield f"balance/run_{view.episode}_daily_balance.csv", _balance(view)
        yield f"metrics/run_{view.episode}_analysis.json", _json(analyses[-1])
        sessions = [session_row(score(Session(row.supplier, row.sku, *row[4:]))) for row in view.tables.sessions]
        negotiation = {**view.report["negotiation"], "per_negotiation": sessions}
        yield f"metrics/run_{view.episode}_negotiation_metrics.json", _json(negotiation)
    bankrupt = sum(bool(each["profitability"]["bankrupt"]) for each in analyses)
    yield "summary.json", _json({"n_runs": run.episodes, "metrics": _spreads(analyses), "bankrupt_count": bankrupt})


def _analysis(view: YearView) -> dict[str, dict[str, Any]]:
    sections = {name: dict(view.report[name]) for name in ANALYSIS}
    section, field = OWN_FIELD
    del sections[section][field]
    end, stake = view.end, view.run.terms.stake
    reward = {
        "final_balance": round(end.final_assets, 2),
        "initial_balance": stake,
        "multiplier": round(end.final_assets / stake, 6),
        "termination_reason": RELEASE_ENDINGS.get(end.ending, end.ending),
        "final_day": end.day,
        "turns": end.turns,
        "tool_calls": end.calls,
    }
    return sections | {"reward": reward}


def _balance(view: YearView) -> bytes:
    """The opening and every morning, to the cent."""
    mornings = (row for row in view.tables.days if row.row != "final")
    return sheet(BALANCE, [[rounded(getattr(row, name)) for name in BALANCE.values()] for row in mornings]).encode()


def _spreads(analyses: Sequence[Mapping[str, Mapping[str, Any]]]) -> dict[str, dict[str, float | int | None]]:
    """Mean and sample deviation of every number over the runs that have it."""
    values: dict[str, list[float]] = {}
    for analysis in analyses:
        fields = dict(chain.from_iterable(section.items() for section in analysis.values()))
        for name, value in fields.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                values.setdefault(name, []).append(value)
    spread = {name: round(stdev(found), 4) if len(found) > 1 else None for name, found in values.items()}
    return {
        name: {"mean": round(fmean(found), 4), "std": spread[name], "n": len(found)} for name, found in values.items()
    }


def _json(value: object) -> bytes:
    return json.dumps(value, indent=2, ensure_ascii=False).encode() + b"\n"


def export_database(runs: Sequence[Run], path: Path) -> None:
    """Write the results of several runs into one new SQLite file, in which `seat` numbers every seat of every episode.

    Its table `episodes` has the run, the episode, the agent and all measures of each seat. Raises RunError if the file
    exists or a record is damaged.
    """
    database = empty_database()
    database.execute("begin")
    database.execute("drop table results")
    kinds = {int: "integer", str: "text", str | None: "text"}
    columns = {"seat": int, "run": str, **EPISODE_KINDS}.items()
    declared = ", ".join(f'"{name}" {kinds.get(kind, "real")}' for name, kind in columns)
    database.execute(f"create table episodes ({declared}) strict")
    marks, numbers = ", ".join("?" * len(columns)), count()
    for run in runs:
        for view in chain.from_iterable(zip(*map(_whole_years, run.entries()), strict=True)):
            number = next(numbers)
            database.execute(f"insert into episodes values ({marks})", (number, str(run.folder), *episode_row(view)))
            insert_tables(database, number, view.tables)
    database.execute("commit")
    try:
        write_new_file(path, database.serialize())
    except FileExistsError as error:
        raise RunError(f"{path} exists; give the name of a new file") from error
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror}") from error


FORMATS: Mapping[str, Callable[[Run], Files]] = {"csv": _csv, "parquet": _parquet, "release": _release}
