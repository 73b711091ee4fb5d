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
from mcp import Client as McpClient
from msgspec import structs
from tests.adapters.hosting import WAIT, Client, begin, external_terms, mcp_year, serving

from ecbench.adapters.hosted_run import HOST_YEAR, HostedRun
from ecbench.adapters.hosted_year import HostedYear
from ecbench.adapters.http.app import ROUTES, host_app
from ecbench.adapters.inspect.sample_year import SampleYear, YearTerms
from ecbench.adapters.mcp.server import call_tool, mcp_server
from ecbench.adapters.session_keys import Keys
from ecbench.arena import Arena
from ecbench.cancellation import StopFlag
from ecbench.episode import Episode
from ecbench.errors import PlayerFailure
from ecbench.gate import TurnRefused
from ecbench.harness.brief import Brief
from ecbench.harness.messages import Answer, Call, Message
from ecbench.harness.model_player import ModelPlayer, open_conversation
from ecbench.players.merchant_player import MerchantPlayer
from ecbench.players.turn import LONGEST_RESULT, Player, shortened
from ecbench.rl import Setting, YearEnvironment
from ecbench.rl.environment import BOOKS
from ecbench.runs.folder import Run, create_run, open_run
from ecbench.runs.play.external_seats import external_seats
from ecbench.runs.play.play_here import play_here
from ecbench.runs.play.recorded_table import RecordedTable
from ecbench.runs.record.reader import Recording, read_record
from ecbench.runs.terms import SeatTerms, Terms, rules_with
from ecbench.suppliers.voices import TemplateVoice
from ecbench.world.load import load_world
from ecbench.world.model import World

Calls = Sequence[Any]
Json = dict[str, Any]


class Transport(Protocol):
    def send(self, calls: Calls, /) -> list[str] | None:
        """The replies to a turn; None where the turn was refused, and nothing has happened."""
        ...

    def record(self) -> bytes: ...


class Table(Protocol):
    """A place to play at that may tell more than replies."""

    @property
    def episode(self) -> Episode:
        """What a player cannot see: the year behind the transport."""
        ...

    def act(self, calls: Sequence[Json], /) -> list[str]: ...

    def told(self) -> dict[str, str]:
        """Everything beside replies, by a name."""
        ...


def year_behind(year: HostedYear) -> Episode:
    anyio.run(year.result)  # which opens the year, although there is none yet
    seat = year._session.seat
    assert seat is not None and seat.year is not None
    return seat.year


class HttpTransport:
    def __init__(self, client: Client, run: Run) -> None:
        self._client = client
        self.record = run.events_path(0).read_bytes

    def send(self, calls: Calls) -> list[str] | None:
        answer = self._client.act(*calls)
        if answer.status == 409:
            return [json.dumps(answer.body)] * len(calls)
        if answer.status != 200:
            assert answer.status in (400, 413), answer
            return None
        return [response["content"] for response in answer.body["tool_responses"]]


class HttpTable(HttpTransport):
    def __init__(self, client: Client, run: Run, year: HostedYear) -> None:
        super().__init__(client, run)
        self.episode = year_behind(year)

    def act(self, calls: Sequence[Json]) -> list[str]:
        return self.send(calls) or []

    def told(self) -> dict[str, str]:
        """Every address of the host; those that act are sent what they refuse."""
        sent = {path: b"{" if route.method == "POST" else None for path, route in ROUTES.items()}
        answers = {path: self._client.ask(ROUTES[path].method, path, body) for path, body in sent.items()}
        answers |= {f"{method} of none": self._client.ask(method, "/v1/none") for method in ("GET", "PUT")}
        return {name: json.dumps(answer.body) for name, answer in answers.items()}


class McpTransport:
    """Each call is a turn."""

    def __init__(self, year: HostedYear, run: Run) -> None:
        self._year = year
        self.record = run.events_path(0).read_bytes
        self.episode = year_behind(year)

    def send(self, calls: Calls) -> list[str] | None:
        if len(calls) > 1:
            return None
        [call] = calls
        if not isinstance(call, dict) or not isinstance(call.get("name"), str):
            return None  # the protocol has no such calls
        answer = anyio.run(call_tool, self._year, call["name"], call.get("arguments"))
        reply = str(getattr(answer.content[0], "text", ""))
        refused = answer.is_error and str(json.loads(reply).get("error")).startswith("a turn ")
        return None if refused else [reply]

    def act(self, calls: Sequence[Json]) -> list[str]:
        return [reply for call in calls for reply in self.send([call]) or ()]

    def told(self) -> dict[str, str]:
        async def ask() -> dict[str, str]:
            async with McpClient(mcp_server(lambda _: self._year)) as client:
                tools, prompts = await client.list_tools(), await client.list_prompts()
                found: dict[str, Any] = {"tools": tools, "prompts": prompts}
                for each in (await client.list_resources()).resources:
                    found[each.name] = await client.read_resource(each.uri)
                for prompt in prompts.prompts:
                    found["prompt"] = await client.get_prompt(prompt.name)
            return {name: each.model_dump_json() for name, each in found.items()}

        return anyio.run(ask)


class PlantedYears(YearEnvironment):
    """Under rules that no rule set has."""

    def __init__(self, setting: Setting, rules: Json, folder: Path) -> None:
        super().__init__(setting, folder=folder)
        self._rules = rules

    def _terms(self, setting: Setting, world: World) -> Terms:
        return structs.replace(super()._terms(setting, world), rules=self._rules)


