"""A person's year on its page, in a real browser: bargains, prices, standing orders, windows, and the end."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.pages.board.browsing import (
    PATIENCE,
    PHONE,
    Page,
    await_day,
    await_turn,
    fits_in_every_colour,
    hold_first,
    honest_supplier,
    key_of,
    needs_browser,
    press,
    screen,
    turn_shown,
)
from tests.pages.board.conftest import begin_on_the_world_of, only_run, proven

from ecbench.pages.board.server.actions import Desk
from ecbench.pages.board.views.state_view import position
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode

pytestmark = needs_browser

SCREENS = ("Today", "Market", "Goods", "Suppliers", "Stores", "Warehouse", "Money")


def forked(shelf: Path) -> Run:
    return only_run(shelf, "*_fork")


def last_calls(run: Run) -> list[tuple[str, Any]]:
    return [(call["name"], call["arguments"]) for call in read_episode(run, 0).turns[-1].calls]


@pytest.fixture
def desk_of_day_30(open_page: Callable[..., Page], desk: Desk, recorded: Run) -> Page:
    """A person takes the recorded year over."""
    branch = desk.branch(key_of(recorded), 0, {"agent": "person", "day": 30})
    page = open_page(f"/runs/{branch['id']}/{branch['episode']}")
    page.wait_for_selector("section[aria-label='What to do today']")
    await_day(page, 30)
    return page


def test_a_reload_loses_no_draft_and_a_dear_order_asks_once(desk_of_day_30: Page, shelf: Path) -> None:
    page = desk_of_day_30
    screen(page, "Goods")
    page.check("table[aria-label=goods] td.box input >> nth=0")
    screen(page, "Suppliers")
    world = only_run(shelf, "trader").load_world()
    honest_supplier(page, world).click()
    page.fill("fieldset.bid input[type=number] >> nth=0", "9999")
    page.fill("fieldset.bid input[aria-label^=Units] >> nth=0", "3")
    page.reload()
    page.wait_for_selector(".thread .letter")
    assert page.input_value("fieldset.bid input[aria-label^=Units] >> nth=0") == "3"
    page.click("text=Send th")
    press(page, "Do it", "[role=alertdialog]")
    page.wait_for_selector(".message:has-text('Ordered')")
    screen(page, "Warehouse")
    page.wait_for_selector("table[aria-label='orders on the way'] tbody tr")


def test_a_price_stands_beside_what_it_sold_at_and_many_are_changed_at_once(desk_of_day_30: Page, shelf: Path) -> None:
    page = desk_of_day_30
    screen(page, "Stores")
    page.wait_for_selector(".price-desk tbody tr")
    page.click(".price-desk td[data-title='Sold a day'] summary >> nth=0")
    page.wait_for_selector(".price-desk small:has-text('a day over')")
    page.check(".price-desk input[aria-label^='Select all']")
    page.fill("input[aria-label=Percent]", "90")
    page.click("text=Fill in")
    wanted = [
        float(value)
        for value in page.eval_on_selector_all("input[aria-label^='Price of']", "all => all.map(each => each.value)")
    ]
    press(page, "Set th")
    [(name, given)] = last_calls(forked(shelf))
    assert (name, sorted(entry["price"] for entry in given["prices"])) == ("set_prices", sorted(wanted))
    page.wait_for_selector(".price-desk td:has-text('90% of')")


def test_two_windows_on_one_year_do_not_fight(
    desk_of_day_30: Page, browser: Any, open_page: Callable[..., Page], shelf: Path
) -> None:
    """One hears of the other's turns; one that does not hear of them is refused, and then shows them."""
    page = desk_of_day_30
    other = open_page("/" + page.url.split("/", 3)[3])
    await_turn(other, turn_shown(page))
    deaf = browser.new_context().new_page()
    deaf.set_default_timeout(PATIENCE)
    deaf.route("**/live", lambda route: route.abort())
    deaf.goto(page.url)
    await_turn(deaf, turn_shown(page))
    press(page, "Close the day")
    await_turn(other, turn_shown(page))
    deaf.click("text=Close the day")
    deaf.wait_for_selector(".message.bad:has-text('played on in another window')")
    await_turn(deaf, turn_shown(page))
    assert len(read_episode(forked(shelf), 0).turns) == turn_shown(page)
    press(deaf, "Close the day")
    await_turn(page, turn_shown(deaf))
    deaf.context.close()


