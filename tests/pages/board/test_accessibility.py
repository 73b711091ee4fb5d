"""The home page and every screen of the shop have no findings of axe, in light and dark, on a desk and on a phone."""

from collections.abc import Callable

import pytest
from tests.pages.board.browsing import PHONE, Page, await_turn, key_of, needs_browser, screen

from ecbench.pages.board.server.actions import Desk
from ecbench.runs.folder import Run

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="NOT TESTED: needs axe-playwright-python")
pytestmark = needs_browser
SCREENS = ("Today", "Market", "Goods", "Suppliers", "Stores", "Warehouse", "Money")
DESK = {"width": 1280, "height": 900}


def findings(page: Page, where: str) -> list[str]:
    found = axe.Axe().run(page).response["violations"]
    return [f"{where}: {each['id']} at {each['nodes'][0]['target']} ({each['help']})" for each in found]


def judged(page: Page, where: str) -> list[str]:
    """In both colours."""
    told = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        told += findings(page, f"{where}, {scheme}")
    return told


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_axe_finds_nothing(desk: Desk, recorded: Run, open_page: Callable[..., Page], size: dict[str, int]) -> None:
    key = desk.branch(key_of(recorded), 0, {"agent": "person", "day": 30})["id"]
    turns = desk.queries.timeline(key, 0)["turns"]
    page = open_page("/", viewport=size)
    page.wait_for_selector("table[aria-label='recorded games'] tbody tr")
    told = judged(page, "home")
    for path, turn, who in (
        (f"/runs/{key}/0", turns, "player"),
        (f"/runs/{key_of(recorded)}/0?turn=60", 60, "watcher"),
    ):
        page = open_page(path, viewport=size)
        await_turn(page, turn)
        for title in SCREENS:
            screen(page, title)
            page.wait_for_function("() => !document.querySelector('main')?.textContent.includes('Looking …')")
            told += judged(page, f"{title} of the {who}")
        screen(page, "Suppliers")
        page.click(".data-grid tbody button.link")
        page.wait_for_selector(".thread .letter")
        told += judged(page, f"thread of the {who}")
    page = open_page(f"/runs/{key}/0/today", viewport=size)
    page.click("text=Look back at earlier days")
    page.wait_for_selector(".look-back")
    told += judged(page, "looking back")
    page = open_page(f"/runs/{key_of(recorded)}/0/today", viewport=size)
    page.click("text=Reveal the best and worst decisions")
    for shown in ("h2:has-text('Worst decisions')", "section[aria-label='Floors and cheats']", ".result-card"):
        page.wait_for_selector(shown)
    page.wait_for_selector(".result p:has-text('-1 is ruin')")
    told += judged(page, "result")
    assert not told, "\n".join(told)
