"""The example on the page about comparisons is what the program makes of its worlds today."""

import re
from pathlib import Path

import pytest

from ecbench import Episode
from ecbench.compare.difference import Duel, paired
from ecbench.compare.tables import OWN_FORMS
from ecbench.metrics.axes import AXES
from ecbench.players.driver import play_year
from ecbench.players.merchants.registry import get_merchant
from ecbench.world.load import load_world

PAGE = Path(__file__).parents[2] / "docs" / "compare.md"
ROW = re.compile(r"^\| (seed-\d+) \| ([\d,.]+) \| ([\d,.]+) \|$", re.MULTILINE)


def by_world() -> dict[str, tuple[float, float]]:
    rows = ROW.findall(PAGE.read_text(encoding="utf-8"))
    return {name: (float(one.replace(",", "")), float(other.replace(",", ""))) for name, one, other in rows}


def test_the_figures_of_the_example_follow_from_its_worlds() -> None:
    assets, shown = AXES[0], OWN_FORMS["final_assets"]
    found = paired(assets, [Duel(one, other, [one], [other]) for one, other in by_world().values()])
    assert found.interval is not None and found.ratio_interval is not None and found.difference is not None
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    assert f"+{shown(found.difference)} {shown(found.interval[0])} to {shown(found.interval[1])} {found.p:.3f}" in page
    assert f"{found.ratio:.2f} {found.ratio_interval[0]:.2f} to {found.ratio_interval[1]:.2f} 10 : 0 100%" in page


@pytest.mark.parametrize(("merchant", "place"), [("haggler", 0), ("first-quote", 1)])
def test_a_world_of_the_example_still_earns_what_the_page_says(merchant: str, place: int) -> None:
    episode = Episode(load_world("seed-8"))
    play_year(get_merchant(merchant, days=365), episode)
    assert episode.bank + episode.wallet == pytest.approx(by_world()["seed-8"][place], abs=0.01)
