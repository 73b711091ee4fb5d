"""The games of the home page: the challenge of a day is the same for everybody, and the first attempt counts."""

from starlette.testclient import TestClient


def test_the_challenge_of_a_day_is_one_world_and_its_first_attempt_counts(board: TestClient) -> None:
    first, second = (board.post("/api/play", json={"game": "challenge"}).json()["id"] for _ in range(2))
    shelf = board.get("/api/home").json()
    years = {run["id"]: run for run in shelf["runs"]}
    assert {years[key]["world"] for key in (first, second)} == {"seed-20260101"}
    assert {(years[key]["days"], years[key]["rules"]) for key in (first, second)} == {(30, "fair-2")}
    assert {each["id"] for each in shelf["attempts"]} == {first, second}
    assert [each["number"] for each in shelf["attempts"]] == [1, 2]


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
