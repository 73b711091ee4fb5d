"""One episode, played directly or through a transport of this process, with all that the transport tells."""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

from anyio.from_thread import start_blocking_portal
from mcp import Client as McpClient
from msgspec import structs
from tests.adapters.hosting import WAIT, Client, begin, mcp_year, serving

from ecbench.adapters.hosted_year import HostedYear
from ecbench.adapters.http.app import ROUTES, host_app
from ecbench.adapters.http.years import HOST_YEAR, Years
from ecbench.adapters.mcp.server import mcp_server
from ecbench.adapters.session_keys import Keys
from ecbench.arena import Arena
from ecbench.episode import Episode
from ecbench.players.turn import LONGEST_RESULT
from ecbench.rl.environment import BOOKS, Setting, YearEnvironment
from ecbench.runs.terms import Terms, rules_with
from ecbench.world.model import World
from ecbench.world.save import save_world

Json = dict[str, Any]


class Table(Protocol):
    """Where a player of the tests sits."""

    @property
    def episode(self) -> Episode:
        """What the player cannot see: the year behind the transport."""
        ...

    def act(self, calls: Sequence[Json], /) -> list[str]: ...

    def told(self) -> dict[str, str]:
        """Everything that the transport tells beside replies, by a name."""
        ...


class DirectTable:
    def __init__(self, world: World, days: int, rules: Json) -> None:
        self.episode = Episode(world, days=days, rules=rules_with(rules))

    def act(self, calls: Sequence[Json]) -> list[str]:
        return self.episode.act(calls)

    def told(self) -> dict[str, str]:
        return {}


class RlTable:
    """The environment that every skin wears."""

    def __init__(self, place: Path, world: World, days: int, rules: Json) -> None:
        self._env = PlantedYears(Setting(str(save_world(world, place / "world")), days, max_turns=40_000), rules)
        self._opening = self._env.reset()
        assert self._env._state is not None
        self.episode = self._env._state.year
        self._seen = ""

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


class PlantedYears(YearEnvironment):
    """Under rules that no rule set has."""

    def __init__(self, setting: Setting, rules: Json) -> None:
        super().__init__(setting)
        self._rules = rules

    def _terms(self, setting: Setting, world: World) -> Terms:
        return structs.replace(super()._terms(setting, world), rules=self._rules)


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


class HttpTable:
    def __init__(self, client: Client, years: Years) -> None:
        self._client = client
        client.ask("GET", "/v1/result")  # which opens the year, although there is none yet
        seat = years.year_of(client.token)._session.seat
        assert seat is not None and seat.year is not None
        self.episode = seat.year

    def act(self, calls: Sequence[Json]) -> list[str]:
        answer = self._client.act(*calls)
        if answer.status == 409:
            return [json.dumps(answer.body)] * len(calls)
        assert answer.status == 200, answer
        return [response["content"] for response in answer.body["tool_responses"]]

    def told(self) -> dict[str, str]:
        """Every address of the host; those that act are sent what they refuse."""
        sent = {path: b"{" if route.method == "POST" else None for path, route in ROUTES.items()}
        answers = {path: self._client.ask(ROUTES[path].method, path, body) for path, body in sent.items()}
        answers |= {f"{method} of none": self._client.ask(method, "/v1/none") for method in ("GET", "PUT")}
        return {name: json.dumps(answer.body) for name, answer in answers.items()}


class McpTable:
    def __init__(self, portal: Any, client: McpClient, year: HostedYear) -> None:
        self._portal = portal
        self._client = client
        portal.call(client.read_resource, "ecbench://result")  # which opens the year
        seat = year._session.seat
        assert seat is not None and seat.year is not None
        self.episode = seat.year

    def act(self, calls: Sequence[Json]) -> list[str]:
        answers = [self._portal.call(self._client.call_tool, call["name"], call["arguments"]) for call in calls]
        return [answer.content[0].text for answer in answers]

    def told(self) -> dict[str, str]:
        listed = self._portal.call(self._client.list_resources).resources
        read = {each.name: self._portal.call(self._client.read_resource, each.uri).model_dump_json() for each in listed}
        listed = {name: self._portal.call(getattr(self._client, f"list_{name}")) for name in ("tools", "prompts")}
        prompts = [self._portal.call(self._client.get_prompt, each.name) for each in listed["prompts"].prompts]
        told = {name: each.model_dump_json() for name, each in listed.items()}
        return read | told | {"prompt": "".join(each.model_dump_json() for each in prompts)}


@contextmanager
def sitting(transport: str, place: Path, world: World, days: int, rules: Json) -> Iterator[Table]:
    if transport == "direct":
        yield DirectTable(world, days, rules)
        return
    if transport == "arena":
        yield ArenaTable(world, days, rules)
        return
    if transport == "rl":
        yield RlTable(place, world, days, rules)
        return
    run = begin(place / "run", world, transport=transport, days=days, rules=rules, max_turns=40_000)
    if transport == "mcp":
        year = mcp_year(run, world)
        with start_blocking_portal() as portal:
            client = McpClient(mcp_server(lambda _: year))
            with portal.wrap_async_context_manager(client):
                yield McpTable(portal, client, year)
        year.close()
        return
    with Keys(run.folder) as keys:
        years = Years(run, world, keys, most=1, requests_a_second=1e6)
        with serving(host_app(years.year_of, years.add)) as url, closing(Client(url, keys.issue(HOST_YEAR))) as guest:
            yield HttpTable(guest, years)
        years.close()
