"""A run that is ended again and again and always continues: what it loses on its way, and how it ends."""

import json
import random
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from shutil import rmtree
from sqlite3 import connect
from typing import Any

from tests.runs.conftest import without
from tests.runs.lives import KILL, PATIENCE_SECONDS, Death, Life

from ecbench.runs.results.anchors_file import ANCHORS
from ecbench.runs.results.database import RESULTS, ROW_TYPES
from ecbench.runs.results.derived_files import DERIVED, METRICS

TURN = b'{"event":"turn"'
MOST_LIVES = 30  # for one death: a run that was over before it is compared, and another begins

Digest = Callable[[Path], Any]
"""As much of a file as must not depend on when its run was played and on how often it was ended."""


def every_byte(path: Path) -> bytes:
    return path.read_bytes()


def manifest(path: Path) -> Any:
    return without(json.loads(path.read_bytes()), "created", "git_commit")


def transcript(path: Path) -> list[dict[str, Any]]:
    """Answers take their time and are numbered by their server, which goes into every digest behind them."""
    return [without(json.loads(line), "seconds", "sha256", "id") for line in path.read_bytes().splitlines()]


def metrics(path: Path) -> Any:
    """The measures, if they name the end of their record."""
    told = json.loads(path.read_bytes())
    assert told["record"] == head_beside(path)
    return without(told["seats"], "model_seconds")


def results(path: Path) -> list[tuple[str, list[Any]]]:
    """The rows of every table, if they name the end of their record."""
    with closing(connect(path)) as database:
        assert database.execute("select record from results").fetchall() == [(head_beside(path),)]
        return [(table, database.execute(f"select * from {table}").fetchall()) for table in ROW_TYPES]


def head_beside(path: Path) -> str:
    head: str = json.loads((path.parent / "events.jsonl").read_bytes().splitlines()[-1])["sha256"]
    return head


MODELS: Mapping[str, Digest] = {
    "events.jsonl": transcript,
    METRICS: metrics,
    RESULTS: results,
}


@dataclass(frozen=True)
class Ordeal:
    """The terms of the run, about how long it takes, and what `run` and `resume` are told of where to play it."""

    run: tuple[str, ...]
    seconds: float
    where: tuple[str, ...] = ()
    episodes: int = 1
    environment: Mapping[str, str] = field(default_factory=dict)
    digests: Mapping[str, Digest] = field(default_factory=dict)  # by the name of a file; of others, every byte counts

    def begin(self, folder: Path, log: Path) -> Life:
        if (folder / "run.json").exists():
            command: tuple[str, ...] = ("resume", str(folder), *self.where)
        else:
            rmtree(folder, ignore_errors=True)  # as the next command would say
            command = ("run", *self.run, *self.where, "--out", str(folder))
        return Life(*command, "--quiet", log=log, environment=self.environment)

    def records(self, folder: Path) -> list[Path]:
        paths = [folder / "episodes" / str(episode) / "events.jsonl" for episode in range(self.episodes)]
        return [path for path in paths if path.exists()]

    @property
    def files(self) -> int:
        """How many a whole run has."""
        return len(("run.json", ANCHORS)) + self.episodes * len(("events.jsonl", *DERIVED))

    def events(self, folder: Path) -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in self.records(folder)}

    def size(self, folder: Path) -> int:
        return sum(path.stat().st_size for path in self.records(folder))

    def told(self, folder: Path) -> dict[Path, Any]:
        """Of every file below the run's folder, whoever put it there."""
        digests = {"run.json": manifest, **self.digests}
        paths = sorted(path for path in folder.rglob("*") if not path.is_dir())
        return {path.relative_to(folder): digests.get(path.name, every_byte)(path) for path in paths}


@dataclass
class Toll:
    """What an ordeal took; everything but `met` and `endings` should be nothing."""

    met: dict[str, int] = field(default_factory=dict)
    endings: int = 0
    lost_turns: int = 0
    orphans: int = 0
    unequal_endings: int = 0
    wrong_codes: list[tuple[str, int, str]] = field(default_factory=list)
    unquiet: list[str] = field(default_factory=list)

    @property
    def unharmed(self) -> bool:
        return not (self.lost_turns or self.orphans or self.unequal_endings or self.wrong_codes or self.unquiet)


def undergo(ordeal: Ordeal, deaths: Iterable[Death], folder: Path, draws: random.Random) -> Toll:
    """Each death comes at an instant of its own; an end of the run is compared with one that was played here."""
    toll, log = Toll(), folder / "log"
    whole = folder / "whole"
    assert replace(ordeal, where=()).begin(whole, log).end() == 0
    expected, size = ordeal.told(whole), ordeal.size(whole)
    assert len(expected) == ordeal.files
    broken = folder / "broken-0"

    def live(death: Death | None) -> bool:
        """One more life of the broken run; False if it was over before its death."""
        nonlocal broken
        before = ordeal.events(broken)
        life = ordeal.begin(broken, log)
        met = death is not None and _await_instant(life, ordeal, broken, size, draws) and life.meet(death)
        then = ordeal.events(broken)
        code = life.end()
        toll.orphans += len(life.orphans())
        now = ordeal.events(broken)
        for seen in (before, then):
            toll.lost_turns += sum(_lost(events, now.get(path, b"")) for path, events in seen.items())
        if "Traceback" in life.said or "Exception" in life.said:
            toll.unquiet.append(life.said)
        if code == 0:
            toll.endings += 1
            toll.unequal_endings += ordeal.told(broken) != expected
            broken = folder / f"broken-{toll.endings}"
        elif not (met and death and code == (-9 if death is KILL else 130)):
            toll.wrong_codes.append((death.name if death else "none", code, life.said))
        return met

    for death in deaths:
        assert any(live(death) for _ in range(MOST_LIVES)), f"no life was long enough for {death.name}"
        toll.met[death.name] = toll.met.get(death.name, 0) + 1
    live(None)
    return toll


def _await_instant(life: Life, ordeal: Ordeal, folder: Path, size: int, draws: random.Random) -> bool:
    """Somewhere in its time, or after it has written so much more."""
    if draws.random() < 0.5:
        return life.lasts(draws.uniform(0.0, ordeal.seconds))
    goal = ordeal.size(folder) + draws.randrange(1, max(2, size // 2))
    limit = time.monotonic() + PATIENCE_SECONDS  # a busy machine must come so far too
    while life.running and ordeal.size(folder) < goal and time.monotonic() < limit:
        time.sleep(0.001)
    return life.running


def whole_turns(events: bytes) -> bytes:
    """Up to the last line of the last turn that is all there."""
    whole_lines = events[: events.rfind(b"\n") + 1]
    last = whole_lines.rfind(TURN)
    return whole_lines[: whole_lines.find(b"\n", last) + 1] if last >= 0 else b""


def _lost(before: bytes, now: bytes) -> int:
    before, kept = whole_turns(before), whole_turns(now)
    return 0 if kept.startswith(before) else max(1, before.count(TURN) - kept.count(TURN))
