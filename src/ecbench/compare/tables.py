"""A comparison as tables of text, for a terminal or a page, and as rows and JSON for machines."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ecbench.compare.chance import Interval
from ecbench.compare.comparison import Comparison, RunPair, duels, figures
from ecbench.compare.difference import Difference
from ecbench.compare.verdict import Verdict, p_equals, p_text, sentence, stop_ground, times
from ecbench.metrics.axes import Axis
from ecbench.metrics.measures import MEASURES
from ecbench.number_words import MISSING, yuan_or_millions

_NO_LESS = re.compile(r"^-(¥?0[.0]*%?)$")  # a minus before what is shown as nothing

Shown = Callable[[float], str]


@dataclass(frozen=True, slots=True)
class TextTable:
    """A column whose heading starts with > holds numbers and is aligned to the right."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


OWN_FORMS: Mapping[str, Shown] = {
    "final_assets": yuan_or_millions,
    "profit_per_call": yuan_or_millions,
    "controllable_return_points": "{:.2f}".format,  # differences get a sign where they need one
}


def _form(axis: Axis) -> tuple[str, Shown]:
    return axis.title, OWN_FORMS.get(axis.name, axis.shown)


def sheets(pair: RunPair) -> list[TextTable]:
    """The primary score, the other axes, and who wins on a fresh world; what has no figure is left out."""
    others = [found for found in pair.differences if found.axis is not pair.match.primary]
    found = [_primary_sheet(pair), *([_difference_sheet(pair, others)] if others else []), _wins_sheet(pair)]
    return [sheet for sheet in map(_with_figures, found) if len(sheet.columns) > 1]


def _with_figures(sheet: TextTable) -> TextTable:
    """The rows and columns that hold one; names of axes and their better directions are none."""
    named = [place for place, column in enumerate(sheet.columns) if not column.startswith(">")]
    filled = [row for row in sheet.rows if any(cell != MISSING for place, cell in enumerate(row) if place not in named)]
    kept = [place for place in range(len(sheet.columns)) if any(row[place] != MISSING for row in filled)]
    rows = [[row[place] for place in kept] for row in filled]
    return TextTable(sheet.title, [sheet.columns[place] for place in kept], rows)


def verdict_line(pair: RunPair, pairs: int) -> str:
    """The answer in one sentence; `pairs` are compared by the same command."""
    match, stop = pair.match, pair.verdict.stop
    first, second = pair.verdict.units if stop else match.units
    years = "a year of each" if first == second == 1 else f"{first:,} and {second:,} different years"
    ground = {
        "same worlds": f"{first:,} worlds",
        "one world": f"one world, {years}",
        "other worlds": f"{first:,} and {second:,} worlds, none of them shared",
    }[match.design]
    unit = {"same worlds": "worlds", "one world": "years of each", "other worlds": "worlds of each"}[match.design]
    return sentence(pair.verdict, match.first.label, match.second.label, stop_ground(ground, stop), unit, pairs)


def title(pair: RunPair) -> str:
    match = pair.match
    ground = {
        "same worlds": f"{match.units[0]} worlds that both played",
        "one world": f"{match.units[0]} and {match.units[1]} different years on one world",
        "other worlds": f"{match.units[0]} and {match.units[1]} worlds, none of them shared",
    }
    return f"A = {match.first.label}, B = {match.second.label}: {ground[match.design]}"


def bankruptcies(pair: RunPair) -> str:
    found = pair.bankruptcies
    return (
        f"Bankrupt: A {found.first} of {found.first_years} years that differ, B {found.second} of "
        f"{found.second_years}; {p_equals(found.p)}, tested within worlds."
    )


def known_worlds(pair: RunPair) -> list[str]:
    """The results of both on shipped worlds, which were left out, a line each."""
    measure, shown = MEASURES["final_assets"], yuan_or_millions
    lines = []
    for world in pair.match.left_out:
        one, other = (measure.of_run(run.years[world]).value for run in (pair.match.first, pair.match.second))
        (name,) = pair.match.first.names([world])
        lines.append(
            f"World {name} is no fresh one and is left out; final assets there: A {_text(one, shown)}, "
            f"B {_text(other, shown)}."
        )
    return lines


