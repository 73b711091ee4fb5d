"""A person against rivals in a real browser: from the home page to the end, with the rivals' lines beside one's own."""

from collections.abc import Callable
from pathlib import Path

from tests.pages.board.browsing import Page, await_day, needs_browser, press, screen, waits_for
from tests.pages.board.conftest import only_run, proven

pytestmark = needs_browser

DAYS = 3


def test_a_person_trades_against_rivals_who_move_in_their_turn(open_page: Callable[..., Page], shelf: Path) -> None:
    page = open_page()
    page.click("summary:has-text('Play on your own terms')")
    page.fill("#play input[name=days]", str(DAYS))
    page.fill("#play input[name=rivals]", "haggler, idle")
    page.click("#play button")
    page.wait_for_selector("main[data-turn='0']")
    screen(page, "Money")
    page.locator(".beside-year li").nth(1).wait_for()
    for day in range(1, DAYS):
        press(page, "Close the day")
        await_day(page, day)
    haggler = page.locator(".beside-year li", has_text="haggler")
    haggler.filter(has_not_text="¥100,000").wait_for()  # it has opened its stores meanwhile
    page.reload()
    page.locator(".beside-year li").nth(1).wait_for()
    press(page, "Close the day")
    page.wait_for_selector(".top-bar .tag:has-text('played to the end')")
    waits_for(lambda: proven(only_run(shelf, "*_arena")).finished)
