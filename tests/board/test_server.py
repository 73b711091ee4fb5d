"""The server behind the pages: what it answers, and whom it refuses."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from ecbench.board.server.app import Settings, board_app
from ecbench.board.server.desk import Desk
from ecbench.board.server.guard import COOKIE
from ecbench.runs.folder import Run, open_run
from ecbench.runs.seat import replay_year
from ecbench.runs.session import read_episode

HOST = "127.0.0.1:8766"
MARK = "the-mark-of-this-server"
WAIT = {"name": "wait_for_next_day", "arguments": {}}


def client(desk: Desk, token: str | None = None) -> TestClient:
    app = board_app(desk, Settings((HOST, "localhost:8766"), token, MARK))
    return TestClient(app, base_url=f"http://{HOST}", headers={"x-ecbench-mark": MARK}, follow_redirects=False)


@pytest.fixture
def board(desk: Desk) -> Iterator[TestClient]:
    with client(desk) as made:
        yield made


def first(board: TestClient) -> str:
    return str(board.get("/api/shelf").json()["runs"][0]["id"])


def sit_down(board: TestClient, world: Path, days: int = 10) -> str:
    made = board.post("/api/play", json={"world": "seed-3", "days": days})
    assert made.status_code == 200, made.text
    return str(made.json()["id"])


def test_pages_and_their_files_are_served_under_a_strict_policy(board: TestClient, recorded: Run) -> None:
    for path in ("/", f"/runs/{first(board)}/0", "/static/board.js", "/static/board.css"):
        answer = board.get(path)
        assert answer.status_code == 200
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'") and "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
    page = board.get("/").text
    assert "<script>" not in page and "style=" not in page and "onclick" not in page


def test_a_year_its_positions_and_its_suppliers(board: TestClient, recorded: Run) -> None:
    year = f"/api/runs/{first(board)}/0"
    found = board.get(year).json()
    assert found["turns"] == len(read_episode(recorded, 0).turns) and not found["playable"]
    seen = board.get(f"{year}/turns/{found['turns']}").json()
    assert seen["ending"] == "year_end"
    names = [row["name"] for row in board.get(f"{year}/turns/{found['turns']}/suppliers").json()]
    assert board.get(f"{year}/turns/{found['turns']}/suppliers/{names[0]}").json()["letters"]


@pytest.mark.parametrize(
    "path",
    ["/api/runs/nothing/0", "/api/runs/{id}/7", "/api/runs/{id}/0/turns/99999", "/api/runs/{id}/0/turns/1/suppliers/x"],
)
def test_what_is_not_there_is_not_found(board: TestClient, recorded: Run, path: str) -> None:
    answer = board.get(path.format(id=first(board)))
    assert answer.status_code in (404, 409) and answer.json()["error"]


@pytest.mark.parametrize("path", ["/static/../guard.py", "/api/runs/%2e%2e%2f%2e%2e/0", "/runs/../../etc/passwd"])
def test_no_path_leads_to_the_file_system(board: TestClient, path: str) -> None:
    answer = board.get(path)
    assert answer.status_code in (400, 404) and "root:" not in answer.text and "import" not in answer.text


def test_hidden_truth_is_sent_only_where_it_is_asked_for(board: TestClient, recorded: Run) -> None:
    at = f"/api/runs/{first(board)}/0/turns/30"
    name = board.get(f"{at}/suppliers").json()[0]["name"]
    assert board.get(f"{at}/truth/suppliers/{name}").status_code == 403
    told = board.get(f"{at}/truth/suppliers/{name}", headers={"x-ecbench-truth": "shown"}).json()
    assert told["floors"]


def test_a_person_plays_and_the_year_is_proven(board: TestClient, shelf: Path, small_world: Path) -> None:
    key = sit_down(board, small_world, days=2)
    first_day = board.post(f"/api/runs/{key}/0/act", json={"calls": [{"name": "check_balance"}, WAIT]}).json()
    assert json.loads(first_day["replies"][1])["day"] == 1 and not first_day["over"]
    assert board.post(f"/api/runs/{key}/0/act", json={"calls": [WAIT]}).json()["over"]
    assert board.post(f"/api/runs/{key}/0/act", json={"calls": [WAIT]}).status_code == 409
    [folder] = [path for path in shelf.iterdir() if path.is_dir()]
    run = open_run(folder)
    assert (run.terms.agent, run.terms.door) == ("person", "board")
    replay_year(run.terms, 0, run.load_world(), read_episode(run, 0))


def test_a_server_that_dies_loses_no_turn_that_it_answered(shelf: Path, small_world: Path, desk: Desk) -> None:
    with client(desk) as board:
        key = sit_down(board, small_world)
        board.post(f"/api/runs/{key}/0/act", json={"calls": [WAIT]})
    desk.close()
    from ecbench.board.library import Library

    again = Desk(Library(shelf), frozenset(), lambda: "later")
    with client(again) as board:
        assert board.get(f"/api/runs/{key}/0").json()["turns"] == 1
        assert board.post(f"/api/runs/{key}/0/act", json={"calls": [WAIT]}).json()["turns"] == 2
    again.close()


def test_a_person_branches_off_on_any_day(board: TestClient, recorded: Run) -> None:
    key = first(board)
    made = board.post(f"/api/runs/{key}/0/branch", json={"agent": "person", "day": 12}).json()
    branch = f"/api/runs/{made['id']}/0"
    found = board.get(branch).json()
    assert found["playable"] and found["forked_from_day"] == 12
    turns = board.post(f"{branch}/act", json={"calls": [WAIT]}).json()["turns"]
    parting = board.get(f"{branch}/parting/{key}/0").json()
    assert parting["day"] in (12, None) and turns == found["turns"] + 1


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/play", {"days": 0}),
        ("/api/play", {"days": "ten"}),
        ("/api/play", {"stake": -5}),
        ("/api/play", {"world": "../../etc"}),
        ("/api/play", {"world": "no-such-world"}),
        ("/api/runs", {"agent": "file.py:Class"}),
        ("/api/runs", {"agent": "--out"}),
        ("/api/runs", {"agent": "anthropic/claude"}),
        ("/api/runs", {"agent": ["steady"]}),
    ],
)
def test_what_cannot_be_started_is_refused_in_one_line(board: TestClient, shelf: Path, path: str, body: Any) -> None:
    answer = board.post(path, json=body)
    assert answer.status_code == 400 and "\n" not in answer.json()["error"]
    assert not [path for path in shelf.iterdir() if path.is_dir()]


@pytest.mark.parametrize(
    "calls", [None, [], "wait", [1], [{"arguments": {}}], [{"name": 3}], [{"name": "x"}] * 201, {"name": "x"}]
)
def test_a_turn_that_is_none_is_refused(board: TestClient, small_world: Path, calls: Any) -> None:
    key = sit_down(board, small_world)
    assert board.post(f"/api/runs/{key}/0/act", json={"calls": calls}).status_code == 400


def test_a_year_of_an_agent_is_not_a_persons_to_play(board: TestClient, recorded: Run) -> None:
    assert board.post(f"/api/runs/{first(board)}/0/act", json={"calls": [WAIT]}).status_code == 409


def test_another_host_name_is_not_answered(board: TestClient) -> None:
    assert board.get("/", headers={"host": "evil.example"}).status_code == 421
    assert board.get("/", headers={"host": "localhost:8766"}).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://evil.example"}, 403),
        ({"x-ecbench-mark": "guessed"}, 403),
        ({"content-type": "text/plain"}, 415),
        ({"content-length": "2000000"}, 413),
    ],
)
def test_a_change_needs_the_right_origin_mark_type_and_size(
    board: TestClient, headers: dict[str, str], status: int
) -> None:
    answer = board.post("/api/play", content=b'{"days": 1}', headers={"content-type": "application/json", **headers})
    assert answer.status_code == status


def test_where_a_token_was_chosen_only_its_bearer_enters(desk: Desk) -> None:
    with client(desk, token="long-and-random") as board:
        assert board.get("/").status_code == 401
        assert board.get("/?token=wrong").status_code == 401
        entered = board.get("/?token=long-and-random")
        assert entered.status_code == 303 and "token" not in entered.headers["location"]
        cookie = entered.headers["set-cookie"]
        assert "HttpOnly" in cookie and "samesite=strict" in cookie.lower()
        board.cookies.set(COOKIE, "long-and-random")
        assert board.get("/").status_code == 200


def test_what_an_agent_writes_is_sent_as_text(board: TestClient, small_world: Path) -> None:
    key = sit_down(board, small_world)
    nasty = "<script>alert(1)</script>\u202e" + "x" * 50_000
    note = {"name": "operate_memory", "arguments": {"action": "add", "title": "<b>t</b>", "content": nasty[:400]}}
    board.post(f"/api/runs/{key}/0/act", json={"calls": [note], "text": nasty})
    answer = board.get(f"/api/runs/{key}/0/turns/1")
    assert answer.headers["content-type"] == "application/json"
    assert "<script>" in answer.json()["last"]["text"]
