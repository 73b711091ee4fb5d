"""The example on the page about comparisons is what the program makes of its worlds today."""

import re
from dataclasses import replace
from math import log
from pathlib import Path

import pytest

from ecbench import Episode
from ecbench.compare.sentence import sentence
from ecbench.compare.verdict import from_gaps, paired_verdict
from ecbench.players.driver import play_year
from ecbench.players.merchants.registry import get_merchant
from ecbench.world.load import load_world

PAGE = Path(__file__).parents[2] / "docs" / "compare.md"
ROW = re.compile(r"^\| (seed-\d+) \| ([\d,.]+) \| ([\d,.]+) \|$", re.MULTILINE)


def by_world() -> dict[str, tuple[float, float]]:
    rows = ROW.findall(PAGE.read_text(encoding="utf-8"))
    return {name: (float(one.replace(",", "")), float(other.replace(",", ""))) for name, one, other in rows}


def test_the_verdict_of_the_example_follows_from_its_worlds() -> None:
    verdict = paired_verdict(from_gaps([log(one / other) for one, other in by_world().values()]))
    assert verdict.stated_from is not None and verdict.p == 2 / 1024
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    line = sentence(replace(verdict, p_adjusted=verdict.p), "haggler", "first-quote", "10 worlds")
    assert line in page and f"0.002 0.002 {verdict.stated_from:.2f} times" in page


@pytest.mark.parametrize(("merchant", "place"), [("haggler", 0), ("first-quote", 1)])
def test_a_world_of_the_example_still_earns_what_the_page_says(merchant: str, place: int) -> None:
    episode = Episode(load_world("seed-8"))
    play_year(get_merchant(merchant, days=365), episode)
    assert episode.bank + episode.wallet == pytest.approx(by_world()["seed-8"][place], abs=0.01)
