"""Reports in a real browser: nothing is blocked, every chart has marks, and what can be clicked works."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from tests.pages.board.browsing import PATIENCE, PHONE, fits_a_phone, needs_browser
from tests.pages.report.conftest import play

from ecbench.formatting import yuan
from ecbench.pages.report.output import write_report
from ecbench.pages.report.run_data import read_run
from ecbench.runs.folder import Run

pytestmark = needs_browser

PAUSE = 50  # milliseconds


@pytest.fixture(scope="module")
def one(careless: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    page = tmp_path_factory.mktemp("one") / "report.html"
    write_report([careless], page)
    return page


@pytest.fixture(scope="module")
def several(careless: Run, trader: Run, little_world: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of whole years, beside the paper's models; the idle merchant goes bankrupt."""
    page = tmp_path_factory.mktemp("several") / "report.html"
    write_report([trader, careless, play(page.parent / "idle", little_world, "idle")], page)
    return page


@contextmanager
def visit(browser: Browser, path: Path, where: str = "", **look: Any) -> Iterator[Page]:
    """A page that must not complain, and ask for nothing beyond its folder."""
    troubles: list[str] = []
    context = browser.new_context(**{"viewport": {"width": 1200, "height": 900}, **look})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda message: troubles.append(message.text))
    page.on("pageerror", lambda error: troubles.append(str(error)))
    inside = path.parent.as_uri()
    page.on("request", lambda request: None if request.url.startswith(inside) else troubles.append(request.url))
    page.goto(f"{path.as_uri()}{where}")
    yield page
    context.close()
    assert not troubles


