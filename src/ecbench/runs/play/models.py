"""Episodes with models. Recorded answers come before new ones, so that the model's conversation is complete."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from anyio import from_thread

from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.harness.checkup import Diagnosis, check_before_run
from ecbench.harness.context import ContextPolicy
from ecbench.harness.messages import ModelFailure
from ecbench.harness.model_player import ModelPlayer, RecordedModel, open_conversation, recorded_answer
from ecbench.harness.model_voice import asking
from ecbench.harness.models import ProviderModel, open_model
from ecbench.harness.settings import ModelSettings
from ecbench.players.session import Seat
from ecbench.players.turn import Turn
from ecbench.runs.play.episodes import OpenEpisode, RequestRepeated
from ecbench.runs.play.model_settings import (
    agent_settings,
    brief_of,
    context_policy,
    recorded_policy,
    supplier_settings,
)
from ecbench.runs.play.recorded_table import RecordedTable
from ecbench.runs.record.recorded_voice import model_voice
from ecbench.runs.terms import SeatTerms, Terms, rules_of
from ecbench.suppliers.voices import Voice
from ecbench.tools import tool_schemas


@dataclass(frozen=True, slots=True)
class OpenModels:
    """The models of a run, opened once for all of its episodes; merchants and template letters need none."""

    agents: Mapping[str, ProviderModel]  # by name
    suppliers: ProviderModel | None

    def players(
        self, opened: OpenEpisode, table: RecordedTable, stop: StopFlag
    ) -> dict[int, Callable[[], ModelPlayer]]:
        """What makes the player of each seat that a model has."""
        return {
            seat.number: partial(_model_player, table, seat, self.agents[agent.agent], opened, stop)
            for seat, agent in zip(table.seats, table.terms.seats, strict=True)
            if agent.asks_model
        }

    def voice(self, opened: OpenEpisode, stop: StopFlag) -> Voice:
        """The suppliers' voice, for tools in a thread beside this event loop."""
        assert self.suppliers is not None, "the terms name a model as the suppliers' voice"
        told = _telling(self.suppliers, opened)
        return model_voice(opened.recording.turns, asking(from_thread.run, told.answer, stop))


@asynccontextmanager
async def open_models(terms: Terms) -> AsyncIterator[OpenModels]:
    """Raises RunError when a model cannot be set up."""
    async with AsyncExitStack() as opened:

        def reach(settings: ModelSettings, schemas: Sequence[Mapping[str, Any]]) -> ProviderModel:
            model = open_model(settings, schemas)
            opened.push_async_callback(model.close)
            return model

        schemas, whose = tool_schemas(rules_of(terms)), ""
        asked = {seat.agent: settings for seat in terms.seats if (settings := agent_settings(seat))}
        try:
            agents = {name: reach(settings, schemas) for name, settings in asked.items()}
            whose, letters = "the suppliers' model ", supplier_settings(terms)
            suppliers = reach(letters, []) if letters else None
        except ModelFailure as failure:
            raise RunError(f"{whose}{failure}; nothing was changed") from failure
        yield OpenModels(agents, suppliers)


def diagnose_models(terms: Terms, *, ask: bool = True) -> list[Diagnosis]:
    """Check each model of a run, with a request or two if `ask`; raises RunError with what to set if one fails."""

    async def check() -> list[Diagnosis]:
        async with open_models(terms) as opened:
            if not ask:
                return []
            seats = {seat.agent: seat for seat in terms.seats}
            checked = [
                await check_before_run(model, context_policy(seats[name])) for name, model in opened.agents.items()
            ]
            return [*checked, await check_before_run(opened.suppliers, None)] if opened.suppliers else checked

    try:
        return asyncio.run(check())
    except ModelFailure as failure:
        raise RunError(str(failure)) from failure


def _telling(model: ProviderModel, opened: OpenEpisode, seat: int = 0) -> ProviderModel:
    """The model, telling of its repeated requests and its usage."""
    return model.notifying(lambda notice: opened.tell(RequestRepeated(seat, notice)), opened.tell)


def _model_player(
    table: RecordedTable, seat: Seat, model: ProviderModel, opened: OpenEpisode, stop: StopFlag
) -> ModelPlayer:
    turns = seat.recorded[seat.turns :]
    told = _telling(model, opened, seat.number)
    recorded = [recorded_answer(turn) for turn in turns]
    if any(answer.as_text for answer in recorded):
        told.write_calls()
    answers = RecordedModel(recorded, told)
    talk = open_conversation(brief_of(table.terms, seat.number, table.table.world, seat.turns))
    policies = _changed_policies(table.terms.seats[seat.number], turns, opened.run.manifest.resumed_window)
    return ModelPlayer(answers, talk, seat, stop, policies)


def _changed_policies(
    seat: SeatTerms, turns: Sequence[Turn], resumed: Mapping[str, int] | None
) -> dict[int, ContextPolicy]:
    """By the number of turns before each: the changes that are recorded, and the one of this resume."""
    read = partial(recorded_policy, seat.agent)
    changes = {number: read(turn.message["window"]) for number, turn in enumerate(turns) if turn.message.get("window")}
    last = list(changes.values())[-1] if changes else context_policy(seat)
    if resumed and (now := read(resumed)) != last:
        changes[len(turns)] = now
    return changes
