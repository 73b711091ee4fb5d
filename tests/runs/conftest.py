"""Runs on the little world, and a listener that remembers."""

import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from tests.runs.lives import end_all

from ecbench.cancellation import StopFlag
from ecbench.market.ledger import CHANNELS
from ecbench.players.turn import State
from ecbench.players.turn_timer import SlowTurn
from ecbench.runs.folder import Run, create_run
from ecbench.runs.play.agents import transport_of
from ecbench.runs.play.episodes import EpisodeOpening, Message, RequestRepeated, Result, TurnRecorded, read_episode
from ecbench.runs.play.play_here import choose_executor, play_episodes, play_here
from ecbench.runs.play.recorded_table import replay_episode
from ecbench.runs.results.database import YearTables
from ecbench.runs.results.derived_files import DERIVED, write_derived
from ecbench.runs.terms import SeatTerms, Terms
from ecbench.runs.workers.pool import Executor, Finished, Lost, Work
from ecbench.world.model import World

MERCHANTS = Path(__file__).with_name("merchants.py")
EXAMPLES = Path(__file__).parents[2] / "examples"
TRADER = f"{EXAMPLES / 'my_merchant.py'}:MyMerchant"
RAY_SETTINGS = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled"}

NewRun = Callable[..., Run]
Play = Callable[..., Result]


@dataclass
class Diary:
    """Everything that is told of episodes; may ask for a stop on a given day."""

    stop: StopFlag = field(default_factory=StopFlag)
    stop_on_day: int | None = None
    openings: dict[int, EpisodeOpening] = field(default_factory=dict)
    states: list[tuple[int, State]] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    retry_notices: list[tuple[int, str]] = field(default_factory=list)
    slow_turns: list[SlowTurn] = field(default_factory=list)

    def __call__(self, episode: int, message: Message) -> None:
        match message:
            case EpisodeOpening():
                self.openings[episode] = message
            case TurnRecorded(_, state):
                self.states.append((episode, state))
                if self.stop_on_day is not None and state.day >= self.stop_on_day:
                    self.stop.request()
            case RequestRepeated(_, notice):
                self.retry_notices.append((episode, notice))
            case SlowTurn():
                self.slow_turns.append(message)
            case Result():
                self.results.append(message)


@pytest.fixture(autouse=True)
def _no_life_outlives_its_test() -> Iterator[None]:
    yield
    end_all()


@pytest.fixture(scope="module")
def lives_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lives") / "lives"


@pytest.fixture(scope="module")
def cluster(lives_file: Path) -> Iterator[None]:
    """Two workers on this machine. The merchant `Doomed` counts its lives in the file."""
    ray: Any = pytest.importorskip("ray", reason="the extra `ray` is not installed")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (RAY_SETTINGS | {"DOOMED_LIVES": str(lives_file)}).items():
            patch.setenv(name, value)
        settings = {"include_dashboard": False, "log_to_driver": False, "configure_logging": False}
        for attempts_left in (2, 1, 0):
            try:
                ray.init(address="local", num_cpus=2, **settings)
                break
            except Exception:  # Ray gives its node half a minute to start, which a busy machine may exceed
                ray.shutdown()
                if not attempts_left:
                    raise
        yield
        ray.shutdown()


