"""Merchants that never give their turn, each in its own way."""

import time
from collections.abc import Iterator
from typing import Any

WAIT = {"name": "wait_for_next_day", "arguments": {}}
LONG = 10_000.0  # seconds; far longer than any test is waited for


class Looper:
    """An endless loop on the third day."""

    def play(self, _schemas: Any) -> Iterator[list[dict[str, Any]]]:
        yield [WAIT]
        yield [WAIT]
        while True:
            pass


class Dozer:
    """Asleep within a library on the third day."""

    def play(self, _schemas: Any) -> Iterator[list[dict[str, Any]]]:
        yield [WAIT]
        yield [WAIT]
        time.sleep(LONG)
        yield [WAIT]


class Stubborn:
    """Takes every error for one of its own, and tries again."""

    def play(self, _schemas: Any) -> Iterator[list[dict[str, Any]]]:
        yield [WAIT]
        yield [WAIT]
        while True:
            try:
                time.sleep(LONG)
            except Exception:
                continue


class Clinging:
    """Plays its year, and does not leave."""

    def play(self, _schemas: Any) -> Iterator[list[dict[str, Any]]]:
        try:
            while True:
                yield [WAIT]
        finally:
            time.sleep(LONG)
