"""Recorded negotiations of the published release, step by step with their hidden cues."""

import gzip
import json
from math import isclose
from pathlib import Path
from typing import Any

import pytest

from ecbench.suppliers.named_kernel import open_kernel
from ecbench.world.load import load_world

PARITY = Path(__file__).parents[3] / "shared" / "parity"
RECORDINGS = PARITY / "kernels.json.gz"

pytestmark = pytest.mark.skipif(
    not RECORDINGS.exists(), reason="THE PUBLISHED RECORDINGS ARE ABSENT: kernels were not compared with the release"
)


def differences(world: Any, case: dict[str, Any]) -> list[str]:
    kernel = open_kernel(world, case["supplier"], case["sku"], case["cycle"])
    name = f"{case['supplier']}/{case['sku']}/{case['cycle']}"
    found = [
        f"{name}.{field}"
        for field, value in (
            ("reservation", kernel.reservation),
            ("p_min", kernel.p_min),
            ("p_max", kernel.p_max),
            ("harshness", kernel.harshness),
        )
        if not isclose(case[field], value, rel_tol=1e-9, abs_tol=1e-9)
    ]
    for number, want in enumerate(case["steps"]):
        step = kernel.answer(want["offer"])
        same_cues = (step.decision, step.posture, step.sentiment) == tuple(
            want[field] for field in ("decision", "posture", "sentiment")
        )
        same_price = want["price"] is None or (
            step.price is not None and isclose(want["price"], step.price, rel_tol=1e-9, abs_tol=1e-7)
        )
        if not (same_cues and same_price):
            return [*found, f"{name} step {number}: {step} instead of {want}"]
    return found


def test_every_recorded_negotiation_is_repeated_exactly() -> None:
    world = load_world(str(PARITY / "world"))
    with gzip.open(RECORDINGS) as file:
        cases = json.load(file)
    assert len(cases) == 1_500
    assert [difference for case in cases for difference in differences(world, case)] == []
