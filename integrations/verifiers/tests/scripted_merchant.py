"""A harness without a model: the haggler plays through the tool server of its task."""

import json
from typing import Any

import verifiers.v1 as vf
from mcp import Client

from ecbench.players.merchants.haggler import Haggler

__all__ = ["ScriptedHarness", "read"]


def read(text: str) -> Any:
    """A reply; one that was cut tells the merchant nothing."""
    try:
        return json.loads(text)
    except ValueError:
        return {}


class ScriptedHarnessConfig(vf.HarnessConfig):
    pass


class ScriptedHarness(vf.Harness[ScriptedHarnessConfig]):
    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_MCP = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: Any,
    ) -> vf.ProgramResult:
        [url] = mcp_urls.values()
        async with Client(url) as client:
            listed = (await client.list_tools()).tools
            told = {"tools": [tool.name for tool in listed], "schema": listed[0].input_schema}
            play = Haggler(data.days).play([])
            calls: Any = next(play)
            over = False
            while not over:
                replies = []
                for call in calls:
                    answer = await client.call_tool(call["name"], call["arguments"])
                    replies.append(read(answer.content[0].text))
                over = any("the year is over" in str(reply.get("error")) for reply in replies)
                calls = play.send(replies)
        return vf.ProgramResult(exit_code=0, stdout=json.dumps(told), stderr="")