def test_hidden_truth_waits_for_the_end_which_shows_floors_result_and_report(desk_of_day_30: Page, shelf: Path) -> None:
    page = desk_of_day_30
    assert page.locator("label:has-text('hidden truth')").count() == 0
    page.click("text=End the game early")
    page.click("text=End it")
    page.wait_for_selector("section[aria-label='Floors and cheats'] p:has-text('over their floors')")
    page.wait_for_selector("section[aria-label=Losses] h1")
    told = page.inner_text("main")
    assert "Shown alone: stopped on day" in told and "as a fork of trader at day 30" in told
    page.wait_for_selector("label:has-text('show hidden truth')")
    end = proven(forked(shelf)).end()
    assert end is not None and end.ending == "idle"
    with page.expect_popup() as waiting:
        page.click("main >> text=Report")
    waiting.value.wait_for_selector("h1", timeout=PATIENCE)


def test_an_action_that_takes_long_says_so_and_cannot_be_repeated(desk_of_day_30: Page, shelf: Path) -> None:
    page = desk_of_day_30
    turns, held = turn_shown(page), hold_first(page, "**/act")
    page.click("text=Close the day")
    page.wait_for_selector(".message:has-text('Waiting for the server')")
    page.click("text=Close the day", force=True)
    held[0].continue_()
    await_turn(page, turns + 1)
    page.wait_for_selector(".message:has-text('Day 31 begins')")
    assert len(read_episode(forked(shelf), 0).turns) == turns + 1


def start_server(shelf: Path) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "ecbench", "board", str(shelf), "--port", "0", "--no-browser"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"})
    assert server.stdout is not None
    line = server.stdout.readline()
    return server, line.rstrip().rpartition(" ")[2]