def until(page: Page, truth: str) -> None:
    """Waits for it from outside: the page itself may not evaluate text."""
    for _ in range(PATIENCE // PAUSE):
        if page.evaluate(truth):
            return
        page.wait_for_timeout(PAUSE)
    raise AssertionError(f"never came true: {truth}")


def open_all(page: Page, runs: int) -> None:
    page.click("#open-all")
    until(page, f"document.querySelectorAll('.run:has(.turns .call)').length === {runs}")


def test_a_page_asks_for_nothing_else_and_every_chart_has_marks_and_a_caption(browser: Browser, several: Path) -> None:
    with visit(browser, several) as page:
        open_all(page, 3)
        empty = page.eval_on_selector_all(
            "figure[id]",
            """figures => figures.filter(figure => ![...figure.querySelectorAll('.with, .apart')].every(drawing =>
                 [...drawing.querySelectorAll('.role-mark path, .role-mark text, .role-mark line, .role-mark rect')]
                   .some(mark => mark.getAttribute('d') !== '' || mark.tagName !== 'path'))
                 || !figure.querySelector('figcaption').textContent.trim()).map(figure => figure.id)""",
        )
        assert empty == []
        assert page.locator("figure[id]").count() > 20
        undefined = page.eval_on_selector_all(
            "svg text, figcaption",
            "nodes => nodes.map(n => n.textContent).filter(t => /NaN|undefined|None|null/.test(t))",
        )
        assert undefined == []


def test_the_chart_of_a_year_is_read_zoomed_and_scaled_by_pointer_and_keys(
    browser: Browser, one: Path, careless: Run
) -> None:
    funds = {row.day: row for row in read_run("careless", careless).years[0].money}
    with visit(browser, one, viewport=PHONE, has_touch=True) as page:
        page.wait_for_selector(".curve .u-over")
        assert not page.locator(".curve .still").is_visible()

        def told(day: int) -> None:
            lines = page.locator(".chart-legend output").all_inner_texts()
            row = funds[day]
            assert lines[:4] == [yuan(amount) for amount in (row.total, row.bank, row.wallet, row.escrow)]
            assert f"day {day}" in page.locator(".chart-day").inner_text()

        def ends() -> tuple[int, int]:
            """The first and the last day that the chart shows."""
            box = page.locator(".u-over")
            found = []
            for x in (0.5, box.bounding_box()["width"] - 0.5):  # type: ignore[index]
                box.hover(position={"x": x, "y": 50})
                found.append(int(re.findall(r"day (\d+)", page.locator(".chart-day").inner_text())[0]))
            page.mouse.move(0, 0)
            return found[0], found[1]

        told(0)
        page.tap(".u-over")  # a tap is delivered after it returns, and leaves a pointer on the chart
        until(page, "document.querySelector('.chart-plot').getAttribute('aria-valuenow') !== '0'")
        middle = int(page.get_attribute(".chart-plot", "aria-valuenow") or 0)
        assert max(funds) / 3 < middle < 2 * max(funds) / 3
        told(middle)
        assert page.locator(".chart-day a").is_visible()
        page.focus(".chart-plot")
        for key, day in (
            ("ArrowRight", middle + 1),
            ("Home", 0),
            ("PageUp", 7),
            ("End", max(funds)),
            ("ArrowLeft", max(funds) - 1),
        ):
            page.keyboard.press(key)
            told(day)
        assert page.get_attribute(".chart-plot", "aria-valuenow") == str(max(funds) - 1)
        whole = ends()
        assert whole == (0, max(funds))
        page.keyboard.press("+")
        assert ends()[0] > 30
        page.tap(".chart-tools button:has-text('all days')")
        until(page, "document.querySelector('.chart-tools button:last-child').disabled")
        assert ends() == whole
        page.tap(".chart-tools button:has-text('log')")
        until(page, "document.querySelector('.chart-tools button').getAttribute('aria-pressed') === 'true'")
        page.focus(".chart-plot")  # the button that was tapped had it
        page.keyboard.press("Home")
        told(0)
        page.click(".chart-day a")
        until(page, "document.querySelector('.transcript .day').value !== ''")


def test_the_papers_models_can_be_switched_off(browser: Browser, several: Path) -> None:
    with visit(browser, several) as page:
        assert page.locator("tr.published").first.is_visible()
        page.uncheck("#published")
        assert not page.locator("tr.published").first.is_visible()
        assert page.locator("tr.own").first.is_visible()
        assert page.locator("#all-assets .apart").is_visible()
        assert not page.locator("#all-assets .with").is_visible()
        assert "Fable5" not in page.locator("#all-assets").inner_text()


def test_the_transcript_is_searched_by_word_day_supplier_and_tool(browser: Browser, one: Path) -> None:
    with visit(browser, one) as page:
        page.wait_for_selector(".turns .call")
        whole = page.locator(".transcript .count").inner_text()
        page.fill(".transcript .seek", "membership")
        until(page, f"document.querySelector('.transcript .count').innerText !== {whole!r}")
        page.click(".transcript .clear")
        assert page.locator(".transcript .count").inner_text() == whole
        page.select_option(".transcript .supplier", "Hill Farm")
        assert set(page.locator(".turns .call b").all_inner_texts()) == {"chatbox · Hill Farm"}
        page.click(".transcript .clear")
        page.fill(".transcript .day", "7")
        spans = [list(map(int, re.findall(r"\d+", text))) for text in page.locator(".turns h4").all_inner_texts()]
        assert spans
        assert all(span[0] <= 7 <= span[-1] for span in spans)
        page.fill(".transcript .seek", "no such word anywhere")
        assert page.locator(".turns .call").count() == 0


def test_calls_read_as_letters_and_tables_with_their_json_one_click_away(browser: Browser, one: Path) -> None:
    with visit(browser, one) as page:
        page.select_option(".transcript .tool", "chatbox")
        card = page.locator(".turns .call:has(.actions)").first
        assert re.search(r"offer ¥[\d,]+\.\d\d for \d+ units? of ", card.locator(".actions li").first.inner_text())
        assert "\n" in card.locator(".quote").last.inner_text(), "a letter has lines"
        assert not {"{", "}"} & set(card.inner_text())
        card.locator("summary").click()
        card.locator("pre:has-text('supplier_reply')").wait_for()
        page.select_option(".transcript .tool", "publish_to_store")
        card = page.locator(".turns .call:has-text('listed in')").first
        assert card.locator("th").all_inner_texts()[:3] == ["Product", "Units", "Price"]
        assert card.locator("td").all_inner_texts()[1:3] == ["5", "¥12.00"]
        assert re.match(r"5 units of 1 product listed in \w+", card.locator(".sentence").inner_text())


def test_a_failure_leads_to_its_day_and_a_supplier_to_its_letters(browser: Browser, one: Path, several: Path) -> None:
    with visit(browser, one) as page:
        page.wait_for_selector(".turns .call")
        page.locator("details.modes summary").first.click()
        link = page.locator("details.modes a").first
        link.click()
        number = link.inner_text().removeprefix("day ")
        until(page, f"document.querySelector('.transcript .day').value === '{number}'")
        page.locator("#r0-suppliers summary").click()
        page.locator("#r0-suppliers a").first.click()
        until(page, "document.querySelector('.transcript .supplier').value !== ''")
    with visit(browser, several, "#r1-day-3") as page:  # a packed run opens by itself
        until(page, "document.querySelector('#r1 .transcript .day')?.value === '3'")
        assert page.locator("#r1").get_attribute("open") is not None


def test_a_negotiation_is_drawn_as_a_ladder_with_its_floor(browser: Browser, one: Path) -> None:
    with visit(browser, one) as page:
        page.wait_for_selector("svg.ladder .floor", state="attached")
        before = page.locator(".offers figcaption").inner_text()
        page.locator(".bargaining tbody button.link").nth(1).click()
        assert page.locator(".offers figcaption").inner_text() != before
        prices = page.locator(".ladder text.price").all_text_contents()
        assert len(prices) > 1 and all(re.fullmatch(r"¥[\d,]+\.\d\d", price) for price in prices)
        page.fill(".bargaining .seek", "nobody of that name")
        assert page.locator(".bargaining tbody tr").count() == 0


def test_a_table_is_sorted_by_its_heads_and_filtered_and_plain_without_scripts(browser: Browser, one: Path) -> None:
    assets = ".standings td:nth-child(3)"
    amount = "text => Number(text.replace(/[^-.\\d]/g, '')) * (text.endsWith('k') ? 1000 : 1)"  # the paper's: ¥805k
    amounts = f"cells => cells.map(cell => ({amount})(cell.textContent.trim()))"
    with visit(browser, one, java_script_enabled=False) as page:
        plain = page.locator(".standings tbody tr").all_inner_texts()
        assert page.locator("button:visible, .seek").count() == 0
    with visit(browser, one) as page:
        head = page.locator(".standings th:has-text('Final assets')")
        for order in ("descending", "ascending"):
            head.locator("button").press("Enter")
            assert head.get_attribute("aria-sort") == order
            shown = page.eval_on_selector_all(assets, amounts)
            assert shown == sorted(shown, reverse=order == "descending") and len(set(shown)) > 5
        head.locator("button").click()
        assert page.locator(".standings tbody tr").all_inner_texts() == plain
        page.fill("[aria-label='Search Leaderboard']", "GEMINI")
        names = page.locator(".standings td:first-child").all_inner_texts()
        assert names and all("Gemini" in name for name in names)


def test_a_dark_screen_has_a_dark_page_and_paper_a_white_one(browser: Browser, one: Path) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    with visit(browser, one, color_scheme="dark") as page:
        dark = page.evaluate(ground)
        assert max(map(int, dark.removeprefix("rgb(").removesuffix(")").split(", "))) < 60
        page.emulate_media(media="print")
        assert min(map(int, page.evaluate(ground).removeprefix("rgb(").removesuffix(")").split(", "))) > 200
        assert not page.locator(".turns").is_visible()
        assert len(page.pdf()) > 10_000


def test_a_leaderboard_fits_a_small_laptop_and_a_page_a_phone(browser: Browser, several: Path) -> None:
    with visit(browser, several, viewport={"width": 1280, "height": 800}) as page:
        box = page.locator(".standings")
        assert box.evaluate("box => box.scrollWidth") <= box.evaluate("box => box.clientWidth")
    with visit(browser, several, viewport=PHONE) as page:
        open_all(page, 3)
        fits_a_phone(page)


@pytest.mark.parametrize("viewport", [PHONE, {"width": 1280, "height": 900}], ids=["phone", "desk"])
def test_axe_has_no_findings(browser: Browser, one: Path, several: Path, viewport: dict[str, int]) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="NOT TESTED: needs axe-playwright-python")
    for path in (one, several):
        for scheme in ("light", "dark"):
            with visit(browser, path, viewport=viewport, color_scheme=scheme) as page:
                if path == several:
                    open_all(page, 3)
                page.wait_for_selector(".turns .call", state="attached")
                page.evaluate("document.querySelectorAll('details').forEach((box) => { box.open = true; })")
                found = axe.Axe().run(page).response["violations"]
                assert [(each["id"], each["nodes"][0]["target"]) for each in found] == [], (path, scheme)
