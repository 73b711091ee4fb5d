"""The tables of a run as files for other programs: CSV, Parquet, or what the published release writes."""

import io
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

from ecbench.errors import RunError
from ecbench.runs.folder import Run
from ecbench.runs.record.atomic_write import atomic_write, make_folder, sync_folder
from ecbench.runs.results.frames import Columns, frame_maker, run_columns
from ecbench.runs.results.tables.csv_files import sheet
from ecbench.runs.results.year_view import YearView, view_year

ANALYSIS = (
    "profitability",
    "negotiation_quality",
    "fraud_identification",
    "supplier_engagement",
    "return_management",
    "fulfilment_quality",
)
"""The sections of the release's `analysis.json`; `negotiation_metrics.json` is a separate file."""
OWN_FIELD = ("return_management", "controllable_return_rate_corrected")  # which the release does not have
RELEASE_ENDINGS = {"year_end": "max_days_reached"}
EFFICIENCY = "CSE+"  # the one field of the release's `summary.json` that is known
BALANCE = ("day", "date", "bank", "wallet", "escrow", "total")

Files = Iterator[tuple[str, bytes]]


def export_run(run: Run, folder: Path, form: str) -> list[Path]:
    """Write the files of a format into a folder that is empty or missing; raises RunError for any other.

    Nothing is written unless all of it could be made.
    """
    refuse_used_export(folder)
    files = list(FORMATS[form](run))
    try:
        for name, content in files:
            make_folder((folder / name).parent)
            atomic_write(folder / name, content)
        sync_folder(folder)
    except OSError as error:
        raise RunError(f"cannot write {error.filename or folder}: {error.strerror}") from error
    return [folder / name for name, _ in files]


def refuse_used_export(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise RunError(f"{folder} is not empty; an export never writes over anything, so give another folder")


def _csv(run: Run) -> Files:
    for name, columns in run_columns(run).items():
        yield f"{name}.csv", sheet(columns.kinds, zip(*columns.values.values(), strict=True)).encode()


def _parquet(run: Run) -> Files:
    make: Callable[[Columns], Any] = frame_maker("polars")
    for name, columns in run_columns(run).items():
        buffer = io.BytesIO()
        make(columns).write_parquet(buffer)
        yield f"{name}.parquet", buffer.getvalue()


def _release(run: Run) -> Files:
    """A folder for each year, and in the words of the release: `good` and `bad`, its families and personalities."""
    efficiencies = []
    for episode in range(run.episodes):
        view = view_year(run, episode)
        place = f"episode_{episode}"
        analysis = {name: dict(view.report[name]) for name in ANALYSIS}
        section, field = OWN_FIELD
        del analysis[section][field]
        yield f"{place}/analysis.json", _json(analysis)
        yield f"{place}/negotiation_metrics.json", _json(view.report["negotiation"])
        yield f"{place}/daily_balance.csv", _balance(view)
        yield f"{place}/summary.json", _json(_summary(view))
        efficiencies.append(_efficiency(view))
    known = [value for value in efficiencies if value is not None]
    mean = round(fmean(known), 4) if known else None
    yield "summary.json", _json({"model": run.terms.agent, "episodes": run.episodes, EFFICIENCY: mean})


def _efficiency(view: YearView) -> float | None:
    found: float | None = view.report["negotiation_quality"][EFFICIENCY]
    return found


def _balance(view: YearView) -> bytes:
    """The mornings, to the cent; the release has neither an opening nor a final row."""
    mornings = [row for row in view.tables.days if row.row == "morning"]
    rows = ([row.day, row.date, *(round(getattr(row, name), 2) for name in BALANCE[2:])] for row in mornings)
    return sheet(BALANCE, rows).encode()


def _summary(view: YearView) -> dict[str, Any]:
    end = view.end
    return {
        "final_balance": round(end.final_assets, 2),
        "initial_balance": view.run.terms.stake,
        "termination_reason": RELEASE_ENDINGS.get(end.ending, end.ending),
        "final_day": end.day,
        "turns": end.turns,
        "tool_calls": end.calls,
        "model": view.run.terms.agent,
        EFFICIENCY: _efficiency(view),
    }


def _json(value: object) -> bytes:
    return json.dumps(value, indent=2, ensure_ascii=False).encode(errors="backslashreplace") + b"\n"


FORMATS: Mapping[str, Callable[[Run], Files]] = {"csv": _csv, "parquet": _parquet, "release": _release}
