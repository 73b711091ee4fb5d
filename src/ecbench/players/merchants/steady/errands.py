"""Talking to the marketplace: calls go out, and every reply's time and news are noted."""

from typing import Any

from ecbench.players.merchants.protocol import Call, Errand, Reply, call
from ecbench.players.merchants.steady.notebook import Notebook


def ask(book: Notebook, *calls: Call) -> Errand[list[Reply]]:
    replies = yield list(calls)
    answers = [reply if isinstance(reply, dict) else {} for reply in replies]
    answers += [{} for _ in range(len(calls) - len(answers))]
    for reply in answers:
        book.read(reply)
    return answers


def ask_one(book: Notebook, name: str, **arguments: Any) -> Errand[Reply]:
    answers = yield from ask(book, call(name, **arguments))
    return answers[0]
