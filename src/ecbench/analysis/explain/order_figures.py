"""Answers to bids (fig:kernel_functions), the money of a unit (fig:unit_profit) and of an order (fig:settlement)."""

from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from typing import Annotated, NamedTuple

from msgspec import Meta

from ecbench.analysis.explain.explanation import (
    Explanation,
    Fact,
    Price,
    Rows,
    evenly_spaced,
    product_of,
    supplier_of,
)
from ecbench.market.economy import Economy
from ecbench.market.returns import rate_at, return_layers
from ecbench.rules import Rules
from ecbench.suppliers.kernel import FIRST_WALK, Kernel, KernelTerms, acceptance, concession_share, features, walk_away
from ecbench.suppliers.named_kernel import open_kernel
from ecbench.suppliers.supplier_traits import lowest_ratios
from ecbench.world.model import Category, Product, World

RATIOS = (0.8, 1.5)  # of the price to the reference price, in the picture
MOST_UNITS = 30  # a day, in the picture
SPEED, STORAGE_DAYS = "standard", 14
ACCOUNTS = ("escrow", "wallet", "bank")
Bids = Annotated[list[Annotated[float, Meta(ge=0, le=1e9)]], Meta(min_length=1, max_length=100)]

ROUNDS = (2, 4, 6)
BIDS = (0.7, 0.8, 0.9, 1.0, 1.1, 1.2)  # of the reservation, if no bids are given
ANSWERS = {"Offer": "counters", "Accept": "accepts", "Reject": "walks away"}


def _return_rate(product: Product, rules: Rules, price: float) -> float:
    """Of units without defects that are shipped at standard speed."""
    return rate_at(SPEED, return_layers(product, 0.0, price, rules).capped, rules)


def unit_money(product: Product, rules: Rules, price: float, cost: float) -> dict[str, float]:
    """The price of a kept unit in the terms of eq:app_unit_profit; returned units pay their costs again."""
    kept = 1.0 - _return_rate(product, rules, price)
    costs = {
        "purchase": cost,
        "commission": rules.commission * price / kept,
        "freight": rules.freight_cost[product.size] * rules.freight_factor[SPEED] / kept,
        "storage": rules.storage_rate[product.size] * STORAGE_DAYS / kept,
    }
    return {"profit": price - sum(costs.values()), **costs}


def zero_demand_ratio(category: Category, rules: Rules) -> float | None:
    """The price over the reference price at which demand reaches zero; None if that is outside of the picture."""
    ends = {"linear": 1.0 + 1.0 / category.eta, "quadratic": 1.0 + category.eta**-0.5}
    zero = min(ends.get(category.elasticity, inf), rules.price_ceiling)
    return zero if zero <= RATIOS[1] else None


def _costs(world: World, rules: Rules, product: Product) -> tuple[float, float]:
    """The lowest price that suppliers sell a unit at, and the opening quote of their catalogs."""
    floor, opening = lowest_ratios(Economy.of(world, rules), world.category_by_name[product.category])
    return round(product.reference_price * floor, 2), round(product.reference_price * opening, 2)


