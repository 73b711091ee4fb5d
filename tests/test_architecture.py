"""What the page on the architecture says of the code is so."""

import re
from pathlib import Path

import ecbench
from ecbench.market.settlement import SETTLEMENT

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
SOURCE = Path(ecbench.__file__).parent


def test_the_page_lists_the_mornings_steps_in_their_order() -> None:
    [listed] = re.findall(r"SETTLEMENT = \((.*?)\)", PAGE, re.DOTALL)
    assert re.findall(r"\w+", listed) == [step.__name__ for step in SETTLEMENT]


def test_every_module_and_folder_that_the_page_names_exists() -> None:
    named = set(re.findall(r"`([a-z_/]+(?:\.py|/))`", PAGE))
    places = (SOURCE, SOURCE / "suppliers", ROOT)
    assert {"market/settlement.py", "suppliers/desk.py", "tests/test_layers.py", "voices/"} <= named
    assert [name for name in sorted(named) if not any((place / name).exists() for place in places)] == []
