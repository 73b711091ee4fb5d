"""Explain the model behind the numbers: text, JSON and a picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from textwrap import fill

from ecbench.cli.plain_text import say, say_json
from ecbench.errors import RunError
from ecbench.explain.concession_curve import explain_kernel
from ecbench.explain.demand_chain import Shelf, explain_demand
from ecbench.explain.explanation import HIDDEN_NOTE, Explanation, Fact
from ecbench.explain.lookups import product_of
from ecbench.explain.money_path import Order, explain_cash
from ecbench.explain.reputation_curve import ServiceCounters, explain_reputation
from ecbench.explain.unit_profit import SoldUnit, explain_unit
from ecbench.extras import import_with_extra
from ecbench.market.economy import Economy
from ecbench.ranges import quoted
from ecbench.rules import SPEEDS, Rules, rule_set
from ecbench.runs.rule_overrides import read_overrides
from ecbench.suppliers.supplier_traits import lowest_ratios
from ecbench.world.load import load_world
from ecbench.world.model import World

WIDTH = 80


@dataclass(frozen=True, slots=True)
class ExplainSetting:
    """The world and the rules of an explanation, and where it goes."""

    source: str
    rules_name: str
    settings: Sequence[str]
    picture: Path | None
    as_json: bool

    @property
    def world(self) -> World:
        return load_world(self.source)

    @property
    def rules(self) -> Rules:
        return rule_set(self.rules_name).with_overrides(read_overrides(self.settings, self.rules_name))


def demand(
    setting: ExplainSetting,
    sku: str,
    price: float | None,
    day: date | None,
    discount: float,
    reputation: float,
    listed: int,
) -> None:
    world = setting.world
    last = world.start + timedelta(days=world.days - 1)
    if day is not None and not world.start <= day <= last:
        raise RunError(f"--date {day}: the year of {world.name} runs from {world.start} to {last}")
    shelf = Shelf(price or product_of(world, sku).reference_price, discount, reputation, listed)
    _show(setting, explain_demand(world, setting.rules, sku, day or world.start, shelf))


def unit(
    setting: ExplainSetting, sku: str, price: float | None, cost: float | None, speed: str, storage_days: int
) -> None:
    world = setting.world
    price, cost = _usual(setting, sku, price, cost)
    _show(setting, explain_unit(world, setting.rules, sku, SoldUnit(price, cost, _speed(speed), storage_days)))


def kernel(setting: ExplainSetting, supplier: str, sku: str, bids: str | None, cycle: int) -> None:
    given = None if bids is None else _bids(bids)
    _show(setting, explain_kernel(setting.world, setting.rules, supplier, sku, given, cycle))


def cash(setting: ExplainSetting, sku: str, units: int, price: float | None, cost: float | None, speed: str) -> None:
    world = setting.world
    price, cost = _usual(setting, sku, price, cost)
    _show(setting, explain_cash(world, setting.rules, sku, Order(units, cost, price, _speed(speed))))


def reputation(setting: ExplainSetting, shipped: int, sold: int, returned: int, cancelled: int) -> None:
    if returned + cancelled > sold:
        raise RunError("--returned and --cancelled count units of --sold; they cannot be more than that together")
    counters = ServiceCounters(shipped, float(sold), float(returned), float(cancelled))
    _show(setting, explain_reputation(setting.rules, counters))


def _usual(setting: ExplainSetting, sku: str, price: float | None, cost: float | None) -> tuple[float, float]:
    """The reference price and the lowest opening quote where none is given."""
    product, economy = product_of(setting.world, sku), Economy.of(setting.world, setting.rules)
    _, opening = lowest_ratios(economy, economy.world.category_by_name[product.category])
    return price or product.reference_price, cost or round(product.reference_price * opening, 2)


def _speed(name: str) -> str:
    if name not in SPEEDS:
        raise RunError(f"--speed {quoted(name)}: there are {', '.join(SPEEDS)}")
    return name


def _bids(text: str) -> list[float]:
    try:
        bids = [float(part) for part in text.split(",")]
    except ValueError:
        bids = []
    if not bids or len(bids) > 100 or not all(0 <= bid <= 1e9 for bid in bids):
        raise RunError(f"--bids {quoted(text)}: give up to 100 prices in yuan, such as 40,42.5,45")
    return bids


def _show(setting: ExplainSetting, explanation: Explanation) -> None:
    if setting.picture is not None:
        import_with_extra("ecbench.report.explained", "charts").write_picture(explanation, setting.picture)
    if setting.as_json:
        say_json(explanation.to_json())
        return
    say(fill(f"{explanation.title} ({explanation.paper})", WIDTH) + "\n")
    names = max(len(step.name) for step in explanation.steps)
    for step in explanation.steps:
        line = (
            f"{'*' if step.hidden else ' '} {step.name:<{names}}  {_value(step)}{f'  ({step.why})' if step.why else ''}"
        )
        say(fill(line, WIDTH, subsequent_indent=" " * (names + 6)))
    if any(step.hidden for step in explanation.steps):
        say(f"\n{HIDDEN_NOTE}")
    if setting.picture is not None:
        say(f"Picture: {setting.picture}")


def _value(step: Fact) -> str:
    if isinstance(step.value, str):
        return step.value if not step.unit else f"{step.value} {step.unit}"
    if step.unit == "¥":
        return f"{'-' if step.value < 0 else ''}¥{abs(step.value):,.2f}"
    number = f"{step.value:,}" if isinstance(step.value, int) else f"{step.value:,.4f}"
    return f"{number} {step.unit}".rstrip()
