"""ecbench world: list, make, check, show, import, bound and explain worlds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from ecbench.cli.commands.world_bound import bound
from ecbench.cli.commands.world_explain import explain
from ecbench.cli.declare import argument, command, group, option
from ecbench.cli.options import JsonOption, NewFolderOption, WorldArgument
from ecbench.cli.program import COMMANDS
from ecbench.cli.terminal import BAD_INPUT, leave, say, say_json
from ecbench.ranges import ROWS, Range
from ecbench.world.parsers import label
from ecbench.world.schema import SEED

if TYPE_CHECKING:
    from ecbench.world.model import World


def list_worlds(as_json: JsonOption = False) -> None:
    """List the worlds that come with the package."""
    from ecbench.cli.world_tables import print_list
    from ecbench.world.load import find_world, load_world, shipped_worlds

    facts = [{**_facts(load_world(name)), "folder": str(find_world(name))} for name in shipped_worlds()]
    if as_json:
        say_json({"worlds": facts})
    else:
        print_list(facts)


def show(
    world: WorldArgument,
    categories: Annotated[bool, option("--categories", help="Also print every category.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Print the tables of a world, hidden values included."""
    from msgspec import to_builtins

    from ecbench.analysis.explain.world_figures import summarize
    from ecbench.cli.world_tables import print_summary
    from ecbench.world.load import load_world

    summary = summarize(load_world(world))
    if as_json:
        say_json(to_builtins(summary))
    else:
        print_summary(summary, categories=categories)


def check(world: WorldArgument, as_json: JsonOption = False) -> None:
    """Check a world's files and name every mistake in them.

    The exit code is 2 if there is any. A sentence about returns that contradicts its band is a trap for agents and not
    a mistake; its category is named.
    """
    from ecbench.world.load import load_world
    from ecbench.world.problems import WorldError
    from ecbench.world.validate import contradicts_band

    try:
        found = load_world(world)
    except WorldError as error:
        if not as_json:
            raise
        problems = [{"file": p.file, "row": p.row, "column": p.column, "message": p.message} for p in error.problems]
        say_json({"valid": False, "message": error.subject, "problems": problems})
        leave(BAD_INPUT)
    facts, traps = _facts(found), [category.name for category in found.categories if contradicts_band(category)]
    if as_json:
        say_json({"valid": True, **facts, "problems": [], "contradicting_return_notes": traps})
        return
    say(f"{facts['name']} is a valid world: {_counts(facts)}.\nid {facts['id']}")
    if traps:
        share = f"{len(traps):,} of {len(found.categories):,} categories"
        say(f"return_note contradicts the band of returns in {share}, which is allowed: {', '.join(traps)}.")


def _check_name(name: str | None) -> str | None:
    try:
        return None if name is None else label(name)
    except ValueError as error:
        raise click.BadParameter(f"{name!r} is not one line of text without spaces around it") from error


def new(
    seed: Annotated[int, option("--seed", within=SEED, help="The same seed gives the same world.")],
    out: NewFolderOption,
    name: Annotated[
        str | None,
        option("--name", metavar="NAME", check=_check_name, help="The name of the world. [default: seed-N]"),
    ] = None,
    products: Annotated[int, option("--products", within=ROWS, help="Products in the catalog.")] = 6886,
    suppliers: Annotated[int, option("--suppliers", within=ROWS, help="Suppliers on the roster.")] = 576,
    fraud_share: Annotated[
        float,
        option(
            "--fraud-share",
            metavar="SHARE",
            within=Range(0, 1),
            show_default="152 of 576",
            help="Share of suppliers that cheat.",
        ),
    ] = 152 / 576,
    as_json: JsonOption = False,
) -> None:
    """Make a fresh world from a seed.

    Every figure is drawn within its published range, so no model can have memorized it.
    """
    from ecbench.world.save import refuse_used

    refuse_used(out)
    from ecbench.world.generate import generate_world

    try:
        world = generate_world(
            seed=seed, name=name or f"seed-{seed}", products=products, suppliers=suppliers, fraud_share=fraud_share
        )
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
    _save(world, out, as_json=as_json)


def import_(
    release: Annotated[Path, argument(metavar="RELEASE_DIR", help="A checkout of the published release.")],
    out: NewFolderOption,
    as_json: JsonOption = False,
) -> None:
    """Import the data of the published release.

    Its Python files are read, never run.
    """
    from ecbench.world.release import import_release
    from ecbench.world.save import refuse_used

    refuse_used(out)
    _save(import_release(release), out, as_json=as_json)


def _save(world: World, out: Path, *, as_json: bool) -> None:
    from ecbench.cancellation import signals_held
    from ecbench.world.save import save_world

    with signals_held():
        save_world(world, out)
    if as_json:
        say_json({"folder": str(out), **_facts(world)})
    else:
        say(f"Wrote {world.name} to {out}: {_counts(_facts(world))}.\nid {world.id}")


def _facts(world: World) -> dict[str, Any]:
    return {
        "name": world.name,
        "id": world.id,
        "seed": world.seed,
        "start": world.start.isoformat(),
        "days": world.days,
        "store_types": len(world.store_types),
        "categories": len(world.categories),
        "products": len(world.products),
        "suppliers": len(world.suppliers),
        "events": len(world.events),
        "promotions": len(world.promotions),
    }


def _counts(facts: dict[str, Any]) -> str:
    kinds = ("store_types", "categories", "products", "suppliers", "events", "promotions")
    return ", ".join(f"{facts[kind]:,} {kind.replace('_', ' ')}" for kind in kinds)


world = group(
    "world",
    COMMANDS["World"]["world"],
    command(list_worlds, "list"),
    command(new),
    command(check),
    command(show),
    command(import_),
    command(bound),
    explain,
)
