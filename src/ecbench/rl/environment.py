"""The environment behind every integration: a year with reset, step and a reward.

One turn is one step. Observations are the replies of the tools; nothing else of the world passes. What a policy may
know of its own books without a call is what the other adapters show, too.

The year is unrecorded, or recorded as a run of its own. Either is settled as soon as it can go no further, so that the
last turn is rewarded for the assets that the year ends with.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import log
from pathlib import Path
from typing import Any, NamedTuple

from ecbench.adapters.instructions import job
from ecbench.harness.brief import SEVERAL_CALLS_A_TURN
from ecbench.players.action_parser import read_action
from ecbench.players.session import TableSession
from ecbench.players.turn import LONGEST_RESULT, Move, Record, shortened
from ecbench.ranges import DAYS, STAKE, TURNS, quoted
from ecbench.rules import DEFAULT_SET, rule_set
from ecbench.runs.folder import create_run, free_folder
from ecbench.runs.play.external_sessions import YearSession
from ecbench.runs.terms import Terms, rules_of
from ecbench.table import Table
from ecbench.tools import tool_schemas
from ecbench.tools.outcome import Outcome
from ecbench.world.load import FRESH, load_world, seed_of
from ecbench.world.model import World

GRAIN = 4_096  # parts of a yuan
LEAST = 1.0  # yuan, the least that a logarithm is taken of


def in_grains(assets: float) -> float:
    """Assets to 1/4096 of a yuan.

    Differences of such figures, and sums of those, are exact in floating point as long as assets are below two trillion
    yuan. A sum of plain differences would be wrong in its last bits, by more the longer the year is.
    """
    return round(assets * GRAIN) / GRAIN


REWARDS: dict[str, Callable[[float, float], float]] = {
    "change": lambda final, stake: final - stake,
    "growth": lambda final, stake: log(max(final, LEAST) / stake),
    "multiple": lambda final, stake: final / stake,
}
"""What a whole year pays, from its final assets and its stake. `change` is paid step by step, the others at the end."""


def reward_of(name: str, before: float, assets: float, stake: float, *, over: bool) -> float:
    """What a step pays that changed the assets; `over`: it was the last one."""
    if name == "change":
        return assets - before
    return REWARDS[name](assets, stake) if over else 0.0


class UnrecordedYear:
    """For the many years of a training that are never read later."""

    def __init__(self, terms: Terms, world: World) -> None:
        table = Table(world, days=terms.days, stake=terms.stake, rules=rules_of(terms), policy=terms.policy)
        self._seat = TableSession(table, max_turns=terms.max_turns).seats[0]
        self.year = self._seat.year

    @property
    def ending(self) -> str | None:
        """How the year ended; None while it continues."""
        return self._seat.ending

    def take(self, calls: Sequence[Record]) -> Sequence[Outcome]:
        outcomes = self._seat.take(Move(calls))
        if self.ending is not None:
            self.year.finish(self.ending)
        return outcomes

    def close(self) -> None:
        """Release the year, whether it is over or not."""


class RecordedYear:
    """A run folder of its own in `folder`, to be replayed, verified and reported like any other."""

    def __init__(self, terms: Terms, world: World, world_source: str, folder: Path) -> None:
        own_folder = free_folder(folder, f"{terms.world.name}_{terms.days}-days_{terms.seats[0].agent}")
        run = create_run(own_folder, terms, episodes=1, world_source=world_source)
        self._session = YearSession(run, 0, world)
        assert self._session.year is not None, "a new year goes on"
        self.year = self._session.year
        self.take, self.close = self._session.take, self._session.close

    @property
    def ending(self) -> str | None:
        return self._session.end.ending if self._session.end else None


LONGEST_OBSERVATION = 262_144  # characters
CUT_MARK = 64  # characters that say how much is missing, with quotes and a comma
BOOKS = ("day", "minute", "bank", "wallet", "escrow", "stores", "turns_left")


@dataclass(frozen=True, slots=True)
class Setting:
    """What years are played under. `world` is played where a reset names no seed; None stands for the world's length
    and for the rules' stake."""

    world: str = "default"
    days: int | None = None
    stake: float | None = None
    rules: str = DEFAULT_SET
    reward: str = "change"
    max_turns: int = 4_000

    def __post_init__(self) -> None:
        rule_set(self.rules)
        if self.reward not in REWARDS:
            raise ValueError(f"there is no reward {self.reward!r}; the rewards are: {', '.join(REWARDS)}")
        for name, allowed in (("days", DAYS), ("stake", STAKE), ("max_turns", TURNS)):
            value = getattr(self, name)
            if value is not None and value not in allowed:
                raise ValueError(f"{name} must be {allowed}, not {quoted(value)}")


class Opening(NamedTuple):
    """What a year begins with: the brief and the tools."""

    brief: str
    tools: list[dict[str, Any]]


