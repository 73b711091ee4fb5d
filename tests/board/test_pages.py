"""The pages in a real browser: Debian's Chromium, driven by Playwright."""

import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.board.browsing import (
    PHONE,
    Page,
    address,
    await_turn,
    browser,
    fits_in_every_colour,
    key_of,
    needs_browser,
    open_page,
    opened,
    press,
    settle,
    turn_shown,
    waits_for,
)
from tests.board.conftest import DAYS, only_run, proven
from tests.runs.conftest import TRADER

from ecbench.cancellation import StopFlag
from ecbench.runs.folder import Run, create_run
from ecbench.runs.play.episodes import Listener, play_here, read_episode
from ecbench.runs.terms import SeatTerms, Terms
from ecbench.world.load import load_world

__all__ = ["address", "browser", "open_page"]
pytestmark = needs_browser


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
    for _ in range(4):  # until the goods are there
        press(page, "Close the day")
    opened(page, "")
    page.reload()
    page.wait_for_selector("text=Your move")
    press(page, "Put all on the shelf", "Shelves")
    for _ in range(2):
        press(page, "Close the day")
    page.wait_for_selector("#date:has-text('day 6 of 14')")
    opened(page, "")  # the morning's orders may still be on their way
    assert len(proven(only_run(shelf)).turns) > 10


def test_scrubbing_shows_the_days_as_they_were(open_page: Callable[..., Page], recorded: Run) -> None:
    page = open_page(f"/runs/{key_of(recorded)}/0")
    recording = read_episode(recorded, 0)
    await_turn(page, len(recording.turns))
    for day in random.Random("days").sample(range(1, DAYS), 10):
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
    page.wait_for_url(lambda url: "supplier=" in url and "turn=" in url)
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    address = page.url
    other = open_page(address.split("/", 3)[3].join(["/", ""]))
    other.wait_for_selector(".letters .letter")


def test_letters_that_arrive_late_do_not_replace_those_of_a_later_choice(
    open_page: Callable[..., Page], recorded: Run
) -> None:
    page = open_page(f"/runs/{key_of(recorded)}/0")
    page.wait_for_selector(".chat li button >> nth=1")
    held: list[Any] = []
    page.route("**/suppliers/*", lambda route: route.continue_() if held else held.append(route))
    first, second = page.locator(".chat li button").all()[:2]
    first.click()
    second.click()
    page.wait_for_selector(".letters .letter")
    shown = page.inner_text(".chat strong")
    with page.expect_response("**/suppliers/*"):
        held[0].continue_()
    settle(page)
    assert page.inner_text(".chat strong") == shown == second.inner_text().splitlines()[0]


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
    page.wait_for_function("() => document.getElementById('date').textContent.includes('day 12 of')")
    page.click("#branch")
    page.wait_for_url("**race=**")
    page.wait_for_selector("text=Your move")
    page.wait_for_selector("#chart .chart-legend .dashed")
    page.wait_for_selector("#race li")
    assert "day 12 of" in page.inner_text("#date")
    assert page.inner_text("#title").startswith("person")


def test_a_year_that_is_being_played_grows_on_the_page(
    open_page: Callable[..., Page], shelf: Path, small_world: Path
) -> None:
    world = load_world(small_world)
    terms = Terms(world.name, world.id, world.seed, (SeatTerms(TRADER),), 30, 100_000.0)
    run = create_run(shelf / "live", terms, episodes=1, world_source=str(small_world))
    stop, steps = StopFlag(), threading.Semaphore(3)

    class Stepwise(Listener):
        def progressed(self, *_: object) -> None:
            steps.acquire()

    player = threading.Thread(target=play_here, args=(run, 0, world, Stepwise(), stop))
    player.start()
    try:
        waits_for(lambda: run.events_path(0).exists() and len(read_episode(run, 0).turns) > 2)
        page = open_page(f"/runs/{key_of(run)}/0")
        page.wait_for_selector("#ending.live")
        page.wait_for_selector("#turn:has-text('turn')")
        seen = turn_shown(page)
        steps.release(4)
        await_turn(page, seen + 4)
    finally:
        stop.request()
        steps.release(1000)
        player.join(60)
    assert not player.is_alive()


def test_it_fits_a_phone(open_page: Callable[..., Page], recorded: Run) -> None:
    for path in ("/", f"/runs/{key_of(recorded)}/0?day=20"):
        page = open_page(path, viewport=PHONE)
        page.wait_for_selector("#runs tr, #money h2")
        fits_in_every_colour(page)
