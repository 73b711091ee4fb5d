"""What one seat of an arena can do to another that it wants to harm, and what that costs it.

    python benchmarks/spite.py                 print the table
    python benchmarks/spite.py docs/arena.md   put it into the page too, between its marks

Each attacker is handed the shelf of its victim, which it would have to find out, and trades with ordinary calls. The
comparison is the same year with a seat beside the victim that does nothing. It takes some minutes.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from doc_tables import markdown_table, publish

from ecbench import Arena, Episode, load_world
from ecbench.market.books import Store
from ecbench.players.driver import play_arena
from ecbench.players.merchants.protocol import Call, Insider, Merchant, Play, call
from ecbench.players.merchants.registry import get_merchant
from ecbench.rules import Rules, rule_set
from ecbench.world.model import Product, World

NEARLY_NOTHING = 1e-9  # yuan
NIGHTS = 3  # until the units of an order that was not shipped are back
TARGETS = ("first-quote", "haggler", "steady")
WAR_CHEST = 1e8  # yuan, of the attacker, so that money does not stop it
PER_LETTER = 40  # goods
WAIT = call("wait_for_next_day")


class Attacker:
    """A merchant that trades only to harm the seat before it."""

    def __init__(self, days: int = 365) -> None:
        self.days = days

    def play_knowing(self, episode: Episode, _schemas: list[dict[str, Any]]) -> Play:
        self.year, self.world = episode, episode.world
        self.victim = episode.account.market.accounts[0]
        self.wanted: dict[str, int] = {}  # units ordered so far, by SKU
        while not episode.done:
            yield [*self.errands(), WAIT]

    def errands(self) -> Iterator[Call]:
        raise NotImplementedError

    def shelves(self) -> dict[str, Store]:
        """The victim's stores, by type."""
        return {store.type.id: store for store in self.victim.books.trading}

    def own(self, kind: str) -> Store | None:
        return next((store for store in self.year.account.books.trading if store.type.id == kind), None)

    def open_beside(self) -> Iterator[Call]:
        """Stores of the victim's types, and no others."""
        for store in self.year.account.books.trading:
            if store.type.id not in self.shelves():
                yield call("close_store", store_id=store.id)
        for kind in self.shelves():
            if self.own(kind) is None:
                yield call("open_store", store_type=kind, store_name="Next door")

    def order(self, wants: dict[Product, int]) -> Iterator[Call]:
        """At the reference price, which honest suppliers accept at once."""
        for sku, units in ((product.sku, units) for product, units in wants.items()):
            self.wanted[sku] = self.wanted.get(sku, 0) + units
        by_category: dict[str, list[tuple[Product, int]]] = {}
        for product, units in wants.items():
            by_category.setdefault(product.category, []).append((product, units))
        for category, goods in by_category.items():
            address = self.open_supplier(category)
            for first in range(0, len(goods), PER_LETTER):
                yield bids(address, goods[first : first + PER_LETTER])

    def open_supplier(self, category: str) -> str:
        closed = self.year.account.market.closed_suppliers
        sellers = [each for each in self.world.suppliers_by_category[category] if each.honest]
        return next((each.email for each in sellers if each.name not in closed), sellers[0].email)

    def put_out(self, price: Callable[[Product], float], most: int) -> Iterator[Call]:
        """Up to so many free units of each SKU onto the shelf of its type."""
        for store in self.year.account.books.trading:
            free = [
                (stock, min(most, stock.free))
                for stock in self.year.account.books.stock.values()
                if stock.free and stock.product.category in store.type.categories
            ]
            plan = [
                {"product_id": stock.product.sku, "quantity": units, "retail_price": price(stock.product)}
                for stock, units in free
            ]
            if plan:
                yield call("publish_to_store", store_id=store.id, plan=plan)


def bids(address: str, goods: Sequence[tuple[Product, int]]) -> Call:
    blocks = [
        json.dumps({"action": "offer", "sku_id": product.sku, "price": product.reference_price, "quantity": units})
        for product, units in goods
    ]
    return call("chatbox", uid=address, content="```negotiate\n" + "\n".join(blocks) + "\n```")


class Undercutter(Attacker):
    """Three units of each of the victim's goods, one listed a night at next to nothing, never shipped."""

    def errands(self) -> Iterator[Call]:
        yield from self.open_beside()
        carried = [listing.stock.product for store in self.shelves().values() for listing in store.shelf.values()]
        yield from self.order({product: NIGHTS for product in carried if product.sku not in self.wanted})
        yield from self.put_out(lambda _: NEARLY_NOTHING, 1)


class Swallower(Attacker):
    """The cheapest good of each category of constant elasticity, one unit a night at next to nothing, never shipped."""

    def errands(self) -> Iterator[Call]:
        yield from self.open_beside()
        categories = [self.world.category_by_name[name] for s in self.shelves().values() for name in s.type.categories]
        cheapest = [
            min(self.world.products_by_category[category.name], key=lambda product: product.reference_price)
            for category in categories
            if category.elasticity == "constant_elasticity"
        ]
        yield from self.order({product: NIGHTS for product in cheapest if product.sku not in self.wanted})
        yield from self.put_out(lambda _: NEARLY_NOTHING, 1)


ATTACKS: dict[str, Callable[[int], Merchant | Insider]] = {
    "undercuts every good with one unit a night, never shipped": Undercutter,
    "one good of each constant-elasticity category, never shipped": Swallower,
}


class Harm(NamedTuple):
    before: float  # the victim's final assets beside a seat that does nothing
    after: float
    ending: str | None
    cost: float  # to the attacker
    attacker: str | None  # how its year ended


class Bystander:
    """A seat that keeps no store and pays no idle charge, because it leaves at once."""

    def play(self, _schemas: list[dict[str, Any]]) -> Play:
        return
        yield []


def attack(world: World, victim: str, make: Callable[[int], Merchant | Insider], rules: Rules) -> Harm:
    quiet, spited = (Arena(world, seats=2, rules=rules) for _ in range(2))
    play_arena([get_merchant(victim, days=world.days), Bystander()], quiet)
    other = spited.accounts[1]
    other.books.purse.bank = WAR_CHEST
    play_arena([get_merchant(victim, days=world.days), make(world.days)], spited)
    before, after = (arena.accounts[0].books.purse.total for arena in (quiet, spited))
    cost = WAR_CHEST - other.books.purse.total
    return Harm(before, after, spited.accounts[0].ending, cost, other.ending)


def main() -> None:
    world, rows = load_world("default"), []
    for name, make in ATTACKS.items():
        for victim in TARGETS:
            harm = attack(world, victim, make, rule_set("paper"))
            cells = [f"¥{amount:,.0f}" for amount in (harm.before, harm.after, harm.cost)]
            rows.append([f"{name}: `{victim}`", *cells, f"{harm.ending} / {harm.attacker}"])
            print(rows[-1], flush=True)
    head = ("Attack and victim", "Victim alone", "Victim under attack", "Cost to the attacker", "")
    publish("spite", markdown_table(head, rows), sys.argv[1:])


if __name__ == "__main__":
    main()