def explain_unit(world: World, rules: Rules, sku: str, *, price: Price | None = None) -> Explanation:
    """The profit of a unit bought at its floor and at its opening quote, and the volume that pays for the store."""
    product = product_of(world, sku)
    category, reference = world.category_by_name[product.category], product.reference_price
    asked, zero = price or reference, zero_demand_ratio(category, rules)
    daily = rules.operating_cost[world.store_type_by_id[category.store_type].tier]
    facts = [
        Fact("price", asked, "¥", f"{asked / reference:.3f} of the reference price ¥{reference:,.2f}"),
        Fact("return rate", _return_rate(product, rules, asked), "share", "", True),
        Fact("operations", daily, "¥", "a day, of a store of its type"),
    ]
    shares, profits, volumes = Rows(), Rows(), Rows()
    for where, paid in zip(("floor", "opening"), _costs(world, rules, product), strict=True):
        money = unit_money(product, rules, asked, paid)
        parts = ", ".join(f"{part} ¥{yuan:,.2f}" for part, yuan in money.items() if part != "profit")
        profit = money["profit"]
        pays = f"{daily / profit:,.1f} units a day pay" if profit > 0 else "no volume pays"
        facts.append(Fact(f"profit at the {where}", profit, "¥", f"{parts}; {pays} for the store", where == "floor"))
        shares += [{"bought": where, "part": part, "share": yuan / asked} for part, yuan in money.items()]
        for ratio in evenly_spaced(*RATIOS):
            profit = unit_money(product, rules, ratio * reference, paid)["profit"]
            profits.append({"cost": where, "ratio": ratio, "profit": profit})
            if profit * MOST_UNITS >= daily:
                volumes.append({"cost": where, "ratio": ratio, "units": daily / profit})
    ends = f"from {zero:.3f} of the reference price" if zero else f"not up to {RATIOS[1]:g} of it"
    facts.append(Fact("no demand", ends, "", f"{category.elasticity}, η {category.eta:g}", True))
    top = max(row["profit"] for row in profits)
    profits += [{"cost": "no demand", "ratio": zero, "profit": profit} for profit in (0.0, top) if zero]
    title, panels = f"A unit of {product.title} ({sku})", {"shares": shares, "profits": profits, "volumes": volumes}
    return Explanation("unit", title, "fig:unit_profit", facts, panels)


class Movement(NamedTuple):
    """Money that moves on a day, between two accounts or between an account and others."""

    day: int
    yuan: float
    source: str
    target: str
    what: str


def movements(product: Product, rules: Rules, units: int, price: float, cost: float) -> list[Movement]:
    """The expected path of an order, by day, if all units are sold and shipped the day after they arrive."""
    lead, back = (round(sum(days) / 2) for days in (rules.lead_days, rules.return_days))
    sold, matures = lead + 1, lead + 1 + rules.escrow_days
    net, rate = units * price * (1 - rules.commission), _return_rate(product, rules, price)
    refund = min(net, rate * units * price)
    storage = rules.storage_rate[product.size] * units
    freight = rules.freight_cost[product.size] * rules.freight_factor[SPEED] * units
    return [
        Movement(0, units * cost, "bank", "costs", "purchase, paid in full"),
        Movement(sold, net, "customers", "escrow", f"shipped; revenue less {rules.commission:.0%} commission"),
        Movement(sold, freight + storage, "bank", "costs", f"freight; storage ¥{storage:,.2f} since day {lead}"),
        Movement(sold + back, refund, "escrow", "customers", f"refund of the {rate:.1%} that come back"),
        Movement(matures, net - refund, "escrow", "wallet", f"matures {rules.escrow_days} days after shipping"),
        Movement(matures + 1, net - refund, "wallet", "bank", "withdrawn by the agent"),
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
    units: Annotated[int, Meta(ge=1, le=1_000_000)] = 40,
    price: Price | None = None,
) -> Explanation:
    """Day by day what an order that is bought at the opening quote does to the three accounts."""
    product = product_of(world, sku)
    asked, paid = price or product.reference_price, _costs(world, rules, product)[1]
    path = movements(product, rules, units, asked, paid)
    end = path[-1].day
    facts = [
        Fact(f"day {m.day}", m.yuan, "¥", f"{m.source} to {m.target}: {m.what}", m.target == "customers") for m in path
    ]
    rest = "without operations; returned units can be sold again"
    facts.append(Fact("left in the end", balance(path, "bank", end), "¥", rest))
    days = range(end + 2)
    held = [{"account": each, "day": day, "yuan": balance(path, each, day)} for each in ACCOUNTS for day in days]
    moves = [{**move._asdict(), "text": f"¥{move.yuan:,.2f} {move.what}"} for move in path]
    title = f"{units:,} units of {product.title} ({sku}), bought for ¥{paid:,.2f}, sold for ¥{asked:,.2f}"
    return Explanation("cash", title, "fig:settlement", facts, {"moves": moves, "accounts": held})


