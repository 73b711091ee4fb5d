"""A run that is ended again and again and always goes on: what it loses on its way, and how it ends."""

import random
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copytree
from typing import Any

from tests.runs.lives import KILL, Death, Life

BEFORE_A_WRITE = "kill -9 before a write"
MOST_WRITES = 40
STATE = b'{"event":"state"'  # the last line of a turn
MOST_LIVES = 30  # for one death: a run that was over before it is compared, and another begins

Digest = Callable[[bytes], Any]
"""As much of a year's events as must not depend on how often it was ended."""


def every_byte(events: bytes) -> bytes:
    return events


@dataclass(frozen=True)
class Ordeal:
    """The command that begins the run, what `resume` is given, and about how long the run takes."""

    run: tuple[str, ...]
    seconds: float
    resume: tuple[str, ...] = ()
    episodes: int = 1
    environment: Mapping[str, str] = field(default_factory=dict)
    digest: Digest = every_byte

    def begin(self, folder: Path, log: Path) -> Life:
        if (folder / "run.json").exists():
            command: tuple[str, ...] = ("resume", str(folder), *self.resume)
        else:
            command = ("run", *self.run, "--out", str(folder))
        return Life(*command, "--quiet", log=log, environment=self.environment)

    def events(self, folder: Path) -> list[bytes]:
        paths = [folder / "episodes" / str(episode) / "events.jsonl" for episode in range(self.episodes)]
        return [path.read_bytes() if path.exists() else b"" for path in paths]

    def told(self, folder: Path) -> list[Any]:
        return [self.digest(events) for events in self.events(folder)]


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
    """Each death comes at an instant of its own; whenever the run reaches its end, that is compared."""
    toll, log = Toll(), folder / "log"
    whole = folder / "whole"
    assert ordeal.begin(whole, log).end() == 0
    expected, size = ordeal.told(whole), sum(map(len, ordeal.events(whole)))
    broken = folder / "broken-0"

    def live(death: Death | None) -> bool:
        """One more life of the broken run; False if it was over before its death."""
        nonlocal broken
        before = [whole_turns(events) for events in ordeal.events(broken)]
        life = ordeal.begin(broken, log)
        met = death is not None and _await_instant(life, ordeal, broken, size, draws) and life.meet(death)
        before = [max(pair, key=len) for pair in zip(before, map(whole_turns, ordeal.events(broken)), strict=True)]
        code = life.end()
        toll.orphans += len(life.orphans())
        toll.lost_turns += sum(map(_lost, before, ordeal.events(broken)))
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
    goal = sum(map(len, ordeal.events(folder))) + draws.randrange(1, max(2, size // 4))
    limit = time.monotonic() + 10 * ordeal.seconds
    while life.running and sum(map(len, ordeal.events(folder))) < goal and time.monotonic() < limit:
        time.sleep(0.0005)
    return life.running


def whole_turns(events: bytes) -> bytes:
    """Up to the last line of the last turn that is all there."""
    whole_lines = events[: events.rfind(b"\n") + 1]
    last = whole_lines.rfind(STATE)
    return whole_lines[: whole_lines.find(b"\n", last) + 1] if last >= 0 else b""


def _lost(before: bytes, now: bytes) -> int:
    kept = whole_turns(now)
    return 0 if kept.startswith(before) else max(1, before.count(STATE) - kept.count(STATE))


def die_before_each_write(stopped: Path, whole: Path, toll: Toll) -> None:
    """Resume a stopped run, killed before its first write, its second and so on; each time it goes on to its end."""
    log = stopped.with_name("log")
    for write in range(1, MOST_WRITES):
        broken = stopped.with_name(f"{stopped.name}-{write}")
        copytree(stopped, broken)
        code = Life("resume", str(broken), "--quiet", log=log, fatal_write=write).end()
        if code == -9:
            toll.met[BEFORE_A_WRITE] = toll.met.get(BEFORE_A_WRITE, 0) + 1
            code = Life("resume", str(broken), "--quiet", log=log).end()
        elif code == 0:
            return
        if code != 0:
            toll.wrong_codes.append((BEFORE_A_WRITE, code, log.read_text()))
        toll.endings += 1
        toll.unequal_endings += _files(broken) != _files(whole)
    raise AssertionError(f"a resume writes no more than {MOST_WRITES} files")


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "episodes" / "0").iterdir()}
