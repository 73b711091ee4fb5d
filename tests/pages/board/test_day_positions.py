"""The position of the day: offered from a review, played for a day, and judged by the engine."""

from collections.abc import Callable

from starlette.testclient import TestClient
from tests.pages.board.browsing import Page, address, await_day, browser, key_of, needs_browser, open_page, press
from tests.pages.board.reviews import keep_by_hand

from ecbench.runs.folder import Run

__all__ = ["address", "browser", "open_page"]


def test_a_folder_without_a_review_offers_no_position(board: TestClient, recorded: Run) -> None:
    assert board.get("/api/home").json()["position"] is None
    keep_by_hand(recorded)
    offered = board.get("/api/home").json()["position"]
    assert (offered["id"], offered["episode"]) == (key_of(recorded), 0)
    assert (offered["day"], offered["cost"]) in {(0, 300_000.0), (14, 105_000.0)}


@needs_browser
def test_a_visitor_plays_one_day_and_sees_three_moves(open_page: Callable[..., Page], recorded: Run) -> None:
    keep_by_hand(recorded)
    page = open_page("/")
    page.click("button:has-text('Play this day')")
    page.wait_for_selector("section[aria-label='Position of the day']:has-text('your move')")
    day = int(page.url.rpartition(":")[2])
    press(page, "Close the day")
    await_day(page, day + 1)
    page.wait_for_selector(".moves > li >> nth=2")
    moves = page.locator(".moves > li > strong").all_inner_texts()
    assert {move.rpartition(": ")[0] for move in moves} == {"you", "the engine", "my_merchant.py:MyMerchant"}
    values = [float(move.rpartition("¥")[2].replace(",", "")) for move in moves]
    assert values == sorted(values, reverse=True)
