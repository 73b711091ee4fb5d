"""Advice for the first days of a person's year: the next sensible step, and why. It knows what the player may know."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ecbench.pages.board.snapshots import Moment
from ecbench.pages.board.views.state_view import Position, position

COACHED_DAYS = 10
LISTS_WANTED = 3  # price lists, before a bid can be compared


@dataclass(frozen=True, slots=True)
class CoachedState:
    """What the steps look at."""

    position: Position
    known: Counter[str]  # findings by kind
    letters: int
    orders: int


@dataclass(frozen=True, slots=True)
class CoachedStep:
    title: str
    why: str
    screen: str
    controls: tuple[str, ...]  # how the texts of its buttons begin, the likeliest first
    done: Callable[[CoachedState], bool]


STEPS = (
    CoachedStep(
        "Look at the market",
        "Your goal is to own as much money as possible at the end: bank, wallet and escrow together. Goods that are "
        "unsold then hardly count. The market lists the store types: what a store costs a day, and when it sells.",
        "market",
        ("Look at the market",),
        lambda state: state.known["store_type"] > 0,
    ),
    CoachedStep(
        "Open a store",
        "Choose a store type with good profit and large volume, read what it says, and press Open this store below it. "
        "You can open stores of other types later.",
        "market",
        ("Open this store", "Choose"),
        lambda state: any(store.is_open for store in state.position.stores),
    ),
    CoachedStep(
        "List the goods of your store type",
        "Press List all its goods below your store type. You learn what you can sell, and the reference price of each: "
        "what customers take for a normal price.",
        "market",
        ("List all its goods",),
        lambda state: state.known["product"] > 0,
    ),
    CoachedStep(
        "Find suppliers",
        "Press Find its suppliers below your store type. Many suppliers sell the same goods. Some cheat: they deliver "
        "less, or worse goods, or ask for fees.",
        "market",
        ("Find its suppliers",),
        lambda state: state.known["supplier"] > 0,
    ),
    CoachedStep(
        f"Ask {LISTS_WANTED} suppliers for their price lists",
        "Tick several suppliers and write to all at once: one letter takes 30 minutes, however many read it.",
        "suppliers",
        ("Ask for their price lists", "Select "),
        lambda state: state.letters >= 2 * LISTS_WANTED or state.orders > 0,
    ),
    CoachedStep(
        "Bargain, and order a little",
        "Tick some goods for the basket, open a supplier, and bid half of its opening quote or less: suppliers come "
        "down step by step. Order few units of many goods first, until you know what arrives and what sells.",
        "goods",
        ("Send", "Bargain for", "Select "),
        lambda state: state.orders > 0,
    ),
    CoachedStep(
        "Close days until the goods arrive",
        "An order takes three to seven days. Use today's minutes to bargain for more goods, or with other suppliers, "
        "then press Close the day.",
        "today",
        ("Close the day",),
        lambda state: bool(state.position.stock),
    ),
    CoachedStep(
        "Put the goods on the shelf",
        "Only listed goods are sold. A price at or a little above the reference is a good start.",
        "warehouse",
        ("List ",),
        lambda state: any(store.shelf for store in state.position.stores),
    ),
    CoachedStep(
        "Ship every day",
        "An order that is not shipped in time is cancelled, and your reputation falls. Every morning, on the "
        "screen Today, can do it for you.",
        "today",
        ("Ship all",),
        lambda state: any(store.shipped for store in state.position.stores),
    ),
    CoachedStep(
        "Withdraw, reorder what sells, and widen the shelf",
        "Shipped sales settle after some days and land in the wallet, where money buys nothing. Many products sell "
        "more than many units of one.",
        "stores",
        ("Withdraw", "Look closer"),
        lambda _: False,
    ),
)


def advice(moment: Moment) -> dict[str, Any] | None:
    """The first step that is not done; None after the first days."""
    year, seen = moment.year, position(moment)
    if seen.day > COACHED_DAYS or seen.ending is not None:
        return None
    known = Counter[str](finding.kind for finding in moment.knowledge.between(0, moment.turn))
    letters = sum(2 * len(exchanges) for exchanges in year.desk.exchanges.values())
    state = CoachedState(seen, known, letters, len(year.account.books.orders))
    index, step = next((index, step) for index, step in enumerate(STEPS) if not step.done(state))
    shown = {"title": step.title, "why": step.why, "screen": step.screen, "controls": step.controls}
    return {"step": index + 1, "steps": len(STEPS), **shown}
