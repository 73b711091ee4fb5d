"""The end of a game: its decisions, the attempt that counts, and a card to keep."""

import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.board.browsing import Page, address, browser, key_of, needs_browser, open_page, press
from tests.board.conftest import sit_down

from ecbench.runs.folder import Run
from ecbench.runs.results.year_view import view_year

__all__ = ["address", "browser", "open_page"]

PNG = b"\x89PNG\r\n\x1a\n"
SHOWN = {"X-Ecbench-Truth": "shown"}
WAIT = {"name": "wait_for_next_day", "arguments": {}}


def test_the_best_and_worst_decisions_are_those_of_the_tables(board: TestClient, recorded: Run) -> None:
    address = f"/api/runs/{key_of(recorded)}/0/truth/decisions"
    assert board.get(address).status_code == 403
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


def test_a_year_that_goes_on_has_no_decisions_to_judge(board: TestClient) -> None:
    address = f"/api/runs/{sit_down(board, days=3)}/0/truth/decisions"
    assert board.get(address, headers=SHOWN).status_code == 409


def test_only_the_first_attempt_at_a_challenge_counts_at_its_end(board: TestClient) -> None:
    for number in (1, 2):
        key = board.post("/api/play", json={"game": "challenge"}).json()["id"]
        board.post(f"/api/runs/{key}/0/finish", json={})
        attempt = board.get(f"/api/runs/{key}/0/end").json()["attempt"]
        assert attempt == {"date": "20260101", "number": number, "of": number}
    other = sit_down(board, days=3)
    board.post(f"/api/runs/{other}/0/finish", json={})
    assert board.get(f"/api/runs/{other}/0/end").json()["attempt"] is None


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
    page.wait_for_selector("canvas[role=img][aria-label*='Ada'][data-drawn]")
    with page.expect_download() as waiting:
        page.click("text=Save the card")
    waiting.value.save_as(tmp_path / "card.png")
    content = (tmp_path / "card.png").read_bytes()
    assert content.startswith(PNG) and struct.unpack(">II", content[16:24]) == (1200, 630)
    assert page.evaluate("[innerWidth, document.documentElement.scrollWidth]") == [width] * 2
