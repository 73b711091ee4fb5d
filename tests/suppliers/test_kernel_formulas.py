"""Every formula of the paper's negotiation kernel, by its label, with the draws of numpy's and Python's generators.

A decision is tested at its threshold: the price at which the formula's probability is the uniform that will be drawn,
and a hair to either side of it.
"""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import md5
from itertools import pairwise
from math import exp, log, sqrt
from random import Random

import numpy as np
import pytest

from ecbench.market.economy import Economy
from ecbench.rules import DEFAULT_RULES
from ecbench.suppliers.kernel import KernelStep, terms_of
from ecbench.suppliers.named_kernel import open_kernel
from ecbench.world.model import Supplier, World

SKU = "aaa111"  # reference 199.75: c = 101.27, w = 149.81, cap = 110.26
FLOOR, TARGET, CAP = 101.27, 149.81, 110.26
SPAN = 1.5 * TARGET  # of an honest supplier
HAIR = 1e-6
URGENCY = {"expressive": 0.70, "candid": 0.65, "stochastic": 0.60, "taciturn": 0.60, "strategic": 0.55}
URGENCY |= {"adversarial": 0.50, "vip_fee": 0.15, "future_discount": 0.20, "fake_urgency": 0.20}
URGENCY |= {"qty_bait": 0.35, "quality_downgrade": 0.35}
AGGRESSIVE = ("taciturn", "strategic", "adversarial", "vip_fee", "future_discount", "fake_urgency")
STANCE = {kind: 1 if kind in AGGRESSIVE else -1 if kind == "expressive" else 0 for kind in URGENCY}
HARDBALL = (-2.25, -1.20, 2.60, 0.01)
# rho, xi, lambda_2 and sigma_p of tab:presets, each at the stance of its template.
PRESET = {
    "expressive": (0.0, 0.40, 0.45, 0.03),
    "candid": (-0.25, 0.0, 0.50, 0.01),
    "stochastic": (-0.50, 0.0, 0.70, 0.08),
    "taciturn": (-0.75, -0.50, 1.00, 0.01),
    "strategic": (-1.50, -0.75, 1.80, 0.03),
    "adversarial": HARDBALL,
    "vip_fee": HARDBALL,
    "future_discount": HARDBALL,
    "fake_urgency": HARDBALL,
    "qty_bait": (-1.25, -0.50, 1.40, 0.01),
    "quality_downgrade": (-1.25, -0.50, 1.40, 0.01),
}
DRAWN = ("expressive", "candid", "stochastic")  # those who draw their cues
KINDS = tuple(URGENCY)


def terms(kind: str) -> tuple[float, float]:
    """Reservation and span."""
    if kind in ("vip_fee", "future_discount", "fake_urgency"):
        return CAP, SPAN - CAP
    return FLOOR, SPAN - FLOOR if kind in ("qty_bait", "quality_downgrade") else SPAN


class Bargain:
    """A kernel, and the two streams that it draws from."""

    def __init__(self, world: World, by_kind: dict[str, Supplier], kind: str, cycle: int) -> None:
        name = by_kind[kind].name
        seed = int(md5(f"{name}|{SKU}|{cycle}".encode()).hexdigest()[:8], 16)
        self.kind, self.kernel = kind, open_kernel(world, name, SKU, cycle)
        self.uniforms, self.normals = Random(seed), np.random.default_rng(seed)
        self.opening = self.kernel.answer(None)
        self.quote = self.opening.price or 0.0
        self.opening_noise = float(self.normals.normal())
        self.skip_cues()

    def skip_cues(self) -> None:
        if self.kind in DRAWN:
            self.uniforms.random()
            self.normals.normal()

    def countered(self, price: float) -> bool:
        """Whether an offer below the floor is answered by a quote; from round five on it may end the bargain."""
        if self.kernel.round >= 4:
            self.uniforms.random()
        step = self.kernel.answer(price)
        self.quote = step.price or 0.0
        self.noise = float(self.normals.normal())
        self.skip_cues()
        return step.decision == "Offer"

    def at(self, price: float) -> KernelStep:
        return self.kernel.copy().answer(price)


def logit(share: float) -> float:
    return log(share / (1 - share))


