"""`ecbench.evaluate`: play a run from Python and look at its results, without the command line."""

import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.formatting import yuan
from ecbench.players.merchants.protocol import Insider, Merchant
from ecbench.players.user_errors import failing_as
from ecbench.ranges import DAYS, EPISODES, JOBS, STAKE
from ecbench.rules import DEFAULT_SET
from ecbench.runs.folder import Run, create_run
from ecbench.runs.play.agents import canonical_name, short_name
from ecbench.runs.play.episodes import Result, ignore
from ecbench.runs.play.play_here import choose_executor, play_episodes, play_here
from ecbench.runs.results.anchors_file import bound_of
from ecbench.runs.results.frames import RunFrames, load_run
from ecbench.runs.results.summary import Summary, summarize
from ecbench.runs.terms import Terms
from ecbench.world.load import load_world

Agent = str | Merchant | Insider | type[Merchant] | type[Insider]


@dataclass(frozen=True, eq=False)
class EvaluatedRun:
    """A run that `evaluate` played: its results, its summary, and its tables as data frames."""

    run: Run
    results: Sequence[Result]  # one for each episode, in their order

    def __repr__(self) -> str:
        over = sum(result.over for result in self.results)
        worth = f", {yuan(self.axes['final_assets'] or 0.0)} on average" if self.axes else ""
        description = f"{short_name(self.run.player.agent)} on {self.run.terms.world.name!r}"
        return f"<EvaluatedRun of {description}: {over} of {len(self.results)} episodes over{worth}>"

    @property
    def folder(self) -> Path:
        """The run folder, for every command of the program; a temporary one is deleted together with this object."""
        return self.run.folder

    @cached_property
    def summary(self) -> Summary:
        """All measures over the years that are over; `summary.to_json()` is what `ecbench run --json` prints."""
        return summarize(self.run, self.results, bound_of)

    @property
    def axes(self) -> dict[str, float | None] | None:
        """The value on each axis, by its name; None if no episode is over."""
        return self.summary.axes

    @property
    def problems(self) -> list[str]:
        """Why years are not over, a line each."""
        unfinished = [result for result in self.results if not result.over]
        return [
            f"episode {result.episode}: {result.problem or (result.end.reason if result.end else 'it did not begin')}"
            for result in unfinished
        ]

    def frames(self) -> RunFrames:
        """All tables as data frames of polars, which must be installed."""
        return load_run(self.folder)


def evaluate(
    agent: Agent,
    *,
    world: str | Path = "default",
    episodes: int = 1,
    days: int | None = None,
    stake: float | None = None,
    rules: str | Mapping[str, object] = DEFAULT_SET,
    out: str | Path | None = None,
    jobs: int = 1,
) -> EvaluatedRun:
    """Play episodes with an agent and return the run as an object. Raises RunError or WorldError if it cannot begin.

    `agent` is the name of a merchant or of a model, `module:Class`, or a merchant as a class or an object, which plays
    in this process, one episode after the other. `rules` is the name of a rule set, or changes to the paper's rules as
    JSON has them. `out` is a new folder for the run; without it the run leaves nothing behind. An episode that an
    agent's failure stopped is named in `problems`.
    """
    merchant, name = _merchant_and_name(agent)
    options = {"episodes": (episodes, EPISODES), "jobs": (jobs, JOBS), "days": (days, DAYS), "stake": (stake, STAKE)}
    for option, (value, allowed) in options.items():
        if value not in allowed and not (value is None and option in ("days", "stake")):
            raise RunError(f"{option}={value!r:.40}: it must be {allowed}")
    if not isinstance(rules, Mapping | str):
        raise RunError(f"rules={rules!r:.40}: it must be the name of a rule set, or changes to the paper's rules")
    source = str(world)
    loaded = load_world(source)
    terms = Terms.alone(
        loaded,
        agent=name,
        days=days,
        stake=None if stake is None else float(stake),
        rule_set=rules if isinstance(rules, str) else DEFAULT_SET,
        rules={} if isinstance(rules, str) else dict(rules),
    )
    folder = Path(mkdtemp(prefix="ecbench-") if out is None else out)
    try:
        run = create_run(folder, terms, episodes=episodes, world_source=source)
        if merchant is not None:
            results = [play_here(run, episode, merchant=merchant) for episode in range(episodes)]
        else:
            executor = choose_executor(None, terms, jobs, episodes)
            results = play_episodes(run, range(episodes), executor=executor, jobs=jobs, hear=ignore, stop=StopFlag())
    except BaseException:
        if out is None:
            rmtree(folder, ignore_errors=True)
        raise
    evaluated = EvaluatedRun(run, sorted(results, key=lambda result: result.episode))
    if out is None:
        weakref.finalize(evaluated, rmtree, folder, ignore_errors=True)
    return evaluated


def _merchant_and_name(agent: Agent) -> tuple[Merchant | Insider | None, str]:
    """A merchant to play in this process, and the agent's name; None if the name alone leads to it."""
    if isinstance(agent, str):
        return None, canonical_name(agent)
    made_by = agent if isinstance(agent, type) else type(agent)
    name = f"{made_by.__module__}:{made_by.__name__}"
    with failing_as(RunError, f"merchant {name} cannot be made"):
        merchant = agent() if isinstance(agent, type) else agent
    if not isinstance(merchant, Merchant | Insider):
        raise RunError(f"{name}: a merchant needs a method play(self, schemas) that yields batches of calls")
    return merchant, name
