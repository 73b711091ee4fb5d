"""What a seat of an arena can do to another that it wants to harm: attackers, and what they cost and destroy.

They are handed the shelf of their victim, which they would have to find out, and all the money they need. They trade
with ordinary calls. `redteam.py` plays them beside the same year with a seat that does nothing.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from shops import offers_to

from ecbench import Arena, Episode, load_world
from ecbench.market.books import Store
from ecbench.players.driver import play_arena
from ecbench.players.merchants.protocol import Call, Play, call
from ecbench.players.merchants.registry import get_merchant
from ecbench.rules import rule_set
from ecbench.tools.catalog import WAIT
from ecbench.world.model import Product

NEARLY_NOTHING = 1e-9  # yuan
WAR_CHEST = 1e8  # yuan, of an attacker, so that money does not stop it
DUMPED = 20  # units of a good that are kept in stock
NIGHTS = 3  # until the units of an order that was not shipped are back
PER_LETTER = 40  # goods


class Attacker:
    """A merchant that trades only to harm the seat before it, by the errands of each day."""

    def __init__(self, errands: "Errands") -> None:
        self.errands = errands

    def play_knowing(self, episode: Episode, _schemas: list[dict[str, Any]]) -> Play:
        self.year, self.world = episode, episode.world
        self.victim = episode.account.market.accounts[0]
        self.wanted: dict[str, int] = {}  # units ordered so far, by SKU
        while not episode.done:
            yield [*self.errands(self), call(WAIT)]

    def shelves(self) -> dict[str, Store]:
        """The victim's stores, by type."""
        return {store.type.id: store for store in self.victim.books.trading}

    def carried(self) -> list[Product]:
        return [listing.stock.product for store in self.shelves().values() for listing in store.shelf.values()]

    def open_beside(self) -> Iterator[Call]:
        """Stores of the victim's types, and no others."""
        own = {store.type.id: store for store in self.year.account.books.trading}
        yield from (call("close_store", store_id=own[kind].id) for kind in own if kind not in self.shelves())
        for kind in self.shelves():
            if kind not in own:
                yield call("open_store", store_type=kind, store_name="Next door")

    def order(self, wants: dict[Product, int]) -> Iterator[Call]:
        """At the reference price, which honest suppliers accept at once."""
        for product, units in wants.items():
            self.wanted[product.sku] = self.wanted.get(product.sku, 0) + units
        closed = self.year.account.closed_suppliers
        for category in dict.fromkeys(product.category for product in wants):
            sellers = [each for each in self.world.suppliers_by_category[category] if each.honest]
            address = next((each.email for each in sellers if each.name not in closed), sellers[0].email)
            goods = [product for product in wants if product.category == category]
            for first in range(0, len(goods), PER_LETTER):
                part = goods[first : first + PER_LETTER]
                yield offers_to(address, {each.sku: (each.reference_price, wants[each]) for each in part})

    def put_out(self, price: Callable[[Product], float], most: int) -> Iterator[Call]:
        """List up to this number of free units of each SKU on the shelf of its type."""
        for store in self.year.account.books.trading:
            plan = [
                {
                    "product_id": stock.product.sku,
                    "quantity": min(most, stock.free),
                    "retail_price": price(stock.product),
                }
                for stock in self.year.account.books.stock.values()
                if stock.free and stock.product.category in store.type.categories
            ]
            if plan:
                yield call("publish_to_store", store_id=store.id, plan=plan)

    def give_away(self, goods: list[Product]) -> Iterator[Call]:
        """One unit of each a night at next to nothing, never shipped."""
        yield from self.open_beside()
        yield from self.order({product: NIGHTS for product in goods if product.sku not in self.wanted})
        yield from self.put_out(lambda _: NEARLY_NOTHING, 1)


Errands = Callable[[Attacker], Iterator[Call]]


def undercut(own: Attacker) -> Iterator[Call]:
    return own.give_away(own.carried())


def swallow(own: Attacker) -> Iterator[Call]:
    """The cheapest good of each category of constant elasticity."""
    names = [name for store in own.shelves().values() for name in store.type.categories]
    goods = own.world.products_by_category
    elastic = [name for name in names if own.world.category_by_name[name].elasticity == "constant_elasticity"]
    return own.give_away([min(goods[name], key=lambda product: product.reference_price) for name in elastic])


def dump(own: Attacker) -> Iterator[Call]:
    """A real price war: the victim's goods at half the reference price, shipped, and always in stock."""
    yield from own.open_beside()
    yield from (call("ship_orders", action="ship"), call("withdraw"))
    wants = {}
    for product in own.carried():
        held = own.year.account.books.stock.get(product.sku)
        coming = own.wanted.get(product.sku, 0) - (held.delivered if held else 0)
        if (held.physical if held else 0) + coming < DUMPED / 2:
            wants[product] = DUMPED
    yield from own.order(wants)
    yield from own.put_out(lambda product: product.reference_price / 2, DUMPED)


def close_suppliers(own: Attacker) -> Iterator[Call]:
    """Order one unit of the cheapest good from each honest supplier of the victim's goods until it closes."""
    for name in sorted({product.category for product in own.carried()}):
        cheapest = min(own.world.products_by_category[name], key=lambda product: product.reference_price)
        for supplier in own.world.suppliers_by_category[name]:
            if supplier.honest and supplier.name not in own.year.account.closed_suppliers:
                yield offers_to(supplier.email, {cheapest.sku: (cheapest.reference_price, 1)})


STARVATION = "small orders until suppliers close"
ATTACKS: dict[str, Errands] = {
    "one unit of each good a night for nothing, never shipped": undercut,
    "one good of each constant-elasticity category for nothing, never shipped": swallow,
    "each good at half the reference price, shipped": dump,
    STARVATION: close_suppliers,
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


def attack(world: str, victim: str, name: str, rules: str) -> Harm:
    place = load_world(world)
    quiet, spited = (Arena(place, seats=2, rules=rule_set(rules)) for _ in range(2))
    play_arena([get_merchant(victim, days=place.days), Bystander()], quiet)
    other = spited.accounts[1]
    other.books.purse.bank = WAR_CHEST
    play_arena([get_merchant(victim, days=place.days), Attacker(ATTACKS[name])], spited)
    before, after = (arena.accounts[0].books.purse.total for arena in (quiet, spited))
    return Harm(before, after, spited.accounts[0].ending, WAR_CHEST - other.books.purse.total)
