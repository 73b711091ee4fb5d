"""No page is wider than a phone, with sums of eight digits and every panel open."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.pages.board.browsing import Page, await_day, key_of, needs_browser, screen, settle
from tests.pages.board.conftest import played_run
from tests.pages.board.reviews import keep_by_hand
from tests.runs.conftest import TRADER

from ecbench.pages.board.server.actions import Desk
from ecbench.runs.folder import Run

pytestmark = needs_browser

SCREENS = ("Today", "Market", "Goods", "Suppliers", "Stores", "Warehouse", "Money")
OPEN_ALL = "() => { for (const panel of document.querySelectorAll('details')) panel.open = true; }"
TOO_WIDE = """() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("body *")]
  .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
  .map((each) => `${each.tagName} ${each.className} ${Math.round(each.getBoundingClientRect().right)}`).slice(0, 8)"""


@pytest.fixture
def rich(shelf: Path, small_world: Path) -> Run:
    """A merchant with ten million yuan to begin with."""
    return played_run(shelf / "rich", TRADER, small_world, stake=98_765_432.0, rule_set="fair")


def check(page: Page, where: str) -> None:
    page.evaluate(OPEN_ALL)
    settle(page)
    page.evaluate(OPEN_ALL)
    settle(page)
    assert page.evaluate(TOO_WIDE) == [], where


@pytest.mark.parametrize("width", [390, 320])
def test_no_page_is_wider_than_the_screen(open_page: Callable[..., Page], desk: Desk, rich: Run, width: int) -> None:
    keep_by_hand(rich)
    size = {"width": width, "height": 844}
    page = open_page("/", viewport=size)
    page.wait_for_selector("table[aria-label='recorded games'] tbody tr")
    check(page, "home")
    page = open_page(f"/runs/{key_of(rich)}/0", viewport=size)
    page.wait_for_selector("img.result-card")
    page.check("label:has-text('show hidden truth') input")
    page.wait_for_selector(".review h2")
    page.wait_for_selector("section[aria-label='Floors and cheats']")
    check(page, "result")
    branch = desk.branch(key_of(rich), 0, {"agent": "person", "day": 30})
    for path, who in ((f"/runs/{key_of(rich)}/0?day=30", "watcher"), (f"/runs/{branch['id']}/0", "player")):
        page = open_page(path, viewport=size)
        await_day(page, 30)
        for title in SCREENS:
            screen(page, title)
            page.wait_for_function("() => !document.querySelector('main')?.textContent.includes('Looking …')")
            check(page, f"{title} of the {who}")
        screen(page, "Suppliers")
        page.click("table[aria-label=suppliers] button.link >> nth=0")
        page.wait_for_selector(".thread .letter")
        check(page, f"a supplier of the {who}")
