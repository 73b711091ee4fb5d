"""While a year is being played no response of the board has what its player cannot know: every route is asked for
everything, and every answer is searched. The same search finds it all once the year is over."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from tests.pages.board.conftest import HOST, MARK
from tests.pages.board.crawling import Visit, crawl
from tests.pages.board.reviews import keep_by_hand
from tests.test_hidden import FORBIDDEN_WORDS, PLANTED, WORDS, Player, numbers_in, planted_world, spellings

from ecbench.episode import Episode
from ecbench.pages.board.run_index import Library
from ecbench.pages.board.server.actions import Desk
from ecbench.pages.board.server.app import Settings, board_app
from ecbench.players.merchants.protocol import call
from ecbench.runs.folder import Run, create_run, open_run
from ecbench.runs.play.external_sessions import YearSession
from ecbench.runs.play.fork import take_over
from ecbench.runs.play.play_here import play_here
from ecbench.runs.results.year_view import view_year
from ecbench.runs.terms import SeatTerms, Terms
from ecbench.suppliers.kernel import terms_of
from ecbench.world.model import World
from ecbench.world.save import save_world

DAYS, PLAYED, FORKED = 40, 8, 3
SEED = 918_273_645
STAKE = 1e9
SHOWN = {"host": HOST, "x-csrf-token": MARK, "x-ecbench-truth": "shown"}
BALANCE = {"calls": [call("check_balance")]}
ACCOUNTS = ("bank", "wallet", "escrow", "total")
OWN_WORDS = "Are you honest?"  # in letters of the player
WORDS_OF_TRUTH = FORBIDDEN_WORDS | {
    "overpaid",
    "best_ratio",
    "bad_spend",
    "failure_modes",
    "arrives",
    "seed",
    "blunder",
}


@cache
def dear_world() -> World:
    """Floors of five digits and two decimals, which nothing else is likely to have, and a seed to be found."""
    world = planted_world()
    products = [replace(p, reference_price=round(p.reference_price * 1_000 + 7.31, 2)) for p in world.products]
    return replace(world, name="dear", seed=SEED, products=tuple(products))


def unhurried(desk: Desk) -> Starlette:
    """The board, on a clock by which no two requests come soon after one another."""
    clock = count(step=10)
    return board_app(desk, Settings((HOST,), None, MARK, lambda: float(next(clock))))


class BoardTable:
    """The year of a person, played by the requests of a page."""

    def __init__(self, board: TestClient, desk: Desk, key: str) -> None:
        self._board, self._path = board, f"/api/runs/{key}/0/act"
        self.act([call("check_balance")])
        [session] = desk.sessions._sessions.values()
        seat = session.seat
        assert isinstance(seat, YearSession) and seat.year is not None
        self.episode: Episode = seat.year

    def act(self, calls: Sequence[dict[str, Any]]) -> list[str]:
        made = self._board.post(self._path, json={"calls": list(calls)})
        assert made.status_code == 200, made.text
        replies: list[str] = made.json()["replies"]
        return replies

    def told(self) -> dict[str, str]:
        return {}


@dataclass
class Scene:
    """A folder in which a person plays, and what it has to find out yet."""

    desk: Desk
    board: TestClient
    player: Player
    branch: Run  # of the year that is being played, at its end
    keys: dict[str, str]  # of all runs

    def visits(self, *names: str, turns: Sequence[int] = ()) -> list[Visit]:
        """Everything that the board answers about some runs."""
        account = self.player.account
        suppliers = sorted({order.supplier for order in account.books.orders})
        runs = [self.keys[name] for name in names or self.keys]
        choices: dict[str, Sequence[Any]] = {
            "run": runs,
            "episode": [0, 1],
            "turn": turns or [0, 1, 40, self.turns, self.turns + 1],
            "since": [0],
            "name": [*suppliers, "Nobody"],
            "store": [*account.books.stores, "store_999"],
            "other": [self.keys["played"]],
            "number": [0],
            "day": [FORKED],
        }
        refused = {"no": "such field"}
        bodies: dict[str, Sequence[dict[str, Any]]] = {
            "/api/runs": [refused],
            "/api/play": [refused],
            "/api/runs/{run}/{episode:count}/branch": [refused] if turns else [{"agent": "engine", "day": FORKED}],
            "/api/runs/{run}/{episode:count}/act": [refused],
            "/api/runs/{run}/{episode:count}/finish": [refused],
            "/api/runs/{run}/{episode:count}/review": [refused] if turns else [{}],
        }
        told = [Visit("stream", 200, json.dumps(self.desk.queries.progress(run, 0))) for run in runs]
        return [*crawl(unhurried(self.desk), choices, bodies, SHOWN), *told]

    @property
    def turns(self) -> int:
        return int(self.board.get(f"/api/runs/{self.keys['played']}/0").json()["turns"])


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    place = tmp_path_factory.mktemp("hidden")
    shelf, world = place / "runs", dear_world()
    source = str(save_world(world, place / "world"))
    shelf.mkdir()

    twin = replace(world, salt="ab12" * 4)  # other draws of the market, the same labels and events
    twin_source = str(save_world(twin, place / "twin"))

    def begin(name: str, agent: str, transport: str = "", world: World = world, source: str = source) -> Run:
        terms = Terms.of_seats(world, (SeatTerms(agent, transport=transport),), DAYS, STAKE)
        return create_run(shelf / name, terms, episodes=1, world_source=source)

    def forked(run: Run, name: str, agent: str, transport: str = "") -> Run:
        return take_over(run, episode=0, day=FORKED, agent=agent, model={}, transport=transport).create_in(shelf / name)

    def played_out(run: Run) -> Run:
        play_here(run, 0)
        return run

    library = Library(shelf)
    desk = Desk(library, frozenset(), lambda: "20260101-000000")
    with TestClient(unhurried(desk), base_url=f"http://{HOST}", headers={"x-csrf-token": MARK}) as board:
        keep_by_hand(played_out(begin("earlier", "idle")))
        play_here(begin("twin", "idle", world=twin, source=twin_source), 0)
        played = begin("played", "person", "board")
        player = Player(BoardTable(board, desk, library.key_of(played)))
        player.joining = ()
        player.open_stores()
        while player.account.market.day < PLAYED:
            player.day()
        branch = played_out(forked(played, "branch", "idle"))
        again = forked(played, "again", "person", "board")
        played_out(forked(again, "deeper", "idle"))
        ended = forked(played, "ended", "person", "board")
        assert board.post(f"/api/runs/{library.key_of(ended)}/0/finish", json={}).status_code == 200
        keys = {path.name: library.key_of(open_run(path)) for path in shelf.iterdir() if path.is_dir()}
        yield Scene(desk, board, player, branch, keys)
        desk.close()


@dataclass(frozen=True)
class Secrets:
    numbers: dict[str, set[str]]
    texts: dict[str, set[str]]

    def found_in(self, visit: Visit) -> list[str]:
        shown = numbers_in(visit.text)
        found = [f"{kind} {value}" for kind, values in self.numbers.items() for value in values & shown]
        found += [f"{kind} {value}" for kind, values in self.texts.items() for value in values if value in visit.text]
        words = {word.lower() for word in WORDS.findall(visit.text.replace(OWN_WORDS, ""))} & WORDS_OF_TRUTH
        return [f"{found} in the answer to {visit.request}" for found in [*found, *(f"word {word}" for word in words)]]


def money_to_come(run: Run, today: int) -> set[str]:
    """What a run has in its accounts on later days than the player has reached, as JSON prints it."""
    rows = view_year(run, 0).tables.days
    values = {
        later: {repr(round(getattr(row, name), 2)) for row in rows if (row.day > today) == later for name in ACCOUNTS}
        for later in (True, False)
    }
    return values[True] - values[False]  # an account that does not change is known


def secrets_of(player: Player, branch: Run) -> Secrets:
    """What the player could not know on the day it has reached."""
    world, account, known = player.world, player.account, set[str]()
    for asked, text in player.replies:
        known |= numbers_in(str(asked)) | numbers_in(text)
    category = world.category_by_name
    floors = {
        f"{floor:.2f}"
        for seller in world.suppliers
        for p in world.products
        if seller.category == p.category
        for floor in (
            terms_of(account.economy, seller, p).reservation,
            category[p.category].floor_ratio * p.reference_price,
        )
    }
    coming = {event.name for event in world.events if event.start >= (1, PLAYED + 2)}
    told = "".join(text for _, text in player.replies)
    untold = {sale.name for sale in world.promotions if sale.name not in told}
    arriving = {
        account.market.moment(order.arrives).isoformat(timespec="minutes")
        for orders in account.books.in_transit.values()
        for order in orders
    }
    return Secrets(
        {
            "floor": floors - known,
            "seed": {str(SEED)},
            "money to come": money_to_come(branch, account.market.day),
            **{name: spellings(value) for name, value in PLANTED.items()},
        },
        {"event to come": coming, "untold promotion": untold, "arrival": arriving},
    )


def test_nothing_hidden_is_reachable_while_a_year_is_played_and_everything_is_when_it_is_over(scene: Scene) -> None:
    secrets = secrets_of(scene.player, scene.branch)
    bought = {order.supplier for order in scene.player.account.books.orders}
    assert {scene.player.world.supplier_by_name[name].honest for name in bought} == {True, False}
    visits = scene.visits()
    assert [leak for visit in visits for leak in secrets.found_in(visit)] == []
    assert {200, 400, 404, 409} == {visit.status for visit in visits}
    own = f"/api/runs/{scene.keys['played']}/0"
    assert {visit.status for visit in visits if visit.request.startswith(f"GET {own}/turns/1")} == {200, 404, 409}

    for name in ("played", "again"):
        assert scene.board.post(f"/api/runs/{scene.keys[name]}/0/finish", json={}).status_code == 200
    branch = scene.board.get(f"/api/runs/{scene.keys['branch']}/0")
    after = [*scene.visits("played", turns=[scene.turns]), Visit("the branch", 200, json.dumps(branch.json()))]
    found = [leak for visit in after for leak in secrets.found_in(visit)]
    kinds = ("floor", "seed", "money to come", "event to come", "untold promotion")
    for kind in (*kinds, "word honest", "word scam", "word overpaid"):
        assert any(leak.startswith(kind) for leak in found), kind