def _primary_sheet(pair: RunPair) -> TextTable:
    verdict, axis = pair.verdict, pair.match.primary
    means = [_text(mean, _form(axis)[1]) for mean in figures(axis, pair.match)]
    if verdict.ratio is None:
        effect, bounds = _signed(verdict.difference, axis.shown), _range(verdict.interval, axis.shown)
        shown_from = _text(verdict.shown_from, axis.shown)
    else:
        ratio, interval = verdict.stated_ratio, verdict.stated_interval
        effect, *ends = times(ratio, *(interval or ())) if ratio else [MISSING]
        bounds = " to ".join(ends) or MISSING
        hidden = verdict.clamped or verdict.shown_from is None
        shown_from = MISSING if hidden else f"{times(verdict.shown_from or 0.0)[0]} times"
    gap = ">A / B" if verdict.ratio is not None else ">A - B"
    columns = (">A", ">B", gap, ">95% interval", ">p", ">All pairs", ">Shown from")
    title = f"{axis.title}: means of years, and {gap[1:]} over {_units(pair)}"
    return TextTable(
        title, columns, [[*means, effect, bounds, p_text(verdict.p), p_text(verdict.p_adjusted), shown_from]]
    )


def _units(pair: RunPair) -> str:
    return "years that differ" if pair.match.design == "one world" else "worlds"


def _difference_sheet(pair: RunPair, differences: Sequence[Difference]) -> TextTable:
    rows = []
    for found in differences:
        name, shown = _form(found.axis)
        both = [_text(found.first, shown), _text(found.second, shown), _signed(found.difference, shown)]
        interval = _range(found.interval, shown)
        rows.append([name, found.axis.better, *both, interval, p_text(found.p), p_text(found.p_adjusted)])
    columns = ("Axis", "Better", ">A", ">B", ">A - B", ">95% interval", ">p", ">All axes")
    return TextTable(f"The other axes: each run's figures, and A - B over {_units(pair)}", columns, rows)


def _wins_sheet(pair: RunPair) -> TextTable:
    rows = []
    for found in pair.differences:
        ties = None if found.wins is None else found.units[0] - (found.wins or 0) - (found.losses or 0)
        won = MISSING if found.wins is None else f"{found.wins} : {found.losses}" + (f" ({ties} even)" if ties else "")
        name, shown = _form(found.axis)
        parts = found.spread
        deviations = [parts.worlds, parts.interaction, parts.years] if parts else [None] * 3
        rows.append(
            [
                name,
                won,
                _text(found.beats, "{:.0%}".format),
                _range(found.beats_interval, "{:.0%}".format),
                *(_text(deviation, shown) for deviation in deviations),
            ]
        )
    columns = ("Axis", ">A : B", ">A beats B", ">95% interval", ">Worlds", ">Interaction", ">Years")
    return TextTable("Worlds won, who wins on a fresh world, and spread", columns, rows)


def _text(value: float | None, shown: Shown) -> str:
    return MISSING if value is None else _NO_LESS.sub(r"\1", shown(value))


def _signed(value: float | None, shown: Shown) -> str:
    return _text(value, shown) if value is None or value <= 0 else f"+{shown(value)}"


def _range(interval: Interval | None, shown: Shown) -> str:
    return MISSING if interval is None else f"{_text(interval[0], shown)} to {_text(interval[1], shown)}"


LEGEND = (
    "A and B: each run's own figures, over its years. A - B: the mean difference over worlds; A / B: the geometric "
    "mean (on one world, over years that differ). The verdict tests logarithms of final assets, or skill where the "
    "rules rank by it. p: signs turned over worlds (Student's t on five; shuffled labels, where fewer than two are "
    "shared). All pairs, all axes: p corrected by max-T over the pairs, and over the other axes of all pairs. Shown "
    "from: the smallest true ratio that such data show in four of five cases. Spread: standard deviations. "
    "docs/compare.md explains each."
)

COLUMNS = (
    "a", "b", "design", "axis", "better", "a_units", "b_units", "a_mean", "b_mean", "difference", "difference_low",
    "difference_high", "ratio", "ratio_low", "ratio_high", "p", "p_adjusted", "shown", "shown_from", "more_units",
    "wins", "losses", "beats", "beats_low", "beats_high", "spread_worlds", "spread_interaction", "spread_years",
    "verdict",
)  # fmt: skip


