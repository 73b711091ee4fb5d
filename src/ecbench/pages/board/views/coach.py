"""Advice for the first days of a person's year: the next sensible step, and why. It knows what the player may know."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from ecbench.pages.board.snapshots import Moment
from ecbench.pages.board.views.state_view import position

COACHED_DAYS = 10
LISTS_WANTED = 3  # price lists, before a bid can be compared


@cache
def steps() -> list[Mapping[str, Any]]:
    """As `coach.toml` states them."""
    content = (files("ecbench.pages.board") / "coach.toml").read_text(encoding="utf-8")
    return list(tomllib.loads(content)["step"])


def advice(moment: Moment) -> dict[str, Any] | None:
    """The first step that is not done; None after the first days."""
    seen = position(moment)
    if seen["day"] > COACHED_DAYS or seen["ending"] is not None:
        return None
    done = _done(moment, seen)
    number, step = next((number, step) for number, step in enumerate(steps(), start=1) if step["until"] not in done)
    return {**step, "step": number, "steps": len(steps())}


def _done(moment: Moment, seen: Mapping[str, Any]) -> set[str]:
    """What a player has done, in the words of `coach.toml`."""
    known = {finding.kind for finding in moment.knowledge.between(0, moment.turn)}
    letters = sum(2 * len(exchanges) for exchanges in moment.year.desk.exchanges.values())
    orders, stores = moment.account.books.orders, seen["stores"]
    facts = {
        "looked at the market": "store_type" in known,
        "a store is open": any(store["is_open"] for store in stores),
        "products are listed": "product" in known,
        "suppliers are found": "supplier" in known,
        "letters are written": letters >= 2 * LISTS_WANTED or bool(orders),
        "something is ordered": bool(orders),
        "goods have arrived": bool(seen["stock"]),
        "goods are on a shelf": any(store["shelf"] for store in stores),
        "orders were shipped": any(store["shipped"] for store in stores),
    }
    return {name for name, holds in facts.items() if holds}
