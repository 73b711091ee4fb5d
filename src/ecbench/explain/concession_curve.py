"""How a supplier answers bids: the four decision functions of its kernel and its quotes (fig:kernel_functions)."""

from collections.abc import Sequence

from ecbench.explain.explanation import Dot, Explanation, Fact, Panel, evenly_spaced
from ecbench.explain.lookups import product_of, supplier_of
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

ROUNDS = (2, 4, 6)
BIDS = (0.7, 0.8, 0.9, 1.0, 1.1, 1.2)  # of the reservation, where no bids are given


def explain_kernel(
    world: World, rules: Rules, supplier_name: str, sku: str, bids: Sequence[float] | None, cycle: int = 0
) -> Explanation:
    """The answers to a sequence of bids, and the functions that decide them."""
    product = product_of(world, sku)
    supplier = supplier_of(world, supplier_name, product)
    kernel = open_kernel(world, supplier.name, sku, cycle, rules)
    terms = kernel.terms
    kind = f"fraudulent, {supplier.scam}" if supplier.scam else f"honest, {supplier.template}"
    steps = [
        Fact("supplier", kind, "", "its kind decides how it bargains", True),
        Fact("reference price", terms.reference_price, "¥"),
        Fact("floor", terms.floor, "¥", "its lowest price without a scam's markup", True),
        Fact("reservation", terms.reservation, "¥", "lowest price of this one", True),
        Fact("opening target", terms.opening_target, "¥", "the opening quote of its catalog"),
        Fact(
            "concession λ",
            terms.concession,
            "share",
            "of the gap to the reservation, each counter, before reciprocity",
            True,
        ),
        *_bargain(kernel, bids or [round(share * terms.reservation, 2) for share in BIDS]),
    ]
    panels = [_acceptance(terms), _walking(terms), _reciprocity(terms), _ladder(kernel)]
    title = f"{supplier.name} bargains over {product.title} ({sku}), cycle {cycle}"
    return Explanation("kernel", title, "fig:kernel_functions", steps, panels)


def _bargain(kernel: Kernel, bids: Sequence[float]) -> list[Fact]:
    opening = kernel.answer(None)
    steps = [Fact("opening quote", opening.price or 0.0, "¥", f"{opening.posture}, {opening.sentiment}")]
    for bid in bids:
        chances = _chances(kernel, bid)
        answer = kernel.answer(bid)
        price = f"¥{answer.price:,.2f}" if answer.decision == "Offer" else ""
        said = {"Offer": "counters", "Accept": "accepts", "Reject": "walks away"}[answer.decision]
        steps.append(Fact(f"bid ¥{bid:,.2f}", f"{said} {price}".strip(), "", chances, True))
        if answer.decision != "Offer":
            break
    return steps


def _chances(kernel: Kernel, bid: float) -> str:
    """The probabilities in force when this bid arrives, in words."""
    terms, k = kernel.terms, kernel.round + 1
    conceded, speed, rigid = features((*kernel.agent_prices, bid), terms.span) if k > 2 else (0.0, 0.0, False)
    margin = (bid - terms.reservation) / terms.span
    if margin >= 0:
        return f"round {k}: accepts with probability {acceptance(terms.manner, margin, k, speed, rigid):.3f}"
    walks = f"walks away with probability {walk_away(margin, k):.3f}" if k >= FIRST_WALK else "cannot walk away yet"
    return f"round {k}: below its reservation; {walks}; concedes {concession_share(terms, conceded):.3f} of its gap"


def _acceptance(terms: KernelTerms) -> Panel:
    offers = evenly_spaced(terms.reservation, terms.p_max)
    points = [
        Dot(offer, acceptance(terms.manner, (offer - terms.reservation) / terms.span, k, 0.0, False), f"round {k}")
        for k in ROUNDS
        for offer in offers
    ]
    return Panel("Acceptance", "offer, ¥", "probability", points)


def _walking(terms: KernelTerms) -> Panel:
    offers = evenly_spaced(max(0.0, terms.reservation - terms.span / 2), terms.reservation)
    points = [
        Dot(offer, walk_away((offer - terms.reservation) / terms.span, k), f"round {k}")
        for k in (FIRST_WALK, FIRST_WALK + 1, FIRST_WALK + 2)
        for offer in offers
    ]
    return Panel("Walking away", "offer, ¥", "probability", points)


def _reciprocity(terms: KernelTerms) -> Panel:
    points = [Dot(conceded, concession_share(terms, conceded)) for conceded in evenly_spaced(0.0, 0.3)]
    return Panel("Concession returned", "the agent's mean concession, share of the frame", "share of its gap", points)


def _ladder(kernel: Kernel) -> Panel:
    quotes = [Dot(place, price, "supplier") for place, price in enumerate(kernel.supplier_prices, start=1)]
    bids = [Dot(place + 1, price, "agent") for place, price in enumerate(kernel.agent_prices, start=1)]
    floor = [Dot(place, kernel.reservation, "reservation") for place in (1, max(2, kernel.round))]
    return Panel("Bids and quotes", "round", "yuan", [*quotes, *bids, *floor])
