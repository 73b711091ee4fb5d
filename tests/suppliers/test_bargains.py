"""Whole bargains against the paper's kernel, written down once more here with Python's and numpy's own generators."""

from dataclasses import replace
from hashlib import md5
from itertools import pairwise
from math import exp, isclose, sqrt
from random import Random

import numpy as np
import pytest

from ecbench.market.economy import Economy
from ecbench.rules import DEFAULT_RULES
from ecbench.suppliers import templates
from ecbench.suppliers.kernel import KernelStep, Posture, Sentiment, concession_share, terms_at, terms_of
from ecbench.suppliers.named_kernel import open_kernel
from ecbench.suppliers.supplier_traits import published_traits
from ecbench.world.model import Supplier, World

SKU, REFERENCE = "aaa111", 199.75
STANCES = ("conciliatory", "neutral", "aggressive")
# By stance, and the noise of a quote: rho, xi, lambda_2, sigma_p.
PRESETS = {
    "type-instrumental": ((0, -0.25, -0.75), (0.40, 0, -0.50), (0.30, 0.50, 1.00), 0.01),
    "high-reactivity": ((0, -0.75, -1.50), (0.40, 0, -0.75), (0.45, 0.90, 1.80), 0.03),
    "moderate-stochastic": ((0, -0.50, -1.10), (0.35, 0, -0.60), (0.35, 0.70, 1.40), 0.08),
    "hardball": ((-0.25, -1.25, -2.25), (0, -0.50, -1.20), (0.60, 1.40, 2.60), 0.01),
}
HONEST = {
    "expressive": ("high-reactivity", 0.70, "conciliatory"),
    "candid": ("type-instrumental", 0.65, "neutral"),
    "stochastic": ("moderate-stochastic", 0.60, "neutral"),
    "taciturn": ("type-instrumental", 0.60, "aggressive"),
    "strategic": ("high-reactivity", 0.55, "aggressive"),
    "adversarial": ("hardball", 0.50, "aggressive"),
}
SCAMS = {
    "vip_fee": ("hardball", 0.15, "aggressive"),
    "future_discount": ("hardball", 0.20, "aggressive"),
    "fake_urgency": ("hardball", 0.20, "aggressive"),
    "qty_bait": ("hardball", 0.35, "neutral"),
    "quality_downgrade": ("hardball", 0.35, "neutral"),
}
MARKUP = {"vip_fee": 1.5, "future_discount": 1.5, "fake_urgency": 1.5}
KINDS = {**HONEST, **SCAMS}
# Floor, opening target and cap of a scam's floor over the reference price: the cap binds, the markup binds, and a
# frame so narrow that an opening is drawn from its very edge.
FRAMES = [(0.507, 0.75, 0.552), (0.507, 0.9, 0.8), (0.7, 0.71, 0.71)]
Frame = tuple[float, float, float]


