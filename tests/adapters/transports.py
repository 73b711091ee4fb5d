"""Every way by which calls reach a seat from outside, each with its record, behind one interface."""

import asyncio
import json
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any, Protocol

import anyio
from tests.adapters.hosting import Client, begin, external_terms, hosted, mcp_year, serving

from ecbench.adapters.arena_host import ArenaSeats, SeatKey
from ecbench.adapters.hosted_year import HostedYear
from ecbench.adapters.http.app import host_app
from ecbench.adapters.inspect.sample_year import SampleYear, YearTerms
from ecbench.adapters.mcp.server import call_tool
from ecbench.adapters.session_keys import Keys
from ecbench.cancellation import StopFlag
from ecbench.errors import PlayerFailure
from ecbench.gate import TurnRefused
from ecbench.harness.brief import Brief
from ecbench.harness.messages import Answer, Call, Message
from ecbench.harness.model_player import ModelPlayer, open_conversation
from ecbench.players.merchant_player import MerchantPlayer
from ecbench.players.turn import Player, shortened
from ecbench.rl import Setting, YearEnvironment
from ecbench.runs.folder import Run, create_run, open_run
from ecbench.runs.play.external_seats import external_seats
from ecbench.runs.play.play_here import play_here
from ecbench.runs.play.recorded_table import RecordedTable
from ecbench.runs.record.reader import Recording, read_record
from ecbench.runs.terms import SeatTerms, Terms
from ecbench.suppliers.voices import TemplateVoice
from ecbench.world.load import load_world
from ecbench.world.model import World

Calls = Sequence[Any]


class Transport(Protocol):
    def send(self, calls: Calls, /) -> list[str] | None:
        """The replies to a turn; None where the turn was refused, and nothing has happened."""
        ...

    def record(self) -> bytes: ...


class HttpTransport:
    def __init__(self, client: Client, run: Run) -> None:
        self._client = client
        self.record = run.events_path(0).read_bytes

    def send(self, calls: Calls) -> list[str] | None:
        answer = self._client.act(*calls)
        if answer.status != 200:
            assert answer.status in (400, 413), answer
            return None
        return [response["content"] for response in answer.body["tool_responses"]]


class McpTransport:
    """Each call is a turn."""

    def __init__(self, year: HostedYear, run: Run) -> None:
        self._year = year
        self.record = run.events_path(0).read_bytes

    def send(self, calls: Calls) -> list[str] | None:
        if len(calls) > 1:
            return None
        [call] = calls
        if not isinstance(call, dict) or not isinstance(call.get("name"), str):
            return None  # the protocol has no such calls
        answer = anyio.run(call_tool, self._year, call["name"], call.get("arguments"))
        reply = str(getattr(answer.content[0], "text", ""))
        refused = answer.is_error and json.loads(reply)["error"].startswith("a turn ")
        return None if refused else [reply]


class RlTransport:
    def __init__(self, env: YearEnvironment, folder: Path) -> None:
        self._env = env
        env.reset()
        [run] = folder.iterdir()
        self.record = open_run(run).events_path(0).read_bytes

    def send(self, calls: Calls) -> list[str]:
        return self._env.step(list(calls)).replies


class InspectTransport:
    def __init__(self, year: SampleYear, place: Path) -> None:
        self._year = year
        self._place = place

    def send(self, calls: Calls) -> list[str] | None:
        try:
            return [outcome.text for outcome in self._year.act(list(calls))]
        except TurnRefused:
            return None

    def record(self) -> bytes:
        return open_run(self._place).events_path(0).read_bytes()


