"""A merchant that knows how every demand will be rounded: it prices each unit just past its draw.

The draws are those of the release, functions of the world's seed, the SKU and the date. Under `secret_draws` they are
others, and the merchant prices by numbers that mean nothing.
"""

from collections.abc import Iterator
from typing import Any

from offer_letters import Offer, offer_letter

from ecbench import Episode
from ecbench.market.books import Listing, Store
from ecbench.market.demand import curve_response
from ecbench.market.draws import demand_rounding
from ecbench.market.marketplace import iso
from ecbench.players.merchants.protocol import Call, Play, call
from ecbench.world.model import Product, StoreType

STORES = ("beauty", "sports_outdoor", "shoes_bags", "home_living")  # with categories of constant elasticity
FILLED = 0.6  # of a store's capacity, by one unit of each listing
MOST_LISTINGS = 300  # of a store
STOCK = 14  # units of a SKU, of which one sells a day
SPENT = 0.5  # of the bank, on the purchases of one day
LOWEST, HIGHEST = 0.9, 1e6  # prices, over the reference price
PAST = 1e-6  # the draw: so much more demand than needed


class DrawPricer:
    """`seed` is the one by which it computes draws; None: that of the world."""

    def __init__(self, seed: int | None = None) -> None:
        self.seed = seed

    def play_knowing(self, episode: Episode, _schemas: list[dict[str, Any]]) -> Play:
        self.year, self.account, self.ordered = episode, episode.account, dict[str, int]()
        self.key = episode.world.seed if self.seed is None else self.seed
        self.goods = [product for kind in STORES for product in self.chosen(episode.world.store_type_by_id[kind])]
        yield [call("open_store", store_type=kind, store_name=kind) for kind in STORES]
        while not episode.done:
            yield [call("ship_orders", action="ship"), call("withdraw")]
            yield list(self.purchases())
            yield [*self.shelving(), *self.pricing(), call("wait_for_next_day")]

    def chosen(self, kind: StoreType) -> list[Product]:
        """The dearest goods of each category in turn."""
        world, most = self.year.world, min(MOST_LISTINGS, int(FILLED * 2 * kind.capacity))
        by_category = [
            sorted(world.products_by_category[name], key=lambda product: -product.reference_price)
            for name in kind.categories
            if world.category_by_name[name].elasticity == "constant_elasticity"
        ]
        rounds = zip(*by_category, strict=False)
        return [product for products in rounds for product in products][:most]

    def purchases(self) -> Iterator[Call]:
        """At the reference price, which honest suppliers accept at once, cheapest goods first."""
        account, budget = self.account, SPENT * self.year.bank
        if account.market.day > account.market.days - 20:
            return
        wants: dict[str, list[Offer]] = {}
        for product in sorted(self.goods, key=lambda each: each.reference_price):
            held = account.books.stock.get(product.sku)
            there = held.physical if held else 0
            coming = self.ordered.get(product.sku, 0) - (held.delivered if held else 0)
            price = product.reference_price * STOCK
            if there + coming < STOCK / 2 and price < budget:
                budget -= price
                wants.setdefault(product.category, []).append((product.sku, product.reference_price, STOCK))
                self.ordered[product.sku] = self.ordered.get(product.sku, 0) + STOCK
        for category, lines in wants.items():
            sellers = [one for one in self.year.world.suppliers_by_category[category] if one.honest]
            live = [one for one in sellers if one.name not in account.closed_suppliers]
            yield offer_letter((live or sellers)[account.market.day % len(live or sellers)].email, lines)

    def shelving(self) -> Iterator[Call]:
        for store in self.account.books.trading:
            plan = [
                {"product_id": sku, "quantity": held.free, "retail_price": held.product.reference_price * HIGHEST}
                for sku, held in self.account.books.stock.items()
                if held.free and held.product.category in store.type.categories
            ]
            if plan:
                yield call("publish_to_store", store_id=store.id, plan=plan)
        # What was published in this batch is priced from the next evening on.

    def pricing(self) -> Iterator[Call]:
        for store in self.account.books.trading:
            listings = [listing for listing in store.shelf.values() if listing.quantity]
            if listings:
                prices = [
                    {"product_id": listing.sku, "price": price}
                    for listing, price in zip(listings, self.priced(store, listings), strict=True)
                ]
                yield call("set_prices", store_id=store.id, prices=prices)

    def priced(self, store: Store, listings: list[Listing]) -> Iterator[float]:
        """The prices at which each listing's demand, after both saturations, is just above its draw."""
        economy, today = self.account.economy, self.account.market.date
        capacity = economy.capacities[store.type.id]
        draws = [demand_rounding(self.key, listing.sku, iso(today)) * (1 + PAST) + 1e-9 for listing in listings]
        crowding = max(0.05, 1 - sum(draws) / capacity.store)
        by_category: dict[str, float] = {}
        for listing, draw in zip(listings, draws):
            by_category[listing.category] = by_category.get(listing.category, 0.0) + draw / crowding
        for listing, draw in zip(listings, draws):
            share = 1.0
            if capacity.category is not None:
                share = max(0.05, 1 - by_category[listing.category] / capacity.category)
            visitors = economy.traffic[store.type.id][today] * store.reputation
            yield self.price_for(listing, draw / crowding / share / visitors / economy.demands[listing.sku].base)

    def price_for(self, listing: Listing, response: float) -> float:
        """The highest price, to a millionth, with this response."""
        category = self.account.world.category_by_name[listing.category]
        reference = listing.stock.product.reference_price
        low, high = LOWEST, HIGHEST
        while high / low > 1 + 1e-7:
            middle = (low * high) ** 0.5
            if curve_response(category.elasticity, category.eta, middle, self.account.rules) >= response:
                low = middle
            else:
                high = middle
        return low * reference
