"""A folder with a recorded year, and a board over it."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.conftest import write_little_world
from tests.pages.board.browsing import PATIENCE, Page, serving
from tests.runs.conftest import TRADER

from ecbench.pages.board.run_index import Library
from ecbench.pages.board.server.actions import Desk
from ecbench.pages.board.server.app import Settings, board_app
from ecbench.runs.folder import Run, create_run, open_run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.play_here import play_here
from ecbench.runs.play.recorded_table import replay_episode
from ecbench.runs.record.reader import Recording
from ecbench.runs.terms import PERSONS_BOARD, SeatTerms, Terms
from ecbench.world.load import load_world

DAYS = 40
HOST = "127.0.0.1:8766"
MARK = "the-mark-of-this-server"
WAIT = {"name": "wait_for_next_day", "arguments": {}}


def played_run(
    folder: Path, agent: str, source: Path | str, days: int = DAYS, *, episodes: int = 1, **terms: Any
) -> Run:
    """A run of an agent that is over; `terms` are a stake and a rule set."""
    world = load_world(source)
    stated = Terms.of_seats(world, (SeatTerms(agent),), days, terms.pop("stake", 100_000.0), **terms)
    run = create_run(folder, stated, episodes=episodes, world_source=str(source))
    for episode in range(episodes):
        play_here(run, episode)
    return run


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "runs"
    folder.mkdir()
    return folder


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a year on the little world under a rule set, which is played once."""
    folder = tmp_path_factory.mktemp("played")
    source = write_little_world(tmp_path_factory.mktemp("world"))

    def played_under(rules: str) -> Path:
        if not (folder / rules).exists():
            played_run(folder / rules, TRADER, source, rule_set=rules)
        return folder / rules

    return played_under


@pytest.fixture
def recorded(request: pytest.FixtureRequest, shelf: Path, played: Callable[[str], Path]) -> Run:
    """Under the paper's rules, or the set that a test names as its parameter."""
    shutil.copytree(played(getattr(request, "param", "paper")), shelf / "trader")
    return open_run(shelf / "trader")


@pytest.fixture
def desk(shelf: Path) -> Iterator[Desk]:
    made = Desk(Library(shelf), frozenset({"openai"}), lambda: "20260101-000000")
    yield made
    made.close()


def client(desk: Desk, token: str | None = None) -> TestClient:
    app = board_app(desk, Settings((HOST, "localhost:8766"), token, MARK))
    return TestClient(app, base_url=f"http://{HOST}", headers={"x-csrf-token": MARK}, follow_redirects=False)


@pytest.fixture
def board(desk: Desk) -> Iterator[TestClient]:
    with client(desk) as made:
        yield made


def sit_down(board: TestClient, days: int = 10, **body: str) -> str:
    """The id of a new year of a person."""
    made = board.post("/api/play", json={"world": "seed-3", "days": days, **body})
    assert made.status_code == 200, made.text
    return str(made.json()["id"])


def begin_on_the_world_of(run: Run, desk: Desk, days: int) -> str:
    """The id of a person's game of its own on the world of a run, on the morning of a day."""
    seat, source = SeatTerms("person", transport=PERSONS_BOARD), run.worlds[0].source
    terms = Terms.of_seats(run.load_world(), (seat,), DAYS, 100_000.0)
    made = create_run(run.folder.with_name("player"), terms, episodes=1, world_source=source)
    key = Library(run.folder.parent).key_of(made)
    for _ in range(days):
        desk.act(key, 0, {"calls": [WAIT]})
    return key


def only_run(folder: Path, name: str = "*") -> Run:
    [found] = [path for path in folder.glob(name) if path.is_dir()]
    return open_run(found)


def proven(run: Run) -> Recording:
    """The record of its only episode, from which the replay does not differ."""
    recording = read_episode(run, 0)
    replay_episode(run.terms, 0, run.load_world(), recording)
    return recording


@pytest.fixture
def address(desk: Desk) -> Iterator[str]:
    with serving(desk) as place:
        yield place


@pytest.fixture
def open_page(browser: Any, address: str) -> Iterator[Callable[..., Page]]:
    """Pages that must not complain, and ask nobody but the board."""
    troubles: list[str] = []
    contexts = []
    complain = troubles.append

    def open_it(path: str = "/", **options: Any) -> Page:
        context = browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | options))
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: complain(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda problem: complain(str(problem)))
        page.on("request", lambda request: None if request.url.startswith(address) else complain(request.url))
        page.goto(address + path)
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert not troubles, troubles
