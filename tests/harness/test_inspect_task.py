"""The year as an Inspect task: its score, its limits, its log, and a retry from a checkpoint."""

import json
import math
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Literal

import pytest
from inspect_ai import Task, eval
from inspect_ai._util.registry import registry_info
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import ChatMessage, ChatMessageAssistant, Model, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolCall
from pydantic import TypeAdapter
from tests.harness.provider import KEY, MODEL, Turn, serve

import ecbench
from ecbench.harness import inspect_agent
from ecbench.harness.inspect_task import AXIS_NAMES, year

NAME = f"openai-api/loopback/{MODEL}"
DAYS = 6
Turns = Callable[[list[ChatMessage]], ModelOutput]


def said(*calls: tuple[str, dict[str, Any]], text: str = "") -> ModelOutput:
    made = [ToolCall(f"call_{number}", name, arguments) for number, (name, arguments) in enumerate(calls)]
    output = ModelOutput.from_message(ChatMessageAssistant(content=text, tool_calls=made or None))
    output.usage = ModelUsage(
        input_tokens=10, output_tokens=5, total_tokens=15
    )  # otherwise the mock downloads a tokenizer
    return output


def mock(turns: Turns) -> Model:
    return get_model("mockllm/model", custom_outputs=lambda messages, *_: turns(messages))


WAIT = ("wait_for_next_day", {"current_day": 0})
LOOK = ("check_balance", dict[str, Any]())


@pytest.fixture
def run(small_world: Path, tmp_path: Path) -> Callable[..., EvalLog]:
    def evaluate(model: Model | str, task: Task | None = None, **more: Any) -> EvalLog:
        (log,) = eval(
            task or year(days=DAYS, world=str(small_world)),
            model=model,
            log_dir=str(tmp_path / "logs"),
            display="none",
            **more,
        )
        return log

    return evaluate


Run = Callable[..., EvalLog]


def sample_of(log: EvalLog) -> EvalSample:
    assert log.samples
    return log.samples[0]


def value_of(log: EvalLog) -> dict[str, Any]:
    scores = sample_of(log).scores
    assert scores and isinstance(scores["books"].value, dict)
    return scores["books"].value


def test_inspect_finds_the_task_by_its_name() -> None:
    (found,) = entry_points(group="inspect_ai", name="ecbench")
    assert vars(found.load())["year"] is year
    assert registry_info(year).name == "ecbench/year"


def test_each_epoch_is_an_episode_and_the_axes_are_the_metrics(run: Run) -> None:
    log = run(mock(lambda _: said(LOOK, WAIT)), epochs=3)
    assert log.status == "success"
    assert log.samples and len(log.samples) == 3
    assert value_of(log)["final_assets"] == 100_000
    assert tuple(value_of(log)) == AXIS_NAMES
    assert log.results
    metrics = log.results.scores[0].metrics
    assert tuple(metrics) == AXIS_NAMES
    assert metrics["final_assets"].value == 100_000
    assert math.isnan(metrics["cse_plus"].value)


def test_the_score_is_that_of_the_same_calls_without_inspect(run: Run, small_world: Path) -> None:
    shop = ("open_store", {"store_type": "tea", "store_name": "Leaf"})
    alone = ecbench.Episode(ecbench.load_world(str(small_world)), days=DAYS, stake=50_000)
    alone.act([{"name": name, "arguments": arguments} for name, arguments in (shop, WAIT)])
    while not alone.done:
        alone.act([{"name": WAIT[0], "arguments": WAIT[1]}])
    turns = iter([said(shop, WAIT)])
    task = year(days=DAYS, world=str(small_world), stake=50_000)
    log = run(mock(lambda _: next(turns, said(WAIT))), task)
    assert value_of(log)["final_assets"] == alone.bank + alone.wallet + alone.escrow != 50_000


def test_the_transcript_tells_answers_calls_and_the_books_in_order(run: Run) -> None:
    log = run(mock(lambda _: said(LOOK, WAIT, text="On we go.")))
    told = [event.event for event in sample_of(log).events if event.event in ("model", "tool", "info")]
    assert told == ["model", "tool", "tool", "info"] * DAYS
    messages = sample_of(log).messages
    assert [message.role for message in messages] == ["system", "user", *["assistant", "tool", "tool"] * DAYS]
    assert json.loads(messages[-1].text)["day"] == DAYS


@pytest.mark.parametrize("limit", [{"turn_limit": 3}, {"token_limit": 60}])
def test_a_limit_of_inspect_ends_the_year_and_it_is_scored(run: Run, limit: dict[str, int]) -> None:
    log = run(mock(lambda _: said(WAIT)), **limit)
    sample = sample_of(log)
    assert sample.limit is not None and f"{sample.limit.type}_limit" in limit
    assert sample.scores and sample.scores["books"].explanation
    assert sample.scores["books"].explanation.startswith("turn limit after ")
    assert value_of(log)["final_assets"] == 100_000


def test_a_year_that_runs_out_of_time_is_settled_and_scored(run: Run, small_world: Path) -> None:
    def slowly(_: list[ChatMessage]) -> ModelOutput:
        time.sleep(0.1)
        return said(WAIT)

    log = run(mock(slowly), year(world=str(small_world)), time_limit=2)
    sample = sample_of(log)
    assert sample.limit is not None and sample.limit.type == "time"
    assert sample.store[inspect_agent.REPORT]["run"]["turns"] > 2
    assert "final_assets" in value_of(log)


