"""A model behind a real server: the wire format, retries, and what goes wrong."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from inspect_ai.model import ChatMessageAssistant, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolCall
from tests.harness.provider import KEY, MODEL, Fault, Provider, Script, Turn, serve
from tests.harness.scripts import Diary

import ecbench
from ecbench.harness.brief import Brief
from ecbench.harness.loop import Outcome, play
from ecbench.harness.messages import Call, Message, ModelFailure, Usage, answer_from_json, answer_to_json
from ecbench.harness.models import CHECK_SECONDS, InspectModel, open_model
from ecbench.harness.reading import sent_arguments
from ecbench.harness.settings import ModelSettings, Price

NAME = f"openai-api/loopback/{MODEL}"
WAIT: tuple[tuple[str, dict[str, Any]], ...] = (("wait_for_next_day", {"current_day": 0}),)
TALK = [Message("system", "You trade."), Message("user", "Go on.")]


def settings(provider: Provider, name: str = NAME, key: str = KEY, **more: Any) -> ModelSettings:
    return ModelSettings(name, base_url=provider.url, model_args={"api_key": key}, **more)


def ask(chosen: ModelSettings, *talks: list[Message]) -> list[Any]:
    async def asked() -> list[Any]:
        model = open_model(chosen, ecbench.tool_schemas())
        try:
            return [await model.answer(talk) for talk in talks]
        finally:
            await model.close()

    return anyio.run(asked)


@pytest.fixture
def run(small_world: Path) -> Callable[..., tuple[Outcome, Diary, Provider]]:
    world = ecbench.load_world(str(small_world))

    def played(script: Script, days: int = 3, **more: Any) -> tuple[Outcome, Diary, Provider]:
        async def year(provider: Provider) -> Outcome:
            model = open_model(settings(provider, **more), ecbench.tool_schemas())
            try:
                return await play(ecbench.Episode(world, days=days), model, Brief(), diary)
            finally:
                await model.close()

        diary = Diary()
        with serve(script) as provider:
            return anyio.run(year, provider), diary, provider

    return played


Played = Callable[..., tuple[Outcome, Diary, Provider]]


def once(*first: Turn | Fault) -> Script:
    """These in order, then a wait for ever after."""
    said = list(first)
    return lambda _: said.pop(0) if said else Turn(calls=WAIT)


def test_a_request_carries_the_eighteen_tools_and_the_whole_conversation(run: Played) -> None:
    outcome, diary, provider = run(once(Turn("A look.", (("check_balance", {}), ("check_warehouse", {})))))
    assert outcome.ending == "year_end"
    first, second = provider.requests[:2]
    assert [tool["function"]["name"] for tool in first["tools"]] == [
        schema["function"]["name"] for schema in ecbench.tool_schemas()
    ]
    assert [message["role"] for message in first["messages"]] == ["system", "user"]
    assistant, *results = second["messages"][2:]
    assert assistant["content"] == "A look."
    assert [call["id"] for call in assistant["tool_calls"]] == ["call_1_0", "call_1_1"]
    assert [result["tool_call_id"] for result in results] == ["call_1_0", "call_1_1"]
    for result, reply in zip(results, diary.replies[0], strict=True):
        assert result["content"].startswith(reply + "\n<system_warning>Token usage: ")


def test_usage_is_reported_and_priced(run: Played) -> None:
    outcome, diary, _ = run(once(), days=2, price=Price(input=2.0, output=10.0, cached=0.5))
    one = Usage(600, 50, 400, 0, 20, cost=(600 * 2.0 + 400 * 0.5 + 50 * 10.0) / 1e6)
    assert diary.answers[0].usage == one
    assert outcome.usage == one + one


def test_reasoning_is_kept_counted_and_replayed(run: Played) -> None:
    _, diary, provider = run(once(Turn("Look.", (("check_balance", {}),), reasoning="Cash comes first.")), days=1)
    answer = diary.answers[0]
    assert answer.message.reasoning == "Cash comes first."
    assert "Cash comes first." in json.dumps(provider.requests[1]["messages"][2])
    recorded = answer_from_json(json.loads(json.dumps(answer_to_json(answer))))
    with serve(once()) as other:
        result = Message("tool", "{}", answers=recorded.message.calls[0])
        ask(settings(other), [*TALK, recorded.message, result])
        assert other.requests[0]["messages"][2] == provider.requests[1]["messages"][2]


@pytest.mark.parametrize(
    "arguments", ['{"amount": 2', "all of it", '{"amount": 2}"', "[1, 2]", "12", '{"amount": 2} or 3']
)
def test_arguments_that_are_no_json_object_fail_their_call_alone(run: Played, arguments: str) -> None:
    calls: tuple[tuple[str, dict[str, Any] | str], ...]
    calls = (("withdraw", arguments), ("check_balance", "garbage"), ("check_balance", {}))
    outcome, diary, _ = run(once(Turn(calls=calls)), days=1)
    broken, garbage, balance = map(json.loads, diary.replies[0])
    assert list(broken) == ["error"]
    assert "withdraw" in broken["error"]
    assert "JSON" in broken["error"]
    assert list(garbage) == ["error"]
    assert balance["current_time"] == "2026-01-01 08:10"
    assert outcome.ending == "year_end"


def test_empty_arguments_are_no_arguments(run: Played) -> None:
    _, diary, _ = run(once(Turn(calls=(("check_balance", ""),))), days=1)
    assert json.loads(diary.replies[0][0])["bank_balance"] == 100_000


def test_an_answer_cut_at_its_length_limit_fails_the_broken_call(run: Played) -> None:
    cut = Turn("I will", (("chatbox", '{"uid": "sales@hillfarm.example", "content": "Dear'),), finish="length")
    outcome, diary, _ = run(once(cut), days=1)
    assert diary.answers[0].stop_reason == "max_tokens"
    assert list(json.loads(diary.replies[0][0])) == ["error"]
    assert outcome.ending == "year_end"


@pytest.mark.parametrize("fault", [Fault(status=429), Fault(status=500), Fault(status=503), Fault(drop=True)])
def test_a_passing_fault_is_retried_and_leaves_no_trace(run: Played, fault: Fault) -> None:
    outcome, diary, provider = run(once(Turn(calls=WAIT), fault, Turn(calls=WAIT)))
    assert (outcome.ending, outcome.turns) == ("year_end", 3)
    assert len(provider.requests) == 4
    assert provider.requests[1] == provider.requests[2]
    assert len(diary.answers) == 3


def test_an_answer_that_comes_too_late_is_asked_for_again(run: Played) -> None:
    outcome, _, provider = run(once(Fault(delay=1.5, drop=True)), days=1, attempt_seconds=1)
    assert outcome.ending == "year_end"
    assert len(provider.requests) == 2


def test_an_outage_ends_the_run_as_a_model_error_within_its_bounds(run: Played) -> None:
    turns = iter([Turn(calls=WAIT)])
    outcome, _, provider = run(lambda _: next(turns, Fault(status=500)), give_up_seconds=1)
    assert (outcome.ending, outcome.turns) == ("model_error", 1)
    assert "500" in outcome.reason
    assert "\n" not in outcome.reason
    assert len(provider.requests) <= 4


def test_a_two_megabyte_answer_is_taken(run: Played) -> None:
    outcome, diary, _ = run(once(Turn("profit " * 300_000, WAIT)), days=2)
    assert outcome.ending == "year_end"
    assert len(diary.answers[0].message.text) == 2_100_000


def test_empty_turns_end_the_episode_as_idle(run: Played) -> None:
    outcome, diary, _ = run(lambda _: Turn())
    assert (outcome.ending, outcome.turns) == ("idle", 3)
    assert len(diary.reminders) == 2


def test_half_a_surrogate_pair_hurts_nobody(run: Played) -> None:
    letter = {"uid": "sales@hillfarm.example", "content": "tea \ud83c please", "history_count": 2}
    outcome, _, _ = run(once(Turn("Half a leaf: \ud83c", (("chatbox", letter),), reasoning="\ud83c")), days=2)
    assert (outcome.ending, outcome.reason) == ("year_end", "")


def test_episodes_share_one_model_in_one_process(small_world: Path) -> None:
    world = ecbench.load_world(str(small_world))

    async def years(provider: Provider) -> list[Outcome]:
        model = open_model(settings(provider), ecbench.tool_schemas())
        outcomes: list[Outcome] = []

        async def year(days: int) -> None:
            outcomes.append(await play(ecbench.Episode(world, days=days), model, Brief(days=days), Diary()))

        async with anyio.create_task_group() as group:
            for days in range(1, 7):
                group.start_soon(year, days)
        await model.close()
        return outcomes

    with serve(once()) as provider:
        outcomes = anyio.run(years, provider)
    assert sorted(outcome.turns for outcome in outcomes) == [1, 2, 3, 4, 5, 6]
    assert {outcome.ending for outcome in outcomes} == {"year_end"}


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ({"key": "wrong"}, "set LOOPBACK_API_KEY"),
        ({"name": "openai-api/loopback/unheard-of"}, "check the model's name"),
    ],
)
def test_a_wrong_key_or_name_is_told_at_once_in_one_line(change: dict[str, str], advice: str) -> None:
    with serve(once()) as provider, pytest.raises(ModelFailure, match=advice) as told:
        ask(settings(provider, **change), TALK)
    assert "\n" not in str(told.value)
    assert len(provider.requests) <= 1  # asked once, not again and again


def test_a_missing_key_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LOOPBACK_API_KEY", raising=False)
    with pytest.raises(ModelFailure, match="LOOPBACK_API_KEY") as told:
        open_model(ModelSettings(NAME, base_url="http://127.0.0.1:9/v1"), [])
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("name", ["gpt-without-provider", "nosuch/model"])
def test_a_name_that_no_provider_serves_is_refused(name: str) -> None:
    with pytest.raises(ModelFailure, match=name):
        open_model(ModelSettings(name), [])


def check(chosen: ModelSettings, seconds: float = CHECK_SECONDS) -> None:
    async def checked() -> None:
        model = open_model(chosen, [])
        try:
            await model.check(seconds)
        finally:
            await model.close()

    anyio.run(checked)


def test_the_check_passes_a_model_that_answers_and_one_that_is_slow() -> None:
    with serve(once()) as provider:
        check(settings(provider))
    with serve(once(Fault(delay=2, drop=True))) as provider:
        check(settings(provider), seconds=0.5)


def test_the_check_gives_up_in_less_than_five_seconds() -> None:
    assert CHECK_SECONDS < 5


def test_the_check_finds_that_nobody_listens() -> None:
    with serve(once()) as provider:
        gone = settings(provider)
    with pytest.raises(ModelFailure, match=r"no connection to http://127\.0\.0\.1"):
        check(gone)


def test_a_price_is_two_or_three_figures() -> None:
    assert Price.parse("1.25,10") == Price(1.25, 10.0)
    assert Price.parse("1.25,10,0.125") == Price(1.25, 10.0, 0.125)
    for wrong in ("1.25", "a,b", "1,2,3,4", "-1,2", ""):
        with pytest.raises(ValueError, match="IN,OUT"):
            Price.parse(wrong)


def test_inspects_mock_model_plays_through_the_same_door(small_world: Path) -> None:
    def outputs(*_: object) -> ModelOutput:
        calls = [ToolCall("call_1", "wait_for_next_day", {"current_day": 0})]
        said = ChatMessageAssistant(content="On we go.", tool_calls=calls)
        output = ModelOutput.from_message(said, stop_reason="tool_calls")
        output.usage = ModelUsage(input_tokens=10, output_tokens=5)  # otherwise the mock downloads a tokenizer
        return output

    mock = InspectModel(get_model("mockllm/model", custom_outputs=outputs), [], ModelSettings("mockllm/model"))
    episode = ecbench.Episode(ecbench.load_world(str(small_world)), days=2)
    diary = Diary()
    outcome = anyio.run(play, episode, mock, Brief(), diary)
    assert (outcome.ending, outcome.turns, outcome.reason) == ("year_end", 2, "")
    assert diary.answers[0].message.calls == (Call("call_1", "wait_for_next_day", {"current_day": 0}),)


def test_argument_texts_are_found_in_both_of_openais_forms() -> None:
    chat = {"choices": [{"message": {"tool_calls": [{"function": {"arguments": '{"a": 1}'}}]}}]}
    responses = {"output": [{"type": "reasoning"}, {"type": "function_call", "arguments": "oops"}]}
    assert sent_arguments(chat) == ['{"a": 1}']
    assert sent_arguments(responses) == ["oops"]
    assert sent_arguments({"content": [{"type": "tool_use", "input": {}}]}) == []
