"""Honest run folders of every kind, small and quick to play."""

import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.analysis.compare.studies import begin_study, write_rival
from tests.cli.test_garbled import command
from tests.conftest import write_little_world
from tests.harness.provider import KEY, Script, Turn, serve
from tests.runs.conftest import MERCHANTS, TRADER, Diary
from tests.runs.test_models import NAME

from ecbench.cli.terminal import BUDGET
from ecbench.runs.folder import create_run
from ecbench.runs.play.external_sessions import YearSession
from ecbench.runs.play.play_here import play_here
from ecbench.runs.terms import Terms
from ecbench.world.load import load_world

DAYS = 9


def talkative() -> Script:
    """A model that never plays the same year twice, and whose context overflows."""
    numbers = itertools.count(1)

    def script(_request: dict[str, Any]) -> Turn:
        looks = (("search_suppliers", {"category": "Green Tea"}),) * 3
        withdraw = ("withdraw", {"amount": float(next(numbers))})
        return Turn(text="On with it.", calls=(*looks, withdraw, ("wait_for_next_day", {})), reasoning="Because. " * 40)

    return script


def write_honest_folders(place: Path) -> dict[str, Path]:
    """By kind: agents of all sorts, all endings but a stop, a fork and an arena."""
    world, other = write_little_world(place), write_little_world(_made(place / "other"))
    settings = other / "world.toml"
    settings.write_text(settings.read_text().replace("seed = 5", "seed = 6"))
    on_world, days = ("--world", str(world)), ("--days", str(DAYS))
    _play(place / "program", "run", "--agent", TRADER, "--worlds", f"{world},{other}", "-n", "2", *days)
    _play(place / "merchant", "run", "--agent", "steady", *on_world, "-n", "2", "--days", "20")
    (place / "limited.toml").write_text("max_turns = 12")
    _play(place / "limited", "run", str(place / "limited.toml"), "--agent", TRADER, *on_world, *days)
    _play(place / "bankrupt", "run", "--agent", TRADER, *on_world, "--days", "60", "--stake", "2500")
    _play(place / "fork", "fork", str(place / "program"), "--day", "4", "--agent", TRADER)
    seats = f"{TRADER},{MERCHANTS}:Quitter,idle"
    _play(place / "arena", "arena", "--seats", seats, "--rounds", "2", "--worlds", str(world), "--days", "6")
    with serve(talkative()) as provider, _key():
        model = ("--agent", NAME, "-M", f"base_url={provider.url}", "--window", "8000,4000,2000")
        _play(place / "model", "run", *model, *on_world, *days, "-n", "2")
        _play(place / "resumed", "run", *model[:-2], *on_world, *days, "--budget", "tokens=3000", code=BUDGET)
        _resume_with_a_smaller_window(place / "resumed")
    _host(place / "host", world)
    _stop(place / "stopped", _made(place / "study"))
    names = ("program", "merchant", "limited", "bankrupt", "fork", "arena", "model", "resumed", "host", "stopped")
    return {name: place / name for name in names}


def write_unfinished(place: Path) -> Path:
    """A year that was stopped on its fourth day."""
    source = write_little_world(_made(place / "own"))
    world = load_world(source)
    terms = Terms.alone(world, agent=TRADER, days=DAYS, stake=100_000.0)
    run = create_run(place / "unfinished", terms, episodes=1, world_source=str(source))
    diary = Diary(stop_on_day=3)
    play_here(run, 0, diary, diary.stop)
    return run.folder


def _host(folder: Path, source: Path) -> None:
    """A client's year over HTTP, as a host records it."""
    world = load_world(source)
    terms = Terms.alone(world, agent="my-agent", transport="http", days=DAYS, stake=100_000.0)
    year = YearSession(create_run(folder, terms, episodes=1, world_source=str(source)), 0, world)
    while year.end is None:
        year.take([{"id": "a", "name": "check_balance", "arguments": {}}], {"text": "And?"})
        year.take([{"id": "b", "name": "wait_for_next_day", "arguments": {}}])
    year.close()


def _stop(folder: Path, place: Path) -> None:
    """A study on eight worlds that was clear after six."""
    begin_study(folder, write_rival(place, 8), TRADER)
    code, out, err = command("resume", str(folder), "-q")
    assert code == 0 and "6 of 8 worlds, stopped early" in out, err


def _play(folder: Path, *arguments: str, code: int = 0) -> None:
    found, _, err = command(*arguments, "--out", str(folder), "-q")
    assert found == code, err


def _resume_with_a_smaller_window(folder: Path) -> None:
    code, _, err = command("resume", str(folder), "-q", "--window", "8000,4000,2000", "--budget", "tokens=9000000")
    assert code == 0, err


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


@contextmanager
def _key() -> Iterator[None]:
    os.environ["LOOPBACK_API_KEY"] = KEY
    try:
        yield
    finally:
        del os.environ["LOOPBACK_API_KEY"]
