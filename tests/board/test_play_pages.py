"""A person at the board, in a real browser: prices, standing orders, bids in the chat, and the end of the year."""

import json
import os
import re
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.board.browsing import (
    PATIENCE,
    PHONE,
    Page,
    address,
    await_turn,
    browser,
    fits_a_phone,
    fits_in_every_colour,
    key_of,
    needs_browser,
    open_page,
    opened,
    press,
    turn_shown,
)
from tests.board.conftest import only_run, proven

from ecbench.board.server.actions import Desk
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode

__all__ = ["address", "browser", "open_page"]
pytestmark = needs_browser


def forked(shelf: Path) -> Run:
    return only_run(shelf, "*_fork")


def last_calls(run: Run) -> list[tuple[str, Any]]:
    return [(call["name"], call["arguments"]) for call in read_episode(run, 0).turns[-1].calls]


@pytest.fixture
def desk_of_day_30(open_page: Callable[..., Page], desk: Desk, recorded: Run) -> Page:
    """A person takes the recorded year over, and races it."""
    branch = desk.branch(key_of(recorded), 0, {"agent": "person", "day": 30})
    page = open_page(f"/runs/{branch['id']}/{branch['episode']}?race={key_of(recorded)}:0")
    page.wait_for_selector("text=Your move")
    page.wait_for_selector("#race li")
    return page


def test_a_price_is_a_slider_over_what_it_sold_at(desk_of_day_30: Page, shelf: Path) -> None:
    page = desk_of_day_30
    opened(page, "Shelves")
    page.wait_for_selector(".price-chart circle")
    assert re.search(r"¥[\d.]+ sold [\d.]+ a day over \d+ days", page.get_attribute(".price-chart svg", "aria-label"))
    page.eval_on_selector("input.price", "s => { s.value = s.max; s.dispatchEvent(new Event('input')); }")
    assert page.get_attribute("input.price", "aria-valuetext").startswith("¥")
    price = float(page.input_value("input.price"))
    press(page, "Set 1 new price", "Shelves")
    [(name, given)] = last_calls(forked(shelf))
    assert (name, [entry["price"] for entry in given["prices"]]) == ("set_prices", [price])
    opened(page, "Shelves")
    assert float(page.input_value("input.price")) == price


def reorder_at_the_next_morning(page: Page, *, units: int, highest: str) -> None:
    """A standing order that finds the stock too low at once; the desk then shows what became of it."""
    opened(page, "Standing orders")
    page.wait_for_selector("select[aria-label='Goods to reorder'] option", state="attached")
    page.fill("input[aria-label='Reorder when fewer are left']", "100000")
    page.fill("input[aria-label='Units to reorder']", str(units))
    page.fill("input[aria-label='Highest price of a unit']", highest)
    page.click("text=Reorder so")
    press(page, "Close the day")
    opened(page, "Standing orders")


def test_a_standing_order_buys_again_when_stock_is_low_and_says_what_it_did(desk_of_day_30: Page, shelf: Path) -> None:
    page = desk_of_day_30
    reorder_at_the_next_morning(page, units=3, highest="9999")
    page.wait_for_selector(".rules li:has-text('3 ordered from')")
    turns = read_episode(forked(shelf), 0).turns
    assert [call["name"] for call in turns[-1].calls] == ["chatbox"]
    assert turns[-1].said["text"].startswith("Standing order: 3 of")
    assert "stopped" not in page.inner_text(".rules")


def test_a_standing_order_that_cannot_be_met_stops_and_says_why(desk_of_day_30: Page, shelf: Path) -> None:
    page = desk_of_day_30
    reorder_at_the_next_morning(page, units=3, highest="0.05")
    page.wait_for_selector(".rules li .bad:has-text('stopped on day 31')")
    before = turn_shown(page)
    press(page, "Close the day")
    opened(page, "Standing orders")
    assert turn_shown(page) == before + 1, "a stopped order writes no further letter"


def test_a_bargain_goes_on_in_the_chat(desk_of_day_30: Page, shelf: Path) -> None:
    page = desk_of_day_30
    opened(page, "Standing orders")
    page.wait_for_selector("select[aria-label='Goods to reorder'] option", state="attached")
    page.fill("input[aria-label='Reorder when fewer are left']", "100000")
    page.fill("input[aria-label='Highest price of a unit']", "0.05")
    page.click("text=Reorder so")
    press(page, "Close the day")  # the order stops at a quote above its limit, and the talks are open
    opened(page, "")
    page.click(".chat li button >> nth=0")
    page.wait_for_selector(".haggle output:has-text('the deal costs')")
    before = turn_shown(page)
    page.click(".haggle button:has-text('Accept')")
    page.wait_for_function(
        "before => !document.getElementById('turn').textContent.startsWith(`turn ${before} `)", arg=before
    )
    [(name, given)] = last_calls(forked(shelf))
    assert name == "chatbox" and '"action":"accept"' in given["content"]
    assert json.loads(read_episode(forked(shelf), 0).turns[-1].replies[0])["order_confirmed"]


