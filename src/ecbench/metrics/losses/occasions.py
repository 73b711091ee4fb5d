"""Promotions joined and events lived through: what was earned on their days, and an estimate of what they added.

Earned is exact: what the goods sold on those days brought, less refunds, freight and what they had cost. Added is
estimated: the same days and shelves without the occasion, at the same profit per unit, except that a promotion's
discount is not given. Sales follow from the demand model (`market/demand.py`), inverted: the units that a day asked for
and the saturation of its store give the raw demand, which is multiplied by what the occasion changed and saturated
again. Reputation and rivals stay as they were.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Any, NamedTuple

from ecbench.market.demand import offer_on, price_response, saturation
from ecbench.market.economy import Capacity, Economy
from ecbench.rules import Rules
from ecbench.world.model import Category, Event, Promotion


class TradingDay(NamedTuple):
    """A store on a day of trade: what its next morning recorded, and its sales."""

    day: int
    date: date
    record: Any  # a row of `stores`
    sales: Sequence[Any]  # rows of `sales`


class Occasions:
    """What a year's days earned, store by store."""

    def __init__(self, tables: Any, economy: Economy) -> None:
        """`tables` has the rows of `days`, `stores`, `sales`, `returns` and `orders`."""
        self._tables, self._economy, self._opening = tables, economy, tables.days[0].date
        self._profits: dict[int, float] = {}  # by shipment
        self._kept: dict[int, float] = {}  # by shipment: the share of its units that did not come back
        refunds, sales = {back.shipment: back for back in tables.returns}, defaultdict[tuple[str, int], list[Any]](list)
        for sale in tables.sales:
            sales[sale.store, sale.day].append(sale)
            back = refunds.get(sale.shipment)
            self._kept[sale.shipment] = 1.0 - back.units / sale.units if back else 1.0
            revenue = sale.net if sale.outcome == "shipped" else 0.0
            self._profits[sale.shipment] = revenue - sale.freight - (back.from_escrow if back else 0.0) - sale.cost
        evenings = [(row.day - 1, row) for row in tables.stores if row.row == "morning"]
        self._days = [TradingDay(day, self._date(day), row, sales[row.store, day]) for day, row in evenings]

    def _date(self, day: int) -> date:
        found: date = self._opening + timedelta(days=day)
        return found

    def promotions(self) -> Iterator[dict[str, Any]]:
        """Rows of `promotions`, in the order in which they began."""
        joined: dict[tuple[str, str], list[TradingDay]] = {}
        for at in self._days:
            if at.record.promotion:
                joined.setdefault((at.record.promotion, at.record.store), []).append(at)
        for (promotion, store), days in joined.items():
            yield dict(
                promotion=promotion,
                store=store,
                type=days[0].record.type,
                first=days[0].day,
                last=days[-1].day,
                days=len(days),
                discount=days[-1].record.discount,
                given=sum(
                    sale.gross * at.record.discount / (1.0 - at.record.discount) for at in days for sale in at.sales
                ),
                **self._earned(days, sum(self._without_promotion(at) for at in days)),
            )

    def events(self) -> Iterator[dict[str, Any]]:
        """Rows of `events`, in the order in which they began, without events that the year did not reach."""
        lived: dict[str, list[int]] = {}
        for day in range(self._tables.days[-1].day):
            for event in self._economy.calendar.events_on(self._date(day)):
                lived.setdefault(event.name, []).append(day)
        by_name = {event.name: event for event in self._economy.world.events}
        for name, days in lived.items():
            event, known = by_name[name], set(days)
            touched = [at for at in self._days if at.day in known and event.demand.get(at.record.type, 1.0) != 1.0]
            factors = {at.record.type: event.demand[at.record.type] for at in touched}
            without = (self._without(at, [1.0 / factors[at.record.type]] * len(at.sales), 0.0) for at in touched)
            yield dict(
                event=name,
                first=days[0],
                last=days[-1],
                stores=", ".join(f"{kind} x{factor:g}" for kind, factor in factors.items()),
                delayed_orders=sum(order.day in known and self._delays(event, order) for order in self._tables.orders),
                **self._earned(touched, sum(without)),
            )

    def _earned(self, days: Sequence[TradingDay], without: float) -> dict[str, float]:
        sales = [sale for at in days for sale in at.sales]
        earned = self.earned(sales)
        return {"units": sum(sale.units for sale in sales), "earned": earned, "added": earned - without}

    def earned(self, sales: Sequence[Any]) -> float:
        """What rows of `sales` earned."""
        return sum(self._profits[sale.shipment] for sale in sales)

    def _without(self, at: TradingDay, factors: Sequence[float], discount: float) -> float:
        """What the same day would have earned without an occasion; `factors` are of its sales."""
        asked = [
            Asked(sale.category, sale.units + sale.lost_units, factor)
            for sale, factor in zip(at.sales, factors, strict=True)
        ]
        found = asked_without(asked, 1.0 - at.record.capacity_used, self._economy.capacities[at.record.type])
        return sum(self._earned_by(sale, units, discount) for sale, units in zip(at.sales, found, strict=True))

    def _earned_by(self, sale: Any, units: float, discount: float) -> float:
        """What a sale of another quantity would earn; an empty shelf would have sold no more than it did."""
        sold = min(units, sale.units) if sale.lost_units else units
        revenue = sale.net if sale.outcome == "shipped" else 0.0
        dearer = discount / (1.0 - discount) * revenue * self._kept[sale.shipment]
        earned: float = sold * (self._profits[sale.shipment] + dearer) / sale.units
        return earned

    def _without_promotion(self, at: TradingDay) -> float:
        world, rules, discount = self._economy.world, self._economy.rules, at.record.discount
        promotion = next(each for each in world.promotions if each.name == at.record.promotion)
        factors = [
            without_promotion(
                promotion,
                discount,
                at.date,
                world.category_by_name[sale.category],
                sale.price / (1.0 - discount),
                sale.reference_price,
                rules,
            )
            for sale in at.sales
        ]
        return self._without(at, factors, discount)

    def _delays(self, event: Event, order: Any) -> bool:
        if not order.sku or event.delay == 1.0:
            return False
        return event.delays(self._economy.world.category_by_name[order.category].store_type)


