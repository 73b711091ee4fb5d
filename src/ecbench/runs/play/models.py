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
from ecbench.players.turn import Turn
from ecbench.runs.play.model_settings import (
    agent_settings,
    brief_of,
    context_policy,
    recorded_policy,
    supplier_settings,
)
from ecbench.runs.play.recorded_table import Append, Played, RecordedTable
from ecbench.runs.play.seat_players import MakePlayer, PlayContext, close_seat, seat_players
from ecbench.runs.record.reader import Recording
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


def play_with_models(
    terms: Terms, episode: int, world: World, recording: Recording, append: Append, context: PlayContext
) -> Played:
    """One episode on an event loop of its own."""

    async def year() -> Played:
        async with open_models(terms) as opened:
            return await play_beside(opened, terms, episode, world, recording, append, context)

    try:
        return asyncio.run(year())
    except ModelFailure as failure:
        raise RunError(f"{failure}; nothing was changed") from failure


async def play_beside(
    opened: OpenModels,
    terms: Terms,
    episode: int,
    world: World,
    recording: Recording,
    append: Append,
    context: PlayContext,
) -> Played:
    """Play on behind `recording`, beside other episodes that share the event loop and the models."""
    with _voice(terms, recording.turns, opened.suppliers, context) as voice:
        table = RecordedTable.open(terms, episode, world, recording, voice, append)
        models: dict[int, MakePlayer] = {
            seat: partial(_model_player, table, seat, opened.agents[agent.agent], context)
            for seat, agent in enumerate(terms.seats)
            if agent.asks_model
        }
        interrupted = await play_async(
            table.session,
            seat_players(table, context.stop, external=context.external, models=models),
            stop=context.stop,
            timer=context.timer(terms) if terms.shared else None,
            closed=partial(close_seat, table, context),
            act_in_thread=terms.model_voice,
        )
    played = table.close(interrupted)
    table.release()
    return played


def _model_player(table: RecordedTable, seat: int, model: ProviderModel, context: PlayContext) -> ModelPlayer:
    turns = table.recording.turns_of(seat)[table.session.counts[seat].turns :]
    told = model.notifying(partial(context.on_retry, seat), partial(context.on_usage, seat))
    recorded = [recorded_answer(turn) for turn in turns]
    if any(answer.as_text for answer in recorded):
        told.write_calls()
    answers = RecordedModel(recorded, told)
    talk = open_conversation(brief_of(table.terms, seat, table.table.world, table.session.counts[seat].turns))
    policies = _changed_policies(table.terms.seats[seat], turns, context)
    return ModelPlayer(answers, talk, table.session, seat, context.stop, policies)


def _changed_policies(seat: SeatTerms, turns: Sequence[Turn], context: PlayContext) -> dict[int, ContextPolicy]:
    """By the number of turns before each: the changes that are recorded, and the one of this resume."""
    read = partial(recorded_policy, seat.agent)
    changes = {number: read(turn.message["window"]) for number, turn in enumerate(turns) if turn.message.get("window")}
    last = list(changes.values())[-1] if changes else context_policy(seat)
    if context.window and (now := read(context.window)) != last:
        changes[len(turns)] = now
    return changes


@contextmanager
def _voice(
    terms: Terms, turns: Sequence[Turn], suppliers: ProviderModel | None, context: PlayContext
) -> Iterator[Voice]:
    if suppliers is None:
        with live_voice(terms, turns) as voice:
            yield voice
    else:
        told = suppliers.notifying(partial(context.on_retry, 0), partial(context.on_usage, 0))
        yield model_voice(turns, asking(from_thread.run, told.answer, context.stop))
