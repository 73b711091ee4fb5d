"""Where a unit's money goes: eq:app_unit_profit and the break-even volume (fig:unit_profit)."""

from dataclasses import dataclass

from ecbench.explain.explanation import Dot, Explanation, Fact, Panel, evenly_spaced
from ecbench.explain.lookups import product_of
from ecbench.market.economy import Economy
from ecbench.market.return_rates import return_layers
from ecbench.rules import Rules
from ecbench.suppliers.supplier_traits import lowest_ratios
from ecbench.world.model import Product, World

RATIOS = (0.8, 2.0)


@dataclass(frozen=True, slots=True)
class SoldUnit:
    """A unit that is kept: what it was bought for, its price, its freight and the days in storage."""

    price: float
    cost: float
    speed: str = "standard"
    storage_days: int = 14


@dataclass(frozen=True, slots=True)
class UnitMoney:
    """Yuan for each unit that a customer keeps; returned units pay their freight, storage and commission again."""

    revenue: float
    commission: float
    freight: float
    storage: float
    purchase: float
    return_rate: float

    @property
    def profit(self) -> float:
        return self.revenue - self.commission - self.freight - self.storage - self.purchase


def unit_money(product: Product, rules: Rules, sale: SoldUnit) -> UnitMoney:
    """The terms of eq:app_unit_profit, each divided by the share of units that is kept."""
    layers = return_layers(product, 0.0, sale.price, rules)
    rate = min(rules.return_cap, layers.capped * rules.speed_return_factor[sale.speed])
    kept = 1.0 - rate
    return UnitMoney(
        revenue=sale.price,
        commission=rules.commission * sale.price / kept,
        freight=rules.freight_cost[product.size] * rules.freight_factor[sale.speed] / kept,
        storage=rules.storage_rate[product.size] * sale.storage_days / kept,
        purchase=sale.cost,
        return_rate=rate,
    )


def explain_unit(world: World, rules: Rules, sku: str, sale: SoldUnit) -> Explanation:
    """The profit of a unit at a price and a cost, and how many units a day pay for the store."""
    product = product_of(world, sku)
    category = world.category_by_name[product.category]
    store_type = world.store_type_by_id[category.store_type]
    daily = rules.operating_cost[store_type.tier]
    reference = product.reference_price
    floor, opening = lowest_ratios(Economy.of(world, rules), category)
    costs = {
        "at the floor": round(reference * floor, 2),
        "at the opening quote": round(reference * opening, 2),
    }
    if sale.cost not in costs.values():
        costs["as given"] = sale.cost
    money = unit_money(product, rules, sale)
    steps = [
        Fact("price", money.revenue, "¥", f"{sale.price / reference:.3f} of the reference price ¥{reference:,.2f}"),
        Fact(
            "return rate", money.return_rate, "share", f"at this price, {sale.speed} freight, no defective units", True
        ),
        Fact("commission", -money.commission, "¥", f"{rules.commission:.0%} of every sale, returned ones included"),
        Fact("freight", -money.freight, "¥", f"{product.size}, {sale.speed}"),
        Fact("storage", -money.storage, "¥", f"{sale.storage_days} days"),
        Fact("purchase", -money.purchase, "¥", "what the supplier was paid"),
        Fact("profit of a kept unit", money.profit, "¥", "the sum"),
        Fact("operations", daily, "¥", f"a day, {store_type.name}, tier {store_type.tier}"),
    ]
    for where, cost in costs.items():
        profit = unit_money(product, rules, SoldUnit(sale.price, cost, sale.speed, sale.storage_days)).profit
        needed = f"{daily / profit:,.1f} units a day" if profit > 0 else "no volume"
        steps.append(
            Fact(
                f"break-even {where}",
                needed,
                "",
                f"bought for ¥{cost:,.2f}: profit ¥{profit:,.2f}",
                where == "at the floor",
            )
        )
    panels = [_shares(money), *_by_price(product, rules, sale, costs, daily)]
    title = f"A unit of {product.title} ({sku}) bought for ¥{sale.cost:,.2f} and sold for ¥{sale.price:,.2f}"
    return Explanation("unit", title, "fig:unit_profit", steps, panels)


def _shares(money: UnitMoney) -> Panel:
    parts = {
        "purchase": money.purchase,
        "commission": money.commission,
        "freight": money.freight,
        "storage": money.storage,
        "profit": money.profit,
    }
    points = [Dot(name, part / money.revenue) for name, part in parts.items()]
    return Panel("Shares of the price", "", "share of the price", points, bars=True)


def _by_price(product: Product, rules: Rules, sale: SoldUnit, costs: dict[str, float], daily: float) -> list[Panel]:
    profits = [
        Dot(
            ratio,
            unit_money(
                product, rules, SoldUnit(ratio * product.reference_price, cost, sale.speed, sale.storage_days)
            ).profit,
            where,
        )
        for where, cost in costs.items()
        for ratio in evenly_spaced(*RATIOS)
    ]
    volumes = [
        Dot(point.x, daily / point.y, point.series) for point in profits if point.y > 0 and daily / point.y < 100
    ]
    x = "price over reference price"
    return [
        Panel("Profit of a kept unit", x, "yuan", profits),
        Panel("Units a day that pay for the store", x, "units a day", volumes),
    ]