def test_a_server_killed_in_the_middle_of_a_turn_loses_nothing_that_it_acknowledged_and_tells_no_key(
    browser: Any, shelf: Path, recorded: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nobody-may-see-this")
    server, place = start_server(shelf)
    again = None
    try:
        year = f"/api/runs/{key_of(recorded)}/0"
        answers = [httpx.get(place + path, timeout=60) for path in ("/api/home", "/", year, f"{year}/end")]
        assert all(answer.status_code == 200 and "nobody-may-see" not in answer.text for answer in answers)
        assert answers[0].json()["providers"] == ["openai"]
        page = browser.new_context().new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(place)
        page.click("summary:has-text('Play on your own terms')")
        page.click("#play button")
        page.wait_for_selector("main[data-turn='0']")
        for _ in range(3):
            press(page, "Close the day")
        page.click("text=Close the day")  # and nobody waits for what becomes of it
        server.send_signal(signal.SIGKILL)
        server.wait(30)
        page.wait_for_selector("main[aria-busy=false]")
        page.click("text=Close the day")
        page.wait_for_selector(".message.bad:not(:empty)")  # the page says that nobody answers
        seen = turn_shown(page)
        year = page.url.split("/", 3)[3]
        again, place = start_server(shelf)
        page.goto(f"{place}/{year}")
        page.wait_for_selector("main[aria-busy=false]")
        assert seen >= 3 and seen <= turn_shown(page) <= 4
        press(page, "Close the day")
        assert len(proven(only_run(shelf, "*_person")).turns) == turn_shown(page)
    finally:
        for process in (server, again):
            if process is not None and process.poll() is None:
                process.kill()
                process.wait(30)


def test_what_agents_write_never_becomes_part_of_the_page(open_page: Callable[..., Page], desk: Desk) -> None:
    year = desk.sit_down({"world": "seed-3", "days": 5})
    nasty = "<img src=x onerror=alert(1)><script>alert(2)</script>\u202eTURNED"
    note = {"name": "operate_memory", "arguments": {"action": "add", "title": nasty, "content": nasty}}
    desk.act(year["id"], 0, {"calls": [note], "text": nasty})
    desk.finish(year["id"], 0, {})
    page = open_page(f"/runs/{year['id']}/0")
    page.wait_for_selector("section[aria-label=Memory] details")
    assert nasty in page.text_content("section[aria-label=Memory]")
    assert nasty in page.text_content("section[aria-label='The turn']")
    assert page.locator("main img, main script").count() == 0
    assert page.evaluate("getComputedStyle(document.querySelector('main .quote')).unicodeBidi") == "isolate"


def test_of_another_run_on_the_world_the_page_shows_the_assets_and_why(
    open_page: Callable[..., Page], desk: Desk, recorded: Run
) -> None:
    player = begin_on_the_world_of(recorded, desk, 30)
    page = open_page(f"/runs/{key_of(recorded)}/0", viewport=PHONE)
    page.wait_for_selector(".withheld:has-text('is being played on this world, on day 30')")
    page.wait_for_selector(".top-bar .tag:text-is('hidden during play')")
    page.wait_for_selector(".where:text-is('day 30 of 40')")
    assert page.locator("main, .branch, nav.screens, input[type=checkbox]").count() == 0
    page.wait_for_selector(".chart-plot[aria-valuemax='30']")
    assert re.match(r"¥[\d,]+$", page.inner_text(".chart-legend output >> nth=0"))
    fits_in_every_colour(page)
    assert page.get_attribute(".withheld a", "href") == f"/runs/{player}/0/today"
    page.click("text=End that game")
    page.click(".withheld button:text-is('End it')")
    page.wait_for_selector("main[data-turn]")
    page.keyboard.press("Home")
    await_day(page, 0)
    page.click("button:has-text('Play on from here')")
    page.wait_for_selector("section[aria-label='What to do today']")
    page.wait_for_load_state("networkidle")  # a page that is still loading would abort the next one
    page.goto(page.url.split("/runs/")[0] + f"/runs/{key_of(recorded)}/0")
    page.wait_for_selector("main[data-turn]")
    assert not page.locator(".withheld").count(), "a branch of a year that is over hides nothing"


def test_a_player_looks_back_at_earlier_days_and_plays_on_today(
    desk_of_day_30: Page, open_page: Callable[..., Page], desk: Desk
) -> None:
    page = desk_of_day_30
    run = page.url.split("/runs/")[1].split("/")[0]
    page.click("text=Look back at earlier days")
    await_day(page, 29)
    page.wait_for_selector("input[aria-label='Day to look at']:focus")
    for title in SCREENS:
        screen(page, title)
        page.wait_for_selector("main[aria-busy=false]")
        assert page.locator("main button.act, .close button").count() == 0, f"nothing can be done on {title}"
    page.fill("input[aria-label='Day to look at']", "10")
    await_day(page, 10)
    shown = turn_shown(page)
    then = position(desk.queries.moment(run, 0, shown))
    assert then["day"] == 10 and f"¥{then['money']['total']:,.0f}" in page.inner_text(".top-bar .total")
    other = open_page(f"/runs/{run}/0/today")
    await_day(other, 30)
    press(other, "Close the day")
    page.wait_for_selector("input[aria-label='Day to look at'][max='31']")
    assert turn_shown(page) == shown, "a turn of another window does not move it"
    page.click("text=Back to today")
    await_turn(page, turn_shown(other))
    press(page, "Close the day")
    await_day(page, 32)