@pytest.mark.parametrize("kind", KINDS)
def test_eq_floor_eq_scamfloor_and_eq_k_frame_set_the_prices(
    world: World, by_kind: dict[str, Supplier], kind: str
) -> None:
    kernel, (reservation, span) = open_kernel(world, by_kind[kind].name, SKU, 0), terms(kind)
    assert (kernel.terms.floor, kernel.terms.opening_target, kernel.reservation) == (FLOOR, TARGET, reservation)
    assert (kernel.p_max, kernel.terms.span) == pytest.approx((1.5 * TARGET, span))
    assert kernel.p_min == pytest.approx(1.5 * TARGET - span)


def test_eq_d0_and_eq_k_frame_hold_for_goods_worth_less_than_a_cent(world: World, by_kind: dict[str, Supplier]) -> None:
    """Floor and wholesale price round to 0: no room between them, and a span of one yuan."""
    trifle = replace(world.product_by_sku[SKU], reference_price=0.001)
    found = terms_of(Economy.of(world, DEFAULT_RULES), by_kind["candid"], trifle)
    assert (found.floor, found.opening_target, found.p_max) == (0.0, 0.0, 0.0)
    assert (found.harshness, found.span) == (0.7, 1.0)


@pytest.mark.parametrize("kind", KINDS)
def test_eq_d0_and_eq_k_open_quote_the_wholesale_price_on_average(
    world: World, by_kind: dict[str, Supplier], kind: str
) -> None:
    reservation, span = terms(kind)
    phi = 1 - 0.3 * URGENCY[kind] + 0.15 * STANCE[kind]
    for cycle in range(5):
        bargain = Bargain(world, by_kind, kind, cycle)
        assert bargain.kernel.harshness == pytest.approx((TARGET - reservation) / (phi * (1.5 * TARGET - reservation)))
        assert bargain.quote == pytest.approx(TARGET + 0.02 * span * bargain.opening_noise)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("offers", [(), (90.0,), (40.0, 85.0), (50.0, 90.0, 70.0), (20.0, 60.0, 80.0, 95.0)])
def test_eq_k_hist_and_eq_k_accept_decide_at_the_drawn_price(
    world: World, by_kind: dict[str, Supplier], kind: str, offers: Sequence[float]
) -> None:
    """The price enters the margin, the mean speed of the last three steps, and whether the last step is rigid."""
    reservation, span = terms(kind)
    rho, xi, *_ = PRESET[kind]
    tried = 0
    for cycle in range(40):
        bargain = Bargain(world, by_kind, kind, cycle)
        if not all(map(bargain.countered, offers)):
            continue
        k, drawn = len(offers) + 2, bargain.uniforms.random()
        known = URGENCY[kind] - 2 * (1 - sqrt(k / 10))
        steps, recent = min(3, len(offers)), offers[-3:]
        for rigid in (True, False) if offers else (False,):
            # logit(u) = known + 6 (p - r) / R + rho (p - first) / (steps R) + xi rigid, solved for p
            slope, level = 6 / span, known + xi * rigid - 6 * reservation / span
            if offers:
                slope, level = slope + rho / (steps * span), level - rho * recent[0] / (steps * span)
            price = (logit(drawn) - level) / slope
            if price - HAIR < reservation or (offers and ((price - offers[-1]) / span < 0.10) is not rigid):
                continue
            tried += 1
            assert bargain.at(price + HAIR).decision == "Accept"
            assert bargain.at(price - HAIR).decision == "Offer"
    assert tried


@pytest.mark.parametrize("kind", ["strategic", "candid"])
@pytest.mark.parametrize("k", [5, 7])
def test_eq_k_walk_leaves_at_the_drawn_price_from_round_five_on(
    world: World, by_kind: dict[str, Supplier], kind: str, k: int
) -> None:
    tried = 0
    for cycle in range(60):
        bargain = Bargain(world, by_kind, kind, cycle)
        assert all(bargain.at(-1e3).decision == "Offer" and bargain.countered(101.0) for _ in range(3))
        if not all(bargain.countered(101.0) for _ in range(k - 5)):
            continue
        price = FLOOR - SPAN * (logit(bargain.uniforms.random()) + 4.5 - 1.5 * (k - 5) / 5) / 30
        if price + HAIR < FLOOR:
            tried += 1
            assert bargain.at(price - HAIR).decision == "Reject"
            assert bargain.at(price + HAIR).decision == "Offer"
    assert tried > 5


