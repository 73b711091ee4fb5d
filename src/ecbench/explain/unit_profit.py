"""Where a unit's money goes: eq:app_unit_profit and the break-even volume (fig:unit_profit)."""

from collections.abc import Sequence

from ecbench.errors import RunError
from ecbench.explain.explanation import Dot, Explanation, Fact, Panel, evenly_spaced, product_of
from ecbench.market.demand import curve_response
from ecbench.market.economy import Economy
from ecbench.market.returns import return_layers
from ecbench.rules import Rules
from ecbench.suppliers.supplier_traits import lowest_ratios
from ecbench.world.model import Category, Product, World

RATIOS = (0.8, 1.5)  # of the price to the reference price, in the picture
MOST_UNITS = 30  # a day, in the picture


def return_rate(product: Product, rules: Rules, price: float, speed: str) -> float:
    """Of a unit without defects."""
    return min(rules.return_cap, return_layers(product, 0.0, price, rules).capped * rules.speed_return_factor[speed])


def unit_money(
    product: Product, rules: Rules, price: float, cost: float, speed: str = "standard", storage_days: int = 14
) -> dict[str, float]:
    """The price of a unit that a customer keeps, split into the terms of eq:app_unit_profit.

    Returned units pay freight, storage and commission again, so these are divided by the share that is kept.
    """
    kept = 1.0 - return_rate(product, rules, price, speed)
    costs = {
        "purchase": cost,
        "commission": rules.commission * price / kept,
        "freight": rules.freight_cost[product.size] * rules.freight_factor[speed] / kept,
        "storage": rules.storage_rate[product.size] * storage_days / kept,
    }
    return {"profit": price - sum(costs.values()), **costs}


def zero_demand_ratio(category: Category, rules: Rules) -> float | None:
    """The price over the reference price at which demand reaches zero; None if that is outside of the picture."""
    low, high = 1.0, RATIOS[1]
    if curve_response(category.elasticity, category.eta, high, rules) > 0:
        return None
    while high - low > 1e-9:
        middle = (low + high) / 2
        sells = curve_response(category.elasticity, category.eta, middle, rules) > 0
        low, high = (middle, high) if sells else (low, middle)
    return high


def explain_unit(
    world: World,
    rules: Rules,
    skus: Sequence[str],
    *,
    price: float | None = None,
    cost: float | None = None,
    speed: str = "standard",
    storage_days: int = 14,
) -> Explanation:
    """The profit of a unit of each SKU at its floor and its opening quote, and the volume that pays for the store."""
    if len(skus) > 1 and (price or cost):
        raise RunError("--price and --cost are those of one SKU; give one")
    products = [product_of(world, sku) for sku in dict.fromkeys(skus)]
    facts: list[Fact] = []
    panels = [
        Panel("Shares of the price", "", "share of the price", [], "bar"),
        Panel("Profit of a kept unit", "price over reference price", "yuan", []),
        Panel("Units a day that pay for the store", "price over reference price", "units a day", []),
    ]
    shares, profits, volumes = (panel.dots for panel in panels)
    for product in products:
        category, reference = world.category_by_name[product.category], product.reference_price
        store_type, asked = world.store_type_by_id[category.store_type], price or reference
        daily = rules.operating_cost[store_type.tier]
        floor, opening = (round(reference * r, 2) for r in lowest_ratios(Economy.of(world, rules), category))
        name = category.name if len({each.category for each in products}) == len(products) else product.sku
        facts += [
            Fact("price", asked, "¥", f"{name}, {asked / reference:.3f} of the reference price ¥{reference:,.2f}"),
            Fact("return rate", return_rate(product, rules, asked, speed), "share", f"{speed} freight", True),
            Fact("operations", daily, "¥", f"a day, {store_type.name}"),
        ]
        for where, paid in {"floor": floor, "opening": opening, **({"given cost": cost} if cost else {})}.items():
            money = unit_money(product, rules, asked, paid, speed, storage_days)
            parts = ", ".join(f"{part} ¥{yuan:,.2f}" for part, yuan in money.items() if part != "profit")
            needed = f"pays for the store with {daily / money['profit']:,.1f} units a day"
            why = f"{parts}; {needed if money['profit'] > 0 else 'never pays for the store'}"
            facts.append(Fact(f"profit at the {where}", money["profit"], "¥", why, where == "floor"))
            shares += [Dot(f"{name}, {where}", yuan / asked, part) for part, yuan in money.items()]
            for ratio in evenly_spaced(*RATIOS):
                profit = unit_money(product, rules, ratio * reference, paid, speed, storage_days)["profit"]
                profits.append(Dot(ratio, profit, name, where))
                if profit * MOST_UNITS >= daily:
                    volumes.append(Dot(ratio, daily / profit, name, where))
        zero = zero_demand_ratio(category, rules)
        ends = f"from {zero:.3f} of the reference price" if zero else f"not up to {RATIOS[1]:g} of it"
        facts.append(Fact("no demand", ends, "", f"{category.elasticity}, η {category.eta:g}", True))
        top = max(dot.y for dot in profits if dot.series == name)
        profits += [Dot(zero, y, name, "no demand") for y in (0.0, top) if zero]
    title = "A unit of " + " and of ".join(f"{product.title} ({product.sku})" for product in products)
    return Explanation("unit", title, "fig:unit_profit", facts, panels)