class Step(NamedTuple):
    """What a turn came to."""

    replies: list[str]  # JSON texts, one per call, or a single error where the action held no call
    reward: float
    terminated: bool  # the year is over: its last day, bankruptcy, or three turns in a row without a call
    truncated: bool  # the turns are used up
    ending: str | None

    @property
    def observation(self) -> str:
        """All replies as one JSON array; one that is too long to show stands there as a text that was shortened."""
        return as_observation(self.replies)


class YearEnvironment:
    """Years, one after another. With a `folder` each becomes a run folder in it, under the name of its `transport`."""

    def __init__(
        self,
        setting: Setting | None = None,
        *,
        folder: Path | None = None,
        transport: str = "rl",
        agent: str = "policy",
    ) -> None:
        self.setting = setting or Setting()
        self._folder = folder
        self._transport = transport
        self._agent = agent
        self._state: UnrecordedYear | RecordedYear | None = None
        self.world = self.setting.world
        self.assets = self.stake = 0.0  # bank, wallet and escrow in yuan, to 1/4096; and those of the beginning

    def reset(self, world_seed: int | None = None, **changes: Any) -> Opening:
        """Begin a year, on the fresh world of a seed or else on the setting's; `changes` are those to the setting.

        Raises ValueError for an invalid setting, WorldError for an unknown world.
        """
        setting = replace(self.setting, **changes) if changes else self.setting
        source = setting.world if world_seed is None else f"{FRESH}{world_seed}"
        if world_seed is not None and seed_of(source) is None:
            raise ValueError(f"a world's seed is a whole number from 0 to 2**63 - 1, not {quoted(world_seed)}")
        world = load_world(source)
        terms = self._terms(setting, world)
        self.close()
        if self._folder is None:
            self._state = UnrecordedYear(terms, world)
        else:
            self._state = RecordedYear(terms, world, source, self._folder)
        self._reward = setting.reward
        self.assets = self.stake = in_grains(terms.stake)
        self._turns_left = terms.max_turns
        self.world = world.name
        return Opening(job(terms, world, SEVERAL_CALLS_A_TURN), tool_schemas(rules_of(terms)))

    def step(self, action: object) -> Step:
        """Take a turn. Any action is answered; only a step without a year to take it in raises RuntimeError."""
        state = self._state
        if state is None or state.ending is not None:
            raise RuntimeError("there is no episode to take a step in: call reset first")
        calls, problem = read_action(action)
        replies = [outcome.text for outcome in state.take(calls)]
        self._turns_left -= 1
        ending = state.ending
        before, self.assets = self.assets, in_grains(state.year.account.books.purse.total)
        reward = reward_of(self._reward, before, self.assets, self.stake, over=ending is not None)
        if problem:
            replies = [json.dumps({"error": problem})]
        truncated = ending == "turn_limit"  # which says nothing of the business
        return Step(replies, reward, ending is not None and not truncated, truncated, ending)

    @property
    def settled_assets(self) -> float:
        """What the year would end with if it ended now, for training that may stop at any time."""
        assert self._state is not None, "there are books once a year has begun"
        if self._state.ending is not None:
            return self.assets
        twin = self._state.year.copy()
        twin.finish("stopped")
        return in_grains(twin.account.books.purse.total)

    @property
    def books(self) -> tuple[float, ...]:
        """The figures that `BOOKS` names: money in yuan, minutes since midnight."""
        assert self._state is not None, "there are books once a year has begun"
        year = self._state.year
        now = year.now
        stores = len(year.account.books.trading)
        return (year.day, 60 * now.hour + now.minute, year.bank, year.wallet, year.escrow, stores, self._turns_left)

    def close(self) -> None:
        """Release the year, whether it is over or not."""
        if self._state is not None:
            self._state.close()
            self._state = None

    def _terms(self, setting: Setting, world: World) -> Terms:
        return Terms.alone(
            world,
            agent=self._agent,
            days=setting.days,
            stake=None if setting.stake is None else float(setting.stake),
            max_turns=setting.max_turns,
            rule_set=setting.rules,
            transport=self._transport,
        )


def as_observation(replies: list[str]) -> str:
    """Replies as one JSON array of at most `LONGEST_OBSERVATION` characters."""
    whole = f"[{','.join(replies)}]"
    if len(whole) <= LONGEST_OBSERVATION and max(map(len, replies), default=0) <= LONGEST_RESULT:
        return whole
    share = (LONGEST_OBSERVATION - 2) // len(replies)
    room = min(LONGEST_RESULT, (share - CUT_MARK) // 2)  # as text within JSON a character may take two
    texts = [each if len(each) <= room else json.dumps(shortened(each, room), ensure_ascii=False) for each in replies]
    return f"[{','.join(texts)}]"
