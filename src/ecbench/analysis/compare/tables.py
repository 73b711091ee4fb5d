"""A comparison as tables of text, for a terminal or a page, and as JSON for machines."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ecbench.analysis.compare.chance import Interval
from ecbench.analysis.compare.comparison import Comparison, Difference, RunPair
from ecbench.analysis.compare.verdict import p_equals, p_text, sentence, times
from ecbench.formatting import MISSING, counted, yuan_or_millions
from ecbench.metrics.measures import SKILL, Axis

_NO_LESS = re.compile(r"^-(¥?0[.0]*%?)$")  # a minus before what is shown as nothing

Shown = Callable[[float], str]

OWN_FORMS: Mapping[str, Shown] = {
    "final_assets": yuan_or_millions,
    "profit_per_call": yuan_or_millions,
    "controllable_return_points": "{:.2f}".format,  # differences get a sign where they need one
}

LEGEND = (
    "A and B: each run's own figures, over its years. Ruined: bankrupt, or left with less than a hundredth of the "
    "stake. A / B: the geometric mean over worlds, of years without ruin; A - B: the mean difference over worlds. The "
    "verdict tests ruin, and logarithms of final assets, or skill if the rules rank by it. p: signs turned over "
    "worlds; all pairs: corrected over the pairs. Shown from: the smallest true ratio that such data show in four of "
    "five cases. The intervals of the other axes are not corrected for their number. docs/compare.md explains each."
)


@dataclass(frozen=True, slots=True)
class TextTable:
    """A column whose heading starts with > contains numbers and is aligned to the right."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


def sheets(pair: RunPair) -> list[TextTable]:
    """The primary score and the other axes; what has no figure is left out."""
    others = [found for found in pair.differences if found.axis is not pair.verdict.axis]
    found = [_primary_sheet(pair), *([_difference_sheet(others)] if others else [])]
    return [sheet for sheet in map(_with_figures, found) if len(sheet.columns) > 1]


def _with_figures(sheet: TextTable) -> TextTable:
    """The rows and columns that contain one; names of axes and their better directions are none."""
    named = [index for index, column in enumerate(sheet.columns) if not column.startswith(">")]
    filled = [row for row in sheet.rows if any(cell != MISSING for index, cell in enumerate(row) if index not in named)]
    kept = [index for index in range(len(sheet.columns)) if any(row[index] != MISSING for row in filled)]
    rows = [[row[index] for index in kept] for row in filled]
    return TextTable(sheet.title, [sheet.columns[index] for index in kept], rows)


def verdict_line(pair: RunPair, pairs: int) -> str:
    """The answer in one sentence; `pairs` are compared by the same command."""
    return sentence(pair.verdict, pair.first.label, pair.second.label, pairs)


def title(pair: RunPair) -> str:
    return f"A = {pair.first.label}, B = {pair.second.label}: {counted(len(pair.worlds), 'world')} that both played"


def remarks(pair: RunPair) -> list[str]:
    """What stands below the tables, a line each."""
    found = pair.verdict
    counts = [f"{side} {n:,} of {of:,}" for side, n, of in zip("AB", found.ruined, found.years, strict=True)]
    tested = [] if found.ruin_p is None else [p_equals(found.ruin_p)]
    if found.ruin_p_adjusted is not None and found.ruin_p_adjusted != found.ruin_p:
        tested.append(f"{p_equals(found.ruin_p_adjusted)} over all pairs")
    ruined = [f"Ruined years that differ: {'; '.join([', '.join(counts), *tested])}."] if any(found.years) else []
    return [*ruined, *(f"Note: {note}" for note in pair.notes)]


def _primary_sheet(pair: RunPair) -> TextTable:
    verdict, axis = pair.verdict, pair.verdict.axis
    means = [_text(mean, _form(axis)) for mean in pair.means]
    starts_at = None if verdict.shown_from is None else verdict.stated(verdict.shown_from)
    if axis is SKILL:
        gap, effect = ">A - B", _signed(verdict.effect, axis.shown)
        bounds, shown_from = _range(verdict.stated_interval, axis.shown), _text(starts_at, axis.shown)
    else:
        gap = ">A / B"
        effect, *ends = times(verdict.ratio, *(verdict.stated_interval or ())) if verdict.ratio else [MISSING]
        bounds = " to ".join(ends) or MISSING
        shown_from = _text(starts_at, lambda ratio: f"{times(ratio)[0]} times")
    columns = (">A", ">B", gap, ">95% interval", ">p", ">All pairs", ">Shown from", ">Worlds won")
    won = next((_won(found) for found in pair.differences if found.axis is axis), MISSING)
    heading = f"{axis.title}: means of years, and {gap[1:]} over worlds"
    row = [*means, effect, bounds, p_text(verdict.p), p_text(verdict.p_adjusted), shown_from, won]
    return TextTable(heading, columns, [row])


