"""The pages of a site in a real browser: on a phone, by day and by night, with scripts and without."""

import pytest
from playwright.sync_api import Browser
from tests.pages.board.browsing import PHONE, fits_in_every_colour, needs_browser
from tests.pages.report.test_browser import visit
from tests.season.site.conftest import Example

pytestmark = needs_browser

PAGES = ("index.html", "submit.html", "entries/trader/index.html")


def test_tables_are_sorted_and_entries_name_their_verdicts(browser: Browser, example: Example) -> None:
    with visit(browser, example.out / "index.html") as page:
        names = page.locator(".leaderboard tbody td:nth-child(4)")
        assert names.all_inner_texts()[:4] == ["trader", "zcopy", "steady", "haggler"]
        page.click(".leaderboard th:nth-child(4) button.sort")
        page.wait_for_selector(".leaderboard th:nth-child(4)[aria-sort=ascending]")
        assert names.all_inner_texts()[0] == "early"
        page.click(".leaderboard a:has-text('trader')")
        page.wait_for_selector("h1:has-text('trader')")
        assert "over 6 pairs, 8 worlds" in page.inner_text("main")
        page.click("main li a:has-text('steady')")
        page.wait_for_selector("h1:has-text('steady')")


@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits_a_phone_by_day_and_by_night_and_axe_finds_nothing(
    browser: Browser, example: Example, path: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="NOT TESTED: needs axe-playwright-python")
    with visit(browser, example.out / path, viewport=PHONE) as page:
        fits_in_every_colour(page)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            found = axe.Axe().run(page).response["violations"]
            assert [(each["id"], each["nodes"][0]["target"]) for each in found] == [], scheme


def test_nothing_is_cut_on_a_small_laptop_and_the_picture_has_every_ranked_entry(
    browser: Browser, example: Example
) -> None:
    with visit(browser, example.out / "index.html", viewport={"width": 1280, "height": 800}) as page:
        wide = "boxes => boxes.filter(box => box.scrollWidth > box.clientWidth).map(box => box.className)"
        assert page.eval_on_selector_all(".scroll", wide) == []
        texts = [text.split() for text in page.locator("#forest svg text").all_text_contents()]
        assert [text for text in texts if len(text) == 2 and text[0].isdecimal()] == [
            ["1", "trader"], ["1", "zcopy"], ["3", "steady"], ["4", "haggler"],
        ]  # fmt: skip
        assert page.locator(".versus thead th").all_inner_texts() == ["Entry", "trader", "zcopy", "steady", "haggler"]
        page.click("main a:has-text('How to submit')")
        assert page.locator("a[href='mailto:entries@example.org']").count() == 1


def test_without_scripts_everything_can_be_read(browser: Browser, example: Example) -> None:
    with visit(browser, example.out / "index.html", viewport=PHONE, java_script_enabled=False) as page:
        page.click(".leaderboard a:has-text('trader')")
        assert "every call is the same as in zcopy" in page.inner_text("body")
