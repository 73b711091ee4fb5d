"""The example that prints one day shows every step, and its figures add up."""

import re
import runpy
from pathlib import Path

import pytest

from ecbench.market.settlement import SETTLEMENT

EXAMPLE = Path(__file__).parents[1] / "examples" / "one_day.py"


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> str:
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    return capsys.readouterr().out


def figures(pattern: str, text: str) -> list[float]:
    return [float(found.replace(",", "")) for found in re.findall(pattern, text)]


def test_the_example_prints_every_step_in_order(printed: str) -> None:
    morning = printed[printed.index("the morning of") :]
    assert re.findall(r"^  (\w+) ", morning, re.MULTILINE) == [step.__name__ for step in SETTLEMENT]


def test_the_steps_explain_the_bank_and_the_units(printed: str) -> None:
    first, last = figures(r"the bank holds ([\d,.]+\d)", printed)
    moved = figures(r"bank ([+-][\d,.]+)", printed)
    assert moved and first + sum(moved) == pytest.approx(last, abs=0.005 * (len(moved) + 2))
    sold = figures(r"rounds it to (\d+)", printed)
    [held] = figures(r"sell_yesterday .*units held ([+-][\d,.]+)", printed)
    assert sum(sold) == -held > 0


def test_the_printed_formulas_have_the_printed_results(printed: str) -> None:
    claims = re.findall(r"= ([\d.]+) \* ([\d.]+) / \(\2 \+ ([\d.]+)\) = ([\d.]+)", printed)
    products = re.findall(r"visitors = ([\d.]+) \* ([\d.]+) \* ([\d.]+) = ([\d.]+)$", printed, re.MULTILINE)
    assert len(claims) == len(products) == 3
    for raw, capacity, category, claim in (map(float, found) for found in claims):
        assert raw * capacity / (capacity + category) == pytest.approx(claim, abs=1e-3)
    for beta, phi, visitors, raw in (map(float, found) for found in products):
        assert beta * phi * visitors == pytest.approx(raw, abs=1e-3)
