"""The kernel against the paper's formulas, worked out here from numpy's and Python's own generators."""

from hashlib import md5
from math import exp, sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecbench.suppliers.kernel import open_kernel
from ecbench.world.model import Supplier, World

SKU = "aaa111"  # reference 199.75, so c = 101.27, w = 149.81, cap = 110.26
FLOOR, TARGET, CAP = 101.27, 149.81, 110.26


def seed_of(supplier: str, cycle: int) -> int:
    return int(md5(f"{supplier}|{SKU}|{cycle}".encode()).hexdigest()[:8], 16)


def logistic(x: float) -> float:
    return 1 / (1 + exp(-x))


def test_health_supplements_frame_of_the_paper(world: World, by_kind: dict[str, Supplier]) -> None:
    kernel = open_kernel(world, by_kind["candid"].name, SKU, 0)
    assert kernel.terms.opening_target == 149.81
    assert kernel.p_max == pytest.approx(224.72, abs=0.006)
    assert kernel.p_min == 0
    assert kernel.reservation == FLOOR
    assert kernel.harshness == pytest.approx(0.4885, abs=5e-5)  # with phi = 0.805


@pytest.mark.parametrize("scam", ["vip_fee", "future_discount", "fake_urgency"])
def test_a_pre_deal_scam_reserves_at_the_capped_floor(world: World, by_kind: dict[str, Supplier], scam: str) -> None:
    kernel = open_kernel(world, by_kind[scam].name, SKU, 0)
    assert kernel.reservation == CAP  # 1.5 c = 151.91 is above both the cap and w
    assert kernel.p_min == CAP


@pytest.mark.parametrize("scam", ["qty_bait", "quality_downgrade"])
def test_a_post_deal_scam_keeps_the_honest_floor(world: World, by_kind: dict[str, Supplier], scam: str) -> None:
    kernel = open_kernel(world, by_kind[scam].name, SKU, 0)
    assert kernel.reservation == FLOOR
    assert kernel.p_min == FLOOR


@pytest.mark.parametrize("cycle", range(12))
def test_silent_supplier_opens_at_w_and_concedes_by_lambda(
    world: World, by_kind: dict[str, Supplier], cycle: int
) -> None:
    name = by_kind["taciturn"].name
    draws = np.random.default_rng(seed_of(name, cycle))
    span = 1.5 * TARGET
    kernel = open_kernel(world, name, SKU, cycle)
    opening = TARGET + draws.normal(0, 0.02 * span)
    assert kernel.answer(None).price == pytest.approx(opening, abs=1e-9)
    share = 0.12 + 0.28 * 0.60 - 0.10  # aggressive, no concession from the agent yet
    second = min(max(opening - share * (opening - FLOOR) + draws.normal(0, 0.01 * span), FLOOR), opening)
    assert kernel.answer(50.0).price == pytest.approx(second, abs=1e-9)
    share -= 1.00 * (40.0 / span)  # lambda_2 times the agent's own concession of 40 yuan
    third = min(max(second - max(0, share) * (second - FLOOR) + draws.normal(0, 0.01 * span), FLOOR), second)
    assert kernel.answer(90.0).price == pytest.approx(third, abs=1e-9)


@pytest.mark.parametrize("cycle", range(40))
def test_candid_supplier_accepts_by_the_logistic_draw(world: World, by_kind: dict[str, Supplier], cycle: int) -> None:
    name = by_kind["candid"].name
    uniforms = Random(seed_of(name, cycle))
    uniforms.random()  # the posture of the opening
    kernel = open_kernel(world, name, SKU, cycle)
    kernel.answer(None)
    margin = (112.0 - FLOOR) / (1.5 * TARGET)
    chance = logistic(6 * margin + 0.65 - 2 * (1 - sqrt(2 / 10)))
    assert (kernel.answer(112.0).decision == "Accept") == (uniforms.random() < chance)


@pytest.mark.parametrize("cycle", range(40))
def test_rigid_and_fast_bidders_are_judged_by_reciprocity(
    world: World, by_kind: dict[str, Supplier], cycle: int
) -> None:
    name = by_kind["adversarial"].name
    uniforms = Random(seed_of(name, cycle))
    kernel = open_kernel(world, name, SKU, cycle)
    kernel.answer(None)
    kernel.answer(100.0)
    span = 1.5 * TARGET
    speed = 12.0 / span
    assert speed < 0.10  # a rigid step
    chance = logistic(6 * (112.0 - FLOOR) / span + 0.50 - 2 * (1 - sqrt(3 / 10)) - 2.25 * speed - 1.20)
    assert (kernel.answer(112.0).decision == "Accept") == (uniforms.random() < chance)


