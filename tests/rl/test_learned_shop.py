"""The example of a learned policy: its weights are those of the page, and they beat `haggler`."""

import json
from pathlib import Path

from examples import learned_shop

from ecbench.rl import HELD_OUT

ROOT = Path(__file__).parents[2]


def test_the_shipped_weights_earn_more_than_haggler_on_a_world_they_have_not_seen() -> None:
    seed = HELD_OUT[30]  # not one of those on the page
    [learned] = learned_shop.play(60, [seed], learned_shop.shipped_weights()[None])
    assert learned > learned_shop.haggled(60, seed)


def test_the_weights_name_the_settings_that_the_page_describes() -> None:
    made = json.loads((ROOT / "examples" / "learned_shop.json").read_text(encoding="utf-8"))
    page = " ".join((ROOT / "docs" / "train.md").read_text(encoding="utf-8").split())
    search = "{generations} generations of {pairs} pairs of opposite changes, each generation on {worlds} fresh worlds"
    assert f"{search} of {{days}} days".format(**made["settings"]) in page
    assert f"the {len(made['weights'])} weights" in page and len(made["weights"]) == learned_shop.SIZE
