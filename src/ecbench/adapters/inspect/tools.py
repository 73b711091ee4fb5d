"""The eighteen tools as tools of Inspect, so that any solver can play; `react` receives them as `SampleTools`."""

from contextlib import suppress
from functools import partial
from typing import Any

from inspect_ai.agent import Agent, AgentState, agent, react
from inspect_ai.model import ChatMessageSystem
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, ToolDef, ToolError, ToolInfo

from ecbench.adapters.inspect.model import tool_info
from ecbench.adapters.inspect.sample_year import SampleYear, YearTerms, current_year, set_up
from ecbench.gate import TurnRefused
from ecbench.harness.brief import ONE_CALL_A_TURN, client_message
from ecbench.players.merchant_player import MerchantPlayer
from ecbench.players.merchants.protocol import Insider
from ecbench.players.merchants.registry import NoMerchant, get_merchant
from ecbench.players.turn import Move, shortened
from ecbench.rules import rule_set
from ecbench.runs.play.model_settings import brief_of
from ecbench.tools import tool_schemas
from ecbench.world.load import load_world


@solver
def open_year(terms: YearTerms) -> Solver:
    """Set a sample up: its year, its tools, and the job as the first message."""

    async def setup(state: TaskState, generate: Generate) -> TaskState:
        del generate
        year = set_up(state, terms)
        state.tools = list(year_tools(year))
        world = load_world(terms.world)
        brief = brief_of(terms.of_run(world, year.agent, ""), 0, world)
        state.messages.insert(0, ChatMessageSystem(content=client_message(brief, ONE_CALL_A_TURN)))
        return state

    return setup


class SampleTools:
    """A tool source for agents: the tools of the current sample's year."""

    async def tools(self) -> list[Tool]:
        return year_tools(current_year())


@agent(name="react")
def react_with_tools() -> Agent:
    """Inspect's own `react` agent with the sample's tools: --solver ecbench/react."""
    return react(tools=[SampleTools()])


@agent(name="scripted")
def scripted_merchant(merchant: str = "steady") -> Agent:
    """A merchant of the package plays without a model, also offline: --model none/none --solver ecbench/scripted."""

    async def execute(state: AgentState) -> AgentState:
        year = current_year()
        rules = rule_set(year.terms.rule_set)
        play = get_merchant(merchant, days=year.terms.days, rules=rules)
        if isinstance(play, Insider):
            raise NoMerchant(f"{merchant} reads hidden state, which no solver sees; take another merchant")
        player = MerchantPlayer(partial(play.play, tool_schemas(rules)))
        with suppress(TurnRefused):  # the year is over
            while isinstance(move := await player.move(), Move):
                player.on_results(move, year.act(move.calls))
        player.close()
        return state

    return execute


def year_tools(year: SampleYear) -> list[Tool]:
    """The tools that play this year."""
    return [_tool(year, tool_info(schema)) for schema in tool_schemas(rule_set(year.terms.rule_set))]


def _tool(year: SampleYear, info: ToolInfo) -> Tool:
    async def call(**arguments: Any) -> str:
        try:
            [outcome] = year.act([{"name": info.name, "arguments": arguments}])
        except TurnRefused as refusal:
            raise ToolError(f"{refusal}") from refusal
        if outcome.failed:
            raise ToolError(shortened(outcome.text))
        return shortened(outcome.text)

    # Replies are truncated by our own limit: Inspect's default of 16 kB would hide most of a catalog.
    made = ToolDef(call, info.name, info.description, info.parameters, parallel=False, max_output=0)
    return made.as_tool()
