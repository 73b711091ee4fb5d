"""ecbench world: list, show, explain, check, new and import marketplaces."""

from pathlib import Path
from typing import Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.commands.explain import explain
from ecbench.cli.options import JsonOption, NewFolderOption, WorldArgument, command_group, number_option
from ecbench.ranges import ROWS
from ecbench.world.parsers import label
from ecbench.world.schema import SEED

world = command_group("List, show, explain, check, make and import marketplaces.")
world.add_typer(explain, name="explain")


@world.command("list")
def list_worlds(as_json: JsonOption = False) -> None:
    """List the worlds that come with the package."""
    handlers.world.list_shipped(as_json=as_json)


@world.command()
def show(
    world: WorldArgument,
    categories: Annotated[bool, typer.Option("--categories", help="Also print every category.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Print the tables of a world, hidden values included."""
    handlers.world.show(world, categories=categories, as_json=as_json)


@world.command()
def check(world: WorldArgument, as_json: JsonOption = False) -> None:
    """Check a world's files and name every mistake in them.

    The exit code is 2 if there is any. A sentence about returns that contradicts its band is a trap for agents and not
    a mistake; its category is named.
    """
    handlers.world.check(world, as_json=as_json)


def _check_name(name: str | None) -> str | None:
    try:
        return None if name is None else label(name)
    except ValueError as error:
        raise typer.BadParameter(f"{name!r} is not one line of text without spaces around it") from error


def _check_seed(seed: int) -> int:
    if seed not in SEED:
        raise typer.BadParameter(f"{seed} is not {SEED}")
    return seed


@world.command()
def new(
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", callback=_check_seed, help="The same seed gives the same world.")
    ],
    out: NewFolderOption,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", callback=_check_name, help="The name of the world. [default: seed-N]"),
    ] = None,
    products: Annotated[int, number_option("--products", within=ROWS, help="Products in the catalog.")] = 6886,
    suppliers: Annotated[int, number_option("--suppliers", within=ROWS, help="Suppliers on the roster.")] = 576,
    fraud_share: Annotated[
        float,
        typer.Option(
            "--fraud-share",
            metavar="SHARE",
            min=0.0,
            max=1.0,
            show_default="152 of 576",
            help="Share of suppliers that cheat.",
        ),
    ] = 152 / 576,
) -> None:
    """Make a fresh world from a seed.

    Every figure is drawn within its published range, so no model can have memorized it.
    """
    handlers.world.generate(seed, out, name or f"seed-{seed}", products, suppliers, fraud_share)


@world.command("import")
def import_(
    release: Annotated[Path, typer.Argument(metavar="RELEASE_DIR", help="A checkout of the published release.")],
    out: NewFolderOption,
) -> None:
    """Import the data of the published release.

    Its Python files are read, never run.
    """
    handlers.world.import_from(release, out)
