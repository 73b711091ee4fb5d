"""The years of a host over HTTP, each alone in its market, with a token of its own."""

import asyncio
import logging

from anyio import to_thread

from ecbench.adapters.hosted_year import HostedYear, HostWork, admitted
from ecbench.adapters.rate_limit import UNKNOWN_A_SECOND, Rate
from ecbench.adapters.serving.asgi import RequestRefused
from ecbench.adapters.session_keys import Keys
from ecbench.errors import RunError
from ecbench.players.turn import Record
from ecbench.runs.folder import Run, restate
from ecbench.world.model import World

HOST_YEAR = 0  # whose token opens further years

log = logging.getLogger(__name__)


class Years:
    """All years of a host, by their tokens."""

    def __init__(
        self,
        run: Run,
        world: World,
        keys: Keys,
        *,
        most: int,
        requests_a_second: float,
        unknown_a_second: float = UNKNOWN_A_SECOND,
    ) -> None:
        self._run = run
        self._world = world
        self._keys = keys
        self._most = most
        self._requests_a_second = requests_a_second
        self._unknown = Rate(unknown_a_second)
        self._adding = asyncio.Lock()
        self._work = HostWork()
        self._hosted = [self._host(episode) for episode in range(run.episodes)]

    def year_of(self, token: str) -> HostedYear:
        """Raises RequestRefused for an unknown token, and for one that is used too often."""
        episode = self._keys.year_of(token)
        year = self._hosted[episode] if episode is not None and episode < len(self._hosted) else None
        return admitted(year, self._unknown)

    async def add(self, current: HostedYear) -> Record:
        """One more year, and its token, which is shown this once."""
        if current.episode != HOST_YEAR:
            raise RequestRefused(403, "this token plays one year; the host's own token opens further ones")
        async with self._adding:
            if sum(not year.over for year in self._hosted) >= self._most:
                raise RequestRefused(
                    429, f"{self._most:,} years are open, and this host keeps no more; finish one first"
                )
            try:
                token, self._run = await to_thread.run_sync(self._extend)
            except RunError as problem:
                log.error("%s", problem)
                raise RequestRefused(
                    503, "the host cannot begin another year at the moment; send the request again"
                ) from problem
            year = self._host(self._run.episodes - 1)
            self._hosted.append(year)
            await year.open()
            return {"token": token, "run_index": year.episode}

    def close(self) -> None:
        for year in self._hosted:
            year.close()

    def _extend(self) -> tuple[str, Run]:
        """The key is issued first: if the host dies in between, the next year has that number and a new key."""
        key = self._keys.issue(self._run.episodes)
        return key, restate(self._run, episodes=self._run.episodes + 1)

    def _host(self, episode: int) -> HostedYear:
        return HostedYear.of_run(self._run, episode, self._world, Rate(self._requests_a_second), self._work)
