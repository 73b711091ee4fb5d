"""The colours of pages can be read: contrast AA in both themes."""

import re
from collections.abc import Mapping

import pytest

from ecbench.pages.board.server.page_files import STYLES
from ecbench.pages.report.colours import DARK, LIGHT

# Least contrast of text, and of lines and areas that mean something (WCAG 2.1, 1.4.3 and 1.4.11), by ground.
WRITTEN = {
    "paper": "ink muted accent bad mistake",
    "card": "ink muted accent bad mistake",
    "span-promotion": "ink muted",  # one's own letters, the chosen supplier
    "span-event": "ink accent bad",  # the head while hidden truth is shown
    "accent": "card",  # what the main button says
}
PICTURED = {"card": "bank wallet escrow bad ink race-1 race-2 race-3 accent"}


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
@pytest.mark.parametrize(("grounds", "least"), [(WRITTEN, 4.5), (PICTURED, 3.0)], ids=["text", "drawn"])
def test_a_colour_can_be_told_from_its_ground(
    colours: Mapping[str, str], grounds: dict[str, str], least: float
) -> None:
    ratios = {
        (ink, ground): contrast(colours[ink], colours[ground]) for ground in grounds for ink in grounds[ground].split()
    }
    assert {pair: ratio for pair, ratio in ratios.items() if ratio < least} == {}


def test_no_style_sheet_of_the_board_has_a_colour_of_its_own() -> None:
    for sheet in STYLES:
        assert not re.findall(r"#[0-9a-f]{3,8}\b(?![^{]*\{)|rgba?\(", sheet.read_text(encoding="utf-8")), sheet
