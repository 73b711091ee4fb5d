"""Every measure of the paper over the years of a run, dimension by dimension (app:metrics, docs/metrics.md).

`data/measures.csv` has a row for each. A value is a path into the report, in which `*` adds up all parts; `100 *
path`; the difference of two paths; or one of `READERS` with its argument. A row whose name contains a word of
`FAMILIES` in braces stands for one measure a member. Those in `data/axes.csv` are axes (sec:eval).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, cast

from ecbench.formatting import yuan
from ecbench.metrics.estimators import Direction, Estimator, Figure, Measure, Read, Report
from ecbench.metrics.labels import BANDS, PERSONALITIES, SCAMS, calls_in, packaged_rows
from ecbench.metrics.solvency import QUARTERS
from ecbench.rules import Rules
from ecbench.sums import ordered_sum
from ecbench.world.supplier_kinds import HONEST


@dataclass(frozen=True, slots=True)
class Field:
    """Reads a field of the report by its path; None where it is null, or where an older report lacks it."""

    path: str
    scale: float = 1.0

    def __call__(self, report: Report) -> float | None:
        found = _found(report, self.path.split("."))
        return None if found is None else found * self.scale


def _found(part: Any, steps: Sequence[str]) -> float | None:
    for index, step in enumerate(steps):
        if not isinstance(part, Mapping):
            return None
        if step == "*":
            parts = (_found(each, steps[index + 1 :]) for each in part.values())
            known = [value for value in parts if value is not None]
            return ordered_sum(known) if known else None
        part = part.get(step)
    return cast("float | None", part)


def _calls(count: Callable[[Mapping[str, int]], int], report: Report) -> float | None:
    by_tool = report.get("run", {}).get("calls_by_tool")
    return None if by_tool is None else count(by_tool)


def _growth(quarter: int, report: Report) -> float | None:
    """Of total assets over a quarter of the year, in percent; None where it was not reached or began without assets."""
    ends = report.get("diagnostics", {}).get("liquidity", {}).get("assets_by_quarter") or [None] * QUARTERS
    totals = [Field("profitability.initial_balance")(report), *ends]
    before, after = totals[quarter - 1], totals[quarter]
    return None if before is None or after is None or before <= 0 else 100 * (after / before - 1)


def _difference(one: Read, other: Read, report: Report) -> float | None:
    gain, loss = one(report), other(report)
    return None if gain is None or loss is None else gain - loss


def _scaled(scale: float, read: Read, report: Report) -> float | None:
    value = read(report)
    return None if value is None else scale * value


READERS: Mapping[str, Callable[[str], Read]] = {
    "band": lambda band: partial(_calls, partial(calls_in, band)),
    "tool": lambda tool: partial(_calls, lambda by_tool: by_tool.get(tool, 0)),
    "growth": lambda quarter: partial(_growth, int(quarter)),
}
FAMILIES: Mapping[str, Sequence[Mapping[str, object]]] = {
    "template": [{"template": template, "personality": PERSONALITIES[template]} for template in HONEST],
    "scam": [{"scam": scam} for scam in SCAMS],
    "band": [{"band": band} for band in BANDS],
    "quarter": [{"quarter": quarter} for quarter in range(1, QUARTERS + 1)],
}


def _reader(value: str) -> Read:
    one, minus, other = value.partition(" - ")
    if minus:
        return partial(_difference, _reader(one), _reader(other))
    factor, times, rest = value.rpartition(" * ")
    name, opening, argument = rest.removesuffix(")").partition("(")
    if not opening:
        return Field(rest, float(factor or 1))
    read = READERS[name](argument)
    return partial(_scaled, float(factor), read) if times else read


AXIS_ROWS = {row["name"]: row for row in packaged_rows("axes")}


def value_text(unit: str) -> Callable[[float], str]:
    """How a value of a unit is written in a table."""
    forms = {"%": "{:.1f}%", "share of the range a day": "{:+.5f}", "percentage points": "{:+.2f}"}
    other = "{:.3f}" if unit.startswith(("share", "times", "z")) else "{:,.1f}"
    return yuan if unit == "¥" else forms.get(unit, other).format


def _presentation(name: str, unit: str) -> dict[str, Any]:
    row = AXIS_ROWS.get(name)
    if row is None:
        return {"title": name, "shown": value_text(unit)}
    shown = yuan if row["shown"] == "yuan" else row["shown"].format
    return {"title": row["title"], "shown": shown, "no_sample": row["no_sample"], "reading": row["reading"]}


def _measures(row: Mapping[str, str]) -> list[Measure]:
    family = next((members for word, members in FAMILIES.items() if f"{{{word}}}" in row["name"]), [{}])
    rows = [{column: cell.format(**member) for column, cell in row.items()} for member in family]
    return [
        Measure(
            name=each["name"],
            unit=each["unit"],
            better=cast("Direction", each["better"]),
            paper=each["paper"],
            meaning=each["meaning"],
            read=_reader(each["value"]),
            over=_reader(each["over"]) if each["over"] else None,
            estimator=cast("Estimator", each["estimator"]),
            sample=_reader(each["sample"]) if each["sample"] else None,
            **_presentation(each["name"], each["unit"]),
        )
        for each in rows
    ]


def _dimensions() -> Mapping[str, tuple[Measure, ...]]:
    found: dict[str, tuple[Measure, ...]] = {}
    for row in packaged_rows("measures"):
        found[row["dimension"]] = (*found.get(row["dimension"], ()), *_measures(row))
    return MappingProxyType(found)


DIMENSIONS = _dimensions()
MEASURES: Mapping[str, Measure] = MappingProxyType(
    {measure.name: measure for measures in DIMENSIONS.values() for measure in measures}
)


def measured(reports: Sequence[Report]) -> dict[str, Figure]:
    """Every measure over the years of a run, each by its own estimator; value None where no year has a sample."""
    return {name: measure.of_run(reports) for name, measure in MEASURES.items()}


def measured_year(report: Report) -> dict[str, float | None]:
    """Every measure of one year."""
    return {name: measure.of_year(report) for name, measure in MEASURES.items()}


Axis = Measure
"""A measure that tables show beside others, with a title and a reading of its own (`data/axes.csv`)."""


def _axes(of: str) -> tuple[Axis, ...]:
    return tuple(MEASURES[name] for name, row in AXIS_ROWS.items() if row["set"] == of)


AXES, ABILITIES = _axes("paper"), _axes("abilities")
ASSETS, BAD_SPEND = MEASURES["final_assets"], MEASURES["bad_spend_percent"]
SKILL = MEASURES["skill"]
"""How far a year came towards the bound: the primary score where `ranked_by_skill` says so, and a reading elsewhere."""
ALL_AXES = (*AXES, SKILL, *ABILITIES)
CONDUCT_AXES = _axes("conduct")
"""Secondary axes of episodes whose rules count conduct."""


def axes_beside(primary: Axis) -> tuple[Axis, ...]:
    """Those that tables show behind final assets and skill: abilities where skill ranks, else the paper's six."""
    return ABILITIES if primary is SKILL else AXES[1:]


def legend(axes: Sequence[Axis]) -> str:
    """What the axes say, and which direction is better."""
    lists = [
        ", ".join(f"{axis.title} ({axis.reading})" for axis in axes if axis.higher_is_better == higher)
        for higher in (True, False)
    ]
    return f"Higher is better for {lists[0]}. Lower is better for {lists[1]}."


def axis_values(figures: Mapping[str, Figure]) -> dict[str, float | None]:
    """By the name of an axis its value, of all measures over some episodes."""
    return {axis.name: figures[axis.name].value for axis in ALL_AXES}


def primary_axis(rules: Rules) -> Axis:
    """The axis that ranks years under some rules."""
    return SKILL if rules.ranked_by_skill else ASSETS
