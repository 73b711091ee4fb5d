"""A host in this process, on a port of its own, and a client that speaks plain HTTP to it."""

import json
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Event, Thread, Timer
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from starlette.types import ASGIApp
from tests.runs.lives import PATIENCE_SECONDS, Life

from ecbench.adapters.hosted_run import HOST_YEAR, HostedRun
from ecbench.adapters.hosted_year import HostedYear, opens_year
from ecbench.adapters.http.app import host_app
from ecbench.adapters.rate_limit import Rate
from ecbench.adapters.serving.server import base_url, listen, server_of
from ecbench.adapters.session_keys import Keys
from ecbench.episode import Episode
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.registry import get_merchant
from ecbench.runs.folder import Run, create_run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.terms import Terms
from ecbench.world.model import World

LOOK = {"name": "check_balance", "arguments": {}}
WAIT = {"name": "wait_for_next_day", "arguments": {}}
LETTER = {"name": "chatbox", "arguments": {"uid": "sales@hillfarm.example", "content": "What do you sell?"}}

Json = dict[str, Any]


class Answer(NamedTuple):
    status: int
    body: Json
    headers: dict[str, str]


class Client:
    """One connection, kept open, that shows one token."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        self.token = token
        place = urlsplit(url)
        self._line = HTTPConnection(place.hostname or "", place.port, timeout=PATIENCE_SECONDS)

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> Answer:
        """`body` as it is where it is bytes, else as JSON; header names with underscores."""
        content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        given = {"Authorization": f"Bearer {self.token}"} | {k.replace("_", "-"): v for k, v in headers.items()}
        self._line.request(method, path, content, given)
        answer = self._line.getresponse()
        told = {name.lower(): value for name, value in answer.getheaders()}
        return Answer(answer.status, json.loads(answer.read()), told)

    def act(self, *calls: Json, key: str = "") -> Answer:
        headers = {"Idempotency_Key": key} if key else {}
        return self.ask("POST", "/v1/actions", {"tool_calls": list(calls)}, **headers)

    def take(self, calls: Sequence[Json], key: str = "") -> list[str]:
        """The replies to a turn that is carried out."""
        answer = self.act(*calls, key=key)
        assert answer.status == 200, answer
        return [response["content"] for response in answer.body["tool_responses"]]

    def another(self) -> "Client":
        """At a further year of the host."""
        answer = self.ask("POST", "/v1/sessions")
        assert answer.status == 201, answer
        return Client(self.url, answer.body["token"])

    def close(self) -> None:
        self._line.close()


def external_terms(world: World, transport: str = "http", **more: Any) -> Terms:
    given = {"days": 6, "stake": 100_000.0, "agent": "visitor", **more}
    return Terms.alone(world, transport=transport, **given)


def begin(folder: Path, world: World, source: Path | str = "default", transport: str = "http", **more: Any) -> Run:
    key = more.pop("signing_key", None)
    terms = external_terms(world, transport, **more)
    return create_run(folder, terms, episodes=1, world_source=str(source), signing_key=key)


def ready(life: Life, seats: int = 1) -> list[Json]:
    """What a command says of the seats that it serves, once it listens."""
    limit = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < limit and life.running:
        told = [json.loads(line) for line in life.said.splitlines() if line.startswith('{"status"')]
        if len(told) == seats:
            return told
        time.sleep(0.005)
    raise AssertionError(f"it did not come up: {life.said}")


class Survivor:
    """A client whose server is killed again and again: it asks once more for what was not answered."""

    def __init__(
        self, first: Sequence[str], again: Sequence[str], log: Path, token: str, deaths: Iterator[float]
    ) -> None:
        self._command, self._again = first, again
        self._log, self._token, self._deaths = log, token, deaths
        self.kills = 0
        self._begin()

    def _begin(self) -> None:
        self.life = Life(*self._command, log=self._log, environment={"ECBENCH_TOKEN": self._token})
        [told] = ready(self.life)
        if told["token"] is None:
            assert self._token not in self.life.said
        self._token = self._token or told["token"]  # the first of an arena stays valid
        self.client = Client(told["base_url"], self._token)
        self._command = self._again
        after = next(self._deaths, None)
        if after is not None:
            self.kills += 1
            Timer(after, self.life.send, [signal.SIGKILL]).start()

    def act(self, calls: Sequence[Json], key: str) -> Json:
        return self._answered(lambda: self.client.act(*calls, key=key))

    def result(self) -> Json:
        return self._answered(lambda: self.client.ask("GET", "/v1/result"))

    def _answered(self, ask: Callable[[], Answer]) -> Json:
        while True:
            try:
                answer = ask()
            except (OSError, HTTPException):
                self.client.close()
                assert self.life.end() == -signal.SIGKILL
                self._begin()
            else:
                assert answer.status == 200, answer
                return answer.body


@contextmanager
def serving(app: ASGIApp, **settings: Any) -> Iterator[str]:
    """The address of an app, served by a thread until the block ends."""
    ready = Event()
    server = server_of(app, ready.set, **settings)
    with closing(listen("127.0.0.1", 0)) as listening:
        thread = Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            assert ready.wait(PATIENCE_SECONDS), "the server does not start"
            yield base_url(listening)
        finally:
            server.should_exit = True
            thread.join(PATIENCE_SECONDS)


@contextmanager
def hosted(run: Run, *, most: int = 8, rate: float = 1e6) -> Iterator[Client]:
    with Keys(run.folder) as keys:
        years = HostedRun(run, keys, rate, most=most, unknown_a_second=rate)
        try:
            with (
                serving(host_app(years.over("http"), years.add)) as url,
                closing(Client(url, years.issue(HOST_YEAR))) as client,
            ):
                yield client
        finally:
            years.close()


def mcp_year(run: Run, world: World) -> HostedYear:
    return HostedYear(run.terms, world, opens_year(lambda: run, world), Rate(1e6))


def played_directly(world: World, agent: str, days: int) -> list[tuple[list[Json], list[str]]]:
    """The turns of a merchant without any transport: its calls, and their replies."""
    year = Episode(world, days=days)
    play, turns = begin_play(get_merchant(agent, days=days), year), list[tuple[list[Json], list[str]]]()
    calls: Any = next(play)
    while not year.done:
        replies = year.act(calls)
        turns.append(([dict(call) for call in calls], replies))
        if not year.done:
            calls = play.send([json.loads(reply) for reply in replies])
    return turns


def turns_of(run: Run, episode: int = 0) -> int:
    return len(read_episode(run, episode).turns)


def with_id(call: dict[str, Any], name: str) -> dict[str, Any]:
    return {"id": name, **call}
