"""Processes that are killed between two changes to the disk, played within this one.

From the fatal change on nothing that changes a disk works any more, so that no `finally` can tidy up what a process
that was killed would have left behind. A power cut takes more: what was written but not synced is gone too.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

CHANGES = ("write", "fsync", "ftruncate", "truncate", "replace", "rename", "mkdir", "rmdir", "unlink", "remove")


class Killed(BaseException):
    """Nobody handles it."""


@dataclass
class Death:
    """Comes at the change of this number; a write is then done by half."""

    at: int
    changes: int = 0
    unsynced: dict[Path, int] = field(default_factory=dict)  # files written to, and what the disk holds of them

    @property
    def struck(self) -> bool:
        return self.changes >= self.at

    def cut_power(self) -> None:
        for path, size in self.unsynced.items():
            if path.exists():
                os.truncate(path, size)


@contextmanager
def dying(monkeypatch: pytest.MonkeyPatch, at: int) -> Iterator[Death]:
    """What happens within dies at change number `at`, if it comes that far."""
    death = Death(at)
    with monkeypatch.context() as patch:
        for name in CHANGES:
            patch.setattr(os, name, _fatal(death, name, vars(os)[name]))
        with suppress(Killed):
            yield death


def _fatal(death: Death, name: str, change: Callable[..., Any]) -> Callable[..., Any]:
    def perform(*arguments: Any, **options: Any) -> Any:
        if death.struck:
            raise Killed
        death.changes += 1
        if name == "write":
            path = _path(arguments[0])
            death.unsynced.setdefault(path, path.stat().st_size)
        if not death.struck:
            if name == "fsync":
                death.unsynced.pop(_path(arguments[0]), None)
            if name in ("replace", "rename") and Path(arguments[0]).resolve() in death.unsynced:
                death.unsynced[Path(arguments[1]).resolve()] = death.unsynced.pop(Path(arguments[0]).resolve())
            return change(*arguments, **options)
        if name == "write":
            file, content = arguments
            change(file, content[: len(content) // 2])
        raise Killed

    return perform


def _path(file: int) -> Path:
    return Path(f"/dev/fd/{file}").resolve()
