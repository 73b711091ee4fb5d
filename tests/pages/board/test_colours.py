"""What is drawn in a colour can be told from its ground in both themes; axe judges the text of every screen."""

import re
from collections.abc import Mapping

import pytest

from ecbench.pages.board.server.page_files import STYLES
from ecbench.pages.report.colours import DARK, LIGHT

DRAWN = ("bank", "wallet", "escrow", "bad", "ink", "race-1", "race-2", "race-3", "accent")
LEAST = 3.0  # contrast of lines and areas that mean something (WCAG 2.1, 1.4.11)


def luminance(colour: str) -> float:
    parts = [int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted([luminance(one), luminance(other)])
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_is_that_of_the_definition() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_a_colour_can_be_told_from_its_ground(colours: Mapping[str, str]) -> None:
    ratios = {name: contrast(colours[name], colours["card"]) for name in DRAWN}
    assert {name: ratio for name, ratio in ratios.items() if ratio < LEAST} == {}


def test_no_style_sheet_of_the_board_has_a_colour_of_its_own() -> None:
    for sheet in STYLES:
        assert not re.findall(r"#[0-9a-f]{3,8}\b(?![^{]*\{)|rgba?\(", sheet.read_text(encoding="utf-8")), sheet