@pytest.mark.parametrize("kind", KINDS)
def test_eq_k_conc_and_eq_k_quote_close_a_share_of_the_gap(
    world: World, by_kind: dict[str, Supplier], kind: str
) -> None:
    """The share falls with what the agent concedes: on average over its last three steps, retreats counting as 0."""
    (reservation, span), (_, _, weight, sigma) = terms(kind), PRESET[kind]
    for cycle in range(20):
        bargain, offers = Bargain(world, by_kind, kind, cycle), (10.0, 16.0, 12.0, 22.0, 30.0)
        for number, offer in enumerate(offers):
            steps = [after - before for before, after in pairwise(offers[: number + 1])][-3:]
            conceded = sum(max(0.0, step) for step in steps) / max(1, len(steps)) / span
            share = min(1, max(0, 0.12 + 0.28 * URGENCY[kind] - weight * conceded - 0.10 * STANCE[kind]))
            last = bargain.quote
            if not bargain.countered(offer):
                break
            wanted = last - share * (last - reservation) + sigma * span * bargain.noise
            assert bargain.quote == pytest.approx(min(max(wanted, reservation), last), abs=1e-9)


def test_a_counter_below_the_agents_own_bid_is_raised_by_three_hundredths_of_the_span(
    world: World, by_kind: dict[str, Supplier]
) -> None:
    raised = 0
    for cycle in range(60):
        bargain = Bargain(world, by_kind, "taciturn", cycle)
        last, bid = bargain.quote, bargain.quote - 8.0
        wanted = last - 0.188 * (last - FLOOR) + 0.01 * SPAN * float(bargain.normals.normal())
        step = bargain.at(bid)
        if step.decision == "Offer" and wanted < bid:
            raised += 1
            assert step.price == pytest.approx(bid + 0.03 * SPAN, abs=1e-9)
            assert bargain.at(last - 1.0).price in (pytest.approx(last), last - 1.0)  # a quote, or the accepted price
    assert raised > 3


@pytest.mark.parametrize("kind", DRAWN)
def test_eq_k_cue_and_eq_k_sent_draw_the_cues(world: World, by_kind: dict[str, Supplier], kind: str) -> None:
    temperature, spread = (2.5, 2.0) if kind == "stochastic" else (1.0, 0.75)
    bias = (1.0, 0.0, -1.0) if kind == "expressive" else (0.0, 0.5, 0.0)
    seen = set()
    for cycle in range(150):
        name = by_kind[kind].name
        seed = int(md5(f"{name}|{SKU}|{cycle}".encode()).hexdigest()[:8], 16)
        uniforms, normals = Random(seed), np.random.default_rng(seed)
        kernel, last = open_kernel(world, name, SKU, cycle), None
        for k, offer in enumerate((None, 20.0, 25.0, 90.0), start=1):
            step = kernel.answer(offer)
            assert step.price is not None
            moved = 0.0 if last is None else min(1.0, abs(step.price - last) / (abs(last - FLOOR) + 1e-5))
            logits = (bias[0] + 2 * (moved - 0.10), bias[1], bias[2] + 2 * (sqrt(k / 10) - 0.80) - moved)
            weights = [exp(each / temperature) for each in logits]
            normals.normal()  # the quote
            felt = -STANCE[kind] + spread * float(normals.normal())
            [posture] = uniforms.choices(("Concede", "Hold", "Pressure"), weights)
            sentiment = "positive" if felt > 0.5 else "negative" if felt < -0.5 else "neutral"
            assert (step.posture, step.sentiment) == (posture, sentiment)
            seen.add((posture, sentiment))
            last = step.price
    assert {posture for posture, _ in seen} == {"Concede", "Hold", "Pressure"}
    assert {sentiment for _, sentiment in seen} == {"positive", "neutral", "negative"}


def test_tab_presets_give_the_others_one_face(world: World, by_kind: dict[str, Supplier]) -> None:
    for kind in KINDS[3:]:
        face = ("Hold", "neutral") if kind in ("taciturn", "strategic") else ("Pressure", "negative")
        opening = Bargain(world, by_kind, kind, 3).opening
        assert (opening.posture, opening.sentiment) == face
