"""What a person is told: every notification that a model gets, the par of a game, and its own results."""

import gc
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.pages.board.browsing import key_of
from tests.pages.board.conftest import WAIT, played_run, sit_down
from tests.runs.conftest import TRADER

from ecbench.pages.board.run_index import Library
from ecbench.pages.board.server.par import MERCHANTS
from ecbench.pages.board.server.queries import Queries
from ecbench.pages.board.server.visibility import Visibility
from ecbench.pages.board.views.own_books import morning
from ecbench.pages.board.views.state_view import position
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.table import Table

YEAR = 365
STEPS = 600
WARM_STEPS = 200


@pytest.fixture
def whole_year(shelf: Path, small_world: Path) -> Run:
    return played_run(shelf / "year", TRADER, small_world, YEAR, stake=20_000.0)


def told_to_the_model(run: Run) -> list[tuple[int, str]]:
    """The notifications of all replies, in their order, with the day on which each came."""
    told: list[tuple[int, str]] = []
    for turn in read_episode(run, 0).turns:
        for outcome in turn.outcomes:
            news = [item for morning in outcome.reply.get("system_notifications", ()) for item in morning["news"]]
            reminders = [outcome.reply["balance_reminder"]] if "balance_reminder" in outcome.reply else []
            told += [(outcome.day, text) for text in (*(item["content"] for item in news), *reminders)]
    return told


def test_a_person_is_told_every_notification_that_a_model_gets(shelf: Path, whole_year: Run) -> None:
    year = Library(shelf).year(key_of(whole_year), 0)
    last_turns = sorted({year.last_turn_of(day) for day in range(YEAR + 1)})
    shown = [notice for turn in last_turns for notice in morning(year.moment(turn))["news"]]
    assert [notice.content for notice in shown] == [text for _, text in told_to_the_model(whole_year)]
    assert {"delivery", "event", "promotion"} <= {notice.type for notice in shown}


def test_a_game_has_a_par_and_a_code_that_opens_the_same_game(board: TestClient) -> None:
    key = sit_down(board, days=3, rules="fair")
    for _ in range(3):
        board.post(f"/api/runs/{key}/0/act", json={"calls": [WAIT]})
    found = board.get(f"/api/runs/{key}/0/end/skill").json()
    assert {each["name"] for each in found["par"]} == set(MERCHANTS) and not found["computing"]
    assert all(each["ending"] == "year_end" and len(each["curve"]) == 4 for each in found["par"])
    assert not any(row["kind"] == "paper" for row in found["standings"]), "three days are not a year"
    made = board.post("/api/play", json={"code": found["code"]}).json()
    games = {run["id"]: (run["world"], run["days"], run["rules"]) for run in board.get("/api/home").json()["runs"]}
    assert games[made["id"]] == games[key] and found["code"] == "{}/{}/{}".format(*games[key])
    for wrong in ("seed-3", "seed-3/x/fair", "seed-3/3/kind", "../3/fair"):
        assert board.post("/api/play", json={"code": wrong}).status_code == 400
    assert "name of a shipped world" in board.post("/api/play", json={"code": "../3/fair"}).json()["error"]


def test_a_game_that_no_code_can_state_has_none(board: TestClient, recorded: Run) -> None:
    made = board.post("/api/play", json={"world": "seed-3", "days": 3, "stake": 5_000}).json()
    board.post(f"/api/runs/{made['id']}/0/finish", json={})
    for key in (made["id"], key_of(recorded)):  # another stake, and a world of this machine alone
        assert board.get(f"/api/runs/{key}/0/end").json()["code"] == ""


def test_copies_of_a_year_are_freed_when_the_board_shows_another_turn(shelf: Path, recorded: Run) -> None:
    library = Library(shelf)
    queries, key = Queries(library, Visibility(library), []), key_of(recorded)
    turns = library.year(key, 0).length
    before = 0
    for step in range(STEPS):
        position(queries.moment(key, 0, step * 7 % turns))
        if step == WARM_STEPS:
            before = _tables()
    assert _tables() - before < (STEPS - WARM_STEPS) / 10


def _tables() -> int:
    gc.collect()
    return sum(isinstance(each, Table) for each in gc.get_objects())


def test_the_first_attempt_at_a_challenge_counts_and_a_practice_hides_nothing_of_it(board: TestClient) -> None:
    first = board.post("/api/play", json={"game": "challenge"}).json()["id"]
    board.post(f"/api/runs/{first}/0/finish", json={})
    assert board.get(f"/api/runs/{first}/0/end").json()["attempt"]["number"] == 1
    practice = board.post("/api/play", json={"game": "challenge"}).json()["id"]
    home = board.get("/api/home").json()
    games = {(run["world"], run["days"], run["rules"]) for run in home["runs"]}
    assert games == {("seed-20260101", 30, "fair-2")} and len(home["runs"]) == 2
    counted, other = home["attempts"]
    assert (counted["id"], counted["number"], counted["final_assets"]) == (first, 1, 100_000.0)
    assert (other["id"], other["number"], other["ending"]) == (practice, 2, None)
    hidden = board.get(f"/api/runs/{first}/0").json()
    assert hidden["withheld"] and not hidden["playable"] and hidden["in_play"]["run"] == practice
    board.post(f"/api/runs/{practice}/0/finish", json={})
    assert board.get(f"/api/runs/{practice}/0/end").json()["attempt"]["number"] == 2


def test_the_coach_names_the_first_step_that_is_not_done(board: TestClient) -> None:
    key = board.post("/api/play", json={"game": "challenge"}).json()["id"]
    year = f"/api/runs/{key}/0"

    def step(turn: int) -> str:
        return str(board.get(f"{year}/turns/{turn}/advice").json()["title"])

    assert step(0) == "Look at the market"
    board.post(f"{year}/act", json={"calls": [{"name": "market_search", "arguments": {}}]})
    assert (step(0), step(1)) == ("Look at the market", "Open a store")
    wait = [{"name": "wait_for_next_day", "arguments": {}}]
    for _ in range(11):
        board.post(f"{year}/act", json={"calls": wait})
    assert board.get(f"{year}/turns/12/advice").json() is None
