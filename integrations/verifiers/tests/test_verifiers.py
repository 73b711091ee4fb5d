"""The year under verifiers: tasks on fresh worlds, a tool server in a process of its own, and what a year is paid."""

import asyncio
import re
from math import log
from pathlib import Path

import pytest

pytest.importorskip("verifiers", reason="verifiers has an environment of its own: make integrations")
pytest.importorskip("ecbench_verifiers", reason="the skin is installed in an environment of its own: make integrations")

import verifiers.v1 as vf
from ecbench_verifiers import YearHarness
from ecbench_verifiers.taskset import YearConfig, YearTaskset

from ecbench import Episode, load_world, tool_schemas
from ecbench.players.merchants.haggler import Haggler
from ecbench.players.turn import shortened
from ecbench.rl import TRAINING

DAYS = 12


def taskset(**given: object) -> YearTaskset:
    return YearTaskset(YearConfig(id="ecbench-verifiers", days=DAYS, **given))


@pytest.fixture(autouse=True)
def _harness_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))


def test_verifiers_finds_the_taskset_by_its_name() -> None:
    found = vf.load_taskset(YearConfig(id="ecbench-verifiers", years=1))
    assert type(found) is YearTaskset


def test_the_default_harness_is_our_own_in_a_process_on_this_machine() -> None:
    env = vf.load_environment(vf.resolve_env_config({"taskset": {"id": "ecbench-verifiers"}}))
    [harness] = env._harnesses.values()
    assert type(harness) is YearHarness
    assert env.config.agent.runtime.type == "subprocess"


def test_the_readme_lists_every_setting_of_the_taskset_with_its_default() -> None:
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `([\w.]+)` \| (\w+) \|", readme, re.MULTILINE))
    config = YearConfig(id="ecbench-verifiers")
    own = {name: getattr(config, name) for name in YearConfig.__annotations__ if name != "task"}
    assert listed == {
        name: f"{value:.0f}" if isinstance(value, float) else f"{value}" for name, value in own.items()
    } | {"task.reward": config.task.reward}


def test_every_task_is_a_year_on_a_fresh_world_of_its_own() -> None:
    tasks = list(taskset(years=2))
    assert [task.data.world_seed for task in tasks] == [TRAINING[0], TRAINING[1]]
    assert all(f"after {DAYS} days" in task.data.system_prompt for task in tasks)
    assert len({task.key for task in tasks}) == 2


def played_directly() -> Episode:
    """The same year without verifiers; replies are shortened as they are there."""
    from scripted_merchant import read

    episode = Episode(load_world(f"seed-{TRAINING[0]}"), days=DAYS)
    play = Haggler(DAYS).play([])
    calls = next(play)
    while not episode.done:
        replies = [read(shortened(reply)) for call in calls for reply in episode.act([call])]
        calls = play.send(replies)
    return episode


def test_a_merchant_plays_a_task_in_a_subprocess_without_any_account() -> None:
    [task] = taskset(years=1)

    async def rollout() -> vf.Trace:
        runtime = {"type": "subprocess"}
        agent = vf.make_agent(
            vf.AgentConfig(harness={"id": "scripted-merchant"}, runtime=runtime, model="no model is asked")
        )
        async with agent:
            return await agent.run(task)

    trace = asyncio.run(asyncio.wait_for(rollout(), 240))
    assert not trace.errors, trace.errors
    direct = played_directly()
    assert trace.metrics["days_played"] == DAYS
    assert trace.metrics["final_assets"] == pytest.approx(direct.bank + direct.wallet, abs=0.001)
    assert trace.state.ending == "year_end"
    assert trace.reward == pytest.approx(log(trace.metrics["final_assets"] / 100_000))


def test_the_tools_have_their_own_names_and_schemas() -> None:
    from ecbench_verifiers.toolset import YearToolset
    from mcp.server.mcpserver import MCPServer

    async def listed() -> dict[str, object]:
        toolset = YearToolset(vf.ToolsetConfig())
        [task] = taskset(years=1)
        await toolset.setup_task(task.data)
        server = MCPServer("years")
        toolset.register(server)
        assert toolset.server_name == ""
        return {tool.name: tool.input_schema for tool in await server.list_tools()}

    expected = {schema["function"]["name"]: schema["function"]["parameters"] for schema in tool_schemas()}
    assert asyncio.run(listed()) == expected
