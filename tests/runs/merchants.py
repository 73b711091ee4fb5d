"""Merchants that behave in ways a run must cope with."""

import os
import random
import signal
import time
from contextlib import suppress
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from ecbench.players.merchants.protocol import Play, call

WAIT = call("wait_for_next_day")


class Sleeper:
    """Reads its balance and waits."""

    def play(self, schemas: list[dict[str, Any]]) -> Play:
        while True:
            yield [call("check_balance"), WAIT]


class Quitter:
    """Stops trading after three days."""

    def play(self, schemas: list[dict[str, Any]]) -> Play:
        for _ in range(3):
            yield [WAIT]


class Silent:
    """Calls once, then never again."""

    def play(self, schemas: list[dict[str, Any]]) -> Play:
        yield [WAIT]
        while True:
            yield []


class Clumsy:
    """Fails on the fifth day, as long as a file named `clumsy` lies in the working directory."""

    def play(self, schemas: list[dict[str, Any]]) -> Play:
        for day in range(366):
            if day == 5 and Path("clumsy").exists():
                raise KeyError("no such shelf")
            yield [WAIT]


class Moody:
    """Writes another note each time it is played: not deterministic."""

    def play(self, schemas: list[dict[str, Any]]) -> Play:
        while True:
            yield [call("operate_memory", action="add", title="mood", content=str(random.random())), WAIT]


class Odd:
    """Sends what JSON writers and readers choke on: half a surrogate pair, a line break, a NaN, more than 64 bits."""

    def play(self, schemas: list[dict[str, Any]]) -> Play:
        yield [call("operate_memory", action="add", title="\ud83d", content="one\ntwo\u2028three ¥")]
        yield [call("withdraw", amount=float("nan")), {"name": "withdraw", "arguments": (1, 2)}, {"nome": 1}]
        yield [call("withdraw", amount=10**30)]


class SendsTooMuch:
    """Ends its first day, and then makes a call that no JSON can hold."""

    def play(self, schemas: list[dict[str, Any]]) -> Play:
        yield [WAIT]
        yield [WAIT, call("withdraw", amount=10**5_000)]


class Doomed:
    """Names its process in a file, and on day 100 of its first life kills it. Takes its time, as a model does."""

    def play(self, schemas: list[dict[str, Any]]) -> Play:
        lives = Path(os.environ["DOOMED_LIVES"])
        with lives.open("a") as file:
            file.write(f"{os.getpid()}\n")
        for day in range(366):
            if day == 100 and len(lives.read_text().split()) == 1:
                os.kill(os.getpid(), 9)
            time.sleep(0.005)
            yield [WAIT]


class Stuck:
    """Never reaches its fourth turn, whatever is thrown at it, as long as a file named `stuck` lies where it plays.

    A file with its process's id tells that it has come so far.
    """

    def play(self, schemas: list[dict[str, Any]]) -> Play:
        for day in range(366):
            while day == 3 and Path("stuck").exists():
                Path(f"is-stuck-{os.getpid()}").touch()
                with suppress(BaseException):
                    self.hang()
            yield [WAIT]

    def hang(self) -> None:
        time.sleep(3600)


class Spinning(Stuck):
    """The same, but busy all the time."""

    def hang(self) -> None:
        for _ in range(100_000):
            pass


class Dozing(Stuck):
    """The same, but looks up now and then, and so notices when the file is gone."""

    def hang(self) -> None:
        time.sleep(0.01)


class Writer:
    """Writes to a supplier every day but the first."""

    def play(self, schemas: list[dict[str, Any]]) -> Play:
        yield [WAIT]
        while True:
            yield [call("chatbox", uid="sales@hillfarm.example", content="What do you sell?"), WAIT]


class Parent:
    """Forks a process that sleeps, stops it as one stops processes, and trades on if that has worked."""

    def play(self, schemas: list[dict[str, Any]]) -> Play:
        yield [WAIT]
        here, there = Pipe()
        child = get_context("fork").Process(target=_say_and_sleep, args=(there,), daemon=True)
        child.start()
        here.recv()
        child.terminate()
        child.join(30)
        if child.exitcode != -signal.SIGTERM:
            raise RuntimeError("the child goes on")
        yield [WAIT]


def _say_and_sleep(line: "Connection[Any, Any]") -> None:
    line.send("here")
    time.sleep(3600)


class Careless:
    """Lets days pass within a batch, ships late, makes calls that fail, and closes a store with its goods in it."""

    def play(self, schemas: list[dict[str, Any]]) -> Play:
        (opened,) = yield [call("open_store", store_type="tea", store_name='Half\n\ud83d, and "half"')]
        for said in ("What do you sell?", "Go on.", "I agree to pay the membership fee now."):
            yield [call("chatbox", uid="desk@roast.example", content=said)]
        for week in range(12):
            offer = '```negotiate\n{"action": "offer", "sku_id": "a1", "price": 12.4, "quantity": 40}\n```\n'
            yield [call("chatbox", uid="sales@hillfarm.example", content=2 * offer)]
            yield [call("withdraw", amount="much"), call("fly"), WAIT, WAIT, call("chatbox", to="all", content="")]
            goods = [{"product_id": "a1", "quantity": 5, "retail_price": 11.0 + week % 3}]
            publish = call("publish_to_store", store_id=opened["store_id"], plan=[*goods, {"product_id": "a2"}])
            yield [publish, *[call("check_warehouse") for _ in range(130)]]
            yield [call("ship_orders", speed="fast" if week % 2 else "slow"), publish, WAIT]
            yield [publish, WAIT]
            if week == 6:
                yield [call("close_store", store_id=opened["store_id"], liquidate=True), WAIT]
                (opened,) = yield [call("open_store", store_type="tea", store_name="Again")]
        yield [call("close_store", store_id=opened["store_id"])]
        while True:
            yield [WAIT]