def clip(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


def logistic(x: float) -> float:
    return 1 / (1 + exp(-x))


class Paper:
    """One bargain as app:nego has it. The terms are eq:floor, eq:scamfloor, eq:k_frame and eq:d0."""

    def __init__(self, kind: str, name: str, cycle: int, frame: Frame) -> None:
        seed = int(md5(f"{name}|{SKU}|{cycle}".encode()).hexdigest()[:8], 16)
        self.uniform, self.normal = Random(seed), np.random.default_rng(seed).normal
        preset, self.urgency, stance = KINDS[kind]
        self.kind, self.sign = kind, STANCES.index(stance) - 1
        rho, xi, lambda_2, self.sigma_p = PRESETS[preset]
        self.rho, self.xi, self.lambda_2 = (row[self.sign + 1] for row in (rho, xi, lambda_2))
        floor, target, cap = (round(REFERENCE * ratio, 2) for ratio in frame)
        raised = round(max(floor, min(MARKUP.get(kind, 1.0) * floor, cap, target)), 2)
        self.reservation = raised if kind in SCAMS else floor
        self.top = 1.5 * target
        self.span = max(1.0, self.top - (self.reservation if kind in SCAMS else 0.0))
        room = clip(1 - 0.3 * self.urgency + 0.15 * self.sign, 0.5, 1.5) * (self.top - self.reservation)
        self.harshness = clip((target - self.reservation) / room, 0, 0.99)
        self.mean = self.reservation + self.harshness * room
        self.draws_cues = kind in ("expressive", "candid", "stochastic")
        self.bids: list[float] = []
        self.round, self.quote, self.step = 1, 0.0, 0.0

    def open(self) -> KernelStep:
        """eq:k_open."""
        self.quote = clip(self.mean + self.normal(0, 0.02 * self.span), self.reservation, self.top)
        return KernelStep("Offer", self.quote, self.posture(), self.sentiment())

    def answer(self, bid: float) -> KernelStep:
        """eq:k_hist, eq:k_accept, eq:k_walk."""
        self.round += 1
        self.bids.append(bid)
        steps = [(later - bid) / self.span for bid, later in pairwise(self.bids[-4:])]  # the last three
        conceded = sum(max(0.0, step) for step in steps) / len(steps) if steps else 0.0
        speed = sum(steps) / len(steps) if steps else 0.0
        rigid = bool(steps) and steps[-1] < 0.10
        margin = (bid - self.reservation) / self.span
        if margin >= 0:
            chance = 6 * margin + self.urgency - 2 * (1 - sqrt(self.round / 10)) + self.rho * speed + self.xi * rigid
            if self.uniform.random() < logistic(chance):
                return KernelStep("Accept", bid, "Concede", self.sentiment())
        elif self.round >= 5 and self.uniform.random() < logistic(-4.5 - 30 * margin + 1.5 * (self.round - 5) / 5):
            return KernelStep("Reject", None, "Pressure", self.sentiment())
        self.counter(bid, conceded)
        return KernelStep("Offer", self.quote, self.posture(), self.sentiment())

    def counter(self, bid: float, conceded: float) -> None:
        """eq:k_conc, eq:k_quote."""
        last = self.quote
        share = clip(0.12 + 0.28 * self.urgency - 0.10 * self.sign - self.lambda_2 * conceded, 0, 1)
        quote = last - share * (last - self.reservation) + self.normal(0, self.sigma_p * self.span)
        quote = clip(quote, self.reservation, last)
        self.quote = quote if quote >= bid else min(bid + 0.03 * self.span, last)
        self.step = clip(abs(self.quote - last) / (abs(last - self.reservation) + 1e-5), 0, 1)

    @property
    def erratic(self) -> bool:
        return self.kind == "stochastic"

    def posture(self) -> Posture:
        """eq:k_cue."""
        if not self.draws_cues:
            return "Hold" if self.kind in ("taciturn", "strategic") else "Pressure"
        logits: dict[Posture, float] = {
            "Concede": -self.sign + 2 * (self.step - 0.10),
            "Hold": 0.0 if self.sign else 0.5,
            "Pressure": self.sign + 2 * (sqrt(self.round / 10) - 0.80) - self.step,
        }
        weights = [exp(logit / (2.5 if self.erratic else 1.0)) for logit in logits.values()]
        return self.uniform.choices([*logits], weights)[0]

    def sentiment(self) -> Sentiment:
        """eq:k_sent."""
        if not self.draws_cues:
            return "neutral" if self.kind in ("taciturn", "strategic") else "negative"
        felt = self.normal(-self.sign, 2.0 if self.erratic else 0.75)
        return "positive" if felt > 0.5 else "negative" if felt < -0.5 else "neutral"


def framed(world: World, frame: Frame) -> World:
    floor, target, cap = frame
    categories = [
        replace(category, floor_ratio=floor, wholesale_ratio=target, scam_cap_ratio=cap)
        for category in world.categories
    ]
    return replace(world, categories=tuple(categories))


def same(found: KernelStep, expected: KernelStep) -> bool:
    if found.price is None or expected.price is None:
        return found == expected
    return found._replace(price=None) == expected._replace(price=None) and isclose(found.price, expected.price)


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_bargain_is_that_of_the_paper_from_the_opening_to_its_end(
    world: World, by_kind: dict[str, Supplier], kind: str, frame: Frame
) -> None:
    market, name, endings = framed(world, frame), by_kind[kind].name, set()
    for cycle in range(30):
        kernel, paper, bids = open_kernel(market, name, SKU, cycle), Paper(kind, name, cycle, frame), Random(cycle)
        assert (kernel.reservation, kernel.p_max) == (paper.reservation, paper.top)
        assert kernel.harshness == pytest.approx(paper.harshness)
        assert same(kernel.answer(None), paper.open())
        bid = paper.reservation * bids.uniform(0.7, 1.0)
        for _ in range(9):
            step = kernel.answer(bid)
            assert same(step, paper.answer(bid)), (cycle, bid)
            endings.add(step.decision)
            if step.decision != "Offer":
                break
            bid += paper.span * bids.uniform(-0.04, 0.16)
    assert {"Offer", "Accept"} <= endings


def test_a_frame_without_room_is_seven_tenths_harsh_and_opens_at_its_floor(
    world: World, by_kind: dict[str, Supplier]
) -> None:
    """A target of half the reference price makes a frame that ends where the floor of three quarters begins."""
    narrow = replace(world, products=(replace(world.products[0], reference_price=200.0), *world.products[1:]))
    kernel = open_kernel(framed(narrow, (0.75, 0.5, 0.5)), by_kind["candid"].name, SKU, 0)
    assert (kernel.reservation, kernel.p_max, kernel.harshness) == (150.0, 150.0, 0.7)
    assert kernel.answer(None).price == 150.0


@pytest.mark.parametrize(("urgency", "stance", "share"), [(3.0, -1, 0.5), (-3.0, 1, 1.5)])
def test_an_opening_takes_half_of_the_frame_at_least_and_three_halves_at_most(
    urgency: float, stance: int, share: float
) -> None:
    """No supplier of the roster is as patient or as pressed for time."""
    traits = published_traits("candid", "", 0.5, 0.8, 0.6)
    manner = replace(traits.manner, urgency=urgency, stance_sign=stance)
    terms = terms_at(replace(traits, manner=manner), 100.0)
    assert terms.harshness == pytest.approx((80 - 50) / (share * (120 - 50)))


def test_goods_worth_less_than_a_cent_have_no_room_and_a_span_of_one_yuan(
    world: World, by_kind: dict[str, Supplier]
) -> None:
    trifle = replace(world.product_by_sku[SKU], reference_price=0.001)
    found = terms_of(Economy.of(world, DEFAULT_RULES), by_kind["candid"], trifle)
    assert (found.floor, found.opening_target, found.p_max) == (0.0, 0.0, 0.0)
    assert (found.harshness, found.span) == (0.7, 1.0)


def test_an_aggressive_supplier_would_draw_its_cues_by_the_paper_too(
    world: World, by_kind: dict[str, Supplier]
) -> None:
    """None of the roster does: those that are aggressive show one face."""
    name, seen = by_kind["taciturn"].name, set()
    for cycle in range(60):
        kernel, paper = open_kernel(world, name, SKU, cycle), Paper("taciturn", name, cycle, FRAMES[0])
        kernel.terms = replace(kernel.terms, manner=replace(kernel.terms.manner, cues="drawn"))
        paper.draws_cues = True
        for step, expected in ((kernel.answer(None), paper.open()), (kernel.answer(60.0), paper.answer(60.0))):
            assert same(step, expected), cycle
            seen.add((step.posture, step.sentiment))
    assert {posture for posture, _ in seen} == {"Concede", "Hold", "Pressure"}


def test_a_counter_gives_up_no_more_than_its_gap_to_the_floor_and_no_less_than_nothing(
    world: World, by_kind: dict[str, Supplier]
) -> None:
    kernel = open_kernel(world, by_kind["candid"].name, SKU, 0)
    for concession, share in ((0.9, 0.9), (1.5, 1.0), (-0.5, 0.0)):
        assert concession_share(replace(kernel.terms, concession=concession), 0.0) == share


def test_the_presets_are_those_of_the_paper_at_every_stance() -> None:
    """Also where no supplier of the roster takes the stance."""
    found = {
        name: (preset.rho, preset.xi, preset.lambda2, preset.sigma_p) for name, preset in templates.PRESETS.items()
    }
    assert found == PRESETS
