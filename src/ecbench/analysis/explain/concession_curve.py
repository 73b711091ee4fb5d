"""How a supplier answers bids: the four decision functions of its kernel and its quotes (fig:kernel_functions)."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated

from msgspec import Meta

from ecbench.analysis.explain.explanation import (
    Count,
    Explanation,
    Fact,
    Rows,
    evenly_spaced,
    product_of,
    supplier_of,
)
from ecbench.rules import Rules
from ecbench.suppliers.kernel import (
    FIRST_WALK,
    Kernel,
    KernelTerms,
    acceptance,
    concession_share,
    features,
    walk_away,
)
from ecbench.suppliers.named_kernel import open_kernel
from ecbench.world.model import World

Bids = Annotated[list[Annotated[float, Meta(ge=0, le=1e9)]], Meta(min_length=1, max_length=100)]

ROUNDS = (2, 4, 6)
BIDS = (0.7, 0.8, 0.9, 1.0, 1.1, 1.2)  # of the reservation, if no bids are given
ANSWERS = {"Offer": "counters", "Accept": "accepts", "Reject": "walks away"}


def explain_kernel(
    world: World, rules: Rules, supplier: str, sku: str, *, bids: Bids | None = None, cycle: Count = 0
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
    """The probabilities in force when this bid arrives, in words."""
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
