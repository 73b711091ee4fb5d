"""Episodes with models. Recorded answers come before new ones, so that the model's conversation is complete."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from anyio import from_thread

from ecbench.errors import RunError
from ecbench.harness.context import ContextPolicy
from ecbench.harness.doctor.checkup import check_before_run
from ecbench.harness.doctor.diagnosis import Diagnosis
from ecbench.harness.messages import ModelFailure
from ecbench.harness.model_player import ModelPlayer, open_conversation
from ecbench.harness.models import ProviderModel, open_model
from ecbench.harness.replay import RecordedModel, recorded_answer
from ecbench.harness.settings import ModelSettings
from ecbench.harness.stoppable_requests import asking
from ecbench.players.loop import play_async
from ecbench.players.session import Seat
from ecbench.players.turn import Turn
from ecbench.runs.play.episodes import OpenEpisode
from ecbench.runs.play.model_settings import (
    agent_settings,
    brief_of,
    context_policy,
    recorded_policy,
    supplier_settings,
)
from ecbench.runs.play.recorded_table import Played, RecordedTable
from ecbench.runs.play.seat_players import MakePlayer, seat_players
from ecbench.runs.record.recorded_voice import live_voice, model_voice
from ecbench.runs.terms import SeatTerms, Terms, rules_of
from ecbench.suppliers.voices import Voice
from ecbench.tools import tool_schemas
from ecbench.world.model import World


@dataclass(frozen=True, slots=True)
class OpenModels:
    """The models of a run, opened once for all of its episodes; merchants and template letters need none."""

    agents: Mapping[str, ProviderModel]  # by name
    suppliers: ProviderModel | None

    @property
    def models(self) -> list[ProviderModel]:
        return [*self.agents.values(), *([self.suppliers] if self.suppliers else [])]


@asynccontextmanager
async def open_models(terms: Terms) -> AsyncIterator[OpenModels]:
    """Raises ModelFailure when a model cannot be set up."""
    async with AsyncExitStack() as opened:

        def reach(settings: ModelSettings, schemas: Sequence[Mapping[str, Any]]) -> ProviderModel:
            model = open_model(settings, schemas)
            opened.push_async_callback(model.close)
            return model

        def reach_suppliers() -> ProviderModel:
            try:
                return reach(supplier_settings(terms), [])
            except ModelFailure as failure:
                raise ModelFailure(f"the suppliers' model {failure}", failure.kind) from failure

        schemas = tool_schemas(rules_of(terms))
        seats = {seat.agent: seat for seat in terms.seats if seat.asks_model}
        agents = {name: reach(agent_settings(seat), schemas) for name, seat in seats.items()}
        yield OpenModels(agents, reach_suppliers() if terms.model_voice else None)


def diagnose_models(terms: Terms) -> list[Diagnosis]:
    """Check each model of a run with a request or two; raises RunError with what to set if one cannot play."""

    async def check() -> list[Diagnosis]:
        async with open_models(terms) as opened:
            seats = {seat.agent: seat for seat in terms.seats}
            checked = [
                await check_before_run(model, context_policy(seats[name])) for name, model in opened.agents.items()
            ]
            return [*checked, await check_before_run(opened.suppliers, None)] if opened.suppliers else checked

    try:
        return asyncio.run(check())
    except ModelFailure as failure:
        raise RunError(str(failure)) from failure


def play_with_models(opened: OpenEpisode, world: World) -> Played:
    """One episode on an event loop of its own."""

    async def year() -> Played:
        async with open_models(opened.terms) as models:
            return await play_beside(opened, world, models)

    try:
        return asyncio.run(year())
    except ModelFailure as failure:
        raise RunError(f"{failure}; nothing was changed") from failure


async def play_beside(opened: OpenEpisode, world: World, models: OpenModels) -> Played:
    """Play on behind the record, beside other episodes that share the event loop and the models."""
    terms = opened.terms
    with _voice(opened, models.suppliers) as voice:
        table = opened.table(world, voice)
        made: dict[int, MakePlayer] = {
            seat.number: partial(_model_player, table, seat, models.agents[agent.agent], opened)
            for seat, agent in zip(table.seats, terms.seats, strict=True)
            if agent.asks_model
        }
        players = seat_players(table, opened.stop, external=opened.external, models=made)
        options = opened.loop_options(table)
        return table.close(await play_async(table, players, act_in_thread=terms.model_voice, **options))


def _model_player(table: RecordedTable, seat: Seat, model: ProviderModel, opened: OpenEpisode) -> ModelPlayer:
    turns = seat.recorded[seat.turns :]
    told = model.notifying(*opened.model_listeners(seat.number))
    recorded = [recorded_answer(turn) for turn in turns]
    if any(answer.as_text for answer in recorded):
        told.write_calls()
    answers = RecordedModel(recorded, told)
    talk = open_conversation(brief_of(table.terms, seat.number, table.table.world, seat.turns))
    policies = _changed_policies(table.terms.seats[seat.number], turns, opened.run.manifest.resumed_window)
    return ModelPlayer(answers, talk, seat, opened.stop, policies)


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


@contextmanager
def _voice(opened: OpenEpisode, suppliers: ProviderModel | None) -> Iterator[Voice]:
    turns = opened.recording.turns
    if suppliers is None:
        with live_voice(opened.terms, turns) as voice:
            yield voice
    else:
        told = suppliers.notifying(*opened.model_listeners())
        yield model_voice(turns, asking(from_thread.run, told.answer, opened.stop))
