"""Merchants that fail in every way there is."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ecbench.players.merchants.protocol import call

Schemas = list[dict[str, Any]]
WAIT = call("wait_for_next_day")


class Merchant:
    """Ends its first day well; what comes then is its own."""

    def play(self, schemas: Schemas) -> Iterator[Any]:
        yield [WAIT]
        yield from self.then()

    def then(self) -> Any: ...


class Surrogate(Merchant):
    def then(self) -> Any:
        raise ValueError("half a pair: \ud83d")


class Exits(Merchant):
    def then(self) -> Any:
        sys.exit("I quit")


class OwnKind(Merchant):
    class Odd(BaseException):
        def __str__(self) -> str:
            raise RuntimeError("no words for it")

    def then(self) -> Any:
        raise self.Odd


class Unspeakable(Merchant):
    class Thing:
        def __repr__(self) -> str:
            raise SystemExit("no name")

    def then(self) -> Any:
        yield self.Thing()


class Tricky(Merchant):
    class Call(dict[str, Any]):
        def get(self, *_: Any) -> Any:
            raise ZeroDivisionError

        def __iter__(self) -> Iterator[Any]:
            raise ZeroDivisionError

        def items(self) -> Any:
            raise ZeroDivisionError("a trap")

    def then(self) -> Any:
        yield [call("check_balance", trap=self.Call(name="x"))]


class OnErrands(Merchant):
    def then(self) -> Any:
        yield {"name": "check_balance"}


class NoGenerator:
    def play(self, schemas: Schemas) -> Any:
        raise LookupError("no schemas for me")


class NoPlay:
    def play(self, schemas: Schemas) -> Any:
        return None


class WorseOnTheWayOut:
    """Quits, and exits again as it is closed."""

    def play(self, schemas: Schemas) -> Iterator[Any]:
        try:
            for _ in range(365):
                yield [WAIT]
        finally:
            sys.exit("and good riddance")


class Interrupted:
    """A person presses Ctrl-C on day 2, as long as a file named `interrupt` lies in the working directory."""

    def play(self, schemas: Schemas) -> Iterator[Any]:
        for day in range(366):
            if day == 2 and Path("interrupt").exists():
                os.kill(os.getpid(), signal.SIGINT)
                for _ in range(1_000_000):
                    pass
            yield [WAIT]
