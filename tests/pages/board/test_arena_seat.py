"""A person's seat in a market with rivals, played through the board."""

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.pages.board.browsing import waits_for
from tests.pages.board.conftest import WAIT, client, only_run, proven
from tests.pages.board.conftest import sit_down as sit_down_at

from ecbench.pages.board.run_index import Library
from ecbench.pages.board.server.actions import Desk
from ecbench.pages.board.server.sessions import no_new_years
from ecbench.runs.folder import create_run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.terms import SeatTerms, Terms
from ecbench.world.load import load_world

LOOK = {"name": "check_balance", "arguments": {}}
DAYS = 5


def another_board(shelf: Path) -> tuple[Desk, TestClient]:
    desk = Desk(Library(shelf), frozenset(), lambda: "20260102-000000")
    return desk, client(desk)


def rival_of(board: TestClient, run: str) -> str:
    [rival] = board.get(f"/api/runs/{run}/0").json()["beside"]
    return str(rival["run"])


def sit_down(board: TestClient, rivals: str = "haggler, idle") -> str:
    return sit_down_at(board, DAYS, world="default", rivals=rivals)


def act(board: TestClient, run: str, *calls: dict[str, Any]) -> dict[str, Any]:
    made = board.post(f"/api/runs/{run}/0/act", json={"calls": list(calls)})
    assert made.status_code == 200, made.text
    told: dict[str, Any] = made.json()
    return told


def test_a_person_plays_against_rivals_to_a_proven_end(board: TestClient, shelf: Path) -> None:
    run = sit_down(board)
    year = board.get(f"/api/runs/{run}/0").json()
    assert year["playable"] and len(year["beside"]) == 2
    for day in range(1, DAYS + 1):
        assert not act(board, run, LOOK)["over"]
        assert act(board, run, WAIT)["over"] == (day == DAYS)
    assert not board.get(f"/api/runs/{run}/0").json()["playable"]
    assert board.post(f"/api/runs/{run}/0/act", json={"calls": [WAIT]}).status_code == 409
    arena = only_run(shelf, "*_arena")
    assert [(seat.agent, seat.transport) for seat in arena.terms.seats] == [
        ("person", "board"),
        ("haggler", ""),
        ("idle", ""),
    ]
    waits_for(lambda: proven(arena).finished)


def test_the_position_is_that_after_the_last_turn_also_while_rivals_wait_for_the_morning(
    board: TestClient, shelf: Path
) -> None:
    run = sit_down(board, "idle")
    wanted = board.get(f"/api/runs/{run}/0").json()
    act(board, run, WAIT)
    kind = json.loads(act(board, run, {"name": "market_search", "arguments": {}})["replies"][0])["store_types"][0]
    opened = {name: kind[name] for name in ("store_type", "store_name")}
    turns = act(board, run, {"name": "open_store", "arguments": opened})["turns"]
    assert turns == 3 and wanted["turns"] == 0
    assert [turn.state for turn in read_episode(only_run(shelf, "*_arena"), 0).turns_of(1)][-1] is None, (
        "the rival's day is over"
    )
    seen = board.get(f"/api/runs/{run}/0/turns/{turns}").json()
    assert (seen["day"], [store["name"] for store in seen["stores"]]) == (1, [kind["store_name"]])
    assert board.get(f"/api/runs/{run}/0/turns/2").json()["stores"] == []


def test_a_person_leaves_and_comes_back_to_another_board(board: TestClient, desk: Desk, shelf: Path) -> None:
    run = sit_down(board)
    act(board, run, LOOK, WAIT)
    refusing, elsewhere = another_board(shelf)
    busy = elsewhere.post(f"/api/runs/{run}/0/act", json={"calls": [WAIT]})
    assert busy.status_code == 409 and "another process" in busy.json()["error"]
    refusing.close()
    desk.close()
    later, again = another_board(shelf)
    assert act(again, run, WAIT)["turns"] == 2
    assert again.post(f"/api/runs/{run}/0/finish", json={}).json() == {"ending": "idle"}
    later.close()
    leave = next(entry for entry in proven(only_run(shelf, "*_arena")).entries if entry.kind == "leave")
    assert leave.seat == 0


def test_a_person_takes_over_a_seat_of_a_recorded_round(board: TestClient, shelf: Path) -> None:
    run = sit_down(board, "haggler")
    for _ in range(DAYS):
        act(board, run, WAIT)
    rival = rival_of(board, run)
    made = board.post(f"/api/runs/{rival}/0/branch", json={"agent": "person", "day": 3})
    assert made.status_code == 200, made.text
    seen = board.get(f"/api/runs/{made.json()['id']}/0").json()
    assert seen["playable"] and seen["fork"].endswith("at day 3")


def test_hidden_truth_is_told_at_no_seat_while_a_person_plays_in_the_market(board: TestClient) -> None:
    run = sit_down(board, "haggler")
    act(board, run, WAIT)
    rival = rival_of(board, run)
    truth = f"/api/runs/{rival}/0/turns/1/truth/stores/any"
    asked = {"x-ecbench-truth": "shown"}
    assert board.get(truth, headers=asked).status_code == 409
    assert board.post(f"/api/runs/{run}/0/finish", json={}).status_code == 200
    assert board.get(truth, headers=asked).status_code == 200


def test_a_person_sees_of_an_agent_over_http_in_the_same_arena_the_assets_alone(shelf: Path) -> None:
    world = load_world("default")
    seats = (SeatTerms("person", transport="board"), SeatTerms("agent", transport="http"))
    terms = Terms.of_seats(world, seats, DAYS, 1e5)
    run = create_run(shelf / "a", terms, episodes=1, world_source="default")
    library = Library(run.folder)
    desk = Desk(library, frozenset(), no_new_years, transports=frozenset({"board", "http"}))
    person, agent = (f"/api/runs/{library.key_of(entry)}/0" for entry in run.entries())
    with client(desk) as board:
        assert board.get(person).json()["withheld"] == "" != board.get(agent).json()["withheld"]
        asked = [board.get(f"{year}{path}") for year in (person, agent) for path in ("/turns/0", "/end")]
        assert [answer.status_code for answer in asked] == [200, 409, 409, 409]
    desk.close()


@pytest.mark.parametrize("rivals", ["nobody", "steady,file.py:Thing", "openrouter/x", 7, ",".join(["idle"] * 64)])
def test_only_listed_agents_are_rivals(board: TestClient, shelf: Path, rivals: Any) -> None:
    made = board.post("/api/play", json={"days": DAYS, "rivals": rivals})
    assert made.status_code == 400 and not list(shelf.glob("*_arena"))