def rows(comparison: Comparison) -> Iterator[list[object]]:
    """A row for each axis of each pair; empty cells where there is no sample, and ratios for final assets only.

    An interval of skill, where that is the primary score, is the verdict's.
    """
    for pair in comparison.pairs:
        for found in pair.differences:
            parts, verdict = found.spread, pair.verdict if found.axis is pair.match.primary else None
            yield [
                pair.match.first.label,
                pair.match.second.label,
                pair.match.design,
                found.axis.name,
                found.axis.better,
                *found.units,
                found.first,
                found.second,
                found.difference,
                *((verdict.interval if verdict and not verdict.ratio else found.interval) or (None, None)),
                *_ratio_cells(verdict),
                found.p,
                found.p_adjusted,
                *((verdict.shown, verdict.shown_from, verdict.more_units) if verdict else (None, None, None)),
                found.wins,
                found.losses,
                found.beats,
                *(found.beats_interval or (None, None)),
                *((parts.worlds, parts.interaction, parts.years) if parts else (None, None, None)),
                verdict_line(pair, len(comparison.pairs)),
            ]


def _ratio_cells(verdict: Verdict | None) -> Sequence[float | None]:
    if verdict is None or verdict.stated_ratio is None:
        return (None, None, None)
    return (verdict.stated_ratio, *(verdict.stated_interval or (None, None)))


def to_json(comparison: Comparison) -> dict[str, Any]:
    return {
        "runs": [
            {
                "label": entry.label,
                "folder": str(entry.run.folder),
                "agent": entry.run.terms.agent,
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
    match, (one, other) = pair.match, figures(pair.match.primary, pair.match)
    numbers = asdict(pair.verdict) | {
        "ratio": pair.verdict.stated_ratio,
        "interval": pair.verdict.stated_interval,
        "axis": match.primary.name,
        "shown": pair.verdict.shown,
        "stopped_early": bool(pair.verdict.stop and pair.verdict.stop.is_early),
        "a_mean": one,
        "b_mean": other,
    }
    return {
        "a": match.first.label,
        "b": match.second.label,
        "verdict": {"sentence": verdict_line(pair, pairs)} | numbers,
        "design": match.design,
        "a_worlds": match.first.names(match.first_worlds),
        "b_worlds": match.second.names(match.second_worlds),
        "left_out": match.first.names(match.left_out),
        "notes": [*known_worlds(pair), *pair.notes],
        "axes": [
            asdict(found) | {"axis": found.axis.name, "better": found.axis.better} | _by_world(pair, found)
            for found in pair.differences
        ],
        "bankruptcies": asdict(pair.bankruptcies),
    }


def _by_world(pair: RunPair, found: Difference) -> dict[str, Any]:
    """Each world's figures of A and of B; null where worlds are not what is compared."""
    match = pair.match
    if match.design != "same worlds" or not found.units[0]:
        return {"by_world": None}
    names = dict(zip(match.first_worlds, match.first.names(match.first_worlds), strict=True))
    met = duels(found.axis, match)
    return {"by_world": {names[world]: {"a": duel.one, "b": duel.other} for world, duel in met.items()}}


def markdown(comparison: Comparison) -> str:
    blocks = [f"**{verdict_line(pair, len(comparison.pairs))}**" for pair in comparison.pairs]
    blocks += [f"> **Warning:** {warning}" for warning in comparison.warnings]
    for pair in comparison.pairs:
        blocks.append(f"## {title(pair)}")
        blocks += [f"{_markdown_table(sheet)}" for sheet in sheets(pair)]
        blocks += [bankruptcies(pair), *known_worlds(pair), *pair.notes]
    return "\n\n".join(blocks)


def _markdown_table(sheet: TextTable) -> str:
    names = [column.removeprefix(">") for column in sheet.columns]
    marks = ["---:" if column.startswith(">") else "---" for column in sheet.columns]
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in (names, marks, *sheet.rows)]
    return "\n".join([f"**{sheet.title}**", "", *lines])
