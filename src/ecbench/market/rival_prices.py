"""Prices of one product that several merchants carry: best responses, where these rest, and the joint best."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ecbench.market.best_shelf import Column, price_curves, responses
from ecbench.market.books import Store
from ecbench.market.day_demand import DayDemand, ShelfDemand
from ecbench.market.economy import ProductDemand
from ecbench.market.marketplace import Marketplace
from ecbench.market.sharing import offers_by_sku, served_alone

STEP: Final = 0.005  # of the reference price
HIGHEST: Final = 4.0
ROUNDS: Final = 40  # of best responses; a cycle that they end in counts by its mean
CYCLE: Final = 8
ASCENTS: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class Carrier:
    """A merchant that carries the product, on one evening."""

    seat: int
    charged: float  # over the reference price
    visitors: float  # what multiplies the response of customers, in units a day
    boost: float  # of the elasticity, by a promotion
    served: float  # the share of its customers that it could serve without rivals
    saturation: float  # the share that is served of those who are left
    units: float
    cost: float  # of a unit, over the reference price


@dataclass(frozen=True, slots=True, eq=False)
class SharedProduct:
    """One product and those who carry it, in an order that does not depend on their seats."""

    goods: ProductDemand
    carriers: tuple[Carrier, ...]

    @property
    def ratios(self) -> Column:
        """The prices tried, over the reference price."""
        rules = self.goods.rules
        return np.arange(rules.lowest_price_ratio, min(HIGHEST, rules.price_ceiling) + STEP / 2, STEP)

    def margins(self, index: int, ratios: Column, prices: Sequence[float]) -> Column:
        """Yuan a day of a carrier at each of its prices, with the others at theirs."""
        goods, own, rules = self.goods, self.carriers[index], self.goods.rules
        category, product = goods.category, goods.product
        eta, floor = category.eta * own.boost, rules.lowest_rival_ratio
        alone = own.visitors * responses(category.elasticity, eta, ratios, rules)
        lost, gone = np.full_like(alone, np.inf), 0.0
        rivals = [(price, each.units) for price, each in zip(prices, self.carriers, strict=True) if each is not own]
        for price, units in sorted(rivals):
            if price >= 1.0:
                break
            left = own.visitors * responses(category.elasticity, eta, ratios / max(price, floor), rules)
            lost = np.minimum(lost, gone + np.maximum(0.0, alone - left))
            gone += units / own.served
        demand = np.minimum(own.units, (alone - np.minimum(lost, gone)) * own.saturation)
        returned = np.minimum(rules.return_cap, product.return_rate * price_curves(ratios, rules))
        freight = rules.freight_cost[product.size] * rules.freight_factor["standard"] / product.reference_price
        profit = (1 - rules.commission - returned) * ratios - freight - (1 - returned) * own.cost
        return np.asarray(demand * profit * product.reference_price)

    def best_response(self, index: int, prices: Sequence[float]) -> float:
        ratios = self.ratios
        return float(ratios[int(np.argmax(self.margins(index, ratios, prices)))])

    def competitive(self) -> list[float]:
        """Where best responses rest that all give at once, beginning at the reference price."""
        count, path = len(self.carriers), [[1.0] * len(self.carriers)]
        for _ in range(ROUNDS):
            path.append([self.best_response(index, path[-1]) for index in range(count)])
            if path[-1] == path[-2]:
                return path[-1]
        return [sum(prices[index] for prices in path[-CYCLE:]) / CYCLE for index in range(count)]

    def joint(self) -> list[float]:
        """Where the sum of all margins is highest: one price after the other is moved to where the sum is best."""
        count, prices = len(self.carriers), [1.0] * len(self.carriers)
        prices = [max(1.0, self.best_response(index, prices)) for index in range(count)]
        for _ in range(ASCENTS):
            before = prices.copy()
            for index in range(count):
                prices[index] = self._best_for_all(prices, index)
            if prices == before:
                break
        return prices

    def _best_for_all(self, prices: list[float], index: int) -> float:
        """The price with the highest sum: a carrier's own price, the reference price or its best response."""
        tried = sorted({prices[index], 1.0, self.best_response(index, prices)}, reverse=True)
        sums = [self.total([*prices[:index], price, *prices[index + 1 :]]) for price in tried]
        return tried[sums.index(max(sums))]

    def each(self, prices: Sequence[float]) -> list[float]:
        """The margin of each carrier."""
        count = len(self.carriers)
        return [float(self.margins(index, np.array([prices[index]]), prices)[0]) for index in range(count)]

    def total(self, prices: Sequence[float]) -> float:
        return sum(self.each(prices))


def shared_products(market: Marketplace, demand: DayDemand) -> Iterator[SharedProduct]:
    """Products that two or more merchants have on their shelves, under the demand of one date for these shelves."""
    by_type: dict[str, dict[int, tuple[Store, ShelfDemand]]] = {}
    for account in market.in_business:
        for store in account.books.trading:
            shelf = demand.shelves.get(account.seat, {}).get(store.id)
            if shelf is not None:
                by_type.setdefault(store.type.id, {})[account.seat] = store, shelf
    for kind, of_type in by_type.items():
        if len(of_type) > 1:
            yield from _of_type(market, kind, of_type)


def _of_type(market: Marketplace, kind: str, of_type: dict[int, tuple[Store, ShelfDemand]]) -> Iterator[SharedProduct]:
    stores = {seat: store for seat, (store, _) in of_type.items()}
    shelves = {seat: shelf for seat, (_, shelf) in of_type.items()}
    capacity = market.economy.capacities[kind]
    served = {seat: served_alone(shelf, capacity) for seat, shelf in shelves.items()}
    rows = {
        (seat, priced.sku): (demand, claim * shelf.store_saturation)
        for seat, shelf in shelves.items()
        for priced, demand, claim in zip(shelf.goods, shelf.raw_demand, shelf.claims, strict=True)
    }
    for sku, seats in offers_by_sku(stores, shelves).items():
        if len(seats) < 2:
            continue
        goods = market.economy.demands[sku]
        category, reference = goods.category.name, goods.product.reference_price
        carriers = []
        for seat, offered in seats.items():
            shelf, (raw, demand) = shelves[seat], rows[seat, sku]
            if raw > 0 and sku in stores[seat].shelf:
                carriers.append(
                    Carrier(
                        seat=seat,
                        charged=offered.charged / reference,
                        visitors=goods.base * shelf.visitors_of(category),
                        boost=shelf.offer.boost,
                        served=served[seat].get(category) or served[seat][""],
                        saturation=demand / raw,
                        units=offered.units,
                        cost=stores[seat].shelf[sku].stock.cost / reference,
                    )
                )
        if len(carriers) > 1:
            yield SharedProduct(goods, tuple(sorted(carriers, key=_without_seat)))


def _without_seat(carrier: Carrier) -> tuple[float, ...]:
    return carrier.cost, carrier.charged, carrier.units, carrier.visitors, carrier.served
