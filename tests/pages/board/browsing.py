"""A real browser on a board: Debian's Chromium, driven by Playwright."""

import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import pytest

from ecbench.adapters.serving.server import listen, server_of
from ecbench.pages.board.run_index import Library
from ecbench.pages.board.server.actions import Desk
from ecbench.pages.board.server.app import Settings, board_app
from ecbench.runs.folder import Run
from ecbench.world.model import World

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_browser = pytest.mark.skipif(
    CHROMIUM is None or find_spec("playwright") is None,
    reason="NOT TESTED: the pages need Chromium (apt install chromium) and Playwright (pip install)",
)

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 60_000  # milliseconds, where many programs share a machine

PHONE = {"width": 390, "height": 844}

Page = Any


@contextmanager
def serving(desk: Desk) -> Iterator[str]:
    """A board on a port of its own, in a thread of this process."""
    listening = listen("127.0.0.1", 0)
    place = "{}:{}".format(*listening.getsockname())
    ready = threading.Event()
    server = server_of(board_app(desk, Settings((place,), None, "a-mark")), ready.set)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    assert ready.wait(60)
    try:
        yield f"http://{place}"
    finally:
        server.should_exit = True
        server.force_exit = True  # a page may be listening to a year that is being played
        thread.join(30)


def key_of(run: Run) -> str:
    return Library(run.folder.parent).key_of(run)


def waits_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, "it did not happen"
        time.sleep(0.05)


def hold_first(page: Page, pattern: str | re.Pattern[str]) -> list[Any]:
    """The first request of a kind waits in the list until the test lets it continue; later ones pass."""
    held: list[Any] = []
    page.route(pattern, lambda route: route.continue_() if held else held.append(route))
    return held


def settle(page: Page) -> None:
    """Until two frames are drawn: a chart takes its new width in the one after that of its page."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def fits_a_phone(page: Page) -> None:
    """Nothing of it lies beyond the right edge."""
    settle(page)
    assert page.evaluate("[innerWidth, document.documentElement.scrollWidth]") == [PHONE["width"]] * 2


def fits_in_every_colour(page: Page) -> None:
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") == (scheme == "dark")
        fits_a_phone(page)


def turn_shown(page: Page) -> int:
    """The turn that the screen shows."""
    return int(page.get_attribute("main[data-turn]", "data-turn"))


def await_turn(page: Page, turn: int) -> None:
    page.wait_for_selector(f"main[data-turn='{turn}'][aria-busy=false]")


def await_day(page: Page, day: int) -> None:
    page.wait_for_selector(f".top-bar:has-text('day {day} of ')")


def screen(page: Page, title: str) -> None:
    """Go to one of the seven screens of a shop."""
    page.click(f"nav.screens a:has-text('{title}')")
    page.wait_for_selector(f"main[aria-label='{title}']")


def scrub(page: Page, day: int) -> None:
    """Move the slider below the chart of a watched year."""
    page.eval_on_selector(
        "input[aria-label=Day]",
        "(s, day) => { s.value = day; s.dispatchEvent(new Event('input', { bubbles: true })); }",
        day,
    )


def press(page: Page, label: str, within: str = "#app") -> None:
    """A button that makes a turn; until the page shows the year after it and can be used again."""
    page.wait_for_selector("main[aria-busy=false]")
    before = turn_shown(page)
    page.click(f"{within} button:has-text('{label}')")
    page.wait_for_function(
        "before => { const main = document.querySelector('main[aria-busy=false]');"
        " return main && Number(main.dataset.turn) > before; }",
        arg=before,
    )


def honest_supplier(page: Page, world: World) -> Any:
    """The button of the first listed supplier that is not a cheat: who cheats differs from world to world."""
    honest = {supplier.name for supplier in world.suppliers if supplier.honest}
    rows = page.locator("table[aria-label=suppliers] tbody tr")
    rows.first.wait_for()
    names = (rows.locator("button.link >> nth=0").nth(row) for row in range(rows.count()))
    return next(name for name in names if name.inner_text() in honest)
