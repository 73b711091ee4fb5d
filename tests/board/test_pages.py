"""The pages in a real browser: Debian's Chromium, driven by Playwright."""

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.runs.conftest import TRADER

from ecbench.board.library import Library
from ecbench.board.server.app import Settings, board_app
from ecbench.board.server.desk import Desk
from ecbench.doors.http.serving import listen, server_of
from ecbench.runs.events import Terms
from ecbench.runs.folder import Run, create_run, open_run
from ecbench.runs.seat import replay_year
from ecbench.runs.session import play_here, read_episode
from ecbench.runs.stopping import StopFlag
from ecbench.worlds import load_world

playwright = pytest.importorskip("playwright.sync_api", reason="NOT TESTED: the pages need Playwright (pip install)")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="NOT TESTED: the pages need Chromium (apt install chromium)")

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

Page = Any


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


@contextmanager
def serving(desk: Desk) -> Iterator[str]:
    """A board on a port of its own, in a thread of this process."""
    listening = listen("127.0.0.1", 0, trusted=False)
    place = "{}:{}".format(*listening.getsockname())
    ready = threading.Event()
    server = server_of(board_app(desk, Settings((place,), None, "a-mark")), ready.set)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    assert ready.wait(30)
    try:
        yield f"http://{place}"
    finally:
        server.should_exit = True
        server.force_exit = True  # a page may be listening to a year that is being played
        thread.join(30)


@pytest.fixture
def address(desk: Desk) -> Iterator[str]:
    with serving(desk) as place:
        yield place


@pytest.fixture
def open_page(browser: Any, address: str) -> Iterator[Callable[..., Page]]:
    """Pages that must not complain, and ask nobody but the board."""
    troubles: list[str] = []
    contexts = []
    complain = troubles.append

    def open_it(path: str = "/", **options: Any) -> Page:
        context = browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | options))
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: complain(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda problem: complain(str(problem)))
        page.on("request", lambda request: None if request.url.startswith(address) else complain(request.url))
        page.goto(address + path)
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert not troubles


def key_of(run: Run) -> str:
    return Library(run.folder.parent).key_of(run.folder)


