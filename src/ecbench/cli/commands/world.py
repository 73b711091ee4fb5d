"""ecbench world: list, make, check, show, import, bound and explain worlds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click
from msgspec import ValidationError, convert

from ecbench.cancellation import signals_held
from ecbench.cli.commands.world_explain import explain
from ecbench.cli.declare import CommandResult, command, group
from ecbench.cli.options import Days, Yuan
from ecbench.cli.program import COMMANDS
from ecbench.cli.table_printing import Columns, plain_table, rows_table, words
from ecbench.errors import RunError
from ecbench.formatting import SHORT_MONTHS, counted, times_stake, yuan
from ecbench.ranges import ROWS, Range
from ecbench.rules import DEFAULT_SET, versioned_set
from ecbench.world.fields import ONE_LINE, SEED, Label
from ecbench.world.load import find_world, load_world, shipped_worlds
from ecbench.world.release import import_release
from ecbench.world.save import refuse_used, save_world

if TYPE_CHECKING:
    from ecbench.analysis.bound.assets import UpperBound
    from ecbench.world.model import World


WORLDS = "name store_types:count categories:count products:count suppliers:count id"
STORE_TYPES = (
    "name tier categories:count prices:yuan_span returns:percent_span opening_ratio:hundredths floor_ratio:hundredths "
    "daily_cost:yuan"
)
GOODS = "name products:count median_price:yuan median_return:percent honest:count fraudulent:count"
CATEGORIES = (
    "name price_min:yuan price_max:yuan return_min:percent return_max:percent elasticity eta:hundredths "
    "wholesale_ratio:percent floor_ratio:percent products:count"
)
KERNELS: Columns = {
    "Supplier": "name",
    "n": "suppliers:count",
    "Preset": "preset",
    "Stance": "stance",
    "κ": "urgency:hundredths",
    "ρ": "rho:hundredths",
    "ξ": "xi:hundredths",
    "λ2": "lambda2:hundredths",
    "σ": "sigma_p:hundredths",
}
SCAMS = "name suppliers:count effects"
CALENDAR = "first last name effect"


def list_worlds() -> CommandResult:
    """List the worlds that come with the package."""
    facts = [{**_facts(load_world(name)), "folder": find_world(name)} for name in shipped_worlds()]
    rows = [{**each, "id": each["id"][:12]} for each in facts]
    return CommandResult({"worlds": facts}, [rows_table(rows, WORLDS, "Shipped worlds")])


def show(source: str, *, categories: bool = False) -> CommandResult:
    """Print the tables of a world, hidden values included.

    Options:
        categories: Also print every category.
    """
    from ecbench.analysis.explain.world_figures import summarize

    summary = summarize(load_world(source))
    return CommandResult(summary, _parts(summary, categories=categories))


def _parts(summary: Mapping[str, Any], *, categories: bool) -> Iterator[Any]:
    store_types, goods, kinds = summary["store_types"], summary["categories"], summary["suppliers"]
    products, honest, frauds = (sum(row[key] for row in goods) for key in ("products", "honest", "fraudulent"))
    suppliers = honest + frauds
    yield words(f"\nWorld {summary['name']}", "bold")
    yield words(
        f"{summary['days']:,} days from {summary['start']}, seed {summary['seed']}, id {summary['id'][:12]}\n"
        f"{len(store_types)} store types, {len(goods)} categories, {products:,} products, "
        f"{suppliers:,} suppliers ({frauds / suppliers:.1%} fraudulent)"
    )
    yield rows_table(store_types, STORE_TYPES, f"Store types; opening one costs ¥{summary['setup_fee']:,.0f}")
    yield rows_table(store_types, GOODS, "Goods and suppliers")
    months = [(row["name"], *(f"{index:.2f}" for index in row["seasonality"])) for row in store_types]
    yield plain_table("Store type", *(f">{month}" for month in SHORT_MONTHS), rows=months, title="Demand by month")
    for store_type in store_types if categories else ():
        own = [row for row in goods if row["store_type"] == store_type["id"]]
        yield rows_table(own, CATEGORIES, f"Categories of {store_type['name']}")
    frauds_last = sorted(kinds, key=lambda row: not row["honest"])
    yield rows_table(frauds_last, KERNELS, "Suppliers and the parameters of their bargaining")
    yield rows_table([row for row in kinds if not row["honest"]], SCAMS, "Scams")
    yield rows_table(summary["calendar"], CALENDAR, "Calendar")


def check(source: str) -> CommandResult:
    """Check a world's files and name every mistake in them.

    The exit code is 2 if there is any.
    """
    found = load_world(source)
    facts = _facts(found)
    return CommandResult({"valid": True, **facts}, [f"{found.name} is a valid world: {_counts(facts)}.\nid {found.id}"])


def new(
    *,
    seed: Annotated[int, SEED],
    folder: Path,
    name: str | None = None,
    products: Annotated[int, ROWS] = 6886,
    suppliers: Annotated[int, ROWS] = 576,
    fraud_share: Annotated[float, Range(0, 1)] | None = None,
) -> CommandResult:
    """Make a fresh world from a seed.

    Its goods, suppliers and store types are drawn within the published ranges, so it does not help to have memorised
    those of `default`.

    Options:
        seed: The same seed gives the same world.
        name NAME: The name of the world. [default: seed-N]
        products: Products in the catalog.
        suppliers: Suppliers on the roster.
        fraud_share SHARE: Share of suppliers that cheat. [default: 152 of 576]
    """
    from ecbench.world.generate import generate_world

    refuse_used(folder)
    if name is not None:
        try:
            convert(name, Label)
        except ValidationError as error:
            raise click.BadParameter(f"--name {name!r} is not {ONE_LINE}") from error
    share = 152 / 576 if fraud_share is None else fraud_share
    try:
        world = generate_world(
            seed=seed, name=name or f"seed-{seed}", products=products, suppliers=suppliers, fraud_share=share
        )
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
    return _saved(world, folder)


def import_(release: Path, *, folder: Path) -> CommandResult:
    """Import the data of the published release.

    Its Python files are read, never run.

    Options:
        release RELEASE_DIR: A checkout of the published release.
    """

    refuse_used(folder)
    return _saved(import_release(release), folder)


def _saved(world: World, folder: Path) -> CommandResult:
    with signals_held():
        save_world(world, folder)
    facts = _facts(world)
    return CommandResult(
        {"folder": folder, **facts}, [f"Wrote {world.name} to {folder}: {_counts(facts)}.\nid {world.id}"]
    )


SHEETS = ("store_types", "categories", "products", "suppliers", "events", "promotions")


def _facts(world: World) -> dict[str, Any]:
    known = {"name": world.name, "id": world.id, "seed": world.seed, "start": world.start}
    return {**known, "days": world.days} | {sheet: len(getattr(world, sheet)) for sheet in SHEETS}


def _counts(facts: dict[str, Any]) -> str:
    return ", ".join(f"{facts[sheet]:,} {sheet.replace('_', ' ')}" for sheet in SHEETS)


def bound(
    source: str = "default",
    *,
    days: Days | None = None,
    stake: Yuan | None = None,
    rules: str = DEFAULT_SET,
    settings: list[str] | None = None,
) -> CommandResult:
    """Compute the upper bound on the final assets of an episode.

    No play that cannot foresee the market's draws ends with more on average. docs/bound.md has the argument.
    """
    from ecbench.analysis.bound.assets import NoBound, upper_bound
    from ecbench.cli.run_file import read_overrides
    from ecbench.runs.terms import rules_with

    overrides, world = read_overrides(settings, rules), load_world(source)
    try:
        found = upper_bound(world, days=days, stake=stake, rules=rules_with(overrides, rules))
    except NoBound as problem:
        raise RunError(f"there is no upper bound: {problem}") from problem
    facts = {
        "world": world.name,
        "world_id": world.id,
        "days": found.days,
        "stake": found.stake,
        "rule_set": versioned_set(rules),
        "rules": overrides,
        "bound": found.assets,
        "excepted": found.excepted,
    }
    return CommandResult(facts, _bound_lines(world.name, found))


def _bound_lines(world: str, found: UpperBound) -> Iterator[str]:
    yield f"World {world}, {counted(found.days, 'day', ',')}, stake {yuan(found.stake)}\n"
    if isfinite(found.assets):
        yield f"Upper bound: {yuan(found.assets)} ({times_stake(found.assets / found.stake)} the stake)"
        yield "No play that cannot foresee the market's draws ends with more on average."
    else:
        yield "Upper bound: no limit"
    if found.excepted:
        yield "\nThe one exception, selling goods off for more than they cost, has no limit: see docs/bound.md."


world = group(
    "world",
    COMMANDS["World"]["world"],
    command(list_worlds, "list"),
    command(new),
    command(check),
    command(show),
    command(import_),
    command(bound),
    command(explain),
)