@pytest.fixture
def on_cluster(cluster: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of this process use the cluster."""
    ray: Any = import_module("ray")
    monkeypatch.setenv("RAY_ADDRESS", ray.get_runtime_context().gcs_address)


@pytest.fixture(params=["processes", "ray"])
def elsewhere(request: pytest.FixtureRequest) -> str:
    """An executor that does not run tasks in this process."""
    if request.param == "ray":
        request.getfixturevalue("on_cluster")
    return str(request.param)


@pytest.fixture
def new_run(tmp_path: Path, small_world: Path, world: World) -> NewRun:
    """A fresh run folder; agents are names of classes of merchants.py, or anything that names an agent.

    With several agents the market is shared. `model` are the options of each that is a model.
    """

    def seat(agent: str, model: dict[str, Any]) -> SeatTerms:
        own = agent.isidentifier() and agent[0].isupper()
        return SeatTerms(f"{MERCHANTS}:{agent}" if own else agent, model, transport_of(agent))

    def create(*agents: str, episodes: int = 1, name: str = "run", **terms: Any) -> Run:
        key, model = terms.pop("signing_key", None), terms.pop("model", {})
        seats = [seat(agent, model if "/" in agent or len(agents) < 2 else {}) for agent in agents or (TRADER,)]
        stated = Terms.of_seats(world, seats, **{"days": world.days, "stake": 100_000.0, **terms})
        return create_run(tmp_path / name, stated, episodes=episodes, world_source=str(small_world), signing_key=key)

    return create


@pytest.fixture
def new_arena(new_run: NewRun) -> NewRun:
    return partial(new_run, name="arena", days=20)


def play_episode(run: Run, episode: int = 0, diary: Diary | None = None) -> Result:
    diary = diary or Diary()
    return play_here(run, episode, diary, diary.stop)


@pytest.fixture
def play() -> Play:
    return play_episode


@pytest.fixture
def played(new_run: NewRun, play: Play) -> Run:
    run = new_run()
    play(run)
    return run


def replayed_files(run: Run, episode: int = 0) -> dict[str, bytes]:
    """The derived files that a replay of an episode gives."""
    played = replay_episode(run.terms_of(episode), episode, run.load_world(episode), read_episode(run, episode))
    with TemporaryDirectory() as folder:
        write_derived(Path(folder), played.head, played.seats)
        return {name: Path(folder, name).read_bytes() for name in DERIVED}


def files_of(run: Run, episode: int = 0) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in run.episode_folder(episode).iterdir()}


def verify(run: Run, episode: int = 0) -> None:
    """An episode replays to the very files that lie beside its record."""
    assert replayed_files(run, episode).items() <= files_of(run, episode).items()


def play_on(executor: str, run: Run, diary: Diary | None = None, *, jobs: int = 2) -> list[Result]:
    """Every episode of the run by the worker pool."""
    diary, chosen = diary or Diary(), choose_executor(None if executor == "here" else executor, run.terms)
    return play_episodes(run, range(run.episodes), executor=chosen, jobs=jobs, hear=diary, stop=diary.stop)


@dataclass
class Received:
    """Everything that an executor reports."""

    messages: list[tuple[int, Any]] = field(default_factory=list)
    results: dict[int, Any] = field(default_factory=dict)
    problems: dict[int, str] = field(default_factory=dict)

    def __call__(self, number: int, message: Any) -> None:
        match message:
            case Finished(result):
                self.results[number] = result
            case Lost(problem):
                self.problems[number] = problem
            case _:
                self.messages.append((number, message))


def run_tasks(executor: Executor, *works: Work, jobs: int = 1) -> Received:
    received = Received()
    executor.run(works, jobs, StopFlag(), received)
    return received


def without(value: Any, *names: str) -> Any:
    """A JSON value without the fields of these names, however deep they lie."""
    if isinstance(value, dict):
        return {name: without(each, *names) for name, each in value.items() if name not in names}
    return [without(each, *names) for each in value] if isinstance(value, list) else value


@contextmanager
def files_no_larger_than(size: int) -> Iterator[None]:
    """A disk that is full at this size of any file."""
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, usual[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)


def money_by_channel(tables: YearTables) -> dict[str, float]:
    """The totals of the tables' rows; idle charges and storage are facts of a day."""
    return {
        "setup": -sum(row.setup for row in tables.stores),
        "operating": -sum(row.operating for row in tables.stores),
        "idle": tables.days[-1].idle_to_date,
        "storage": -sum(row.storage for row in tables.days if row.row == "morning"),
        "freight": -sum(row.freight for row in tables.sales),
        "procurement": -sum(row.charged for row in tables.orders if row.sku),
        "fees": -sum(row.charged for row in tables.orders if not row.sku),
        "revenue": sum(row.net for row in tables.sales if row.outcome == "shipped"),
        "refunds": -sum(row.from_escrow for row in tables.returns),
        "salvage": sum(row.salvage for row in tables.stores),
    }


def assert_reconciled(tables: YearTables, profit: float) -> None:
    """The rows come to the profit, channel by channel."""
    money, last = money_by_channel(tables), tables.days[-1]
    for channel in CHANNELS:
        assert money[channel] == pytest.approx(getattr(last, f"{channel}_to_date"), abs=0.005), channel
    assert sum(money.values()) == pytest.approx(profit, abs=0.005)