def waits_for(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, "it did not happen"
        time.sleep(0.05)


def turn_shown(page: Page) -> int:
    return int(page.inner_text("#turn").split()[1].replace(",", ""))


def await_turn(page: Page, turn: int) -> None:
    page.wait_for_function(
        "wanted => document.getElementById('turn').textContent.startsWith(`turn ${wanted.toLocaleString('en')} of`)",
        arg=turn,
    )


def opened(page: Page, section: str) -> None:
    page.wait_for_selector("#play h2")
    page.wait_for_selector("#play[aria-busy=false], #play:not([aria-busy])")
    if section:
        page.evaluate(
            "name => [...document.querySelectorAll('#play details')].forEach("
            "each => { if (each.querySelector('summary').textContent.startsWith(name)) each.open = true; })",
            section,
        )


def press(page: Page, text: str, section: str = "") -> None:
    """A button of the player's panel, its section opened first; the board is shown anew after every turn."""
    opened(page, section)
    before = turn_shown(page)
    page.click(f"#play button:has-text('{text}')")
    page.wait_for_function(
        "before => !document.getElementById('turn').textContent.startsWith(`turn ${before} of`)", arg=before
    )


def test_a_person_runs_a_shop_leaves_and_goes_on(open_page: Callable[..., Page], shelf: Path) -> None:
    page = open_page()
    page.fill("#play input[name=world]", "seed-3")
    page.fill("#play input[name=days]", "14")
    page.click("#play button")
    page.wait_for_selector("text=Your move")
    press(page, "Look at the market", "Find goods")
    page.wait_for_selector("select[aria-label=Trade] option", state="attached")
    press(page, "Open a store", "Find goods")
    page.wait_for_selector("text=Stores (1)")
    press(page, "List goods", "Find goods")
    page.wait_for_selector("#play label.card", state="attached")
    page.evaluate("document.querySelector('#play label.card input').click()")
    press(page, "Find suppliers", "Find goods")
    page.wait_for_selector("select[aria-label='Suppliers to write to'] option", state="attached")
    for _ in range(2):
        page.select_option("select[aria-label='Suppliers to write to']", index=0)
        press(page, "Offer", "Write to suppliers")
    page.select_option("select[aria-label='Suppliers to write to']", index=0)
    press(page, "Accept the last quote", "Write to suppliers")
    page.wait_for_selector("text=On the way (1)")
    opened(page, "Standing orders")
    page.select_option("select[aria-label='Ship each morning']", "standard")
    for _ in range(8):
        press(page, "Close the day")
    opened(page, "")
    page.reload()
    page.wait_for_selector("text=Your move")
    press(page, "Put all on the shelf", "Shelves")
    for _ in range(3):
        press(page, "Close the day")
    assert "day 11 of 14" in page.inner_text("#date")
    [folder] = [path for path in shelf.iterdir() if path.is_dir()]
    run = open_run(folder)
    replay_year(run.terms, 0, run.load_world(), read_episode(run, 0))


def test_scrubbing_shows_the_days_as_they_were(open_page: Callable[..., Page], recorded: Run) -> None:
    page = open_page(f"/runs/{key_of(recorded)}/0")
    recording = read_episode(recorded, 0)
    await_turn(page, len(recording.turns))
    for day in (3, 17, 30):
        page.eval_on_selector("#scrub", "(s, day) => { s.value = day; s.dispatchEvent(new Event('input')); }", day)
        last = max(number for number, state in enumerate(recording.states, start=1) if state.day <= day)
        await_turn(page, last)
        page.wait_for_function(
            "total => document.querySelector('#money .sum + .sum').textContent === total",
            arg=f"¥{recording.states[last - 1].total:,.2f}",
        )


def test_keys_move_by_day_turn_and_supplier_and_every_view_has_an_address(
    open_page: Callable[..., Page], recorded: Run
) -> None:
    page = open_page(f"/runs/{key_of(recorded)}/0?turn=20")
    await_turn(page, 20)
    page.keyboard.press("Shift+ArrowRight")
    await_turn(page, 21)
    page.keyboard.press("Shift+ArrowLeft")
    await_turn(page, 20)
    page.keyboard.press("End")
    await_turn(page, len(read_episode(recorded, 0).turns))
    page.wait_for_selector(".chat li")
    page.keyboard.press("j")
    page.wait_for_selector(".letters .letter")
    assert "supplier=" in page.url and "turn=" in page.url
    page.keyboard.press("?")
    assert page.is_visible("dialog[open]")
    address = page.url
    other = open_page(address.split("/", 3)[3].join(["/", ""]))
    other.wait_for_selector(".letters .letter")


def test_hidden_truth_is_off_and_visibly_on_when_on(open_page: Callable[..., Page], recorded: Run) -> None:
    page = open_page(f"/runs/{key_of(recorded)}/0?day=25")
    page.wait_for_selector("#stores th")
    assert "floor" not in page.inner_text("#stores")
    page.check("#truth")
    page.wait_for_selector("#stores th:has-text('floor')")
    assert page.evaluate("document.body.classList.contains('truth')")


def test_a_branch_is_drawn_beside_the_year_it_left(open_page: Callable[..., Page], recorded: Run) -> None:
    page = open_page(f"/runs/{key_of(recorded)}/0?day=12")
    page.wait_for_selector("#heirs option", state="attached")
    page.click("#branch")
    page.wait_for_url("**race=**")
    page.wait_for_selector("#chart .rival", state="attached")
    assert page.inner_text("#title").startswith("person")


def test_a_year_that_is_being_played_grows_on_the_page(
    open_page: Callable[..., Page], shelf: Path, small_world: Path
) -> None:
    world = load_world(small_world)
    terms = Terms(world.name, world.id, world.seed, TRADER, 30, 100_000.0)
    run = create_run(shelf / "live", terms, episodes=1, world_source=str(small_world))
    stop = StopFlag()

    class Slow:
        def opened(self, *_: object) -> None: ...
        def set_back(self, *_: object) -> None: ...
        def closed(self, *_: object) -> None: ...
        def progressed(self, *_: object) -> None:
            time.sleep(0.05)

    player = threading.Thread(target=play_here, args=(run, 0, world, Slow(), stop))
    player.start()
    waits_for(lambda: run.events_path(0).exists() and len(read_episode(run, 0).turns) > 2)
    page = open_page(f"/runs/{key_of(run)}/0")
    page.wait_for_selector("#ending.live")
    page.wait_for_selector("#turn:has-text('turn')")
    seen = turn_shown(page)
    page.wait_for_function(
        "seen => Number(document.getElementById('turn').textContent.split(' ')[1]) > seen + 3", arg=seen
    )
    stop.request()
    player.join(60)
    assert not player.is_alive()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone(open_page: Callable[..., Page], recorded: Run, scheme: str) -> None:
    for path in ("/", f"/runs/{key_of(recorded)}/0?day=20"):
        page = open_page(path, viewport={"width": 390, "height": 844}, color_scheme=scheme)
        page.wait_for_selector("#runs tr, #money h2")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
