"""The eighteen tools under their own names and schemas, in a process that has one year."""

import asyncio
from typing import Any

import verifiers.v1 as vf
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase
from pydantic import ConfigDict

from ecbench.players.turn import shortened
from ecbench.rl import Setting, YearEnvironment
from ecbench_verifiers.state import YearData, YearState


class AnyArguments(ArgModelBase):
    """Arguments as they were sent: the tools say themselves what is wrong with them."""

    model_config = ConfigDict(extra="allow")

    def model_dump_one_level(self) -> dict[str, Any]:
        return dict(self.model_extra or {})


class YearToolset(vf.Toolset[vf.ToolsetConfig, YearState]):
    TOOL_PREFIX = None

    async def setup_task(self, task: YearData) -> None:
        setting = Setting(days=task.days, stake=task.stake, rules=task.rules, max_turns=task.max_turns)
        self._year = YearEnvironment(setting, transport="verifiers")
        self._tools = self._year.reset(world_seed=task.world_seed).tools
        self._turn = asyncio.Lock()  # calls of one batch run in order

    def register(self, mcp: MCPServer) -> None:
        for schema in self._tools:
            function = schema["function"]
            name = function["name"]
            mcp.add_tool(
                self._with_state(self._calling(name)),
                name=name,
                description=function["description"],
                structured_output=False,
            )
            # Schemas are read off a function's signature; ours say more than a signature can.
            tool = mcp._tool_manager.get_tool(name)
            assert tool is not None, "it has just been added"
            tool.parameters, tool.fn_metadata.arg_model = function["parameters"], AnyArguments

    def _calling(self, name: str) -> Any:
        async def call(**arguments: Any) -> str:
            async with self._turn:
                return self._answer(name, arguments)

        return call

    def _answer(self, name: str, arguments: dict[str, Any]) -> str:
        state, year = self.state, self._year
        if state.ending:
            return f'{{"error": "the year is over ({state.ending}); no tool acts any more"}}'
        step = year.step([{"name": name, "arguments": arguments}])
        state.turns += 1
        state.day, state.assets = int(year.books[0]), year.settled_assets
        state.ending = step.ending or ""
        return shortened(step.replies[0])


if __name__ == "__main__":
    YearToolset.run()
