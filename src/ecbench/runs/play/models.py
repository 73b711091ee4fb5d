"""Years played by a model. Recorded answers come before its own, so that its conversation is whole again."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any

from anyio import from_thread

from ecbench.harness.brief import Brief
from ecbench.harness.loop import Model, Outcome, Stop, open_conversation, play
from ecbench.harness.messages import Answer, Message, ModelFailure, OnRetry, answer_from_json
from ecbench.harness.model_voice import Ask
from ecbench.harness.models import InspectModel, open_model
from ecbench.harness.replay import RecordedModel
from ecbench.harness.settings import ModelSettings
from ecbench.harness.window_check import window_warning
from ecbench.runs.errors import RunError
from ecbench.runs.play.agents import is_model
from ecbench.runs.play.cancellation import StopFlag
from ecbench.runs.play.model_settings import agent_settings, context_policy, supplier_settings
from ecbench.runs.play.recorded_seat import Played, RecordedSeat
from ecbench.runs.play.resumed_voice import live_voice, model_voice
from ecbench.runs.record.events import Terms
from ecbench.runs.record.reader import Recording
from ecbench.runs.record.recorder import Append
from ecbench.runs.rule_overrides import rules_of
from ecbench.seat import Turn
from ecbench.suppliers.voices import Voice
from ecbench.tools import tool_schemas
from ecbench.world.model import World


@dataclass(frozen=True, slots=True)
class Cast:
    """The models of a run, opened once for all of its episodes; merchants and template letters need none."""

    agent: InspectModel | None
    suppliers: InspectModel | None

    def notifying(self, on_retry: OnRetry) -> "Cast":
        """The same models for one episode, with the retries of each reported to `on_retry`."""
        return Cast(
            self.agent and self.agent.notifying(on_retry), self.suppliers and self.suppliers.notifying(on_retry)
        )

    @property
    def models(self) -> list[InspectModel]:
        return [model for model in (self.agent, self.suppliers) if model is not None]


@asynccontextmanager
async def open_cast(terms: Terms) -> AsyncIterator[Cast]:
    """Raises ModelFailure when a model cannot be set up."""
    async with AsyncExitStack() as opened:

        def reach(settings: ModelSettings, schemas: Sequence[Mapping[str, Any]]) -> InspectModel:
            model = open_model(settings, schemas)
            opened.push_async_callback(model.close)
            return model

        agent = reach(agent_settings(terms), tool_schemas(rules_of(terms))) if is_model(terms.agent) else None
        yield Cast(agent, reach(supplier_settings(terms), []) if is_model(terms.voice) else None)


def check_models(terms: Terms) -> str:
    """One tiny turn of each model of a run; raises RunError with the one line that says what to set.

    Returns what is worth a warning, in one line or none.
    """

    async def check() -> str:
        async with open_cast(terms) as cast:
            for model in cast.models:
                await model.check()
            return await window_warning(cast.agent, context_policy(terms)) if cast.agent else ""

    try:
        return asyncio.run(check())
    except ModelFailure as failure:
        raise RunError(str(failure)) from failure


def play_models_year(
    terms: Terms, episode: int, world: World, recording: Recording, append: Append, stop: StopFlag, on_retry: OnRetry
) -> Played:
    """One year on an event loop of its own."""

    async def year() -> Played:
        async with open_cast(terms) as cast:
            return await play_with(cast.notifying(on_retry), terms, episode, world, recording, append, stop)

    try:
        return asyncio.run(year())
    except ModelFailure as failure:
        raise RunError(f"{failure}; nothing was changed") from failure


async def play_with(
    cast: Cast, terms: Terms, episode: int, world: World, recording: Recording, append: Append, stop: StopFlag
) -> Played:
    """Play on behind `recording`, beside whatever other episodes share the event loop and the models."""
    assert cast.agent is not None
    with _voice(terms, recording.turns, cast.suppliers) as voice:
        seat = RecordedSeat(terms, episode, world, recording, voice, append)
        seat.inherit()
        model = RecordedModel([recorded_answer(turn) for turn in recording.turns[seat.turns :]], cast.agent)
        outcome = await _converse(seat, model, stop)
    played = seat.close(outcome.ending, outcome.reason)
    seat.leave()
    return played


async def _converse(seat: RecordedSeat, model: Model, stop: StopFlag) -> Outcome:
    with halting(stop) as halt:
        in_thread = is_model(seat.terms.voice)
        return await play(seat, model, open_conversation(brief_of(seat)), stop=halt, act_in_thread=in_thread)


def brief_of(seat: RecordedSeat) -> Brief:
    """What the model is told of the terms; it has the turns that a fork has not used up."""
    terms = seat.terms
    return Brief(
        days=terms.days,
        stake=terms.stake,
        max_turns=terms.max_turns - seat.turns,
        policy=context_policy(terms),
        rules=rules_of(terms),
        wording=terms.model.get("brief"),
    ).on(seat.year.world)


@contextmanager
def halting(stop: StopFlag) -> Iterator[Stop]:
    """A request to stop the run, passed on from whichever thread it comes to the loop on this event loop."""
    halt, loop = Stop(stop.requested), asyncio.get_running_loop()

    def pass_on() -> None:
        loop.call_soon_threadsafe(halt.request)

    with stop.also(pass_on):
        yield halt


def recorded_answer(turn: Turn) -> Answer:
    """What the model said in a recorded turn, for it to be said again."""
    return answer_from_json({**turn.said, "calls": turn.calls})


@contextmanager
def _voice(terms: Terms, turns: Sequence[Turn], suppliers: InspectModel | None) -> Iterator[Voice]:
    if suppliers is None:
        with live_voice(terms, turns) as voice:
            yield voice
    else:
        yield model_voice(turns, _asking(suppliers))


def _asking(model: InspectModel) -> Ask:
    """For tools in a thread beside the event loop, where the model lives."""

    def ask(system: str, user: str) -> Answer:
        return from_thread.run(model.answer, [Message("system", system), Message("user", user)])

    return ask
