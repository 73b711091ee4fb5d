"""The challenge of the day, played to its end from the page alone, by keyboard."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.board.browsing import (
    PATIENCE,
    Page,
    address,
    await_day,
    browser,
    needs_browser,
    open_page,
    turn_shown,
)

from ecbench.board.games import CHALLENGE_DAYS
from ecbench.cli import main as ecbench

__all__ = ["address", "browser", "open_page"]
pytestmark = needs_browser
BID, UNITS = "40", "6"  # yuan, and units of each product

# The next control in the order of Tab is looked for with Tab alone: what it does not reach, a keyboard cannot.
FOCUSED = (
    "wanted => document.activeElement?.matches(wanted.css) && document.activeElement.textContent.includes(wanted.text)"
)
DONE = (
    "before => { const main = document.querySelector('main[aria-busy=false]');"
    " return main && Number(main.dataset.turn) > before; }"
)


def reach(page: Page, css: str, text: str = "", most: int = 200) -> None:
    page.wait_for_selector(f"{css}:has-text('{text}') >> nth=0" if text else f"{css} >> nth=0", state="visible")
    for _ in range(most):
        if page.evaluate(FOCUSED, {"css": css, "text": text}):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {css} {text}")


def key(page: Page, css: str, text: str = "", pressed: str = "Enter") -> None:
    """A control that makes a turn, by keys; until the page shows the year after it."""
    reach(page, css, text)
    before = turn_shown(page)
    page.keyboard.press(pressed)
    page.wait_for_function(DONE, arg=before)


def verified(page: Page, address: str, folder: Path) -> None:
    """The file of the year that the page shows is accepted by `ecbench verify`."""
    page.wait_for_selector(".top-bar.watched")
    page.wait_for_selector("canvas.result-card", timeout=4 * PATIENCE)  # the bound of a new world takes a while
    run = page.url.split("/runs/")[1].split("/")[0]
    file = folder / "proof.zip"
    file.write_bytes(page.request.get(f"{address}/runs/{run}/proof").body())
    with pytest.raises(SystemExit) as ended:
        ecbench(["verify", str(file)])
    assert not ended.value.code


def test_a_challenge_is_played_to_its_end_by_keyboard_alone(
    open_page: Callable[..., Page], address: str, tmp_path: Path
) -> None:
    page = open_page("/")
    reach(page, "#games button", f"Play {CHALLENGE_DAYS} days")
    page.keyboard.press("Enter")
    page.wait_for_selector(".coach")
    page.keyboard.press("2")
    key(page, "main button.act", "Look at the market", "Space")
    reach(page, ".trade button.link")
    page.keyboard.press("Enter")
    key(page, "main button.act", "Open this store")
    assert page.evaluate("document.activeElement !== document.body"), "the focus stays on the screen"
    key(page, "main button.act", "Find its suppliers")
    page.wait_for_selector("main[aria-label=Suppliers]")
    page.keyboard.press("2")
    key(page, "main button.act", "List all its goods")
    page.wait_for_selector("main[aria-label=Goods]")
    reach(page, "input[type=search]")
    page.keyboard.type("1")  # a digit in a field is a digit
    page.wait_for_selector("main[aria-label=Goods] input[type=search]:focus")
    page.keyboard.press("Backspace")
    for _ in range(2):
        reach(page, ".data-grid tbody input[type=checkbox]:not(:checked)")
        page.keyboard.press("Space")
    page.wait_for_selector(".basket:has-text('2 products in the basket')")
    page.keyboard.press("4")
    reach(page, ".data-grid tbody button.link")
    page.keyboard.press("Enter")
    page.wait_for_selector("fieldset.bid")
    for place in range(page.locator("fieldset.bid").count()):
        name = page.locator("fieldset.bid legend").nth(place).inner_text()
        reach(page, f'input[type=range][aria-label^="Bid for {name}"]')
        page.keyboard.press("ArrowRight")
        page.wait_for_function("() => Number(document.activeElement.value) > 0")
        reach(page, f'input[type=number][aria-label="Bid for {name}"]')
        page.keyboard.press("Control+a")
        page.keyboard.type(BID)
        reach(page, f'input[type=number][aria-label="Units of {name}"]')
        page.keyboard.type(UNITS)
    key(page, "main button.act", "Send th")
    assert page.evaluate("document.activeElement !== document.body")
    for day in range(1, CHALLENGE_DAYS + 1):
        page.keyboard.press("Shift+C")
        await_day(page, day)
        if day < CHALLENGE_DAYS:
            page.wait_for_selector("main[aria-busy=false]")
    page.keyboard.press("1")
    verified(page, address, tmp_path)
