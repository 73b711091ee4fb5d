"""The review in a real browser: marks on the timeline, a key for the next one, and what the engine did instead."""

from collections.abc import Callable

from tests.pages.board.browsing import Page, await_day, key_of, needs_browser
from tests.pages.board.conftest import DAYS
from tests.pages.board.reviews import keep_by_hand

from ecbench.runs.folder import Run

pytestmark = needs_browser

MARKS = ".timeline .chart-marks button"
ENGINE = ".timeline .chart-legend button:has-text('the engine from here')"
TRUTH = "label:has-text('show hidden truth') input"


def test_the_review_appears_with_hidden_truth_and_goes_with_it(open_page: Callable[..., Page], recorded: Run) -> None:
    keep_by_hand(recorded)
    page = open_page(f"/runs/{key_of(recorded)}/0?day=20")
    await_day(page, 20)
    assert page.locator(MARKS).count() == 0 and not page.is_visible(".review")
    page.keyboard.press("m")
    page.wait_for_selector("p.message:has-text('press h to show it')")
    page.check(TRUTH)
    page.wait_for_selector(ENGINE)
    assert page.locator(MARKS).all_inner_texts() == ["??", "?", "?!"]
    assert page.get_attribute(f"{MARKS} >> nth=0", "aria-label").startswith("?? blunder, days 0 to 6, ¥300,000 ")
    assert "Review of days 14 to 20 ? mistake" in page.inner_text(".review")
    assert "95% band" in page.inner_text(".verdict-legend") and page.is_checked(TRUTH)
    page.keyboard.press("h")
    page.wait_for_selector(ENGINE, state="detached")
    assert page.locator(MARKS).count() == 0 and not page.is_visible(".review")


def test_m_moves_to_the_next_marked_week_and_shift_m_to_the_one_before(
    open_page: Callable[..., Page], recorded: Run
) -> None:
    keep_by_hand(recorded)
    page = open_page(f"/runs/{key_of(recorded)}/0?day=2")
    await_day(page, 2)
    page.keyboard.press("h")
    page.wait_for_selector("section.review h2:has-text('days 0 to 6')")
    for key, days in (("m", "14 to 20"), ("Shift+M", "0 to 6")):
        page.keyboard.press(key)
        page.wait_for_selector(f"section.review h2:has-text('days {days}')")
        await_day(page, int(days.split()[0]))
    page.keyboard.press("Shift+M")
    page.wait_for_selector("p.message:has-text('No marked week before day 0')")
    shown = page.inner_text(".review")
    assert "lost ¥300,000 ± ¥0 of the engine's value (95%); this player usually loses ¥0 in such days" in shown
    assert "95% between ¥300,000 and ¥300,000" in shown and "Stores unopened" in shown
    assert "Fees to suppliers" in shown and "¥200" in shown
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]:has-text('next marked week')")


def test_what_the_engine_did_instead_opens_beside_the_year(open_page: Callable[..., Page], recorded: Run) -> None:
    keep_by_hand(recorded)
    page = open_page(f"/runs/{key_of(recorded)}/0?day=16")
    await_day(page, 16)
    page.check(TRUTH)
    page.click("text=What the engine did instead")
    page.wait_for_url(lambda url: f"/runs/{key_of(recorded)}/" not in url)
    page.wait_for_selector(".chart-legend .dashed")
    page.wait_for_selector(".top-bar .tag:has-text('played to the end')")
    await_day(page, 14)
    page.wait_for_selector(".beside-year li:has-text('other calls from day 14 on')")
    page.keyboard.press("End")
    await_day(page, DAYS)
    page.wait_for_selector(".top-bar strong:has-text('engine')")
