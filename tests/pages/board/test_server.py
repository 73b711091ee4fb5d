"""The server behind the pages: what it answers, and whom it refuses."""

import json
from io import BytesIO
from pathlib import Path
from shutil import copytree
from typing import Any
from zipfile import ZipFile

import pytest
from starlette.testclient import TestClient
from tests.pages.board.conftest import (
    HOST,
    MARK,
    WAIT,
    begin_on_the_world_of,
    client,
    only_run,
    sit_down,
)
from tests.run_values import changed

from ecbench.adapters.serving.asgi import RequestRefused
from ecbench.pages.board.run_index import ID_KEY, Library
from ecbench.pages.board.server.access import COOKIE
from ecbench.pages.board.server.actions import Desk
from ecbench.pages.board.server.app import Settings, api_routes, board_app
from ecbench.players.merchants.registry import merchant_names
from ecbench.runs.folder import Run, create_run, open_run
from ecbench.runs.play.external_sessions import YearSession
from ecbench.runs.results.ranking import PAPERS_WINDOW
from ecbench.world.load import load_world


def first(board: TestClient) -> str:
    return str(board.get("/api/home").json()["runs"][0]["id"])


def test_pages_and_their_files_are_served_under_a_strict_policy(board: TestClient, recorded: Run) -> None:
    for path in (
        "/",
        f"/runs/{first(board)}/0",
        f"/runs/{first(board)}/0/money",
        "/static/home.js",
        "/static/year.js",
        "/static/board.css",
    ):
        answer = board.get(path)
        assert answer.status_code == 200
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'") and "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        if path.startswith("/static/"):
            again = board.get(path, headers={"if-none-match": answer.headers["etag"]})
            assert (again.status_code, again.content) == (304, b"")
    assert board.get("/static/year.js").headers["content-encoding"] == "gzip"
    page = board.get("/").text
    assert "<script>" not in page and "style=" not in page and "onclick" not in page


NO_EPISODE = "trader has no episode 7; its only episode is 0"


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        ("/api/runs/nothing/0", "there is no such run, year, turn or supplier"),
        pytest.param("/api/runs/{id}/" + "9" * 5_000, "Not Found", id="more digits than Python reads"),
        ("/api/runs/{id}/0/turns/99999", "the year has"),
        ("/api/runs/{id}/0/turns/1/suppliers/x", "there is no such run, year, turn or supplier"),
        *((f"/api/runs/{{id}}/7{look}", NO_EPISODE) for look in ("", "/end", "/turns/3", "/truth/marks")),
        ("/static/../guard.py", "Not Found"),
        ("/api/runs/%2e%2e%2f%2e%2e/0", ""),
        ("/runs/../../etc/passwd", "Not Found"),
    ],
)
def test_what_is_not_there_is_not_found_and_told_without_a_path(
    board: TestClient, recorded: Run, path: str, problem: str
) -> None:
    answer = board.get(path.format(id=first(board)), headers={"x-ecbench-truth": "shown"})
    assert answer.status_code == 404 and answer.json()["error"].startswith(problem)
    assert str(recorded.folder.parent) not in answer.text and "root:" not in answer.text


def test_a_day_that_a_year_has_not_reached_is_told_without_a_path(board: TestClient, recorded: Run) -> None:
    answer = board.post(f"/api/runs/{first(board)}/0/branch", json={"agent": "person", "day": 99})
    assert answer.status_code == 409
    assert answer.json()["error"] == "trader, episode 0 can be forked at days 0 to 39, not 99"


def test_hidden_truth_is_sent_only_where_it_is_asked_for(board: TestClient, desk: Desk, recorded: Run) -> None:
    paths = [str(route.path_format) for route in api_routes(desk) if "/truth/" in route.path]
    names = {"run": first(board), "episode": 0, "turn": 30, "store": "store_001", "other": first(board), "number": 0}
    name = board.get(f"/api/runs/{names['run']}/0/turns/30/suppliers").json()[0]["name"]
    for path in (path.format(**names, name=name, day=0) for path in paths):
        assert board.get(path).status_code == 403
        assert board.get(path, headers={"x-ecbench-truth": "shown"}).status_code in (200, 409), path
    assert len(paths) == 6


