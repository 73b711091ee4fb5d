"""An agent of Inspect that plays a year over MCP. It needs inspect-ai and mcp; ecbench may be installed elsewhere.

    inspect eval examples/inspect_mcp.py --model openai/MODEL -T out=runs/my-agent

`inspect eval ecbench/year --solver ecbench/react` does the same without MCP, and scores the year in Inspect.
"""

from inspect_ai import Task, task
from inspect_ai.agent import react
from inspect_ai.dataset import Sample
from inspect_ai.tool import mcp_server_stdio

JOB = "You run an online business for a simulated year. Read the resource ecbench://brief if you can, and begin."


@task
def year_over_mcp(out: str, command: str = "ecbench", world: str = "default", days: int = 365, job: str = JOB) -> Task:
    """`out` is the run folder, where the scores are; `job` the first message: at best the whole brief."""
    arguments = ["mcp", "--out", out, "--agent", "inspect-react", "--world", world, "--days", str(days)]
    server = mcp_server_stdio(name="ecbench", command=command, args=arguments)
    return Task(dataset=[Sample(id="year", input=job)], solver=react(tools=[server]), message_limit=None)