class PlayerTransport:
    """A merchant or a model at a recorded table; `make` is given the table and where it finds its next calls."""

    def __init__(self, terms: Terms, world: World, make: Callable[[RecordedTable, list[Any]], Player]) -> None:
        self._lines = list[bytes]()
        self._table = RecordedTable(terms, 0, world, Recording(), TemplateVoice(), self._append)
        self._next = list[Any]()
        self._make = partial(make, self._table, self._next)
        self._player = self._make()

    def _append(self, lines: bytes, _state: object, _seat: int) -> None:
        self._lines.append(lines)

    def send(self, calls: Calls) -> list[str] | None:
        self._next[:] = [list(calls)]
        try:
            move: Any = asyncio.run(self._player.move())
        except PlayerFailure:
            self._player = self._make()
            return None
        outcomes = self._table.seats[0].take(move)
        self._player.on_results(move, outcomes)
        return [outcome.text for outcome in outcomes]

    def record(self) -> bytes:
        return b"".join(self._lines)


def scripted_merchant(_table: RecordedTable, given: list[Any]) -> Player:
    def batches() -> Generator[Any, Any, None]:
        while True:
            yield given[0]

    return MerchantPlayer(batches)


class ScriptedModel:
    def __init__(self, given: list[Any]) -> None:
        self._given = given

    async def answer(self, messages: Sequence[Message]) -> Answer:
        calls = [Call(f"c{place}", call["name"], call["arguments"]) for place, call in enumerate(self._given[0])]
        return Answer(Message("assistant", "", calls=tuple(calls)))


def scripted_model(table: RecordedTable, given: list[Any]) -> Player:
    return ModelPlayer(ScriptedModel(given), open_conversation(Brief()), table.seats[0])


@contextmanager
def seat_transport(place: Path, world: World, source: Path) -> Iterator[Transport]:
    """The first of two seats, over HTTP; the rival only waits."""
    seats = (SeatTerms("http", transport="http"), SeatTerms("idle"))
    terms = Terms.of_seats(world, seats, 365, 100_000.0)
    run = create_run(place / "run", terms, episodes=1, world_source=str(source))
    places, stop = external_seats(run), StopFlag()
    game = Thread(target=play_here, args=(run, 0, world), kwargs={"stop": stop, "external": places[0]})
    game.start()
    try:
        with Keys(run.folder) as keys:
            served = ArenaSeats(run, keys, places, 1e6)
            app = host_app(served.over("http"), served.add)
            with serving(app) as url, closing(Client(url, served.issue(SeatKey(0, 0)))) as client:
                yield HttpTransport(client, run)
    finally:
        stop.request()
        game.join()


@contextmanager
def open_transport(name: str, place: Path, source: Path) -> Iterator[Transport]:
    world = load_world(source)
    if name == "seat":
        with seat_transport(place, world, source) as transport:
            yield transport
    elif name == "http":
        run = begin(place / "run", world, source, days=365)
        with hosted(run, world) as client:
            yield HttpTransport(client, run)
    elif name == "mcp":
        run = begin(place / "run", world, source, transport="mcp", days=365)
        with closing(mcp_year(run, world)) as year:
            yield McpTransport(year, run)
    elif name == "rl":
        with closing(YearEnvironment(Setting(str(source), 365), folder=place / "rl")) as env:
            yield RlTransport(env, place / "rl")
    elif name == "inspect":
        terms = YearTerms(str(source), 365, 100_000.0, 4_000)
        sample = SampleYear(terms, "agent", "template", lambda _: TemplateVoice(), place / "sample")
        yield InspectTransport(sample, place / "sample")
        sample.release()
    else:
        make = {"merchant": scripted_merchant, "model": scripted_model}[name]
        yield PlayerTransport(external_terms(world, "", days=365), world, make)


def last_turn(transport: Transport) -> tuple[int, list[dict[str, Any]], list[str]]:
    """The number of recorded turns, and the calls and replies of the last of them; the record is whole."""
    recording = read_record(transport.record(), "the record")
    assert not recording.damage and not recording.dropped
    turns = recording.turns_of(0)
    turn = turns[-1]
    calls = [{name: value for name, value in call.items() if name != "id"} for call in turn.calls]
    return len(turns), calls, [shortened(reply) for reply in turn.replies]
