"""The merchant's loop as an agent of Inspect: the same turns, with Inspect's model, limits, log and checkpoints.

A checkpoint holds the answers so far and what suppliers said. From these the year is played again, which takes a
moment, and then the model goes on.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from anyio import from_thread
from inspect_ai.agent import Agent, AgentState, agent
from inspect_ai.event import ToolEvent
from inspect_ai.log import transcript
from inspect_ai.model import Model, get_model, model_roles
from inspect_ai.util import Checkpointer, LimitExceededError, checkpointer, store, suspend_turn_limit

from ecbench.episode import Episode
from ecbench.harness.brief import Brief
from ecbench.harness.context import Eviction
from ecbench.harness.loop import Outcome, play
from ecbench.harness.messages import Answer, Call, Message, ModelFailure, answer_from_json, answer_to_json
from ecbench.harness.models import InspectModel, tool_info
from ecbench.harness.reading import read_strictly
from ecbench.harness.replay import RecordedModel
from ecbench.harness.settings import ModelSettings
from ecbench.harness.voice import Ask, ModelVoice, VoiceLine
from ecbench.suppliers.voices import TemplateVoice, Voice
from ecbench.tools import tool_schemas
from ecbench.world.load import load_world

REPORT = "ecbench_report"
SUPPLIER_ROLE = "supplier"

Record = dict[str, Any]


@agent
def merchant(world: str, days: int, stake: float, max_turns: int, wording: str | None = None) -> Agent:
    """Runs a business for a year; the report of the year is left in the sample's store."""
    brief = Brief(days=days, stake=stake, max_turns=max_turns, wording=wording)

    async def execute(state: AgentState) -> AgentState:
        async with checkpointer() as checkpoints:
            if checkpoints.attempt == "resume_for_scoring":
                return state
            notes = Notes.kept_by(checkpoints)
            voice = supplier_voice(notes)
            year = Episode(load_world(world), days=days, stake=stake, voice=voice)
            model = _inspect_model(get_model(), tool_schemas())
            seat = Seat(RecordedModel(notes.recorded_answers(), model), checkpoints)
            narrator = Narrator(year, notes, replayed=len(notes.answers))
            notes.forget()
            try:
                await play(year, seat, brief, narrator, act_in_thread=isinstance(voice, ModelVoice))
            finally:
                # One of Inspect's limits or a cancelled sample ends the year as well; it is settled and can be scored.
                year.finish("turn_limit")
                store().set(REPORT, narrator.report())
                state.messages = model.forms([*seat.shown, *narrator.last])
        return state

    return execute


@dataclass(slots=True)
class Notes:
    """What a year follows from, as checkpoints keep it."""

    answers: list[Record] = field(default_factory=list)
    voices: list[Record] = field(default_factory=list)

    @classmethod
    def kept_by(cls, checkpoints: Checkpointer) -> "Notes":
        notes = cls()
        notes.answers = checkpoints.track("ecbench_answers", lambda: notes.answers, [], value_type=list[Record])
        notes.voices = checkpoints.track("ecbench_voices", lambda: notes.voices, [], value_type=list[Record])
        return notes

    def recorded_answers(self) -> list[Answer]:
        return [answer_from_json(record) for record in self.answers]

    def forget(self) -> None:
        """Playing the year again notes everything down once more."""
        self.answers, self.voices = [], []

    def note_line(self, line: VoiceLine) -> None:
        self.voices.append(line.to_json())


@dataclass(slots=True)
class Seat:
    """The model at the table: a checkpoint may be taken before each of its own turns."""

    model: RecordedModel
    checkpoints: Checkpointer
    shown: list[Message] = field(default_factory=list)

    async def answer(self, messages: Sequence[Message]) -> Answer:
        if not self.model.remaining:
            await self.checkpoints.tick()
        self.shown = list(messages)
        return await self.model.answer(messages)


class Narrator:
    """Tells Inspect's transcript what happens between the model's answers."""

    def __init__(self, year: Episode, notes: Notes, replayed: int) -> None:
        self.last: list[Message] = []  # the newest answer and what it was told
        self._year = year
        self._notes = notes
        self._replayed = replayed
        self._day = 0
        self._turns = 0
        self._calls: Counter[str] = Counter()  # by tool
        self._evictions = 0
        self._ending: Outcome | None = None

    def evicted(self, turn: int, eviction: Eviction) -> None:
        self._evictions += 1
        if turn > self._replayed:
            left: Record = {
                "tokens": eviction.before,
                "freed": eviction.freed,
                "messages": len(eviction.cleared),
            }
            transcript().info(left, source="context")

    def answered(self, turn: int, answer: Answer) -> None:
        self._turns = turn
        self.last = [answer.message]
        self._notes.answers.append(answer_to_json(answer))

    def replied(self, turn: int, calls: Sequence[Call], replies: Sequence[str]) -> None:
        self._calls.update(call.name for call in calls)
        self.last += [Message("tool", reply, answers=call) for call, reply in zip(calls, replies, strict=True)]
        if turn <= self._replayed:
            return
        for call, reply in zip(calls, replies, strict=True):
            transcript()._event(ToolEvent(id=call.id, function=call.name, arguments=call.arguments, result=reply))
        if self._year.day != self._day:
            self._day = self._year.day
            transcript().info(self._books(), source="books")

    def reminded(self, _turn: int, text: str) -> None:
        self.last.append(Message("user", text))

    def ended(self, outcome: Outcome) -> None:
        self._ending = outcome

    def report(self) -> Record:
        """The year's report, with what the run adds to it."""
        run = {
            "ending": self._ending.ending if self._ending else self._year.ending,
            "turns": self._turns,
            "tool_calls": self._calls.total(),
            "calls_by_tool": dict(sorted(self._calls.items())),
            "evictions": self._evictions,
        }
        return self._year.report() | {"run": run}

    def _books(self) -> Record:
        year = self._year
        return {
            "date": f"{year.now:%Y-%m-%d}",
            "day": year.day,
            "bank": round(year.bank, 2),
            "wallet": round(year.wallet, 2),
            "escrow": round(year.escrow, 2),
        }


def supplier_voice(notes: Notes) -> Voice:
    """A model speaks for the suppliers where the evaluation gives that role to one; else the templates do."""
    if SUPPLIER_ROLE not in model_roles():
        return TemplateVoice()
    model = _inspect_model(get_model(role=SUPPLIER_ROLE), [])
    spoken = [VoiceLine.from_json(record) for record in notes.voices]
    return ModelVoice(_asking(model.answer), notes.note_line, spoken)


def _asking(answer: Callable[[Sequence[Message]], Awaitable[Answer]]) -> Ask:
    """For tools in a thread beside the event loop, where the model lives.

    A letter is not a turn, and one that the model fails to write is the template's to write.
    """

    async def letter(system: str, user: str) -> Answer:
        try:
            with suspend_turn_limit():
                return await answer([Message("system", system), Message("user", user)])
        except LimitExceededError:
            raise
        except Exception as problem:
            raise ModelFailure(f"{type(problem).__name__}: {problem}") from problem

    def ask(system: str, user: str) -> Answer:
        return from_thread.run(letter, system, user)

    return ask


def _inspect_model(model: Model, schemas: Sequence[Record]) -> InspectModel:
    """A model of the evaluation at hand, which keeps its settings, its record and its failures to itself."""
    read_strictly(model.api)
    return InspectModel(model, [tool_info(schema) for schema in schemas], ModelSettings(str(model)), standalone=False)