def test_a_turn_of_a_page_that_is_behind_is_refused(board: TestClient) -> None:
    act = f"/api/runs/{sit_down(board)}/0/act"
    assert board.post(act, json={"calls": [WAIT], "after": 0}).json()["turns"] == 1
    behind = board.post(act, json={"calls": [WAIT], "after": 0})
    assert behind.status_code == 409 and "in another window" in behind.json()["error"]
    assert board.post(act, json={"calls": [WAIT], "after": 1}).json()["turns"] == 2


def test_a_year_is_live_only_while_a_process_plays_it(shelf: Path, desk: Desk) -> None:
    def shown(board: TestClient, key: str) -> list[object]:
        [summary] = board.get("/api/home").json()["runs"]
        return [summary["live"], summary["ending"], board.get(f"/api/runs/{key}/0").json()["live"]]

    with client(desk) as board:
        key = sit_down(board)
        board.post(f"/api/runs/{key}/0/act", json={"calls": [WAIT]})
        assert shown(board, key) == [True, None, True]
        desk.close()  # as if its process had died: the lock goes with it
        assert shown(board, key) == [False, None, False]


def test_a_person_branches_off_on_any_day(board: TestClient, recorded: Run) -> None:
    key = first(board)
    made = board.post(f"/api/runs/{key}/0/branch", json={"agent": "person", "day": 12}).json()
    branch = f"/api/runs/{made['id']}/0"
    found = board.get(branch).json()
    assert found["playable"] and found["fork"] == f"fork of {recorded.folder.name} at day 12"
    [summary] = [summary for summary in board.get("/api/home").json()["runs"] if summary["id"] == made["id"]]
    assert (summary["fork"], summary["parent"]) == (found["fork"], f"{key}/0")
    turns = board.post(f"{branch}/act", json={"calls": [WAIT]}).json()["turns"]
    [parent] = found["beside"]
    assert (found["parted"], parent["run"], parent["name"], parent["over"]) == (
        12,
        key,
        "my_merchant.py:MyMerchant",
        True,
    )
    assert turns == found["turns"] + 1


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/play", {"days": 0}),
        ("/api/play", {"rules": "unfair"}),
        ("/api/play", {"game": "chess"}),
        ("/api/play", {"game": "challenge", "days": 5}),
        ("/api/play", {"stake": -5}),
        ("/api/play", {"world": "../../etc"}),
        ("/api/play", {"world": "no-such-world"}),
        ("/api/runs", {"agent": "file.py:Class"}),
        ("/api/runs", {"agent": "--out"}),
        ("/api/runs", {"agent": "anthropic/claude"}),
        ("/api/play", {"wrold": "default"}),
    ],
)
def test_what_cannot_be_started_is_refused_in_one_line(board: TestClient, shelf: Path, path: str, body: Any) -> None:
    answer = board.post(path, json=body)
    assert answer.status_code == 400 and "\n" not in answer.json()["error"]
    assert not [path for path in shelf.iterdir() if path.is_dir()]


@pytest.mark.parametrize(
    "calls",
    [None, [], [{"arguments": {}}], [WAIT] * 201, [{**WAIT, "arguments": "{}"}], [{**WAIT, "argument": {}}]],
)
def test_invalid_turn_is_refused(board: TestClient, calls: Any) -> None:
    key = sit_down(board)
    assert board.post(f"/api/runs/{key}/0/act", json={"calls": calls}).status_code == 400
    assert board.get(f"/api/runs/{key}/0").json()["turns"] == 0


