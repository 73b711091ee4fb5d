"""The kernel as a whole: copies, misuse, and what holds for every bargain."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecbench.suppliers.named_kernel import open_kernel
from ecbench.world.model import Supplier, World

SKU = "aaa111"


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
