"""Scripted models and a recording observer, shared by the tests of the loop."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ecbench.harness.context import Eviction
from ecbench.harness.loop import Outcome
from ecbench.harness.messages import Answer, Call, Message, Usage

WAIT = ("wait_for_next_day", {"current_day": 0})


def turn(*calls: tuple[str, dict[str, Any]], text: str = "", problem: str = "") -> Answer:
    """An answer with these calls; a problem marks the first call as unreadable."""
    made = tuple(
        Call(f"call_{index}", name, arguments, "" if index else problem)
        for index, (name, arguments) in enumerate(calls)
    )
    return Answer(Message("assistant", text, calls=made), Usage(input_tokens=100, output_tokens=10))


@dataclass
class ScriptedModel:
    """Answers with what the script says for turn 1, 2, ...; keeps what it was shown."""

    script: Callable[[int], Answer]
    shown: list[list[Message]] = field(default_factory=list)

    async def answer(self, messages: Sequence[Message]) -> Answer:
        self.shown.append(list(messages))
        return self.script(len(self.shown))


@dataclass
class Diary:
    """Everything the loop told its observer."""

    answers: list[Answer] = field(default_factory=list)
    replies: list[list[str]] = field(default_factory=list)
    reminders: list[str] = field(default_factory=list)
    evictions: list[tuple[int, Eviction]] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)

    def evicted(self, turn: int, eviction: Eviction) -> None:
        self.evictions.append((turn, eviction))

    def answered(self, turn: int, answer: Answer) -> None:
        assert turn == len(self.answers) + 1
        self.answers.append(answer)

    def replied(self, turn: int, calls: Sequence[Call], replies: Sequence[str]) -> None:
        assert turn == len(self.answers)
        assert len(calls) == len(replies)
        self.replies.append(list(replies))

    def reminded(self, turn: int, text: str) -> None:
        self.reminders.append(text)

    def ended(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