@pytest.mark.parametrize(
    ("change", "body", "right"),
    [
        ("/review", {"quick": "x"}, "Expected `bool`, got `str` - at `$.quick`; the body may have quick"),
        (
            "/act",
            {"calls": [WAIT], "after": -1},
            "Expected `int` >= 0 - at `$.after`; the body may have calls, text, after",
        ),
        ("/finish", {"why": "tired"}, "Object contains unknown field `why`; the body is an empty object, {}"),
        ("/branch", {"agent": "person", "dya": 3}, "Object contains unknown field `dya`; the body may have agent, day"),
    ],
)
def test_invalid_request_body_is_refused_with_the_valid_fields(
    board: TestClient, recorded: Run, change: str, body: Any, right: str
) -> None:
    answer = board.post(f"/api/runs/{first(board)}/0{change}", json=body)
    assert (answer.status_code, answer.json()["error"]) == (400, right)


def test_a_year_of_an_agent_is_not_a_persons_to_play(board: TestClient, recorded: Run) -> None:
    assert board.post(f"/api/runs/{first(board)}/0/act", json={"calls": [WAIT]}).status_code == 409


def test_another_host_name_is_not_answered(board: TestClient) -> None:
    assert board.get("/", headers={"host": "evil.example"}).status_code == 421
    assert board.get("/", headers={"host": "localhost:8766"}).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://evil.example"}, 403),
        ({"x-csrf-token": "guessed"}, 403),
        ({"content-type": "text/plain"}, 415),
        ({"origin": "null"}, 403),
        ({"origin": "http://["}, 403),
        ({"origin": b"http://\xe9"}, 403),
        ({"x-csrf-token": b"\xe9"}, 403),
    ],
)
def test_a_change_needs_the_right_origin_mark_and_type(board: TestClient, headers: dict[str, Any], status: int) -> None:
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
        assert board.get("/").status_code == 200
        value = cookie.partition(";")[0]
        name = value.partition("=")[0]
        assert name == f"{COOKIE}-8766" and "long-and-random" not in value
        with client(desk, token="long-and-random") as elsewhere:
            assert elsewhere.get("/", headers={"cookie": value}).status_code == 401, "a board on another port"
        board.cookies.clear()
        for wrong in ("long-and-random", "\xe9"):
            assert board.get("/", headers={b"cookie": f"{name}={wrong}".encode("latin-1")}).status_code == 401


def test_with_a_token_a_board_is_known_by_every_address_of_its_machine(desk: Desk) -> None:
    for host, status in (("192.0.2.7:8766", 200), ("[2001:db8::7]:8766", 200), ("den:8766", 200), ("a b", 421)):
        with client(desk, token="long-and-random") as board:
            board.get("/?token=long-and-random")
            assert board.get("/", headers={"host": host}).status_code == status
            for origin, changed in ((host, 200), ("evil.example", 403)):
                answer = board.post("/api/play", json={"days": 1}, headers={"host": host, "origin": f"http://{origin}"})
                assert answer.status_code == (changed if status == 200 else status)


def test_ids_of_runs_cannot_be_guessed_and_outlive_a_server(shelf: Path, recorded: Run, tmp_path: Path) -> None:
    known = Library(shelf).key_of(recorded)
    assert Library(shelf).key_of(recorded) == known
    assert (shelf / ID_KEY).stat().st_mode & 0o077 == 0
    copy = tmp_path / "copy"
    copytree(recorded.folder, copy / recorded.folder.name)
    assert Library(copy).key_of(open_run(copy / recorded.folder.name)) != known
    (shelf / ID_KEY).write_bytes(b"short")
    assert Library(shelf).key_of(recorded) != known
    assert Library(recorded.folder).key_of(recorded) != known and not (recorded.folder / ID_KEY).exists()


@pytest.mark.parametrize("name", ["events.jsonl", "secret"])
def test_a_file_that_proves_a_run_follows_no_link(board: TestClient, recorded: Run, tmp_path: Path, name: str) -> None:
    secret = tmp_path / "secret"
    secret.write_text("root:")
    (recorded.folder / "episodes" / "1").mkdir()
    (recorded.folder / "episodes" / "1" / name).symlink_to(secret)
    packed = ZipFile(BytesIO(board.get(f"/runs/{first(board)}/proof").content))
    assert "trader/run.json" in packed.namelist() and f"trader/episodes/1/{name}" not in packed.namelist()


