"""What one seat of an arena can do to another that it wants to harm, and what that costs it.

    python benchmarks/spite.py                 print the table
    python benchmarks/spite.py docs/studies.md   put it into the page too, between its marks

Each attacker is handed the shelf of its victim, which it would have to find out, and trades with ordinary calls. The
comparison is the same year with a seat beside the victim that does nothing. It takes some minutes.
"""

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from doc_tables import markdown_table, publish
from offer_letters import offer_letter

from ecbench import Arena, Episode, load_world
from ecbench.market.books import Store
from ecbench.players.driver import play_arena
from ecbench.players.merchants.protocol import Call, Insider, Merchant, Play, call
from ecbench.players.merchants.registry import get_merchant
from ecbench.rules import Rules, rule_set
from ecbench.world.model import Product, World

NEARLY_NOTHING = 1e-9  # yuan
DUMPED = 20  # units of a good that are kept in stock
NIGHTS = 3  # until the units of an order that was not shipped are back
TARGETS = ("first-quote", "haggler", "steady")
WAR_CHEST = 1e8  # yuan, of the attacker, so that money does not stop it
PER_LETTER = 40  # goods
WAIT = call("wait_for_next_day")


class Attacker(ABC):
    """A merchant that trades only to harm the seat before it."""

    def __init__(self, days: int = 365) -> None:
        self.days = days

    def play_knowing(self, episode: Episode, _schemas: list[dict[str, Any]]) -> Play:
        self.year, self.world = episode, episode.world
        self.victim = episode.account.market.accounts[0]
        self.wanted: dict[str, int] = {}  # units ordered so far, by SKU
        while not episode.done:
            yield [*self.errands(), WAIT]

    @abstractmethod
    def errands(self) -> Iterator[Call]:
        """The calls of a day, before it waits for the next one."""

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
                yield at_reference(address, goods[first : first + PER_LETTER])

    def open_supplier(self, category: str) -> str:
        closed = self.year.account.closed_suppliers
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


def at_reference(address: str, goods: Sequence[tuple[Product, int]]) -> Call:
    return offer_letter(address, [(product.sku, product.reference_price, units) for product, units in goods])


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


class Dumper(Attacker):
    """A real price war: the victim's goods at half the reference price, shipped, and always in stock."""

    def errands(self) -> Iterator[Call]:
        yield from self.open_beside()
        yield from (call("ship_orders", action="ship"), call("withdraw"))
        stock, wants = self.year.account.books.stock, {}
        for listing in (one for store in self.shelves().values() for one in store.shelf.values()):
            product = listing.stock.product
            held = stock.get(product.sku)
            coming = self.wanted.get(product.sku, 0) - (held.delivered if held else 0)
            if (held.physical if held else 0) + coming < DUMPED / 2:
                wants[product] = DUMPED
        yield from self.order(wants)
        yield from self.put_out(lambda product: product.reference_price / 2, DUMPED)


class Closer(Attacker):
    """Orders one unit of the cheapest good from each honest supplier of the victim's goods until it closes."""

    def errands(self) -> Iterator[Call]:
        closed = self.year.account.closed_suppliers
        categories = {listing.category for store in self.shelves().values() for listing in store.shelf.values()}
        for name in sorted(categories):
            cheapest = min(self.world.products_by_category[name], key=lambda product: product.reference_price)
            for supplier in self.world.suppliers_by_category[name]:
                if supplier.honest and supplier.name not in closed:
                    yield at_reference(supplier.email, [(cheapest, 1)])


ATTACKS: dict[str, Callable[[int], Merchant | Insider]] = {
    "one unit of each good a night for nothing, never shipped": Undercutter,
    "one good of each constant-elasticity category for nothing, never shipped": Swallower,
    "each good at half the reference price, shipped": Dumper,
    "small orders until suppliers close": Closer,
}


class Harm(NamedTuple):
    before: float  # the victim's final assets beside a seat that does nothing
    after: float
    ending: str | None
    cost: float  # to the attacker


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
    return Harm(before, after, spited.accounts[0].ending, cost)


def main() -> None:
    world, rows = load_world("default"), []
    for name, make in ATTACKS.items():
        for victim in TARGETS:
            harm = attack(world, victim, make, rule_set("paper"))
            amounts = (harm.before, harm.after, harm.cost)
            rows.append([name, f"`{victim}`", *(f"{amount / 1e6:.2f}" for amount in amounts), harm.ending or ""])
            print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
    head = (
        "Attack",
        "Victim",
        "Undisturbed, ¥ million",
        "Attacked",
        "Cost to the attacker",
        "The victim's year ended by",
    )
    publish("spite", markdown_table(head, rows), sys.argv[1:])


if __name__ == "__main__":
    main()
