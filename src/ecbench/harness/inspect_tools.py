"""The eighteen tools as tools of Inspect, so that any solver can play: `basic_agent`, `react`, or one's own.

The task puts them into the sample's state, where solvers find them. Agents such as `react` look for tools in their own
arguments alone: they are given `SampleTools`. A solver that runs tools one by one makes a batch of every call. Our own
loop (`inspect_agent`) does not use them: it hands a whole turn to the episode.
"""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from anyio import to_thread
from inspect_ai.agent import Agent, agent, react
from inspect_ai.model import ChatMessageSystem
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, ToolCallError, ToolDef, ToolError

from ecbench.harness.brief import Brief, job_description
from ecbench.harness.inspect_year import SampleYear, YearTerms, current_sample, open_sample_year, sample_year
from ecbench.harness.loop import cut
from ecbench.harness.models import tool_info
from ecbench.suppliers.voices import Voice
from ecbench.tools import tool_schemas


@solver
def open_year(terms: YearTerms, voice: Callable[[], Voice]) -> Solver:
    """Sets a sample up: its year, the tools that play it, and the job as the first message."""

    async def setup(state: TaskState, generate: Generate) -> TaskState:
        del generate
        year = open_sample_year(state.uuid, terms, voice())
        state.tools = [tool.as_tool() for tool in year_tools(year)]
        brief = Brief(days=terms.days, stake=terms.stake, wording=terms.wording)
        state.messages.insert(0, ChatMessageSystem(content=job_description(brief.on(year.episode.world))))
        return state

    return setup


class SampleTools:
    """A source of tools for agents: those of the year behind the sample at hand."""

    async def tools(self) -> list[Tool]:
        year = sample_year(current_sample())
        assert year is not None, "the tools belong to the task ecbench/year, which sets a year up for each sample"
        return [tool.as_tool() for tool in year_tools(year)]


@agent(name="react")
def react_with_tools() -> Agent:
    """Inspect's own `react` agent, playing with the sample's tools: --solver ecbench/react."""
    return react(tools=[SampleTools()])


def year_tools(year: SampleYear) -> list[ToolDef]:
    return [_tool(year, schema) for schema in tool_schemas()]


def _tool(year: SampleYear, schema: dict[str, Any]) -> ToolDef:
    info = tool_info(schema)
    # Our own cut holds: Inspect's default of 16 kB would hide most of a catalog.
    return ToolDef(
        _function(year, info.name),
        name=info.name,
        description=info.description,
        parameters=info.parameters,
        parallel=False,
        max_output=0,
    )


def _function(year: SampleYear, name: str) -> Callable[..., Awaitable[str]]:
    async def call(**arguments: Any) -> str:
        # In a thread, since a supplier's letter may be asked of a model that lives on this event loop.
        [reply] = await to_thread.run_sync(year.act, [{"name": name, "arguments": arguments}])
        if fault_of(reply):
            raise ToolError(cut(reply))
        return cut(reply)

    return call


def fault_of(reply: str) -> str | None:
    """What a reply says went wrong; None where the tool did what it was asked to."""
    told = json.loads(reply)
    fault = told.get("error") if isinstance(told, dict) else None
    return str(fault) if fault else None


def call_error(reply: str) -> ToolCallError | None:
    """The same as Inspect's transcript has it."""
    fault = fault_of(reply)
    return None if fault is None else ToolCallError("unknown", fault)