def test_the_floor_of_every_deal_is_revealed_with_what_was_overpaid(board: TestClient, recorded: Run) -> None:
    found = board.get(f"/api/runs/{first(board)}/0/truth/deals", headers={"x-ecbench-truth": "shown"}).json()["deals"]
    turns = board.get(f"/api/runs/{first(board)}/0").json()["turns"]
    chats = board.get(f"/api/runs/{first(board)}/0/turns/{turns}/suppliers").json()
    orders = sum(chat["orders"] for chat in chats)
    assert found == sorted(found, key=lambda deal: -deal["overpaid"]) and len(found) == orders > 0
    for deal in found:
        assert deal["overpaid"] == pytest.approx(
            (deal["paid"] - deal["floor"]) * deal["units"], abs=deal["units"] / 100
        )


def test_a_whole_year_of_a_person_stands_on_the_ladder_of_its_world(board: TestClient, shelf: Path) -> None:
    made = board.post("/api/play", json={}).json()
    session = YearSession(only_run(shelf), 0, load_world("default"))
    while session.end is None:
        session.take([WAIT], {})
    session.close()
    end = board.get(f"/api/runs/{made['id']}/0/end").json()
    ladder = [row for row in end["standings"] if row["kind"] != "paper"]
    assert {row["name"] for row in ladder} == {*merchant_names(), "upper bound", "person"}
    assert [row["final_assets"] for row in ladder] == sorted((row["final_assets"] for row in ladder), reverse=True)
    assert [row["kind"] for row in end["standings"][-18:]] == ["paper"] * 18


def test_unfinished_episode_has_no_end_and_no_losses(board: TestClient) -> None:
    for path in ("end", "truth/losses"):
        answer = board.get(f"/api/runs/{sit_down(board)}/0/{path}", headers={"x-ecbench-truth": "shown"})
        assert answer.status_code == 409


def test_a_board_that_reveals_shows_everything_and_lets_nobody_play(
    board: TestClient, desk: Desk, shelf: Path, recorded: Run
) -> None:
    asked, day = {"x-ecbench-truth": "shown"}, {"agent": "person", "day": 12}
    agents = f"/api/runs/{first(board)}/0"
    played = f"/api/runs/{begin_on_the_world_of(recorded, desk, 12)}/0"
    withheld = board.get(agents).json()
    assert withheld["withheld"] and len(withheld["timeline"]["bank"]) == 13 and withheld["timeline"]["ending"] is None
    assert {row["withheld"]: row["day"] for row in board.get("/api/home").json()["runs"]} == {True: 12, False: 12}
    assert board.get(f"{agents}/truth/deals", headers=asked).status_code == 409
    open_desk = Desk(Library(shelf), frozenset(), lambda: "20260102-000000", reveal=True)
    with client(open_desk) as watched:
        for year in (agents, played):
            assert watched.get(f"{year}/truth/deals", headers=asked).status_code == 200
            assert not watched.get(year).json()["playable"]
        for path, body in (("/api/play", {}), (f"{played}/act", {"calls": [WAIT]}), (f"{agents}/branch", day)):
            refused = watched.post(path, json=body)
            assert refused.status_code == 409 and "without --reveal" in refused.json()["error"]
    open_desk.close()


def test_a_year_that_is_over_has_a_file_that_proves_it_and_a_stream_that_ends(board: TestClient, recorded: Run) -> None:
    key = first(board)
    proof, end = board.get(f"/runs/{key}/proof"), board.get(f"/api/runs/{key}/0/end").json()
    assert proof.headers["content-type"] == "application/zip"
    assert proof.headers["content-disposition"].endswith("trader.zip")
    assert end["command"] == "unzip trader.zip && ecbench verify trader"
    [line] = board.get(f"/api/runs/{key}/0/live").text.split()[1:]
    assert json.loads(line)["ending"] == "year_end"


