"""Explain the model behind the numbers: text, JSON and a picture."""

from collections.abc import Callable, Mapping
from textwrap import fill
from typing import Any

from msgspec import to_builtins

from ecbench.cli.options import ExplainOptions
from ecbench.cli.plain_text import say, say_json
from ecbench.explain.concession_curve import explain_kernel
from ecbench.explain.demand_chain import explain_demand
from ecbench.explain.explanation import Explanation, Fact
from ecbench.explain.money_path import explain_cash
from ecbench.explain.reputation_curve import explain_reputation
from ecbench.explain.unit_profit import explain_unit
from ecbench.explain.world_figures import explain_calendar, explain_catalog, explain_seasonality
from ecbench.extras import import_with_extra
from ecbench.rules import rule_set
from ecbench.runs.terms import read_overrides
from ecbench.world.load import load_world

WIDTH = 80
EXPLANATIONS: Mapping[str, Callable[..., Explanation]] = {
    "demand": explain_demand,
    "unit": explain_unit,
    "kernel": explain_kernel,
    "cash": explain_cash,
    "reputation": explain_reputation,
    "catalog": explain_catalog,
    "seasonality": explain_seasonality,
    "calendar": explain_calendar,
}


def show(name: str, shared: ExplainOptions, world: str, *arguments: Any, **options: Any) -> None:
    """Print one explanation, and draw it if a picture is wanted."""
    rules = rule_set(shared.rules).with_overrides(read_overrides(shared.settings or [], shared.rules))
    explanation = EXPLANATIONS[name](load_world(world), rules, *arguments, **options)
    if shared.picture is not None:
        import_with_extra("ecbench.report.explained", "charts").write_picture(explanation, shared.picture)
    if shared.as_json:
        say_json(to_builtins(explanation))
        return
    say(fill(f"{explanation.title} ({explanation.paper})", WIDTH) + "\n")
    names = max(len(fact.name) for fact in explanation.facts)
    for fact in explanation.facts:
        line = (
            f"{'*' if fact.hidden else ' '} {fact.name:<{names}}  {_value(fact)}{f'  ({fact.why})' if fact.why else ''}"
        )
        say(fill(line, WIDTH, subsequent_indent=" " * (names + 6)))
    if any(fact.hidden for fact in explanation.facts):
        say("\nLines with * show hidden values: agents never see them.")
    if shared.picture is not None:
        say(f"Picture: {shared.picture}")


def _value(fact: Fact) -> str:
    if isinstance(fact.value, str):
        return f"{fact.value} {fact.unit}".rstrip()
    if fact.unit == "¥":
        return f"{'-' if fact.value < 0 else ''}¥{abs(fact.value):,.2f}"
    number = f"{fact.value:,}" if isinstance(fact.value, int) else f"{fact.value:,.4f}"
    return f"{number} {fact.unit}".rstrip()