def test_hidden_truth_waits_for_the_end_which_shows_floors_place_report_and_proof(
    desk_of_day_30: Page, shelf: Path, tmp_path: Path
) -> None:
    page = desk_of_day_30
    assert page.is_disabled("#truth")
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("text=End the year here")
    page.wait_for_selector("#end h3:has-text('over their floors')")
    told = page.inner_text("#end")
    assert "No place among the paper's models: fork of trader at day 30." in told
    assert "overpaid" in told and "replay" in told and not page.is_disabled("#truth")
    with page.expect_download() as waiting:
        page.click("text=File that proves it")
    waiting.value.save_as(tmp_path / "proof.zip")
    with zipfile.ZipFile(tmp_path / "proof.zip") as archive:
        archive.extractall(tmp_path / "elsewhere")
    end = proven(only_run(tmp_path / "elsewhere")).end()
    assert end is not None and end.ending == "idle"
    with page.expect_popup() as waiting:
        page.click("#end >> text=Report")
    waiting.value.wait_for_selector("h1", timeout=PATIENCE)


def test_a_race_shows_who_leads_on_a_day_and_where_calls_differ(
    desk_of_day_30: Page, open_page: Callable[..., Page], recorded: Run, shelf: Path
) -> None:
    page = desk_of_day_30
    for _ in range(2):
        press(page, "Close the day")
    opened(page, "")
    page.reload()
    page.wait_for_selector("#race li:has-text('other calls')")
    told = page.inner_text("#race")
    assert re.search(r"this year ¥[\d,]+", told) and re.search(r"other calls from day 3\d on", told)
    page.click("#race button")
    page.wait_for_selector("#chart .chart-legend .dashed", state="detached")
    page.wait_for_url(lambda url: "race=" not in url)
    page.select_option("select[aria-label='Race against another year']", index=1)
    page.wait_for_selector("#chart .chart-legend .dashed")


def test_opening_a_long_year_shows_how_far_it_is(open_page: Callable[..., Page], recorded: Run) -> None:
    """The first answer is held back, as if the year were long."""
    page = open_page("/")
    page.route("**/opening", lambda route: route.fulfill(json={"done": 30, "whole": 40}))
    page.route(f"**/api/runs/{key_of(recorded)}/0", lambda route: None)
    page.goto(page.url + f"runs/{key_of(recorded)}/0")
    bar = page.get_by_role("progressbar", name="Opening the year")
    bar.wait_for(state="visible")
    page.wait_for_function("() => document.getElementById('opening').value === 0.75")
    page.unroute_all()


def test_a_year_is_played_with_the_keyboard_alone(desk_of_day_30: Page, shelf: Path) -> None:
    page = desk_of_day_30
    before = turn_shown(page)
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Close the day":
            break
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    await_turn(page, before + 1)
    assert last_calls(forked(shelf)) == [("wait_for_next_day", {})]


def start_server(shelf: Path) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "ecbench", "serve", str(shelf), "--port", "0", "--no-browser"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"})
    assert server.stdout is not None
    line = server.stdout.readline()
    return server, line.rstrip().rpartition(" ")[2]


def test_a_server_killed_in_the_middle_of_a_turn_loses_nothing_that_it_acknowledged(browser: Any, shelf: Path) -> None:
    server, place = start_server(shelf)
    again = None
    try:
        page = browser.new_context().new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(place)
        page.click("#play button")
        page.wait_for_selector("text=Your move")
        for _ in range(3):
            press(page, "Close the day")
        page.click("#play button:has-text('Close the day')")  # and nobody waits for what becomes of it
        server.send_signal(signal.SIGKILL)
        server.wait(30)
        opened(page, "")
        page.click("#play button:has-text('Withdraw')")
        page.wait_for_selector("#status.bad:not(:empty)")  # the page says that nobody answers
        seen = turn_shown(page)
        year = page.url.split("/", 3)[3].partition("?")[0]
        again, place = start_server(shelf)
        page.goto(f"{place}/{year}")
        page.wait_for_selector("#turn:has-text('turn')")
        assert seen >= 3 and seen <= turn_shown(page) <= 4
        press(page, "Close the day")
        assert len(proven(only_run(shelf)).turns) == turn_shown(page)
    finally:
        for process in (server, again):
            if process is not None and process.poll() is None:
                process.kill()
                process.wait(30)


