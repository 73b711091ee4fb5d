"""ecbench world: list, show, check, new and import marketplaces."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ecbench.cli.exit_codes import BAD_INPUT
from ecbench.cli.plain_text import say, say_json
from ecbench.ranges import ROWS

if TYPE_CHECKING:
    from ecbench.world.model import World

app = typer.Typer(help="List, show, check, make and import marketplaces.", no_args_is_help=True, rich_markup_mode=None)

WorldArgument = Annotated[
    str, typer.Argument(metavar="WORLD", help="A shipped world's name, seed-N for a fresh one, or a folder.")
]
OutOption = Annotated[Path, typer.Option("--out", metavar="DIR", help="A folder that does not exist yet, or is empty.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command("list")
def list_worlds(as_json: JsonOption = False) -> None:
    """List the worlds that come with the package."""
    from ecbench.world.load import find_world, load_world, shipped_worlds

    facts = [{**_facts(load_world(name)), "folder": str(find_world(name))} for name in shipped_worlds()]
    if as_json:
        say_json(facts)
    else:
        from ecbench.cli.world_tables import print_list

        print_list(facts)


@app.command()
def show(
    world: WorldArgument,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE.html", help="Also write a page with pictures to this file.")
    ] = None,
    categories: Annotated[bool, typer.Option("--categories", help="Also print every category.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show a world, hidden labels included.

    Tables are printed here; --out writes a page with pictures.
    """
    from ecbench.report.world_summary import summarize
    from ecbench.world.load import load_world

    summary = summarize(load_world(world))
    if as_json:
        from dataclasses import asdict

        say_json(asdict(summary))
    else:
        from ecbench.cli.world_tables import print_summary

        print_summary(summary, categories=categories)
    if out is not None:
        from ecbench.report.world_page import write_world_page

        write_world_page(summary, out)
        say(f"Page with pictures: {out}", err=as_json)


@app.command()
def check(world: WorldArgument, as_json: JsonOption = False) -> None:
    """Check a world's files and name every mistake in them.

    The exit code is 2 if there is any.
    """
    from ecbench.world.load import load_world
    from ecbench.world.problems import WorldError

    try:
        loaded = load_world(world)
    except WorldError as error:
        if not as_json:
            raise
        say_json(
            {
                "valid": False,
                "message": error.subject,
                "problems": [
                    {"file": p.file, "row": p.row, "column": p.column, "message": p.message} for p in error.problems
                ],
            }
        )
        raise typer.Exit(BAD_INPUT) from error
    facts = _facts(loaded)
    if as_json:
        say_json({"valid": True, **facts, "problems": []})
    else:
        say(f"{facts['name']} is a valid world: {_counts(facts)}.\nid {facts['id']}")


def _check_name(name: str | None) -> str | None:
    from ecbench.world.parsers import label

    try:
        return None if name is None else label(name)
    except ValueError as error:
        raise typer.BadParameter(f"{name!r} is not one line of text without spaces around it") from error


def _check_seed(seed: int) -> int:
    from ecbench.world.schema import SEED

    if seed not in SEED:
        raise typer.BadParameter(f"{seed} is not {SEED}")
    return seed


@app.command()
def new(
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", callback=_check_seed, help="The same seed gives the same world.")
    ],
    out: OutOption,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", callback=_check_name, help="The name of the world. [default: seed-N]"),
    ] = None,
    products: Annotated[
        int, typer.Option("--products", metavar="N", min=ROWS.least, max=ROWS.most, help="Products in the catalog.")
    ] = 6886,
    suppliers: Annotated[
        int, typer.Option("--suppliers", metavar="N", min=ROWS.least, max=ROWS.most, help="Suppliers on the roster.")
    ] = 576,
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

    Every figure is drawn within its published range, so nobody can have memorized it.
    """
    from ecbench.runs.play.cancellation import signals_held
    from ecbench.world.generate import generate_world
    from ecbench.world.save import refuse_used, save_world

    refuse_used(out)
    try:
        world = generate_world(
            seed=seed,
            name=f"seed-{seed}" if name is None else name,
            products=products,
            suppliers=suppliers,
            fraud_share=fraud_share,
        )
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    with signals_held():
        save_world(world, out)
    _print_written(world, out)


@app.command("import")
def import_(
    release: Annotated[Path, typer.Argument(metavar="RELEASE_DIR", help="A checkout of the published release.")],
    out: OutOption,
) -> None:
    """Import the data of the published release.

    Its Python files are read, never run.
    """
    from ecbench.runs.play.cancellation import signals_held
    from ecbench.world.release import import_release
    from ecbench.world.save import refuse_used, save_world

    refuse_used(out)
    world = import_release(release)
    with signals_held():
        save_world(world, out)
    _print_written(world, out)


def _print_written(world: "World", out: Path) -> None:
    say(f"Wrote {world.name} to {out}: {_counts(_facts(world))}.\nid {world.id}")


def _facts(world: "World") -> dict[str, Any]:
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
