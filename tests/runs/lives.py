"""Lives of a run: commands in processes of their own, ended at any instant in all the ways that processes end.

Every life is a session of its own, so whatever it leaves behind is found by that.
"""

import os
import signal
import sys
import time
from collections.abc import Mapping
from contextlib import chdir, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.forkserver import ensure_running
from pathlib import Path
from typing import Literal

import psutil

from ecbench.cancellation import SIGNALS
from ecbench.cli import main
from ecbench.cli.progress import STOPPING

PATIENCE_SECONDS = 180.0  # for whatever ends by itself, also where many processes share a machine
APART_SECONDS = 0.5  # between two signals of somebody in a hurry

ROOT = Path(__file__).parents[2]

# Forked where the imports are done already: a life begins in a few milliseconds.
_forking = get_context("forkserver")
_forking.set_forkserver_preload(["tests.runs.warm"])


@dataclass(frozen=True)
class Death:
    """Signals in a row: to the first process alone, to its whole group as a terminal sends them, or to a worker."""

    name: str
    signals: tuple[int, ...]
    victim: Literal["first", "group", "worker"] = "first"

    def __str__(self) -> str:
        return self.name


KILL = Death("kill -9", (signal.SIGKILL,))
KILL_A_WORKER = Death("kill -9 of a worker", (signal.SIGKILL,), "worker")
STOPS = (
    Death("Ctrl-C", (signal.SIGINT,), "group"),
    Death("Ctrl-C twice", (signal.SIGINT, signal.SIGINT), "group"),
    Death("SIGINT", (signal.SIGINT,)),
    Death("SIGTERM", (signal.SIGTERM,)),
    Death("SIGTERM twice to all", (signal.SIGTERM, signal.SIGTERM), "group"),
    Death("hangup", (signal.SIGHUP,), "group"),
    Death("SIGHUP twice", (signal.SIGHUP, signal.SIGHUP)),
)


class Life:
    """A command, from its first instruction to its last. `fatal_write`: a signal strikes before its so many-th file."""

    def __init__(
        self,
        *arguments: str,
        log: Path,
        environment: Mapping[str, str] | None = None,
        ignored: tuple[int, ...] = (),
        fatal_write: int = 0,
        fatal_signal: int = signal.SIGKILL,
    ) -> None:
        self._log = log
        log.unlink(missing_ok=True)
        facts = (arguments, log.absolute(), environment or {}, ignored, fatal_write, fatal_signal)
        with chdir(ROOT):
            ensure_running()
        self._process = _forking.Process(target=_live, args=facts)
        self._process.start()
        _begun.append(self)
        while self._process.is_alive() and not log.exists():
            time.sleep(0.0005)

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process.is_alive()

    def lasts(self, seconds: float) -> bool:
        self._process.join(seconds)
        return self.running

    def meet(self, death: Death) -> bool:
        """False if there was nobody left to meet it."""
        for count, number in enumerate(death.signals):
            limit = time.monotonic() + PATIENCE_SECONDS / 4
            while count and self.lasts(APART_SECONDS) and STOPPING not in self.said and time.monotonic() < limit:
                pass  # a signal that is not handled yet swallows the next one of its kind
            if not self.send(number, death.victim) and not count:
                return False
        return True

    def send(self, number: int, victim: str = "first") -> bool:
        target = self._process.pid
        if victim == "worker":
            target = next(iter(self.workers()), None)
        if target is None or not self.running:
            return False
        try:
            (os.killpg if victim == "group" else os.kill)(target, number)
        except ProcessLookupError:
            return False
        return True

    def workers(self) -> list[int]:
        return [process.pid for process in self._family() if "workers.pool" in " ".join(process.cmdline())]

    def end(self) -> int:
        """Its exit code, once it has ended by itself."""
        self._process.join(PATIENCE_SECONDS)
        code = self._process.exitcode
        assert code is not None, f"it goes on and on: {self.said}"
        return code

    @property
    def said(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace") if self._log.exists() else ""

    def orphans(self) -> list[int]:
        """Whoever is left when everything should be gone; after that they really are."""
        limit = time.monotonic() + PATIENCE_SECONDS / 4
        while (left := self._family()) and time.monotonic() < limit:
            time.sleep(0.005)
        self.cut_short()
        return [process.pid for process in left]

    def cut_short(self) -> None:
        self._process.kill()
        self._process.join()
        for process in self._family():
            with suppress(psutil.Error):
                process.kill()

    def _family(self) -> list[psutil.Process]:
        """Whoever lives in its session."""
        members = []
        for pid in psutil.pids():
            with suppress(OSError, psutil.Error):
                if pid != self._process.pid and os.getsid(pid) == self._process.pid:
                    process = psutil.Process(pid)
                    if process.status() != psutil.STATUS_ZOMBIE:
                        members.append(process)
        return members


_begun: list[Life] = []


def end_all() -> None:
    """Whatever a test that failed left running."""
    while _begun:
        _begun.pop().cut_short()


def _live(
    arguments: tuple[str, ...],
    log: Path,
    environment: Mapping[str, str],
    ignored: tuple[int, ...],
    fatal_write: int,
    fatal_signal: int,
) -> None:
    os.setsid()
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN if number in ignored else lambda *_: os._exit(130))
    os.environ.update(environment)
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(file, 1)
    os.dup2(file, 2)
    if fatal_write:
        _die_before_write(fatal_write, fatal_signal)
    main(arguments)


def _die_before_write(count: int, number: int) -> None:
    """Python announces each file below the working directory that it opens, renames, cuts or removes beforehand."""
    left = count
    here = str(Path.cwd())
    changes = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.truncate"}

    def announced(event: str, facts: tuple[object, ...]) -> None:
        nonlocal left
        if event in changes:
            changing = isinstance(facts[0], int) or str(facts[0]).startswith(here)
        else:
            opened = event == "open" and isinstance(facts[2], int) and facts[2] & (os.O_WRONLY | os.O_RDWR)
            changing = bool(opened) and str(facts[0]).startswith(here)
        left -= changing
        if changing and left == 0:
            os.kill(os.getpid(), number)

    sys.addaudithook(announced)
