"""Watching a recorded year on its page, in a real browser: days, turns, screens, late answers, branches, live years."""

import random
import re
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

from tests.pages.board.browsing import (
    Page,
    await_day,
    await_turn,
    hold_first,
    key_of,
    needs_browser,
    scrub,
    settle,
    turn_shown,
    waits_for,
)
from tests.pages.board.conftest import DAYS
from tests.runs.conftest import TRADER

from ecbench.cancellation import StopFlag
from ecbench.runs.folder import Run, create_run
from ecbench.runs.play.episodes import Message, TurnRecorded, read_episode
from ecbench.runs.play.play_here import play_here
from ecbench.runs.terms import SeatTerms, Terms
from ecbench.world.load import load_world

pytestmark = needs_browser

TRUTH = "label:has-text('show hidden truth') input"


def year_page(run: Run, rest: str = "") -> str:
    return f"/runs/{key_of(run)}/0{rest}"


def test_scrubbing_shows_the_days_as_they_were(open_page: Callable[..., Page], recorded: Run) -> None:
    page = open_page(year_page(recorded))
    recording = read_episode(recorded, 0)
    await_turn(page, len(recording.turns))
    assert page.url.endswith("/0/today")
    for day in random.Random("days").sample(range(1, DAYS), 6):
        scrub(page, day)
        last = max(number for number, state in enumerate(recording.states, start=1) if state.day <= day)
        await_turn(page, last)
        page.wait_for_selector(f".top-bar dd:has-text('¥{recording.states[last - 1].total:,.0f}')")


def test_the_days_are_played_paused_and_played_to_the_end(open_page: Callable[..., Page], recorded: Run) -> None:
    page = open_page(year_page(recorded, "/today?day=2"))
    await_day(page, 2)
    page.click("button[aria-label='Play the days']")
    page.wait_for_function("() => !document.querySelector('.top-bar').innerText.includes('day 2 of ')")
    page.keyboard.press("p")
    page.wait_for_selector("button[aria-label='Play the days']")
    page.wait_for_selector("main[aria-busy=false]")
    paused = turn_shown(page)
    page.wait_for_timeout(700)  # several days of a year that is played
    assert turn_shown(page) == paused < len(read_episode(recorded, 0).turns)
    page.click("button[aria-label='Play the days']")
    await_day(page, DAYS)
    page.wait_for_selector("button[aria-label='Play the days']")


def test_keys_move_by_day_and_turn_and_open_screens_and_every_view_has_an_address(
    open_page: Callable[..., Page], recorded: Run
) -> None:
    page = open_page(year_page(recorded, "/today?turn=20"))
    await_turn(page, 20)
    for key, turn in (("Shift+ArrowRight", 21), ("Shift+ArrowLeft", 20), ("End", len(read_episode(recorded, 0).turns))):
        page.keyboard.press(key)
        await_turn(page, turn)
    page.wait_for_url(f"**turn={turn}")
    page.keyboard.press("ArrowLeft")
    await_day(page, DAYS - 1)
    page.keyboard.press("5")
    page.wait_for_selector("main[aria-label=Stores]")
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]:has-text('the day before')")
    page.wait_for_url(f"**/stores?day={DAYS - 1}&**")
    other = open_page("/" + page.url.split("/", 3)[3])
    other.wait_for_selector("main[aria-label=Stores]")
    await_day(other, DAYS - 1)


def test_a_turn_that_arrives_late_does_not_replace_a_later_choice(
    open_page: Callable[..., Page], recorded: Run
) -> None:
    page = open_page(year_page(recorded, "/goods"))
    await_turn(page, len(read_episode(recorded, 0).turns))
    held = hold_first(page, re.compile(r"/turns/\d+$"))
    scrub(page, 30)
    waits_for(lambda: bool(page.evaluate("1") and held))
    scrub(page, 3)
    await_day(page, 3)
    known = page.inner_text("main")
    with page.expect_response(held[0].request.url):
        held[0].continue_()
    settle(page)
    await_turn(page, turn_shown(page))
    await_day(page, 3)
    assert page.inner_text("main") == known, "nothing that was found out by day 30"


def test_hidden_truth_is_off_and_visibly_on_when_on(open_page: Callable[..., Page], recorded: Run) -> None:
    with closing(connect(recorded.episode_folder(0) / "results.db")) as database:
        row = (0, "fraud_reordered", 7, 9, "what fraud_reordered is", *[None] * 5)
        database.execute(f"insert into failures values ({', '.join('?' * len(row))})", row)
        database.commit()
    page = open_page(year_page(recorded, "/stores?day=25"))
    page.wait_for_selector(".price-desk th")
    assert page.locator("th:has-text('Floor')").count() == page.locator(".top-bar.truth").count() == 0
    assert "fraud" not in page.content()
    page.check(TRUTH)
    page.wait_for_selector(".price-desk th:has-text('Floor')")
    page.wait_for_selector(".top-bar.truth")
    scrub(page, 7)
    page.wait_for_selector(".chart-day:has-text('fraud reordered: what fraud_reordered is')")


def test_a_year_that_is_being_played_grows_on_the_page_until_a_turn_is_chosen(
    open_page: Callable[..., Page], shelf: Path, small_world: Path
) -> None:
    world = load_world(small_world)
    terms = Terms.of_seats(world, (SeatTerms(TRADER),), 30, 100_000.0)
    run = create_run(shelf / "live", terms, episodes=1, world_source=str(small_world))
    stop, steps = StopFlag(), threading.Semaphore(3)

    def stepwise(_episode: int, message: Message) -> None:
        if isinstance(message, TurnRecorded):
            steps.acquire()

    player = threading.Thread(target=play_here, args=(run, 0, stepwise, stop))
    player.start()
    try:
        waits_for(lambda: run.events_path(0).exists() and len(read_episode(run, 0).turns) > 2)
        page = open_page(year_page(run))
        page.wait_for_selector(".top-bar .tag:has-text('being played')")
        page.wait_for_selector("main[data-turn]")
        seen = turn_shown(page)
        steps.release(4)
        page.wait_for_function("seen => Number(document.querySelector('main').dataset.turn) > seen", arg=seen)
        page.keyboard.press("Home")
        await_day(page, 0)
        shown = page.inner_text(".turn")
        steps.release(2)
        page.wait_for_function("shown => document.querySelector('.turn').innerText !== shown", arg=shown)
        await_day(page, 0)
    finally:
        stop.request()
        steps.release(1000)
        player.join(60)
    assert not player.is_alive()
