"""Scripted models and a record in memory, shared by the tests of the loop."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ecbench.cancellation import StopFlag
from ecbench.episode import Episode
from ecbench.harness.brief import Brief
from ecbench.harness.context import Conversation
from ecbench.harness.messages import Answer, Call, Message, OnRetry, Usage, answer_from_json, ignore
from ecbench.harness.model_player import Model, ModelPlayer, open_conversation
from ecbench.harness.settings import ModelSettings
from ecbench.players.loop import play_async
from ecbench.players.session import Seat, TableSession
from ecbench.players.turn import Record, Turn
from ecbench.table import Table
from ecbench.tools import tool_schemas

WAIT = ("wait_for_next_day", {"current_day": 0})


def turn(*calls: tuple[str, dict[str, Any]], text: str = "") -> Answer:
    """An answer with these calls."""
    made = tuple(Call(f"call_{index}", name, arguments) for index, (name, arguments) in enumerate(calls))
    return Answer(Message("assistant", text, calls=made), Usage(input_tokens=100, output_tokens=10))


@dataclass
class ScriptedModel:
    """Answers with what the script says for turn 1, 2, ...; keeps what it was shown."""

    script: Callable[[int], Answer]
    shown: list[list[Message]] = field(default_factory=list)

    async def answer(self, messages: Sequence[Message]) -> Answer:
        self.shown.append(list(messages))
        return self.script(len(self.shown))


@dataclass(frozen=True)
class YearPlayed:
    """How a model's year ended, and what it took."""

    ending: str
    turns: int
    calls: int
    usage: Usage
    reason: str = ""


@dataclass
class Diary:
    """A record in memory: the turns of a seat, and the conversation they were part of."""

    turns: list[Turn] = field(default_factory=list)
    talk: Conversation | None = None

    @property
    def answers(self) -> list[Answer]:
        return [answer_from_json({**turn.message, "calls": turn.calls}) for turn in self.turns]

    @property
    def replies(self) -> list[list[str]]:
        """Of the turns that called something."""
        return [list(turn.replies) for turn in self.turns if turn.calls]

    @property
    def evictions(self) -> list[tuple[int, Record]]:
        """With the number of the turn before which they took place."""
        return [(number, left) for number, turn in enumerate(self.turns, start=1) for left in turn.evictions]

    @property
    def reminders(self) -> list[str]:
        assert self.talk is not None
        _first, *reminders = [message.text for message in self.talk.live() if message.role == "user"]
        return reminders


class DiarySession(TableSession):
    """Keeps its turns in a diary."""

    def __init__(self, table: Table, diary: Diary, **limits: int) -> None:
        super().__init__(table, **limits)
        self._diary = diary

    def completed(self, seat: Seat, turn: Turn, *, handed: bool) -> None:
        assert len(turn.calls) == len(turn.replies) and not handed
        self._diary.turns.append(turn)


async def converse(
    episode: Episode, model: Model, brief: Brief, diary: Diary, *, stop: StopFlag | None = None
) -> YearPlayed:
    """Play a whole episode by the loop, and finish it."""
    session = DiarySession(episode.table, diary, max_turns=brief.max_turns, idle_limit=brief.idle_limit)
    talk = diary.talk = open_conversation(brief)
    player = ModelPlayer(model, talk, session.seats[0], stop)
    interrupted = await play_async(session, [player], stop=stop)
    ending = interrupted[0].ending if interrupted else str(session.seats[0].ending)
    episode.finish(ending)
    reason = interrupted[0].reason if interrupted else ""
    answers = diary.answers
    calls = sum(len(answer.message.calls) for answer in answers)
    return YearPlayed(ending, len(answers), calls, sum((answer.usage for answer in answers), Usage()), reason)


async def converse_with(
    settings: ModelSettings, episode: Episode, brief: Brief, diary: Diary, on_retry: OnRetry = ignore
) -> YearPlayed:
    """The same with a provider's model, opened for this episode and closed behind it."""
    from ecbench.harness.models import open_model  # the model layer takes a second to import

    model = open_model(settings, tool_schemas())
    try:
        return await converse(episode, model.notifying(on_retry), brief, diary)
    finally:
        await model.close()
