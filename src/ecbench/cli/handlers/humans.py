"""Verify persons' years, and print them as a baseline."""

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import typer

from ecbench.cli.exit_codes import FAILED
from ecbench.cli.plain_table import plain_console, plain_table
from ecbench.cli.plain_text import say, say_json
from ecbench.number_words import MISSING, yuan
from ecbench.runs.record.atomic_write import atomic_write
from ecbench.suite.human_baseline import BaselineGroup, HumanBaseline, HumanYear, PlayedTerms, human_baseline


def print_baseline(files: Sequence[Path], table: Path | None, *, as_json: bool) -> None:
    if table is not None and not table.parent.is_dir():
        raise typer.BadParameter(f"there is no folder {table.parent}", param_hint="--csv")
    found = human_baseline(files)
    if table is not None:
        atomic_write(table, _csv(found.years))
    if as_json:
        say_json(_facts(found))
    else:
        _print(found)
    if found.refused:
        raise typer.Exit(FAILED)


def _print(found: HumanBaseline) -> None:
    console = plain_console()
    if found.years:
        rows = [
            [Path(year.file).name, *_terms(year.terms), _minutes(year), yuan(year.final_assets)] for year in found.years
        ]
        console.print(plain_table("file", "world", ">days", "rules", ">minutes", ">money", rows=rows))
        rows = [[*_terms(group.terms), f"{len(group.years):,}", *_mean(group)] for group in found.groups]
        title = "Human baseline: the geometric mean of the money"
        console.print(plain_table("world", ">days", "rules", ">years", ">mean", "95% interval", rows=rows, title=title))
    else:
        say("No year entered.")
    for place, why in found.refused:
        say(f"Refused: {place}: {why.removeprefix(f'{place}: ')}")


def _terms(terms: PlayedTerms) -> list[str]:
    changed = f" ({', '.join(f'{name}={value}' for name, value in terms.changed_rules)})" if terms.changed_rules else ""
    return [terms.world, f"{terms.days:,}", terms.rules + changed]


def _minutes(year: HumanYear) -> str:
    return MISSING if year.minutes is None else f"{year.minutes:,.1f}"


def _mean(group: BaselineGroup) -> list[str]:
    bounds = group.interval
    return [yuan(group.mean), f"{yuan(bounds[0])} to {yuan(bounds[1])}" if bounds else MISSING]


def _facts(found: HumanBaseline) -> dict[str, Any]:
    return {
        "years": [_row(year) for year in found.years],
        "groups": [
            {
                **_plain(group.terms),
                "years": len(group.years),
                "mean": round(group.mean, 2),
                "interval": [round(bound, 2) for bound in group.interval] if group.interval else None,
            }
            for group in found.groups
        ],
        "refused": [{"file": place, "reason": why} for place, why in found.refused],
    }


def _row(year: HumanYear) -> dict[str, Any]:
    minutes = None if year.minutes is None else round(year.minutes, 2)
    ended = {"ending": year.ending, "minutes": minutes, "final_assets": year.final_assets}
    return {"file": year.file, **_plain(year.terms), **ended}


def _plain(terms: PlayedTerms) -> dict[str, Any]:
    return asdict(terms) | {"changed_rules": dict(terms.changed_rules)}


def _csv(years: Sequence[HumanYear]) -> bytes:
    text = io.StringIO()
    columns = ["file", "world", "world_id", "days", "rules", "stake", "ending", "minutes", "final_assets"]
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(map(_row, years))
    return text.getvalue().encode()
