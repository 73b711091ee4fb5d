"""Nothing that a process did before changes an episode: neither other episodes nor bounds, reviews or explanations."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.runs.conftest import Diary

from ecbench import Arena, load_world
from ecbench.analysis.bound.assets import upper_bound
from ecbench.analysis.explain.market_figures import explain_demand
from ecbench.analysis.review.build_review import Depth, review_year
from ecbench.cancellation import StopFlag
from ecbench.pages.report.output import write_report
from ecbench.players.driver import play_arena
from ecbench.players.merchants.protocol import Merchant, Play
from ecbench.players.merchants.registry import get_merchant
from ecbench.rules import rule_set
from ecbench.runs.folder import create_run
from ecbench.runs.play.play_here import play_here
from ecbench.runs.terms import SeatTerms, Terms
from ecbench.runs.workers.pool import Inline
from ecbench.world.model import World
from ecbench.world.save import save_world

ROOT = Path(__file__).parents[1]
DAYS = 30
# The rules and the merchant of each seat.
EPISODES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("paper", ("haggler",)),
    ("fair", ("haggler",)),
    ("fair", ("steady",)),
    ("fair", ("haggler", "first-quote")),
)


class Overheard:
    """A merchant that notes every reply it gets."""

    def __init__(self, merchant: Merchant) -> None:
        self.merchant = merchant
        self.replies: list[Any] = []

    def play(self, schemas: list[dict[str, Any]]) -> Play:
        play = self.merchant.play(schemas)
        calls = next(play)
        while True:
            replies = yield calls
            self.replies.append(replies)
            try:
                calls = play.send(replies)
            except StopIteration:
                return


def digest(world: World, rules: str, names: Sequence[str]) -> str:
    """Of every reply, every morning of the books and the report of each seat."""
    arena = Arena(world, seats=len(names), rules=rules)
    merchants = [Overheard(get_merchant(name, days=world.days)) for name in names]  # type: ignore[arg-type]
    play_arena(merchants, arena)
    found = [
        [merchant.replies, list(map(repr, account.books.days)), arena.table.report(account.seat)]
        for merchant, account in zip(merchants, arena.accounts, strict=True)
    ]
    return sha256(json.dumps(found, default=str).encode()).hexdigest()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The default world in thirty days, so that drift begins early."""
    world = replace(load_world("default"), name="thirty-days", days=DAYS)
    return save_world(world, tmp_path_factory.mktemp("worlds") / "thirty-days")


@pytest.fixture(scope="module")
def alone(folder: Path) -> list[str]:
    """The digest of each episode, played first in a new process."""
    return [
        subprocess.run(
            [sys.executable, "-m", "tests.test_episode_order", str(folder), str(number)],
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        for number in range(len(EPISODES))
    ]


def bound(world: World, folder: Path, _place: Path) -> None:
    for rules in ("paper", "fair"):
        upper_bound(world, rules=rule_set(rules))


def explanation(world: World, folder: Path, _place: Path) -> None:
    for rules in ("paper", "fair"):
        for product in world.products[::40]:
            explain_demand(world, rule_set(rules), product.sku, day=world.start)


def review_and_report(world: World, folder: Path, place: Path) -> None:
    """Of a run of each kind: under both sets of rules alone, and in an arena, which has no review."""
    for number, (rules, names) in enumerate(EPISODES):
        seats = [SeatTerms(name) for name in names]
        terms = Terms.of_seats(world, seats, days=8, stake=rule_set(rules).stake, rule_set=rules)
        run, diary = create_run(place / str(number), terms, episodes=1, world_source=str(folder)), Diary()
        play_here(run, 0, diary, diary.stop)
        depth, own = Depth(quick=True, step=7, variants=(0, 1)), run.at_seat(0, 0)
        if not terms.shared:
            review_year(own, 0, depth=depth, executor=Inline(), jobs=1, stop=StopFlag(), tell=lambda _: None)
        write_report([run], place / f"{number}.html")


def test_an_episode_is_the_same_whatever_the_process_did_before(folder: Path, alone: list[str], tmp_path: Path) -> None:
    world = load_world(folder)
    found: dict[int, set[str]] = {number: set() for number in range(len(EPISODES))}

    def play(number: int) -> None:
        found[number].add(digest(world, *EPISODES[number]))

    episodes: list[Callable[[], object]] = [partial(play, number) for number in range(len(EPISODES))]
    studies: list[Callable[[], object]] = [
        partial(study, world, folder, tmp_path) for study in (bound, explanation, review_and_report)
    ]
    order = Random(2)
    for steps in (episodes, studies, episodes):
        for step in order.sample(steps, len(steps)):
            step()
    assert found == {number: {expected} for number, expected in enumerate(alone)}


if __name__ == "__main__":
    print(digest(load_world(sys.argv[1]), *EPISODES[int(sys.argv[2])]))
