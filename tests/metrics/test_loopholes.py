"""Signs of loopholes: remarks that verify and compare make of a year."""

import pytest

from ecbench.metrics.losses.failure_modes import loophole_signs


@pytest.mark.parametrize(
    ("salvage", "purchases", "dearest", "words"),
    [
        (0.0, 0.0, 0.0, []),
        (100.0, 1_000.0, 5.0, []),
        (100.01, 1_000.0, 1.0, ["selling off stock brought ¥100, more than 10% of the ¥1,000"]),
        (5.0, 0.0, 1.0, ["selling off stock"]),
        (0.0, 1_000.0, 5.01, ["a sale at 5.0 times the reference price"]),
        (19.7e6, 1.0e6, 40.0, ["selling off stock brought ¥19,700,000", "a sale at 40.0 times"]),
    ],
)
def test_salvage_beyond_a_tenth_of_purchases_and_sales_beyond_five_times_reference_are_signs(
    salvage: float, purchases: float, dearest: float, words: list[str]
) -> None:
    found = {"salvage": salvage, "purchases": purchases, "dearest_sale": dearest}
    signs = list(loophole_signs({"loopholes": found}))
    assert len(signs) == len(words)
    assert all(word in sign for word, sign in zip(words, signs, strict=True))