def test_a_model_that_never_calls_a_tool_is_idle(run: Run) -> None:
    log = run(mock(lambda _: said(text="I would rather talk.")))
    explanation = (sample_of(log).scores or {})["books"].explanation
    assert explanation is not None and explanation.startswith("idle after 3 turns and 0 calls")


def test_a_model_that_calls_five_hundred_at_once_gets_five_hundred_answers(run: Run) -> None:
    log = run(mock(lambda _: said(*[LOOK] * 500)))
    report = sample_of(log).store[inspect_agent.REPORT]
    assert report["run"]["ending"] == "year_end"
    assert report["run"]["tool_calls"] == 500 * report["run"]["turns"]


def test_a_model_that_repeats_one_call_for_ever_meets_the_turn_limit(run: Run, small_world: Path) -> None:
    task = year(world=str(small_world), max_turns=40)
    log = run(mock(lambda _: said(("check_warehouse", {}))), task)
    report = sample_of(log).store[inspect_agent.REPORT]
    assert (report["run"]["ending"], report["run"]["turns"]) == ("turn_limit", 40)


def test_a_model_in_the_role_of_the_suppliers_writes_their_letters(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOPBACK_API_KEY", KEY)
    letter = ("chatbox", {"uid": "sales@hillfarm.example", "content": "What do you sell?"})
    turns = iter([said(letter)])
    with serve(lambda _: Turn("Tea, dear customer, and nothing but tea.")) as provider:
        monkeypatch.setenv("LOOPBACK_BASE_URL", provider.url)
        log = run(mock(lambda _: next(turns, said(WAIT))), model_roles={"supplier": NAME})
    replies = [event.result for event in sample_of(log).events if event.event == "tool"]
    assert "nothing but tea" in str(replies[0])
    assert provider.answered == 1


def test_the_real_client_plays_under_inspect(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def script(request: dict[str, Any]) -> Turn:
        turns = sum(message["role"] == "assistant" for message in request["messages"])
        bad: tuple[tuple[str, dict[str, Any] | str], ...] = (("withdraw", '{"amount": 1'), LOOK)
        return Turn(calls=bad) if turns == 1 else Turn("On with it.", (WAIT,), reasoning="Because.")

    monkeypatch.setenv("LOOPBACK_API_KEY", KEY)
    with serve(script) as provider:
        monkeypatch.setenv("LOOPBACK_BASE_URL", provider.url)
        log = run(NAME)
    assert log.status == "success"
    tools = [event for event in sample_of(log).events if event.event == "tool"]
    assert "not valid JSON" in str(tools[1].result)
    assert provider.answered == DAYS + 1


class Shelf:
    """Inspect's checkpointer, with a dictionary in place of a disk; checkpoints every third turn."""

    restored = None

    def __init__(self, kept: dict[str, str], attempt: Literal["initial", "resume", "resume_for_scoring"]) -> None:
        self.attempt = attempt
        self._kept = kept
        self._tracked: dict[str, Callable[[], Any]] = {}
        self._ticks = 0

    async def tick(self) -> None:
        self._ticks += 1
        if self._ticks % 3 == 0:
            await self.checkpoint()

    async def checkpoint(self) -> None:
        self._kept.update({key: json.dumps(value()) for key, value in self._tracked.items()})

    def track(self, key: str, callback: Callable[[], Any], initial_value: Any, *, value_type: Any = None) -> Any:
        self._tracked[key] = callback
        return TypeAdapter(value_type).validate_json(self._kept[key]) if key in self._kept else initial_value


def test_a_year_goes_on_from_its_checkpoint_and_asks_nothing_twice(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: dict[str, str] = {}
    attempt: Literal["initial", "resume"] = "initial"
    healthy = False

    @asynccontextmanager
    async def checkpointer() -> AsyncIterator[Shelf]:
        yield Shelf(kept, attempt)

    def turns(messages: list[ChatMessage]) -> ModelOutput:
        number = sum(message.role == "assistant" for message in messages)
        if number == 4 and not healthy:
            raise RuntimeError("the provider is out")
        return steadily(messages)

    whole = run(mock(steadily))
    monkeypatch.setattr(inspect_agent, "checkpointer", checkpointer)
    broken = run(mock(turns))
    assert broken.status == "error"
    assert len(json.loads(kept["ecbench_answers"])) == 2
    attempt, healthy = "resume", True
    resumed = run(mock(turns))
    assert value_of(resumed) == value_of(whole)
    asked = [event for event in sample_of(resumed).events if event.event == "model"]
    assert len(asked) == DAYS + 1 - 2
    assert [(message.role, message.text) for message in sample_of(resumed).messages] == [
        (message.role, message.text) for message in sample_of(whole).messages
    ]


def steadily(messages: list[ChatMessage]) -> ModelOutput:
    number = sum(message.role == "assistant" for message in messages)
    return said(text="Hm.") if number == 1 else said(LOOK, WAIT, text=f"Turn {number}.")