class RlTransport:
    """The environment that every skin wears."""

    def __init__(self, env: YearEnvironment, folder: Path) -> None:
        self._env = env
        self._opening = env.reset()
        assert env._state is not None
        self.episode = env._state.year
        self._seen = ""
        [run] = folder.iterdir()
        self.record = open_run(run).events_path(0).read_bytes

    def send(self, calls: Calls) -> list[str]:
        return self._env.step(list(calls)).replies

    def act(self, calls: Sequence[Json]) -> list[str]:
        if self.episode.done:
            return [json.dumps({"error": "the year is over"})] * len(calls)
        step = self._env.step(calls)
        self._seen = step.observation
        assert self._seen == f"[{','.join(step.replies)}]" or len(max(step.replies, key=len)) > LONGEST_RESULT
        return step.replies

    def told(self) -> dict[str, str]:
        books = dict(zip(BOOKS, self._env.books, strict=True))
        return {
            "brief": self._opening.brief,
            "tools": json.dumps(self._opening.tools),
            "books": json.dumps(books | {"assets": self._env.assets}),
            "observation": self._seen,
        }


class DirectTable:
    def __init__(self, world: World, days: int, rules: Json) -> None:
        self.episode = Episode(world, days=days, rules=rules_with(rules))
        self.act = self.episode.act

    def told(self) -> dict[str, str]:
        return {}


class ArenaTable:
    """One of two seats; the rival has more money than anybody, and a note of its own."""

    RIVALS_BANK = 481_516_234.29
    RIVALS_NOTE = "zyzzyva"

    def __init__(self, world: World, days: int, rules: Json) -> None:
        self._arena = Arena(world, seats=2, days=days, rules=rules_with(rules))
        self.episode = self._arena.year(0)
        self._arena.accounts[1].books.purse.bank = self.RIVALS_BANK

    def act(self, calls: Sequence[Json]) -> list[str]:
        arena = self._arena
        while not self.episode.done and arena.turn == 1:
            self._rival()
        replies = arena.act(0, calls)
        while replies is None:
            self._rival()
            replies = arena.replies(0)
        return replies

    def told(self) -> dict[str, str]:
        assert self.RIVALS_NOTE in self._arena.accounts[1].books.memory
        return {}

    def _rival(self) -> None:
        note = {"action": "add", "title": self.RIVALS_NOTE, "content": self.RIVALS_NOTE}
        self._arena.act(1, [{"name": "operate_memory", "arguments": note}, WAIT])


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
    game = Thread(target=play_here, args=(run, 0), kwargs={"stop": stop, "external": places[0]})
    game.start()
    try:
        with Keys(run.folder) as keys:
            served = HostedRun(run, keys, 1e6, places)
            app = host_app(served.over("http"), served.add)
            with serving(app) as url, closing(Client(url, served.issue(HOST_YEAR))) as client:
                yield HttpTransport(client, run)
    finally:
        stop.request()
        game.join()


@contextmanager
def open_transport(name: str, place: Path, source: Path) -> Iterator[Transport]:
    if name in ("http", "mcp", "rl"):
        with open_table(name, place, source) as table:
            assert isinstance(table, HttpTable | McpTransport | RlTransport)
            yield table
        return
    world = load_world(source)
    if name == "seat":
        with seat_transport(place, world, source) as transport:
            yield transport
    elif name == "inspect":
        terms = YearTerms(str(source), 365, 100_000.0, 4_000)
        sample = SampleYear(terms, "agent", place / "sample")
        yield InspectTransport(sample, place / "sample")
        sample.release()
    else:
        make = {"merchant": scripted_merchant, "model": scripted_model}[name]
        yield PlayerTransport(external_terms(world, "", days=365), world, make)


@contextmanager
def open_table(name: str, place: Path, source: Path, days: int = 365, **rules: Any) -> Iterator[Table]:
    world = load_world(source)
    if name == "rl":
        setting = Setting(str(source), days, max_turns=40_000)
        with closing(PlantedYears(setting, rules, place / "rl")) as env:
            yield RlTransport(env, place / "rl")
        return
    if name in ("direct", "arena"):
        yield DirectTable(world, days, rules) if name == "direct" else ArenaTable(world, days, rules)
        return
    run = begin(place / "run", world, source, transport=name, days=days, rules=rules, max_turns=40_000)
    if name == "mcp":
        with closing(mcp_year(run, world)) as year:
            yield McpTransport(year, run)
        return
    with Keys(run.folder) as keys:
        years = HostedRun(run, keys, 1e6)
        token = years.issue(HOST_YEAR)
        with serving(host_app(years.over("http"), years.add)) as url, closing(Client(url, token)) as client:
            yield HttpTable(client, run, years.over("http")(token))
        years.close()


def last_turn(transport: Transport) -> tuple[int, list[dict[str, Any]], list[str]]:
    """The number of recorded turns, and the calls and replies of the last of them; the record is whole."""
    recording = read_record(transport.record(), "the record")
    assert not recording.damage and not recording.dropped
    turns = recording.turns_of(0)
    turn = turns[-1]
    calls = [{name: value for name, value in call.items() if name != "id"} for call in turn.calls]
    return len(turns), calls, [shortened(reply) for reply in turn.replies]
