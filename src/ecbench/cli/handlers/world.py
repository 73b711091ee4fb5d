"""List, show, check, generate and import worlds."""

from pathlib import Path
from typing import Any

import typer
from msgspec import to_builtins

from ecbench.cancellation import signals_held
from ecbench.cli.exit_codes import BAD_INPUT
from ecbench.cli.plain_text import say, say_json
from ecbench.cli.world_tables import print_list, print_summary
from ecbench.explain.world_summary import summarize
from ecbench.world.load import find_world, load_world, shipped_worlds
from ecbench.world.model import World
from ecbench.world.problems import WorldError
from ecbench.world.release import import_release
from ecbench.world.save import refuse_used, save_world
from ecbench.world.validate import contradicts_band


def list_shipped(*, as_json: bool) -> None:
    facts = [{**_facts(load_world(name)), "folder": str(find_world(name))} for name in shipped_worlds()]
    if as_json:
        say_json(facts)
    else:
        print_list(facts)


def show(name: str, *, categories: bool, as_json: bool) -> None:
    summary = summarize(load_world(name))
    if as_json:
        say_json(to_builtins(summary))
    else:
        print_summary(summary, categories=categories)


def check(name: str, *, as_json: bool) -> None:
    try:
        world = load_world(name)
    except WorldError as error:
        if not as_json:
            raise
        problems = [{"file": p.file, "row": p.row, "column": p.column, "message": p.message} for p in error.problems]
        say_json({"valid": False, "message": error.subject, "problems": problems})
        raise typer.Exit(BAD_INPUT) from error
    facts, traps = _facts(world), [category.name for category in world.categories if contradicts_band(category)]
    if as_json:
        say_json({"valid": True, **facts, "problems": [], "contradicting_return_notes": traps})
        return
    say(f"{facts['name']} is a valid world: {_counts(facts)}.\nid {facts['id']}")
    if traps:
        share = f"{len(traps):,} of {len(world.categories):,} categories"
        say(f"return_note contradicts the band of returns in {share}, which is allowed: {', '.join(traps)}.")


def generate(seed: int, out: Path, name: str, products: int, suppliers: int, fraud_share: float) -> None:
    refuse_used(out)
    from ecbench.world.generate import generate_world  # noqa: PLC0415 - other commands do not need it

    try:
        world = generate_world(seed=seed, name=name, products=products, suppliers=suppliers, fraud_share=fraud_share)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    _save(world, out)


def import_from(release: Path, out: Path) -> None:
    refuse_used(out)
    _save(import_release(release), out)


def _save(world: World, out: Path) -> None:
    with signals_held():
        save_world(world, out)
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
