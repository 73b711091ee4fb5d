"""One order's money, from the bank through escrow and the wallet back to the bank (fig:settlement)."""

from collections.abc import Sequence
from dataclasses import dataclass

from ecbench.explain.explanation import Dot, Explanation, Fact, Panel, product_of
from ecbench.explain.unit_profit import return_rate
from ecbench.market.economy import Economy
from ecbench.rules import Rules
from ecbench.suppliers.supplier_traits import lowest_ratios
from ecbench.world.model import Product, World

ACCOUNTS = ("escrow", "wallet", "bank")


@dataclass(frozen=True, slots=True)
class Movement:
    """Money that moves on a day, between two accounts or between an account and others."""

    day: int
    yuan: float
    source: str
    target: str
    what: str


def movements(
    product: Product, rules: Rules, units: int, price: float, cost: float, speed: str = "standard"
) -> list[Movement]:
    """The expected path of an order: the mean lead time, the mean share of returns on the mean day.

    All units are sold and shipped the day after they arrive, and the wallet is emptied the day after it fills.
    """
    lead, back = (round(sum(days) / 2) for days in (rules.lead_days, rules.return_days))
    sold, matures = lead + 1, lead + 1 + rules.escrow_days
    net, rate = units * price * (1 - rules.commission), return_rate(product, rules, price, speed)
    refund = min(net, rate * units * price)
    storage = rules.storage_rate[product.size] * units
    freight = rules.freight_cost[product.size] * rules.freight_factor[speed] * units
    return [
        Movement(sold, net, "customers", "escrow", f"shipped; revenue less {rules.commission:.0%} commission"),
        Movement(sold + back, refund, "escrow", "customers", f"refund of the {rate:.1%} that come back"),
        Movement(matures, net - refund, "escrow", "wallet", f"matures {rules.escrow_days} days after shipping"),
        Movement(matures + 1, net - refund, "wallet", "bank", "withdrawn by the agent"),
        Movement(0, units * cost, "bank", "costs", "purchase, paid in full"),
        Movement(sold, storage, "bank", "costs", f"storage; the goods arrived on day {lead}"),
        Movement(sold, freight, "bank", "costs", f"freight, {speed}"),
    ]


def balance(path: Sequence[Movement], account: str, day: int) -> float:
    """What the order has brought an account by the end of a day."""
    moved = (move for move in path if move.day <= day)
    return sum(((move.target == account) - (move.source == account)) * move.yuan for move in moved)


def explain_cash(
    world: World,
    rules: Rules,
    sku: str,
    *,
    units: int = 40,
    price: float | None = None,
    cost: float | None = None,
    speed: str = "standard",
) -> Explanation:
    """Day by day what an order does to the three accounts.

    By default it is bought at the opening quote and sold at the reference price.
    """
    product = product_of(world, sku)
    _, opening = lowest_ratios(Economy.of(world, rules), world.category_by_name[product.category])
    asked, paid = price or product.reference_price, cost or round(product.reference_price * opening, 2)
    path = movements(product, rules, units, asked, paid, speed)
    end = max(move.day for move in path)
    facts = [
        Fact(f"day {m.day}", m.yuan, "¥", f"{m.source} to {m.target}: {m.what}", m.target == "customers")
        for m in sorted(path, key=lambda m: m.day)
    ]
    rest = "without operations; returned units can be sold again"
    facts.append(Fact("left in the end", balance(path, "bank", end), "¥", rest))
    flow = [Dot(move.source, move.yuan, move.target, text=f"day {move.day}: {move.what}") for move in path]
    held = [Dot(day, balance(path, account, day), account) for account in ACCOUNTS for day in range(end + 2)]
    panels = [
        Panel("How money moves", "", "", flow, "flow"),
        Panel("The three accounts, from this order alone", "day", "yuan", held, "step"),
    ]
    title = f"{units:,} units of {product.title} ({sku}), bought for ¥{paid:,.2f}, sold for ¥{asked:,.2f}"
    return Explanation("cash", title, "fig:settlement", facts, panels)