class Asked(NamedTuple):
    """Units of one SKU that a day asked for, and what its raw demand is multiplied by without the occasion."""

    category: str
    units: int
    factor: float


def asked_without(asked: Sequence[Asked], store_saturation: float, capacity: Capacity) -> list[float]:
    """Units that the same day would have asked for, in the order given."""
    claims = [each.units / store_saturation for each in asked]  # after the saturation of their categories
    changed = [claim * each.factor for claim, each in zip(claims, asked, strict=True)]
    if capacity.category is not None:
        served, wanted = defaultdict[str, float](float), defaultdict[str, float](float)
        for each, claim, other in zip(asked, claims, changed, strict=True):
            served[each.category] += claim
            wanted[each.category] += other
        # eq:app_saturation, solved for it
        gammas = {name: max(1.0 - claim / capacity.category, 1e-9) for name, claim in served.items()}
        shares = {name: saturation(capacity.category, wanted[name] / gamma) / gamma for name, gamma in gammas.items()}
        changed = [other * shares[each.category] for other, each in zip(changed, asked, strict=True)]
    whole_store = capacity.store * (1.0 - store_saturation) / store_saturation  # with what was not sold, and rivals
    share = saturation(capacity.store, max(whole_store - sum(claims), 0.0) + sum(changed))
    return [other * share for other in changed]


def without_promotion(
    promotion: Promotion, discount: float, day: date, category: Category, listed: float, reference: float, rules: Rules
) -> float:
    """What raw demand is multiplied by without the promotion, at the price without its discount."""
    offer = offer_on(promotion, discount, day, rules)
    with_it = offer.traffic * price_response(category, (1.0 - discount) * listed, reference, offer.boost, rules)
    return price_response(category, listed, reference, 1.0, rules) / with_it if with_it else 1.0
