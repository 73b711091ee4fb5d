"""The colours of pages can be read: contrast AA in both themes."""

import re
from collections.abc import Mapping

import pytest

from ecbench.pages.board.server.page_files import STYLES
from ecbench.pages.report.colours import DARK, LIGHT

TEXT, DRAWN = (
    4.5,
    3.0,
)  # least contrast of text, and of lines and areas that mean something (WCAG 2.1, 1.4.3 and 1.4.11)

WRITTEN = [
    ("ink", "paper"),
    ("ink", "card"),
    ("ink", "span-promotion"),  # one's own letters, the chosen supplier
    ("ink", "span-event"),  # the head while hidden truth is shown
    ("muted", "paper"),
    ("muted", "card"),
    ("muted", "span-promotion"),
    ("accent", "paper"),  # links
    ("accent", "card"),
    ("accent", "span-event"),
    ("card", "accent"),  # what the main button says
    ("bad", "paper"),
    ("bad", "card"),
    ("bad", "span-event"),
    ("mistake", "paper"),
    ("mistake", "card"),
]
PICTURED = [
    ("bank", "card"),
    ("wallet", "card"),
    ("escrow", "card"),
    ("bad", "card"),
    ("ink", "card"),  # the cursor, which has ground of its own on both sides
    ("race-1", "card"),
    ("race-2", "card"),
    ("race-3", "card"),
    ("accent", "card"),
]


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
@pytest.mark.parametrize(("pairs", "least"), [(WRITTEN, TEXT), (PICTURED, DRAWN)], ids=["text", "drawn"])
def test_a_colour_can_be_told_from_its_ground(
    colours: Mapping[str, str], pairs: list[tuple[str, str]], least: float
) -> None:
    faint = {pair: round(contrast(*(colours[name] for name in pair)), 2) for pair in pairs}
    assert {pair: ratio for pair, ratio in faint.items() if ratio < least} == {}


def test_no_style_sheet_of_the_board_has_a_colour_of_its_own() -> None:
    for sheet in STYLES:
        assert not re.findall(r"#[0-9a-f]{3,8}\b(?![^{]*\{)|rgba?\(", sheet.read_text(encoding="utf-8")), sheet
