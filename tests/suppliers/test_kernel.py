"""The kernel as a whole: copies, long bargains, misuse, and what holds for every bargain."""

from hashlib import md5

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecbench.suppliers.named_kernel import open_kernel
from ecbench.world.model import Supplier, World

SKU = "aaa111"  # reference 199.75, so c = 101.27 and w = 149.81
FLOOR, TARGET = 101.27, 149.81


def seed_of(supplier: str, cycle: int) -> int:
    return int(md5(f"{supplier}|{SKU}|{cycle}".encode()).hexdigest()[:8], 16)


def test_health_supplements_frame_of_the_paper(world: World, by_kind: dict[str, Supplier]) -> None:
    kernel = open_kernel(world, by_kind["candid"].name, SKU, 0)
    assert kernel.terms.opening_target == 149.81
    assert kernel.p_max == pytest.approx(224.72, abs=0.006)
    assert kernel.p_min == 0
    assert kernel.reservation == FLOOR
    assert kernel.harshness == pytest.approx(0.4885, abs=5e-5)  # with phi = 0.805


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


@settings(max_examples=150)
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
