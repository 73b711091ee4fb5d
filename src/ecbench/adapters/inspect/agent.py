"""The paper's turn loop as an agent of Inspect; a retried evaluation first replays its recorded turns."""

from collections.abc import Sequence
from typing import Any

from inspect_ai.agent import Agent, AgentState, agent
from inspect_ai.log import transcript
from inspect_ai.model import get_model

from ecbench.adapters.inspect.model import EvaluationModel, tool_info
from ecbench.adapters.inspect.sample_year import current_year
from ecbench.harness.model_player import ModelPlayer, RecordedModel, open_conversation, recorded_answer
from ecbench.players.loop import play_async
from ecbench.players.turn import Move
from ecbench.runs.play.model_settings import brief_of
from ecbench.runs.terms import rules_of
from ecbench.tools import tool_schemas
from ecbench.tools.outcome import Outcome


@agent
def merchant() -> Agent:
    """Runs a business for a year, by the rules of the paper's loop."""

    async def execute(state: AgentState) -> AgentState:
        year = current_year()
        table = year.resume()
        talk = open_conversation(brief_of(table.terms, 0, table.table.world, table.seats[0].turns))
        model = EvaluationModel(get_model(), [tool_info(schema) for schema in tool_schemas(rules_of(table.terms))])
        answers = RecordedModel(map(recorded_answer, table.recording.turns), model)
        player = SamplePlayer(answers, talk, table.seats[0])
        try:
            year.interrupted = await play_async(table, [player])
        finally:
            # A limit of Inspect ends the year, too: the sample is scored as it stands.
            year.release()
            state.messages = model.forms(talk.live())
        return state

    return execute


class SamplePlayer(ModelPlayer):
    """Logs in Inspect's transcript what happens between the model's answers; replayed turns are logged already."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._replayed = False

    async def move(self) -> Move | None:
        self._replayed = self._seat.next_recorded is not None
        return await super().move()

    def on_results(self, move: Move, outcomes: Sequence[Outcome]) -> None:
        super().on_results(move, outcomes)
        if self._replayed:
            return
        for eviction in move.evictions:
            freed = {"tokens": eviction["before"], "freed": eviction["freed"], "messages": len(eviction["cleared"])}
            transcript().info(freed, source="context")
        for call, outcome in zip(move.calls, outcomes, strict=True):
            made = {"function": call["name"], "arguments": call["arguments"], "result": outcome.text}
            transcript().info(made | ({"error": outcome.error.message} if outcome.error else {}), source="tool")