@pytest.mark.parametrize("cycle", range(40))
def test_walk_away_needs_round_five_and_an_offer_below_the_floor(
    world: World, by_kind: dict[str, Supplier], cycle: int
) -> None:
    name = by_kind["strategic"].name
    uniforms = Random(seed_of(name, cycle))
    kernel = open_kernel(world, name, SKU, cycle)
    kernel.answer(None)
    assert [kernel.answer(80.0).decision for _ in range(3)] == ["Offer"] * 3  # rounds 2, 3 and 4 draw nothing
    margin = (80.0 - FLOOR) / (1.5 * TARGET)
    chance = logistic(-4.5 - 30 * margin)
    assert (kernel.answer(80.0).decision == "Reject") == (uniforms.random() < chance)


def test_a_counter_never_undercuts_the_agents_own_bid(world: World, by_kind: dict[str, Supplier]) -> None:
    for cycle in range(60):
        kernel = open_kernel(world, by_kind["stochastic"].name, SKU, cycle)
        last = kernel.answer(None).price
        step = kernel.answer(140.0)
        if step.decision == "Offer":
            assert last is not None and step.price is not None
            assert step.price >= min(140.0, last)


def test_templates_without_cues_show_one_face(world: World, by_kind: dict[str, Supplier]) -> None:
    faces = {"taciturn": ("Hold", "neutral"), "strategic": ("Hold", "neutral"), "adversarial": ("Pressure", "negative")}
    for kind, face in faces.items():
        step = open_kernel(world, by_kind[kind].name, SKU, 3).answer(None)
        assert (step.posture, step.sentiment) == face


def test_an_accept_concedes_and_a_walk_away_presses(world: World, by_kind: dict[str, Supplier]) -> None:
    kernel = open_kernel(world, by_kind["taciturn"].name, SKU, 0)
    kernel.answer(None)
    accept = kernel.answer(2_000.0)
    assert (accept.decision, accept.price, accept.posture) == ("Accept", 2_000.0, "Concede")
    kernel = open_kernel(world, by_kind["taciturn"].name, SKU, 0)
    kernel.answer(None)
    steps = [kernel.answer(1.0) for _ in range(8)]
    assert next(step.posture for step in steps if step.decision == "Reject") == "Pressure"


def test_a_copy_draws_the_same_and_leaves_the_original_alone(world: World, by_kind: dict[str, Supplier]) -> None:
    kernel = open_kernel(world, by_kind["expressive"].name, SKU, 5)
    kernel.answer(None)
    twin = kernel.copy()
    first = [kernel.answer(price) for price in (60.0, 70.0, 80.0)]
    assert [twin.answer(price) for price in (60.0, 70.0, 80.0)] == first


def test_very_long_bargains_go_on_drawing_from_the_same_streams(world: World, by_kind: dict[str, Supplier]) -> None:
    name = by_kind["taciturn"].name
    draws = np.random.default_rng(seed_of(name, 1))
    draws.normal()
    kernel = open_kernel(world, name, SKU, 1)
    last = kernel.answer(None).price
    for _ in range(60):
        step = kernel.answer(101.5)
        if step.decision != "Offer":
            continue
        noise = draws.normal(0, 0.01 * 1.5 * TARGET)
        assert last is not None and step.price is not None
        share = 0.12 + 0.28 * 0.60 - 0.10
        want = min(max(last - share * (last - FLOOR) + noise, FLOOR), last)
        if want < 101.5:
            want = min(101.5 + 0.03 * 1.5 * TARGET, last)
        assert step.price == pytest.approx(want, abs=1e-9)
        last = step.price


def test_answering_out_of_turn_is_refused(world: World, by_kind: dict[str, Supplier]) -> None:
    kernel = open_kernel(world, by_kind["candid"].name, SKU, 0)
    with pytest.raises(ValueError, match="not opened"):
        kernel.answer(10.0)
    kernel.answer(None)
    with pytest.raises(ValueError, match="opened already"):
        kernel.answer(None)


def test_unknown_names_are_refused_by_name(world: World, by_kind: dict[str, Supplier]) -> None:
    with pytest.raises(ValueError, match="Nobody"):
        open_kernel(world, "Nobody", SKU, 0)
    with pytest.raises(ValueError, match="nope"):
        open_kernel(world, by_kind["candid"].name, "nope", 0)


@settings(max_examples=150, deadline=None)
@given(
    kind=st.integers(0, 10),
    cycle=st.integers(0, 500),
    offers=st.lists(st.floats(-1e6, 1e6, allow_nan=False), max_size=25),
)
def test_quotes_only_fall_and_nothing_is_sold_below_the_reservation(
    world: World, kind: int, cycle: int, offers: list[float]
) -> None:
    kernel = open_kernel(world, world.suppliers[kind].name, SKU, cycle)
    last = kernel.answer(None).price
    assert last is not None
    assert kernel.reservation <= last <= kernel.p_max
    for offer in offers:
        step = kernel.answer(offer)
        if step.decision == "Offer":
            assert step.price is not None
            assert kernel.reservation <= step.price <= last
            last = step.price
        elif step.decision == "Accept":
            assert offer >= kernel.reservation
        else:
            assert offer < kernel.reservation
