"""The end of a game: its losses, the attempt that counts, and a line to send."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from starlette.testclient import TestClient
from tests.pages.board.browsing import Page, await_day, hold_first, key_of, needs_browser, press
from tests.pages.board.conftest import sit_down
from tests.pages.board.reviews import keep_by_hand

from ecbench.errors import RunError
from ecbench.metrics.losses.account import CAUSE_BY_KEY
from ecbench.pages.board.server.par import SingleFlight
from ecbench.runs.folder import Run
from ecbench.runs.results.year_view import view_year

SHOWN = {"X-Ecbench-Truth": "shown"}


def test_the_losses_of_a_result_are_those_of_its_tables(board: TestClient, recorded: Run) -> None:
    found = board.get(f"/api/runs/{key_of(recorded)}/0/truth/losses", headers=SHOWN).json()["losses"]
    table = view_year(recorded, 0).database.execute("select cause, amount from by_loss where amount >= 1").fetchall()
    assert [(CAUSE_BY_KEY[cause].title, round(amount, 2)) for cause, amount in table] == [
        (each["title"], round(each["amount"], 2)) for each in found
    ]
    assert len(found) > 1


def test_a_value_is_computed_once_for_all_who_wait_and_an_error_is_not_kept() -> None:
    values, begun, go_on, computed = SingleFlight[int](), Event(), Event(), list[int]()

    def compute() -> int:
        computed.append(7)
        begun.set()
        assert go_on.wait(60)
        return 7

    def fail() -> int:
        raise RunError("no")

    with pytest.raises(RunError):
        values.get("a year", fail)
    with ThreadPoolExecutor() as threads:
        first, second = (threads.submit(values.get, "a year", compute) for _ in range(2))
        assert begun.wait(60) and not values.ready("a year")
        go_on.set()
        assert [first.result(60), second.result(60), computed] == [7, 7, [7]]
    assert values.ready("a year") and values.get("a year", fail) == 7


@needs_browser
def test_a_game_is_played_to_its_end_and_has_a_line_to_send(open_page: Callable[..., Page], board: TestClient) -> None:
    page = open_page(f"/runs/{sit_down(board, days=3)}/0/today")
    for _ in range(3):
        press(page, "Close the day")
    page.wait_for_selector("section[aria-label=Losses] h1")
    line = page.input_value("section[aria-label='Tell others'] input")
    assert line.startswith("3 days on world ") and page.inner_text("code.code") in line


@needs_browser
@pytest.mark.parametrize("refused", [False, True])
def test_a_page_shows_the_money_before_the_skill_and_names_what_keeps_it_from_that(
    open_page: Callable[..., Page], recorded: Run, refused: bool
) -> None:
    page = open_page()
    held = hold_first(page, "**/end/skill")
    page.goto(f"{page.url}runs/{key_of(recorded)}/0/today")
    page.wait_for_selector(".result .figure:has-text('¥')")
    page.wait_for_selector("p.skill[role=status]:has-text('computing')")
    page.wait_for_selector("section[aria-label='Tell others']")
    if refused:
        held[0].fulfill(body="no answer of this server")
        page.wait_for_selector("p.skill.bad:has-text('Skill could not be computed')")
    else:
        held[0].continue_()
        page.wait_for_selector(".result p:has-text('-1 is ruin')")
    page.wait_for_selector("p.skill[role=status]", state="detached")


@needs_browser
def test_the_engine_judges_the_weeks_of_a_result_on_request(open_page: Callable[..., Page], recorded: Run) -> None:
    page = open_page(f"/runs/{key_of(recorded)}/0/today")
    page.click("text=Reveal what was lost")
    page.click("button:has-text('Review (quick)')")
    page.wait_for_selector("section[aria-label=Losses] p[role=status]:has-text('A quick review is being made')")
    page.wait_for_selector("section[aria-label=Losses] progress", state="detached")
    assert page.locator("button:has-text('Review (quick)')").count() == 0
    keep_by_hand(recorded)  # marks that are known
    page.reload()
    page.click("text=Reveal what was lost")
    page.click("section[aria-label=Losses] li a:has-text('mistake, days 14 to 20, ¥105,000 more than usual')")
    await_day(page, 14)
