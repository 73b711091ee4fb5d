"""Every page and screen at three sizes: none is wider than the screen, with sums of eight digits and every panel open,
and axe finds nothing in light and dark."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.pages.board.browsing import Page, await_day, key_of, needs_browser, screen, settle
from tests.pages.board.conftest import played_run
from tests.pages.board.reviews import keep_by_hand
from tests.runs.conftest import TRADER

from ecbench.pages.board.server.actions import Desk

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="NOT TESTED: needs axe-playwright-python")
pytestmark = needs_browser

SCREENS = ("Today", "Market", "Goods", "Suppliers", "Stores", "Warehouse", "Money")
OPEN_ALL = "() => { for (const panel of document.querySelectorAll('details')) panel.open = true; }"
TOO_WIDE = """() => document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("body *")]
  .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
  .map((each) => `${each.tagName} ${each.className} ${Math.round(each.getBoundingClientRect().right)}`).slice(0, 8)"""


def judged(page: Page, where: str) -> list[str]:
    page.evaluate(OPEN_ALL)
    settle(page)
    told = [f"{where} is too wide: {each}" for each in page.evaluate(TOO_WIDE)]
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found: list[dict[str, Any]] = axe.Axe().run(page).response["violations"]
        told += [f"{where}, {scheme}: {each['id']} at {each['nodes'][0]['target']} ({each['help']})" for each in found]
    return told


@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844), (320, 844)])
def test_every_screen_fits_and_is_accessible(
    open_page: Callable[..., Page], desk: Desk, shelf: Path, small_world: Path, width: int, height: int
) -> None:
    rich = played_run(shelf / "rich", TRADER, small_world, stake=98_765_432.0, rule_set="fair")
    keep_by_hand(rich)
    key, size = key_of(rich), {"width": width, "height": height}
    page = open_page("/", viewport=size)
    page.wait_for_selector("table[aria-label='recorded games'] tbody tr")
    told = judged(page, "home")
    page = open_page(f"/runs/{key}/0", viewport=size)
    page.check("label:has-text('show hidden truth') input")
    shown = (
        ".review h2",
        "section[aria-label=Losses] .part",
        "section[aria-label='Floors and cheats']",
        "section[aria-label='Tell others']",
    )
    for part in (*shown, ".result p:has-text('-1 is ruin')"):
        page.wait_for_selector(part)
    told += judged(page, "result")
    branch = desk.branch(key, 0, {"agent": "person", "day": 30})["id"]
    for path, who in ((f"/runs/{key}/0?day=30", "watcher"), (f"/runs/{branch}/0", "player")):
        page = open_page(path, viewport=size)
        await_day(page, 30)
        for title in SCREENS:
            screen(page, title)
            page.wait_for_function("() => !document.querySelector('main')?.textContent.includes('Looking …')")
            told += judged(page, f"{title} of the {who}")
        screen(page, "Suppliers")
        page.click("table[aria-label=suppliers] button.link >> nth=0")
        page.wait_for_selector(".thread .letter")
        told += judged(page, f"a supplier of the {who}")
    page.goto(page.url.replace("/suppliers", "/today"))
    page.click("text=Look back at earlier days")
    page.wait_for_selector(".look-back")
    told += judged(page, "looking back")
    assert not told, "\n".join(told)
