"""One order's money, from the bank through escrow and the wallet back to the bank (fig:settlement)."""

from dataclasses import dataclass

from ecbench.explain.explanation import Dot, Explanation, Fact, Panel
from ecbench.explain.lookups import product_of
from ecbench.market.return_rates import return_layers
from ecbench.rules import Rules
from ecbench.world.model import Product, World

ACCOUNTS = ("bank", "escrow", "wallet")


@dataclass(frozen=True, slots=True)
class Order:
    """Units bought in one order, and sold and shipped together the day after they arrive."""

    units: int
    cost: float
    price: float
    speed: str = "standard"


@dataclass(frozen=True, slots=True)
class Movement:
    """What happens on a day, and how the three accounts change."""

    day: int
    what: str
    bank: float = 0.0
    escrow: float = 0.0
    wallet: float = 0.0


def movements(product: Product, rules: Rules, order: Order) -> list[Movement]:
    """The expected path: the mean lead time, the mean share of returns on the mean day."""
    lead, back = (round(sum(days) / 2) for days in (rules.lead_days, rules.return_days))
    sold = lead + 1
    gross = order.units * order.price
    net = gross - gross * rules.commission
    layers = return_layers(product, 0.0, order.price, rules)
    rate = min(rules.return_cap, layers.capped * rules.speed_return_factor[order.speed])
    refund = min(net, rate * gross)
    storage = rules.storage_rate[product.size] * order.units
    freight = rules.freight_cost[product.size] * rules.freight_factor[order.speed] * order.units
    matures = sold + rules.escrow_days
    path = [
        Movement(0, "the supplier is paid in full", bank=-order.units * order.cost),
        Movement(lead, "the goods arrive and are listed"),
        Movement(sold, "a morning's storage; customers bought all units", bank=-storage),
        Movement(sold, f"shipped ({order.speed}): freight leaves the bank", bank=-freight),
        Movement(sold, f"revenue less {rules.commission:.0%} commission enters escrow", escrow=net),
        Movement(sold + back, f"{rate:.1%} of the units come back and are refunded", escrow=-refund),
        Movement(matures, "escrow matures into the wallet", escrow=refund - net, wallet=net - refund),
        Movement(matures, "withdrawn to the bank", bank=net - refund, wallet=refund - net),
    ]
    return sorted(path, key=lambda movement: movement.day)


def explain_cash(world: World, rules: Rules, sku: str, order: Order) -> Explanation:
    """Day by day what the order does to the three accounts."""
    product = product_of(world, sku)
    path = movements(product, rules, order)
    steps = [Fact(f"day {move.day}", _changes(move), "", move.what, "come back" in move.what) for move in path]
    total = sum(move.bank + move.escrow + move.wallet for move in path)
    steps.append(
        Fact("left in the end", total, "¥", "without the store's operations; returned units can be sold again")
    )
    title = (
        f"{order.units:,} units of {product.title} ({sku}), bought for ¥{order.cost:,.2f}, sold for ¥{order.price:,.2f}"
    )
    return Explanation("cash", title, "fig:settlement", steps, [_balances(path)])


def _changes(move: Movement) -> str:
    named = ((name, getattr(move, name)) for name in ACCOUNTS)
    return (
        ", ".join(f"{name} {'+' if change > 0 else '-'}¥{abs(change):,.2f}" for name, change in named if change)
        or "no money moves"
    )


def _balances(path: list[Movement]) -> Panel:
    points = []
    for account in ACCOUNTS:
        for day in range(path[-1].day + 2):
            held = sum(getattr(move, account) for move in path if move.day <= day)
            points.append(Dot(day, held, account))
    return Panel("The three accounts, from this order alone", "day", "yuan", points, stepped=True)