def test_keys_stay_in_the_servers_environment(shelf: Path, recorded: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nobody-may-see-this")
    server, place = start_server(shelf)
    try:
        year = f"/api/runs/{key_of(recorded)}/0"
        paths = ("/", "/api/shelf", year, f"{year}/turns/5", f"{year}/end")
        answers = [httpx.get(place + path, timeout=60) for path in paths]
        assert all(answer.status_code == 200 and "nobody-may-see" not in answer.text for answer in answers)
        assert answers[1].json()["providers"] == ["openai"]
    finally:
        server.kill()
        server.wait(30)


def test_what_agents_write_never_becomes_part_of_the_page(open_page: Callable[..., Page], shelf: Path) -> None:
    page = open_page()
    page.fill("#play input[name=world]", "seed-3")
    page.click("#play button")
    page.wait_for_selector("text=Your move")
    nasty = "<img src=x onerror=alert(1)><script>alert(2)</script>\u202eTURNED"
    note = {"name": "operate_memory", "arguments": {"action": "add", "title": nasty, "content": nasty}}
    page.evaluate(
        """async ([note, text]) => {
            const { send } = await import("/static/page.js");
            await send(location.pathname.replace("/runs/", "/api/runs/") + "/act", { calls: [note], text });
        }""",
        [note, nasty],
    )
    page.goto(page.url.partition("?")[0])
    page.wait_for_selector("#memory details")
    assert nasty in page.text_content("#memory") and nasty in page.text_content("#last")
    assert page.locator("main img, main script").count() == 0
    assert page.evaluate("getComputedStyle(document.querySelector('#last .quote')).unicodeBidi") == "isolate"


CONTROLS = """
() => [...document.querySelectorAll('input, select, textarea, button, a, summary, [role=img], [role=region], progress')]
  .filter(each => each.getClientRects().length)
"""


@pytest.mark.parametrize("where", ["shelf", "board", "desk"])
def test_every_control_has_a_name_and_a_role(
    open_page: Callable[..., Page], recorded: Run, where: str, request: pytest.FixtureRequest
) -> None:
    if where == "desk":
        page = request.getfixturevalue("desk_of_day_30")
        for section in ("Standing orders", "Find goods", "Shelves"):
            opened(page, section)
    else:
        page = open_page("/" if where == "shelf" else f"/runs/{key_of(recorded)}/0?day=25&supplier=")
        page.wait_for_selector("#runs tr" if where == "shelf" else ".chat li")
    session = page.context.new_cdp_session(page)
    session.send("Accessibility.enable")
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    roles = {"button", "textbox", "searchbox", "combobox", "listbox", "slider", "checkbox", "spinbutton", "link", "img"}
    seen = [
        node for node in nodes if not node.get("ignored") and node["role"]["value"] in {*roles, "image", "progressbar"}
    ]
    nameless = [node["role"]["value"] for node in seen if not node.get("name", {}).get("value", "").strip()]
    assert not nameless and len(seen) > 5
    assert page.evaluate(f"({CONTROLS})().filter(each => each.tabIndex < 0 && !each.matches('[role=img]')).length") == 0
    headings = [node for node in nodes if node["role"]["value"] == "heading"]
    assert headings and page.get_attribute("html", "lang") == "en"


def test_a_phone_shows_the_whole_desk(open_page: Callable[..., Page], desk_of_day_30: Page) -> None:
    page = desk_of_day_30
    for section in ("Standing orders", "Find goods", "Shelves"):
        opened(page, section)
    page.set_viewport_size(PHONE)
    page.wait_for_function("width => window.innerWidth === width", arg=PHONE["width"])
    fits_a_phone(page)


def test_hidden_failure_modes_are_marked_only_with_the_switch_on(open_page: Callable[..., Page], recorded: Run) -> None:
    metrics = recorded.episode_folder(0) / "metrics.json"
    report = json.loads(metrics.read_text())
    hits = {
        mode: {"hits": [{"day": 7, "turn": 9, "what": f"what {mode} is"}]}
        for mode in ("query_repeated", "fraud_reordered")
    }
    metrics.write_text(json.dumps(report | {"failure_modes": hits}))
    page = open_page(f"/runs/{key_of(recorded)}/0?day=7")
    page.wait_for_selector("#chart .chart-day:has-text('query repeated: what query_repeated is')")
    assert "fraud" not in page.content() and "what query_repeated is" in page.content()
    page.check("#truth")
    page.wait_for_selector("#chart .chart-day:has-text('fraud reordered: what fraud_reordered is')")
    page.click("#modes summary")
    page.click("#modes li:has-text('fraud reordered') button")
    await_turn(page, 9)


def test_of_another_run_on_the_world_the_page_shows_the_assets_and_why(
    desk_of_day_30: Page, open_page: Callable[..., Page], recorded: Run
) -> None:
    page = open_page(f"/runs/{key_of(recorded)}/0", viewport=PHONE)
    page.wait_for_selector("#status:has-text('is being played on this world, on day 30')")
    assert page.inner_text("#ending") == "withheld" and page.inner_text("#date") == "day 30 of 40"
    assert page.is_hidden("main") and page.is_hidden("#branch") and page.is_disabled("#truth")
    assert page.get_attribute("#chart .chart-plot", "aria-valuemax") == "30"
    assert re.match(r"¥[\d,]+$", page.inner_text("#chart .chart-legend output >> nth=0"))
    fits_in_every_colour(page)
