"""The position of the day: offered from a review, played for a day, and judged by the engine."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.pages.board.browsing import Page, await_day, key_of, needs_browser, press
from tests.pages.board.conftest import WAIT, played_run
from tests.pages.board.reviews import keep_by_hand

from ecbench.pages.board.server.app import ASKED_FOR_TRUTH
from ecbench.pages.board.views.ending import PERSON
from ecbench.runs.folder import Run


def test_a_folder_without_a_review_offers_no_position(board: TestClient, recorded: Run) -> None:
    assert board.get("/api/home").json()["position"] is None
    keep_by_hand(recorded)
    offered = board.get("/api/home").json()["position"]
    assert (offered["id"], offered["episode"]) == (key_of(recorded), 0)
    assert (offered["day"], offered["cost"]) in {(0, 300_000.0), (14, 105_000.0), (21, 35_700.0)}


def moves_on(board: TestClient, run: str, episode: int, day: int, branch: str) -> Any:
    path = f"/api/runs/{run}/{episode}/truth/positions/{day}/{branch}/0"
    return board.get(path, headers={ASKED_FOR_TRUTH: "shown"})


def branch_off(board: TestClient, run: str, episode: int, day: int) -> str:
    return str(board.post(f"/api/runs/{run}/{episode}/branch", json={"agent": PERSON, "day": day}).json()["id"])


@pytest.mark.parametrize("day", [0, 14])
def test_a_day_is_the_turns_from_its_morning_to_the_one_that_ends_it(
    board: TestClient, recorded: Run, day: int
) -> None:
    own = branch_off(board, key_of(recorded), 0, day)
    calls = [{"name": "check_balance", "arguments": {}}, WAIT]
    acted = board.post(f"/api/runs/{own}/0/act", json={"calls": calls}).json()
    moves = {move["who"]: move for move in moves_on(board, key_of(recorded), 0, day, own).json()["moves"]}
    assert moves["you"]["did"] == acted["sentences"]
    [others] = [move["did"] for who, move in moves.items() if who not in ("you", "the engine")]
    assert others[-1] == f"Day {day + 1} begins." or "more" in others[-1]
    assert f"Day {day} begins." not in others


def test_a_branch_of_another_episode_is_not_compared(board: TestClient, shelf: Path, small_world: Path) -> None:
    run = played_run(shelf / "two", "idle", small_world, 3, episodes=2)
    own = branch_off(board, key_of(run), 1, 1)
    board.post(f"/api/runs/{own}/0/act", json={"calls": [WAIT]})
    assert [moves_on(board, key_of(run), episode, 1, own).status_code for episode in (0, 1)] == [409, 200]


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
