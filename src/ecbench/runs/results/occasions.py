"""Promotions joined and events lived through: what was earned on their days, and an estimate of what they added.

Earned is exact: what the goods sold on those days brought, less refunds, freight and what they had cost. Added is
estimated: the same days and shelves without the occasion, at the same profit per unit, except that a promotion's
discount is not given. Sales follow from the demand model (`market/demand.py`), inverted: the units that a day asked for
and the saturation of its store give the raw demand, which is multiplied by what the occasion changed and saturated
again. Reputation and rivals stay as they were.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from ecbench.market.demand import offer_on, price_response, saturation
from ecbench.market.economy import Capacity, Economy
from ecbench.rules import Rules
from ecbench.runs.results.table_rows import EventRow, OrderRow, PromotionRow, SaleRow, StoreRow, YearTables
from ecbench.world.model import Category, Event, Promotion


class TradingDay(NamedTuple):
    """A store on a day of trade: what its next morning recorded, and its sales."""

    day: int
    date: date
    record: StoreRow
    sales: Sequence[SaleRow]


@dataclass(frozen=True, slots=True)
class Occasions:
    """What a year's days earned, store by store."""

    tables: YearTables
    economy: Economy
    days: Sequence[TradingDay]
    profits: Mapping[int, float]  # by shipment
    kept: Mapping[int, float]  # by shipment: the share of its units that did not come back

    def earned(self, sales: Sequence[SaleRow]) -> float:
        return sum(self.profits[sale.shipment] for sale in sales)

    def without(self, at: TradingDay, factors: Sequence[float], discount: float) -> float:
        """What the same day would have earned without an occasion; `factors` are of its sales."""
        asked = [
            Asked(sale.category, sale.units + sale.lost_units, factor)
            for sale, factor in zip(at.sales, factors, strict=True)
        ]
        capacity = self.economy.capacities[at.record.type]
        found = asked_without(asked, 1.0 - at.record.capacity_used, capacity)
        return sum(self._earned_by(sale, units, discount) for sale, units in zip(at.sales, found, strict=True))

    def _earned_by(self, sale: SaleRow, units: float, discount: float) -> float:
        """What a sale of another quantity would earn; an empty shelf would have sold no more than it did."""
        sold = min(units, sale.units) if sale.lost_units else units
        dearer = discount / (1.0 - discount) * sale.net * self.kept[sale.shipment] if sale.outcome == "shipped" else 0.0
        return sold * (self.profits[sale.shipment] + dearer) / sale.units


def occasions_of(tables: YearTables, economy: Economy) -> Occasions:
    refunds = {back.shipment: back for back in tables.returns}
    profits, kept = {}, {}
    sales: dict[tuple[str, int], list[SaleRow]] = {}
    for sale in tables.sales:
        sales.setdefault((sale.store, sale.day), []).append(sale)
        back = refunds.get(sale.shipment)
        kept[sale.shipment] = 1.0 - back.units / sale.units if back else 1.0
        revenue = sale.net if sale.outcome == "shipped" else 0.0
        profits[sale.shipment] = revenue - sale.freight - (back.from_escrow if back else 0.0) - sale.cost
    opening = tables.days[0].date
    days = [
        TradingDay(row.day - 1, opening + timedelta(days=row.day - 1), row, sales.get((row.store, row.day - 1), []))
        for row in tables.stores
        if row.row == "morning"
    ]
    return Occasions(tables, economy, days, profits, kept)


def promotion_rows(occasions: Occasions) -> list[PromotionRow]:
    """In the order in which they began."""
    joined: dict[tuple[str, str], list[TradingDay]] = {}
    for at in occasions.days:
        if at.record.promotion:
            joined.setdefault((at.record.promotion, at.record.store), []).append(at)
    lines = []
    for (promotion, store), days in joined.items():
        sales = [sale for at in days for sale in at.sales]
        earned = occasions.earned(sales)
        lines.append(
            PromotionRow(
                promotion=promotion,
                store=store,
                type=days[0].record.type,
                first=days[0].day,
                last=days[-1].day,
                days=len(days),
                discount=days[-1].record.discount,
                units=sum(sale.units for sale in sales),
                given=sum(
                    sale.gross * at.record.discount / (1.0 - at.record.discount) for at in days for sale in at.sales
                ),
                earned=earned,
                added=earned - sum(_day_without_promotion(occasions, at) for at in days),
            )
        )
    return lines


def _day_without_promotion(occasions: Occasions, at: TradingDay) -> float:
    economy, discount = occasions.economy, at.record.discount
    promotion = next(each for each in economy.world.promotions if each.name == at.record.promotion)
    factors = [
        without_promotion(
            promotion,
            discount,
            at.date,
            economy.world.category_by_name[sale.category],
            sale.price / (1.0 - discount),
            sale.reference_price,
            economy.rules,
        )
        for sale in at.sales
    ]
    return occasions.without(at, factors, discount)


def event_rows(occasions: Occasions) -> list[EventRow]:
    """In the order in which they began; events of days that the year did not reach are left out."""
    calendar, opening = occasions.economy.calendar, occasions.tables.days[0].date
    lived: dict[str, list[int]] = {}
    for day in range(occasions.tables.days[-1].day):
        for event in calendar.events_on(opening + timedelta(days=day)):
            lived.setdefault(event.name, []).append(day)
    events = {event.name: event for event in occasions.economy.world.events}
    return [_event_row(occasions, events[name], days) for name, days in lived.items()]


def _event_row(occasions: Occasions, event: Event, days: Sequence[int]) -> EventRow:
    known = set(days)
    touched = [at for at in occasions.days if at.day in known and event.demand.get(at.record.type, 1.0) != 1.0]
    sales = [sale for at in touched for sale in at.sales]
    earned = occasions.earned(sales)
    factors = {at.record.type: event.demand[at.record.type] for at in touched}
    return EventRow(
        event=event.name,
        first=days[0],
        last=days[-1],
        stores=", ".join(f"{kind} x{factor:g}" for kind, factor in factors.items()),
        units=sum(sale.units for sale in sales),
        earned=earned,
        added=earned
        - sum(occasions.without(at, [1.0 / factors[at.record.type]] * len(at.sales), 0.0) for at in touched),
        delayed_orders=sum(
            order.day in known and _delays(occasions, event, order) for order in occasions.tables.orders
        ),
    )


def _delays(occasions: Occasions, event: Event, order: OrderRow) -> bool:
    if not order.sku or event.delay == 1.0:
        return False
    return event.delays(occasions.economy.world.category_by_name[order.category].store_type)


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
