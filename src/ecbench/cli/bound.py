"""ecbench bound: how much no play of a year can end with."""

from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ecbench.cli.plain_text import say_json
from ecbench.cli.run import DaysOption, RuleOption, RuleSetOption, StakeOption
from ecbench.cli.world import JsonOption, WorldArgument
from ecbench.rules import DEFAULT_SET

if TYPE_CHECKING:
    from ecbench.bound.assets import Bound
    from ecbench.bound.windows import SellingWindow
    from ecbench.world.model import World

WindowsOption = Annotated[bool, typer.Option("--windows", help="Also print how the bound grows through the year.")]


def bound(
    world: WorldArgument = "default",
    days: DaysOption = None,
    stake: StakeOption = None,
    rules: RuleSetOption = DEFAULT_SET,
    settings: RuleOption = None,
    windows: WindowsOption = False,
    as_json: JsonOption = False,
) -> None:
    """Compute an upper limit on what any year can end with.

    Two bounds: one that holds for every play, even of somebody who knows each draw of the market beforehand, and one
    on the average of any play that does not. docs/bound.md proves them.
    """
    from ecbench.bound.assets import NoBound, bound_assets
    from ecbench.runs.errors import RunError
    from ecbench.runs.rule_overrides import read_overrides, rules_with
    from ecbench.world.load import load_world

    overrides = read_overrides(settings or [], rules)
    loaded = load_world(world)
    try:
        found = bound_assets(loaded, days=days, stake=stake, rules=rules_with(overrides, rules))
    except NoBound as problem:
        raise RunError(f"there is no bound: {problem}") from problem
    if as_json:
        say_json(_facts(loaded, found, rules, overrides))
        return
    from ecbench.cli.bound_tables import print_bound

    print_bound(loaded, found, windows=windows)


def _facts(world: "World", found: "Bound", rule_set: str, overrides: dict[str, Any]) -> dict[str, Any]:
    """JSON has no infinity: null stands where there is no bound."""
    return {
        "world": world.name,
        "world_id": world.id,
        "days": found.days,
        "stake": found.stake,
        "rule_set": rule_set,
        "rules": overrides,
        "certain": _finite(found.certain),
        "expected": _finite(found.expected),
        "windows": {
            "certain": [_window(window) for window in found.certain_windows],
            "expected": [_window(window) for window in found.expected_windows],
        },
    }


def _window(window: "SellingWindow") -> dict[str, Any]:
    return {
        "first": window.first.isoformat(),
        "last": window.last.isoformat(),
        "assets": _finite(window.assets),
        "cash_price": window.cash_price,
        "store_types": list(window.store_types),
    }


def _finite(amount: float) -> float | None:
    return amount if isfinite(amount) else None
