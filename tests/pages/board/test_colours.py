"""The board's colours can be read: contrast AA in both themes, worked out from its stylesheet."""

import re
from pathlib import Path

import pytest

import ecbench.pages.board.server

CSS = (Path(ecbench.pages.board.server.__file__).parent / "static" / "board.css").read_text(encoding="utf-8")
TEXT, DRAWN = (
    4.5,
    3.0,
)  # least contrast of text, and of lines and areas that mean something (WCAG 2.1, 1.4.3 and 1.4.11)

WRITTEN = [
    ("ink", "paper"),
    ("ink", "panel"),
    ("ink", "promotion"),  # one's own letters, the chosen supplier
    ("ink", "event"),  # the head while hidden truth is shown
    ("muted", "paper"),
    ("muted", "panel"),
    ("muted", "promotion"),
    ("accent", "paper"),  # links
    ("accent", "panel"),
    ("accent", "event"),
    ("panel", "accent"),  # what the main button says
    ("bad", "paper"),
    ("bad", "panel"),
    ("bad", "event"),
    ("mistake", "paper"),
    ("mistake", "panel"),
]
PICTURED = [
    ("bank", "panel"),
    ("wallet", "panel"),
    ("escrow", "panel"),
    ("bad", "panel"),
    ("ink", "panel"),  # the cursor, which has ground of its own on both sides
    ("race-1", "panel"),
    ("race-2", "panel"),
    ("race-3", "panel"),
    ("accent", "panel"),
]


def colours(theme: str) -> dict[str, str]:
    blocks = re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)
    assert len(blocks) == 2, "one for each theme"
    chosen = blocks[0] if theme == "light" else blocks[1]
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", chosen))


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


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_can_be_read(theme: str) -> None:
    found = colours(theme)
    faint = {pair: round(contrast(*(found[name] for name in pair)), 2) for pair in WRITTEN}
    assert {pair: ratio for pair, ratio in faint.items() if ratio < TEXT} == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_is_drawn_can_be_told_from_its_ground(theme: str) -> None:
    found = colours(theme)
    faint = {pair: round(contrast(*(found[name] for name in pair)), 2) for pair in PICTURED}
    assert {pair: ratio for pair, ratio in faint.items() if ratio < DRAWN} == {}


def test_no_colour_is_written_but_in_the_two_themes() -> None:
    rules = re.sub(r":root \{.*?\}", "", CSS, flags=re.DOTALL)
    assert not re.findall(r"#[0-9a-f]{3,8}\b(?![^{]*\{)|rgba?\(", rules)