def explain_kernel(
    world: World,
    rules: Rules,
    supplier: str,
    sku: str,
    *,
    bids: Bids | None = None,
    cycle: Annotated[int, Meta(ge=0, le=1_000_000)] = 0,
) -> Explanation:
    """The answers to a sequence of bids, and the functions that decide them."""
    product = product_of(world, sku)
    seller = supplier_of(world, supplier, product)
    kernel = open_kernel(world, seller.name, sku, cycle, rules)
    terms = kernel.terms
    kind = f"fraudulent, {seller.scam}" if seller.scam else f"honest, {seller.template}"
    facts = [
        Fact("supplier", kind, "", "its kind decides how it bargains", True),
        Fact("reference price", terms.reference_price, "¥"),
        Fact("floor", terms.floor, "¥", "its lowest price without a scam's markup", True),
        Fact("reservation", terms.reservation, "¥", "its lowest price in this bargain", True),
        Fact("opening target", terms.opening_target, "¥", "the opening quote of its catalog"),
        Fact("concession λ", terms.concession, "share", "of its gap, each counter, before reciprocity", True),
        *_bargain(kernel, bids or [round(share * terms.reservation, 2) for share in BIDS]),
    ]
    title = f"{seller.name} bargains over {product.title} ({sku}), cycle {cycle}"
    return Explanation("kernel", title, "fig:kernel_functions", facts, _panels(kernel))


def _bargain(kernel: Kernel, bids: Sequence[float]) -> list[Fact]:
    opening = kernel.answer(None)
    facts = [Fact("opening quote", opening.price or 0.0, "¥", f"{opening.posture}, {opening.sentiment}")]
    for bid in bids:
        chances = _chances(kernel, bid)
        answer = kernel.answer(bid)
        price = f" ¥{answer.price:,.2f}" if answer.decision == "Offer" else ""
        facts.append(Fact(f"bid ¥{bid:,.2f}", f"{ANSWERS[answer.decision]}{price}", "", chances, True))
        if answer.decision != "Offer":
            break
    return facts


def _chances(kernel: Kernel, bid: float) -> str:
    terms, k = kernel.terms, kernel.round + 1
    conceded, speed, rigid = features((*kernel.agent_prices, bid), terms.span) if k > 2 else (0.0, 0.0, False)
    margin = (bid - terms.reservation) / terms.span
    if margin >= 0:
        return f"round {k}: accepts with probability {acceptance(terms.manner, margin, k, speed, rigid):.3f}"
    walks = f"walks away with probability {walk_away(margin, k):.3f}" if k >= FIRST_WALK else "cannot walk away yet"
    return f"round {k}: below its reservation; {walks}; concedes {concession_share(terms, conceded):.3f} of its gap"


def _panels(kernel: Kernel) -> dict[str, Rows]:
    terms = kernel.terms
    above = evenly_spaced(terms.reservation, terms.p_max)
    below = evenly_spaced(max(0.0, terms.reservation - terms.span / 2), terms.reservation)
    accepts = partial(acceptance, terms.manner, speed=0.0, rigid=False)
    conceded = evenly_spaced(0.0, 0.3)
    prices = {
        "supplier": enumerate(kernel.supplier_prices, start=1),
        "agent": enumerate(kernel.agent_prices, start=2),
        "reservation": ((k, kernel.reservation) for k in (1, max(2, kernel.round))),
    }
    return {
        "acceptance": _by_round(terms, ROUNDS, above, accepts),
        "walking": _by_round(terms, range(FIRST_WALK, FIRST_WALK + 3), below, walk_away),
        "concession": [{"conceded": each, "returned": concession_share(terms, each)} for each in conceded],
        "ladder": [{"who": who, "round": k, "yuan": y} for who, steps in prices.items() for k, y in steps],
    }


def _by_round(
    terms: KernelTerms, rounds: Sequence[int], offers: Sequence[float], chance: Callable[[float, int], float]
) -> Rows:
    return [
        {"round": f"round {k}", "offer": offer, "probability": chance((offer - terms.reservation) / terms.span, k)}
        for k in rounds
        for offer in offers
    ]
