"""The challenge of the day, played to its end from the page alone: by keyboard, and by touch on a phone."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.command import Command
from tests.pages.board.browsing import PHONE, Page, await_day, fits_a_phone, honest_supplier, needs_browser, turn_shown
from tests.pages.board.conftest import only_run

from ecbench.pages.board.games import CHALLENGE_DAYS, challenge_world
from ecbench.runs.play.episodes import read_episode
from ecbench.world.load import load_world

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


def tap(page: Page, css: str) -> None:
    """A control that makes a turn, by touch; until the page shows the year after it."""
    page.wait_for_selector("main[aria-busy=false]")
    before = turn_shown(page)
    page.tap(css)
    page.wait_for_function(DONE, arg=before)


def proves_a_whole_year(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.unpack_archive(archive, archive.with_suffix(""))
    [run] = archive.with_suffix("").iterdir()
    verified = Command(capsys, "verify", "--json", str(run))
    assert verified.code == 0 and verified.json["holds"] and not verified.json["differences"]
    assert [year["ending"] for year in verified.json["episodes"]] == ["year_end"]


def test_a_challenge_is_played_to_its_proven_end_by_keyboard_alone(
    open_page: Callable[..., Page], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = open_page("/")
    reach(page, "#games button", f"Play {CHALLENGE_DAYS} days")
    page.keyboard.press("Enter")
    page.wait_for_selector(".coach")
    page.keyboard.press("2")
    key(page, "main button.act", "Look at the market", "Space")
    reach(page, ".store-type button.link")
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
    for index in range(page.locator("fieldset.bid").count()):
        name = page.locator("fieldset.bid legend").nth(index).inner_text()
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
    page.wait_for_selector(".result h1:has-text('Challenge of 2026-01-01')")
    reach(page, "a", "File that proves it")
    with page.expect_download() as waiting:
        page.keyboard.press("Enter")
    waiting.value.save_as(tmp_path / "proof.zip")
    proves_a_whole_year(tmp_path / "proof.zip", capsys)


def test_a_challenge_is_played_by_touch_on_a_phone(open_page: Callable[..., Page], tmp_path: Path) -> None:
    """Until the first revenue is withdrawn."""
    page = open_page("/", viewport=PHONE, has_touch=True, is_mobile=True)
    page.tap(f"#games button:has-text('Play {CHALLENGE_DAYS} days')")
    page.wait_for_selector(".coach")

    def turn_to(title: str) -> None:
        page.tap(f"nav.screens a:has-text('{title}')")
        page.wait_for_selector(f"main[aria-label='{title}']")

    turn_to("Market")
    tap(page, "main button:has-text('Look at the market')")
    page.tap(".store-type button.link >> nth=0")
    tap(page, "main button:has-text('Open this store')")
    tap(page, "main button:has-text('List all its goods')")
    page.wait_for_selector("main[aria-label=Goods]")
    fits_a_phone(page)
    for _ in range(2):
        page.tap(".data-grid tbody input[type=checkbox]:not(:checked) >> nth=0")
    page.wait_for_selector(".basket:has-text('2 products in the basket')")
    turn_to("Market")
    tap(page, "main button:has-text('Find its suppliers')")
    page.wait_for_selector("main[aria-label=Suppliers]")
    honest_supplier(page, load_world(challenge_world("20260101"))).tap()
    page.tap("fieldset.bid input[type=number] >> nth=0")
    page.fill("fieldset.bid input[type=number] >> nth=0", BID)
    page.fill("fieldset.bid input[type=number] >> nth=1", UNITS)
    tap(page, "main button:has-text('Send th')")
    page.wait_for_selector(".message:has-text(' asks ')")
    page.tap("fieldset.bid label:has-text('accept') >> nth=0")
    tap(page, "main button:has-text('Send th')")
    page.wait_for_selector(".message:has-text('Ordered')")
    fits_a_phone(page)
    turn_to("Today")
    for day in range(1, CHALLENGE_DAYS + 1):
        tap(page, ".top-bar button:has-text('Close the day')")
        await_day(page, day)
        page.wait_for_selector("section[aria-label='What to do today']")
        for label in ("Ship all", "Withdraw"):
            if page.locator(f".task button.act:has-text('{label}')").count():
                tap(page, f".task button.act:has-text('{label}')")
        played = read_episode(only_run(tmp_path / "runs"), 0).turns
        if played[-1].calls[-1]["name"] == "withdraw":
            break
        if page.locator(".task button:has-text('List goods')").count():
            page.tap(".task button:has-text('List goods')")
            tap(page, "main button.act:has-text('List ')")
            turn_to("Today")
    fits_a_phone(page)
    tools = {call["name"] for turn in played for call in turn.calls}
    assert {"open_store", "chatbox", "publish_to_store", "ship_orders", "withdraw"} <= tools
