"""The merchant's loop as an agent of Inspect: the same turns, with Inspect's model, limits and log.

What the year follows from is kept in `inspect_notes`; an evaluation that is retried plays it again from there, which
takes a moment, and then the model goes on.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from anyio import from_thread
from inspect_ai.agent import Agent, AgentState, agent
from inspect_ai.event import ToolEvent
from inspect_ai.log import transcript
from inspect_ai.log._samples import sample_active
from inspect_ai.model import Model, get_model, model_roles
from inspect_ai.util import LimitExceededError, suspend_turn_limit

from ecbench.episode import Episode
from ecbench.harness.brief import Brief
from ecbench.harness.context import Eviction
from ecbench.harness.inspect_notes import Notes, notes_path
from ecbench.harness.inspect_tools import call_error
from ecbench.harness.inspect_year import SampleYear, YearTerms, current_sample, open_sample_year
from ecbench.harness.loop import Outcome, play
from ecbench.harness.messages import Answer, Call, Message, ModelFailure, answer_from_json, answer_to_json
from ecbench.harness.models import InspectModel, tool_info
from ecbench.harness.reading import read_strictly
from ecbench.harness.replay import RecordedModel
from ecbench.harness.settings import ModelSettings
from ecbench.harness.voice import Ask, ModelVoice, VoiceLine
from ecbench.suppliers.voices import TemplateVoice, Voice
from ecbench.tools import tool_schemas

SUPPLIER_ROLE = "supplier"

Record = dict[str, Any]


@agent
def merchant(terms: YearTerms) -> Agent:
    """Runs a business for a year, under the rules of the paper's loop."""
    brief = Brief(days=terms.days, stake=terms.stake, max_turns=terms.max_turns, wording=terms.wording)

    async def execute(state: AgentState) -> AgentState:
        notes = Notes(notes_path(sample_active()))
        voice = supplier_voice(notes)
        sample = open_sample_year(current_sample(), terms, voice)
        model = inspect_model(get_model(), tool_schemas())
        seat = Seat(RecordedModel([answer_from_json(record) for record in notes.answers], model), notes)
        narrator = Narrator(sample, replayed=len(notes.answers))
        notes.begin()
        try:
            outcome = await play(
                sample.episode,
                seat,
                brief.on(sample.episode.world),
                narrator,
                act_in_thread=isinstance(voice, ModelVoice),
            )
            sample.ending = outcome.ending
        finally:
            # One of Inspect's limits ends the year as well: the sample is scored as it stands.
            notes.close()
            state.messages = model.forms([*seat.shown, *narrator.last])
        return state

    return execute


@dataclass(slots=True)
class Seat:
    """The model at the table: first the answers of an earlier attempt, then its own."""

    model: RecordedModel
    notes: Notes
    shown: list[Message] = field(default_factory=list)

    async def answer(self, messages: Sequence[Message]) -> Answer:
        self.shown, given_before = list(messages), self.model.remaining > 0
        answer = await self.model.answer(messages)
        if not given_before:
            self.notes.note_answer(answer_to_json(answer))
        return answer


class Narrator:
    """Tells Inspect's transcript what happens between the model's answers, and counts it."""

    def __init__(self, sample: SampleYear, replayed: int) -> None:
        self.last: list[Message] = []  # the newest answer and what it was told
        self._sample = sample
        self._replayed = replayed
        self._day = 0

    def evicted(self, turn: int, eviction: Eviction) -> None:
        self._sample.evictions += 1
        if turn > self._replayed:
            left: Record = {
                "tokens": eviction.before,
                "freed": eviction.freed,
                "messages": len(eviction.cleared),
            }
            transcript().info(left, source="context")

    def answered(self, turn: int, answer: Answer) -> None:
        self._sample.turns = turn
        self.last = [answer.message]

    def replied(self, turn: int, calls: Sequence[Call], replies: Sequence[str]) -> None:
        self._sample.count([{"name": call.name} for call in calls])
        self.last += [Message("tool", reply, answers=call) for call, reply in zip(calls, replies, strict=True)]
        if turn <= self._replayed:
            return
        for call, reply in zip(calls, replies, strict=True):
            transcript()._event(
                ToolEvent(
                    id=call.id, function=call.name, arguments=call.arguments, result=reply, error=call_error(reply)
                )
            )
        if self._sample.episode.day != self._day:
            self._day = self._sample.episode.day
            transcript().info(_books(self._sample.episode), source="books")

    def reminded(self, _turn: int, text: str) -> None:
        self.last.append(Message("user", text))

    def ended(self, outcome: Outcome) -> None:
        """The agent itself learns the outcome from the loop."""


def _books(year: Episode) -> Record:
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
    model = inspect_model(get_model(role=SUPPLIER_ROLE), [])
    spoken = [VoiceLine.from_json(record) for record in notes.voices]
    return ModelVoice(_asking(model.answer), lambda line: notes.note_voice(line.to_json()), spoken)


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


def inspect_model(model: Model, schemas: Sequence[Record]) -> InspectModel:
    """A model of the evaluation at hand, which keeps its settings, its record and its failures to itself."""
    read_strictly(model.api)
    return InspectModel(model, [tool_info(schema) for schema in schemas], ModelSettings(str(model)), standalone=False)
