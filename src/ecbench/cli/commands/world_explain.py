"""ecbench world explain: how the market and the suppliers compute their numbers, with the paper figures.

A command is a row of a table: its function in `analysis.explain`, its help, and its parameters, each with its default.
"""

import inspect
from datetime import datetime
from importlib import import_module
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import click

from ecbench.cli.declare import argument, command, group, option
from ecbench.cli.options import ExplainOptions, WorldArgument
from ecbench.cli.terminal import say, say_json
from ecbench.extras import import_with_extra
from ecbench.ranges import Range, quoted
from ecbench.rules import SPEEDS, rule_set

if TYPE_CHECKING:
    from ecbench.analysis.explain.explanation import Explanation, Fact

WIDTH = 80


class Parameter(NamedTuple):
    """A parameter of an explanation as the command line has it."""

    name: str
    hint: Any
    default: Any = None


def _check_speed(name: str) -> str:
    if name not in SPEEDS:
        raise click.BadParameter(f"{quoted(name)}: there are {', '.join(SPEEDS)}")
    return name


def _read_bids(text: str) -> list[float]:
    try:
        bids = [float(part) for part in text.split(",")]
    except ValueError:
        bids = []
    if not (0 < len(bids) <= 100 and all(0 <= bid <= 1e9 for bid in bids)):
        raise click.BadParameter(f"{quoted(text)}: give up to 100 prices in yuan, such as 40,42.5,45")
    return bids


def _number(name: str, least: float, most: float, help: str, default: float | None = None, metavar: str = "N") -> Any:
    kind = type(default) if default is not None else float | None
    said = option(f"--{name.replace('_', '-')}", within=Range(least, most), help=help, metavar=metavar)
    return Parameter(name, Annotated[kind, said], default)


def _count(name: str, help: str, default: int = 0, least: int = 0, most: int = 1_000_000) -> Any:
    return _number(name, least, most, help, default)


def _given(name: str, metavar: str, help: str, kind: Any = str) -> Parameter:
    return Parameter(name, Annotated[kind, argument(metavar, help)], inspect.Parameter.empty)


SKU = _given("sku", "SKU", "A product of the world.")
PRICE = _number("price", 0.01, 1_000_000, "Retail price. [default: the reference price]", metavar="YUAN")
COST = _number("cost", 0.01, 1_000_000, "What a unit was bought for.", metavar="YUAN")
SPEED = Parameter(
    "speed",
    Annotated[str, option("--speed", metavar="NAME", check=_check_speed, help=f"Freight: {', '.join(SPEEDS)}.")],
    "standard",
)
DAY = Parameter(
    "day",
    Annotated[
        datetime | None,
        option("--date", metavar="DATE", check=datetime.date, help="The day. [default: the world's first]"),
    ],
)
BIDS = Parameter(
    "bids",
    Annotated[
        str | None,
        option(
            "--bids", metavar="YUAN,...", check=_read_bids, help="Bids in order. [default: six around its reservation]"
        ),
    ],
)


def _explanation(function: str, help: str, *parameters: Parameter) -> click.Command:
    """A command that shows what a function of `analysis.explain` returns."""
    module, name = function.split(".")
    declared = (Parameter("world", WorldArgument, inspect.Parameter.empty), *parameters)

    def explanation(*, world: str, shared: ExplainOptions, **values: Any) -> None:
        from ecbench.runs.terms import read_overrides
        from ecbench.world.load import load_world

        rules = rule_set(shared.rules).with_overrides(read_overrides(shared.settings or [], shared.rules))
        explain = vars(import_module(f"ecbench.analysis.explain.{module}"))[f"explain_{name}"]
        _show(explain(load_world(world), rules, **values), shared)

    explanation.__doc__ = help
    explanation.__annotations__ = {each.name: each.hint for each in declared} | {"shared": ExplainOptions}
    named = [inspect.Parameter(each.name, inspect.Parameter.KEYWORD_ONLY, default=each.default) for each in declared]
    shared = inspect.Parameter("shared", inspect.Parameter.KEYWORD_ONLY)
    vars(explanation)["__signature__"] = inspect.Signature([*named, shared])
    return command(explanation, name)


def _show(explanation: "Explanation", shared: ExplainOptions) -> None:
    """Print one explanation, and draw it if a picture is wanted."""
    from msgspec import to_builtins

    if shared.picture is not None:
        import_with_extra("ecbench.pages.report.explained", "charts").write_picture(explanation, shared.picture)
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


def _value(fact: "Fact") -> str:
    if isinstance(fact.value, str):
        return f"{fact.value} {fact.unit}".rstrip()
    if fact.unit == "¥":
        return f"{'-' if fact.value < 0 else ''}¥{abs(fact.value):,.2f}"
    number = f"{fact.value:,}" if isinstance(fact.value, int) else f"{fact.value:,.4f}"
    return f"{number} {fact.unit}".rstrip()


explain = group(
    "explain",
    "Show the model behind the numbers, hidden values included.",
    _explanation(
        "market_figures.demand",
        "From base sales to the units of a day, factor by factor.",
        SKU,
        PRICE,
        DAY,
        _number("discount", 0, 0.5, "Of the price, in that day's promotion.", 0.0, "SHARE"),
        _number("reputation", 0, 1, "Of the store.", 1.0, "SHARE"),
        _count("listed", "SKUs of its category, priced alike.", 1, 1, 10_000),
    ),
    _explanation(
        "order_figures.unit",
        "The profit of a unit, and the volume that pays for the store.",
        _given("skus", "SKU...", "Products of the world.", list[str]),
        PRICE,
        COST,
        SPEED,
        _count("storage_days", "Days in the warehouse.", 14),
    ),
    _explanation(
        "concession_curve.kernel",
        "How a supplier answers a sequence of bids, and why.",
        _given("supplier", "SUPPLIER", "Its name or e-mail address."),
        SKU,
        BIDS,
        _count("cycle", "Earlier bargains over this SKU."),
    ),
    _explanation(
        "order_figures.cash",
        "The money of an order in bank, escrow and wallet.",
        SKU,
        _count("units", "In the order.", 40, 1),
        PRICE,
        COST,
        SPEED,
    ),
    _explanation(
        "market_figures.reputation",
        "How a store's reputation comes about, and how it recovers.",
        _count("shipped", "Units shipped so far."),
        *(_count(name, f"Units {name} lately.") for name in ("sold", "returned", "cancelled")),
    ),
    _explanation("world_figures.catalog", "Products, prices, natural return rates and suppliers."),
    _explanation("world_figures.seasonality", "How demand moves with the months, by store type."),
    _explanation("world_figures.calendar", "Events and promotions of the episode, with their effects."),
)