def test_the_report_of_a_run_is_served_under_its_own_strict_policy(board: TestClient, recorded: Run) -> None:
    answer = board.get(f"/runs/{first(board)}/report")
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/html")
    [policy] = answer.headers.get_list("content-security-policy")
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy and "frame-ancestors 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_players_own_sales_are_told_by_day_and_price(board: TestClient, desk: Desk, recorded: Run) -> None:
    key = board.post(f"/api/runs/{first(board)}/0/branch", json={"agent": "person", "day": 30}).json()["id"]
    year = f"/api/runs/{key}/0"
    turns = board.get(year).json()["turns"]
    position = board.get(f"{year}/turns/{turns}").json()
    store = next(store for store in position["stores"] if store["is_open"] and store["shelf"])
    told = desk.queries.moment(key, 0, turns).history.of(store["id"], position["day"])
    shown = {row["sku"]: row for row in board.get(f"{year}/turns/{turns}/desk").json()[store["id"]]}
    for row in store["shelf"]:
        days = told[row["sku"]]
        assert sum(day.units for day in days) == row["sold"]
        assert [day.day for day in days] == sorted({day.day for day in days})
        assert [day.units for day in days if day.day == position["day"] - 1] == [row["sold_yesterday"]]
        assert shown[row["sku"]]["by_price"].count("a day over") == len({day.price for day in days})
    assert any(day.units == 0 for days in told.values() for day in days), "days without a sale count too"


def test_runaway_client_is_rate_limited(desk: Desk) -> None:
    now = [0.0]
    app = board_app(desk, Settings((HOST,), None, MARK, clock=lambda: now[0]))
    with TestClient(app, base_url=f"http://{HOST}", headers={"x-csrf-token": MARK}) as board:
        answers = [board.post("/api/play", json={"days": 0}).status_code for _ in range(70)]
        assert answers == [400] * 60 + [429] * 10
        assert board.get("/static/board.css").status_code == 200, "looking has an allowance of its own"
        now[0] += 1
        assert board.post("/api/play", json={"days": 0}).status_code == 400


def test_texts_of_megabytes_are_cut_and_can_be_had_whole(board: TestClient, shelf: Path, recorded: Run) -> None:
    """A model may say and call anything; it is not bound by what a page may send."""
    world, long = recorded.load_world(), "<b>" + "x" * 2_000_000
    terms = changed(recorded.terms, agent="person", transport="board")
    run = create_run(shelf / "long", terms, episodes=1, world_source=recorded.worlds[0].source)
    year = YearSession(run, 0, world)
    year.take([{"name": "operate_memory", "arguments": {"action": long}}], {"text": long})
    year.close()
    key = Library(shelf).key_of(run)
    assert len(board.get(f"/api/runs/{key}/0/turns/1/did").content) < 100_000
    assert len(board.get(f"/api/runs/{key}/0/turns/1/raw").json()["said"]["text"]) == len(long)


def test_a_branch_of_a_model_has_the_terms_of_a_fork(shelf: Path, recorded: Run) -> None:
    desk = Desk(Library(shelf), frozenset({"openai"}), lambda: "later")
    started: list[tuple[str, ...]] = []
    desk.workers.start = lambda *command, log: started.append(command)  # type: ignore[method-assign]
    key = Library(shelf).key_of(recorded)
    made = desk.branch(key, 0, {"agent": "openai/some-model", "day": 9})
    branch = only_run(shelf, "*_fork")
    player = branch.player
    assert (player.agent, player.transport, player.model["window"]) == ("openai/some-model", "", PAPERS_WINDOW)
    assert started == [("resume", str(branch.folder), "--quiet")] and made["episode"] == 0
    with pytest.raises(RequestRefused, match="cannot play here"):
        desk.branch(key, 0, {"agent": "anthropic/other", "day": 9})