def _difference_sheet(differences: Sequence[Difference]) -> TextTable:
    rows = []
    for found in differences:
        shown = _form(found.axis)
        both = [_text(found.first, shown), _text(found.second, shown), _signed(found.difference, shown)]
        rows.append([found.axis.title, found.axis.better, *both, _range(found.interval, shown), _won(found)])
    columns = ("Axis", "Better", ">A", ">B", ">A - B", ">95% interval", ">Worlds won")
    return TextTable("The other axes: each run's figures, and A - B over worlds", columns, rows)


def _won(found: Difference) -> str:
    if found.wins is None or found.losses is None:
        return MISSING
    ties = found.worlds - found.wins - found.losses
    return f"{found.wins} : {found.losses}" + (f" ({ties} even)" if ties else "")


def _form(axis: Axis) -> Shown:
    return OWN_FORMS.get(axis.name, axis.shown)


def _text(value: float | None, shown: Shown) -> str:
    return MISSING if value is None else _NO_LESS.sub(r"\1", shown(value))


def _signed(value: float | None, shown: Shown) -> str:
    return _text(value, shown) if value is None or value <= 0 else f"+{shown(value)}"


def _range(interval: Interval | None, shown: Shown) -> str:
    return MISSING if interval is None else f"{_text(interval[0], shown)} to {_text(interval[1], shown)}"


def to_json(comparison: Comparison) -> dict[str, Any]:
    return {
        "runs": [
            {
                "label": entry.label,
                "folder": str(entry.run.folder),
                "agent": entry.run.player.agent,
                "voice": entry.run.terms.voice,
                "years": {entry.names([world])[0]: len(years) for world, years in entry.years.items()},
                "left_out": list(entry.left_out),
            }
            for entry in comparison.entries
        ],
        "warnings": list(comparison.warnings),
        "pairs": [_pair_json(pair, len(comparison.pairs)) for pair in comparison.pairs],
    }


def _pair_json(pair: RunPair, pairs: int) -> dict[str, Any]:
    verdict, (one, other) = pair.verdict, pair.means
    return {
        "a": pair.first.label,
        "b": pair.second.label,
        "verdict": {
            "sentence": verdict_line(pair, pairs),
            "axis": verdict.axis.name,
            "a_mean": one,
            "b_mean": other,
            "worlds": verdict.worlds,
            "decided_by": verdict.decided_by,
            "shown": verdict.shown,
            "ratio": verdict.ratio,
            "difference": verdict.effect if verdict.axis is SKILL else None,
            "interval": verdict.stated_interval,
            "p": verdict.p,
            "p_adjusted": verdict.p_adjusted,
            "ruin": {
                "a": verdict.ruined[0],
                "a_years": verdict.years[0],
                "b": verdict.ruined[1],
                "b_years": verdict.years[1],
                "p": verdict.ruin_p,
                "p_adjusted": verdict.ruin_p_adjusted,
            },
            "shown_from": None if verdict.shown_from is None else verdict.stated(verdict.shown_from),
            "more_worlds": verdict.more_worlds,
            "interim": verdict.interim and asdict(verdict.interim),
        },
        "worlds": pair.first.names(pair.worlds),
        "left_out": pair.first.names(pair.left_out),
        "notes": list(pair.notes),
        "axes": [_axis_json(pair, found) for found in pair.differences],
    }


def _axis_json(pair: RunPair, found: Difference) -> dict[str, Any]:
    met = {pair.first.names([world])[0]: {"a": one, "b": other} for world, (one, other) in found.by_world.items()}
    named = {"axis": found.axis.name, "better": found.axis.better, "by_world": met or None}
    return {name: getattr(found, name) for name in Difference.__slots__} | named
