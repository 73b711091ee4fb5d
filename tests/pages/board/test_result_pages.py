"""The end of a game: its decisions, the attempt that counts, and a card to keep."""

import struct
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from starlette.testclient import TestClient
from tests.pages.board.browsing import Page, await_turn, hold_first, key_of, needs_browser, press
from tests.pages.board.conftest import sit_down
from tests.pages.board.reviews import keep_by_hand

from ecbench.errors import RunError
from ecbench.pages.board.server.single_flight import SingleFlight
from ecbench.runs.folder import Run
from ecbench.runs.results.year_view import view_year

PNG = b"\x89PNG\r\n\x1a\n"
SHOWN = {"X-Ecbench-Truth": "shown"}


def test_the_best_and_worst_decisions_are_those_of_the_tables(board: TestClient, recorded: Run) -> None:
    address = f"/api/runs/{key_of(recorded)}/0/truth/decisions"
    found = board.get(address, headers=SHOWN).json()
    assert not found["reviewed"]
    for decisions in (found["best"], found["worst"]):
        amounts = [each["yuan"] for each in decisions]
        assert 1 <= len(decisions) <= 3 and amounts == sorted(amounts, reverse=True) and amounts[-1] >= 1
    tables = view_year(recorded, 0).tables
    turns = {call.turn: call.day for call in tables.calls}
    assert all(turns[each["turn"]] == each["day"] for each in found["best"])
    paid = [each for each in found["worst"] if each["sentence"].startswith("Paid")]
    dearest = max(order.charged - (order.floor or 0) * order.quantity for order in tables.orders if order.honest)
    assert all(each["yuan"] <= dearest + 0.01 for each in paid)


def test_a_review_made_later_is_among_the_decisions(board: TestClient, recorded: Run) -> None:
    address = f"/api/runs/{key_of(recorded)}/0/truth/decisions"
    before = board.get(address, headers=SHOWN).json()
    keep_by_hand(recorded)
    after = board.get(address, headers=SHOWN).json()
    assert (before["reviewed"], after["reviewed"]) == (False, True)
    assert [each["sentence"].partition(":")[0] for each in after["worst"]][:2] == [
        "Days 0 to 6 were a blunder",
        "Days 14 to 20 were a mistake",
    ]


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


def test_a_result_has_no_skill_until_its_bound_is_computed(board: TestClient, recorded: Run) -> None:
    key = key_of(recorded)
    first = board.get(f"/api/runs/{key}/0/end").json()
    assert first["computing"] and first["skill"] is None
    whole = board.get(f"/api/runs/{key}/0/end/skill").json()
    assert not whole["computing"] and whole["skill"] is not None
    assert board.get(f"/api/runs/{key}/0/end").json() == whole


@needs_browser
@pytest.mark.parametrize("width", [1280, 390])
def test_a_game_is_played_to_its_end_and_its_card_saved(
    open_page: Callable[..., Page], board: TestClient, tmp_path: Path, width: int
) -> None:
    page = open_page(f"/runs/{sit_down(board, days=3)}/0/today", viewport={"width": width, "height": 844})
    for _ in range(3):
        press(page, "Close the day")
    page.wait_for_selector("section[aria-label=Decisions] h2:has-text('Worst decisions')")
    page.fill("label:has-text('Your name') input", "Ada")
    page.wait_for_function(
        "() => { const card = document.querySelector('img.result-card[alt$=Ada]');"
        " return card?.complete && card.naturalWidth === 1200; }"
    )
    with page.expect_download() as waiting:
        page.click("text=Save the card")
    waiting.value.save_as(tmp_path / "card.png")
    content = (tmp_path / "card.png").read_bytes()
    assert content.startswith(PNG) and struct.unpack(">II", content[16:24]) == (1200, 630)
    assert page.evaluate("[innerWidth, document.documentElement.scrollWidth]") == [width] * 2


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
    page.wait_for_selector("img.result-card")
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
    page.click("text=Reveal the best and worst decisions")
    page.click("button:has-text('Review (quick)')")
    page.wait_for_selector("section[aria-label=Decisions] p[role=status]:has-text('A quick review is being made')")
    page.wait_for_selector("section[aria-label=Decisions] p:has-text('weeks that the review marks')")
    assert page.locator("button:has-text('Review (quick)')").count() == 0
    keep_by_hand(recorded)  # marks that are known
    page.reload()
    page.click("text=Reveal the best and worst decisions")
    marked = page.wait_for_selector("li:has-text('Days 14 to 20 were a mistake')")
    assert "-¥105,000" in marked.inner_text()
    turn = page.inner_text("li:has-text('Days 14 to 20 were a mistake') a").rpartition(" ")[2]
    page.click("li:has-text('Days 14 to 20 were a mistake') a")
    await_turn(page, int(turn))
