"""A model by its name, its price and the texts of its calls; `protocols` tests what passes between it and others."""

from pathlib import Path

import anyio
import pytest
from inspect_ai.model import ChatMessageAssistant, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolCall
from tests.harness.scripts import Diary, converse

import ecbench
from ecbench.harness.brief import Brief
from ecbench.harness.messages import Call, ModelFailure
from ecbench.harness.models import InspectModel, open_model
from ecbench.harness.response_parsing import argument_texts
from ecbench.harness.settings import ModelSettings


@pytest.mark.parametrize("name", ["gpt-without-provider", "nosuch/model"])
def test_a_name_that_no_provider_serves_is_refused(name: str) -> None:
    with pytest.raises(ModelFailure, match=name):
        open_model(ModelSettings(name), [])


def test_inspects_mock_model_plays_through_the_same_door(small_world: Path) -> None:
    def outputs(*_: object) -> ModelOutput:
        calls = [ToolCall("call_1", "wait_for_next_day", {"current_day": 0})]
        said = ChatMessageAssistant(content="On we go.", tool_calls=calls)
        output = ModelOutput.from_message(said, stop_reason="tool_calls")
        output.usage = ModelUsage(input_tokens=10, output_tokens=5)  # without it, the mock downloads a tokenizer
        return output

    mock = InspectModel(get_model("mockllm/model", custom_outputs=outputs), [], ModelSettings("mockllm/model"))
    episode = ecbench.Episode(ecbench.load_world(str(small_world)), days=2)
    diary = Diary()
    outcome = anyio.run(converse, episode, mock, Brief(), diary)
    assert (outcome.ending, outcome.turns, outcome.reason) == ("year_end", 2, "")
    assert diary.answers[0].message.calls == (Call("call_1", "wait_for_next_day", {"current_day": 0}),)


def test_argument_texts_are_found_in_both_of_openais_forms() -> None:
    chat = {"choices": [{"message": {"tool_calls": [{"function": {"arguments": '{"a": 1}'}}]}}]}
    responses = {"output": [{"type": "reasoning"}, {"type": "function_call", "arguments": "oops"}]}
    assert argument_texts(chat) == ['{"a": 1}']
    assert argument_texts(responses) == ["oops"]
    assert argument_texts({"content": [{"type": "tool_use", "input": {}}]}) == []
