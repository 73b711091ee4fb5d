"""Answers go back to their providers as they came, also from a record: any mixture of blocks, in the same order.

The providers' packages are loaded where they are used: that takes seconds, and every worker reads this file.
"""

import json
from base64 import b64encode
from functools import cache, partial
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inspect_ai.model import ChatCompletionChoice, ChatMessageAssistant, ModelOutput

from ecbench.harness.inspect_internals import isolate_request
from ecbench.harness.message_conversion import assistant_message, chat_message, restore_state
from ecbench.harness.messages import Answer, Message, answer_from_json, answer_to_json

Block = dict[str, Any]

patiently = settings(max_examples=60)

words = st.text('profit 利润\n"{}', min_size=1, max_size=12).filter(str.strip)
arguments = st.dictionaries(words, st.one_of(st.integers(), words, st.lists(st.booleans(), max_size=2)), max_size=2)


def recorded(said: ChatMessageAssistant) -> Message:
    """Through the record and back."""
    answer = Answer(assistant_message(ModelOutput(choices=[ChatCompletionChoice(message=said)]), {}))
    return answer_from_json(json.loads(json.dumps(answer_to_json(answer)))).message


def rebuilt(message: Message) -> ChatMessageAssistant:
    """As a process that has only the record sends it."""
    isolate_request()
    restore_state([message])
    form = chat_message(message)
    assert isinstance(form, ChatMessageAssistant)
    return form


def numbered(blocks: list[Block], *names: str) -> list[Block]:
    """Each block with ids of its own."""
    return [{k: f"{v}_{i}" if k in names else v for k, v in block.items()} for i, block in enumerate(blocks)]


def block(**fields: Any) -> st.SearchStrategy[Block]:
    """Blocks with these fields; a value that is no strategy is the same in all of them."""
    return st.fixed_dictionaries(
        {name: value if isinstance(value, st.SearchStrategy) else st.just(value) for name, value in fields.items()}
    )


anthropic_thinking = block(type="thinking", thinking=st.one_of(st.just(""), words), signature="sig")
anthropic_redacted = block(type="redacted_thinking", data="blob")
anthropic_text = block(type="text", text=words)
anthropic_call = block(type="tool_use", id="toolu", name="withdraw", input=arguments)
anthropic_block = st.one_of(anthropic_thinking, anthropic_redacted, anthropic_text, anthropic_call)
anthropic_last = st.one_of(anthropic_text, anthropic_call)  # an answer does not end in thought


async def from_anthropic(blocks: list[Block]) -> Message:
    from anthropic.types import Message as AnthropicMessage
    from inspect_ai.model._providers.anthropic import model_output_from_message

    isolate_request()
    reply = AnthropicMessage.model_validate(
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-4-5",
            "content": blocks,
            "stop_reason": "tool_use",
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
    )
    output, _ = await model_output_from_message(None, None, reply, [])
    return recorded(output.message)


@patiently
@given(st.lists(anthropic_block, max_size=6), anthropic_last)
def test_anthropics_blocks_go_back_in_their_order(blocks: list[Block], last: Block) -> None:
    from inspect_ai.model._providers.anthropic import assistant_message_block_params

    sent = numbered([*blocks, last], "id", "signature", "data")

    async def there_and_back() -> list[Any]:
        message = await from_anthropic(sent)
        return list(await assistant_message_block_params(rebuilt(message)))

    returned = anyio.run(there_and_back)
    # The text block's field for citations, which stays empty, is Inspect's.
    assert [{k: v for k, v in block.items() if v is not None} for block in returned] == sent


def test_a_record_of_plain_thinking_holds_nothing_twice() -> None:
    thinking = {"type": "thinking", "thinking": "Cash first.", "signature": "sig"}
    call = {"type": "tool_use", "id": "toolu_1", "name": "withdraw", "input": {"amount": 7}}

    native = anyio.run(partial(from_anthropic, [thinking, call])).native
    assert native is not None
    assert "beside" not in native and "tool_calls" not in native
    assert native["content"] == [{"type": "reasoning", "reasoning": "sig", "summary": "Cash first.", "redacted": True}]


google_thought = block(text=words, thought=True)
google_text = block(text=words)
google_call = block(
    functionCall=block(id="call", name="withdraw", args=arguments),
    thoughtSignature=st.sampled_from([b64encode(b"signed").decode(), ""]),
)


@cache
def google_client() -> Any:
    from google.genai import Client

    return Client(api_key="none")


def google_there_and_back(parts: list[Block]) -> list[Block]:
    from google.genai.types import Candidate
    from inspect_ai.model._providers.google import completion_choice_from_candidate, content

    candidate = Candidate.model_validate({"content": {"role": "model", "parts": parts}, "finishReason": "STOP"})
    said = completion_choice_from_candidate("gemini-2.5-pro", candidate).message

    async def back() -> list[Block]:
        returned = await content(google_client(), rebuilt(recorded(said)))
        return [part.model_dump(mode="json", by_alias=True, exclude_none=True) for part in returned.parts or []]

    return anyio.run(back)


@patiently
@given(st.lists(google_thought, max_size=1), st.lists(google_text, max_size=1), st.lists(google_call, max_size=4))
def test_googles_calls_go_back_with_their_signatures(
    thoughts: list[Block], texts: list[Block], calls: list[Block]
) -> None:
    for number, call in enumerate(calls):
        call["functionCall"]["id"] = f"call_{number}"
        if not call["thoughtSignature"]:
            del call["thoughtSignature"]
    sent = [*thoughts, *texts, *calls]
    assert google_there_and_back(sent) == (sent or [{"text": "(no content)"}])


def test_a_signature_of_googles_without_a_call_goes_back_on_the_text() -> None:
    signed = {"text": "A look.", "thoughtSignature": b64encode(b"signed").decode()}
    assert google_there_and_back([signed]) == [signed]


responses_reasoning = block(
    type="reasoning",
    id="rs",
    summary=st.lists(block(type="summary_text", text=words), max_size=1),
    encrypted_content="sealed",
    content=[],
)
responses_text = block(
    type="message",
    id="msg",
    role="assistant",
    status="completed",
    content=block(type="output_text", text=words, annotations=[], logprobs=[]).map(lambda part: [part]),
)
responses_call = block(
    type="function_call",
    id="fc",
    call_id="call",
    name="withdraw",
    arguments=arguments.map(lambda given: json.dumps(given, separators=(",", ":"))),
    status="completed",
)


def from_responses(items: list[Block]) -> Message:
    from inspect_ai.model._openai_responses import openai_responses_chat_choices
    from openai.types.responses import Response

    isolate_request()
    response = Response.model_validate(
        {
            "id": "resp_1",
            "created_at": 0,
            "model": "gpt-5-mini",
            "object": "response",
            "output": items,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
        }
    )
    return recorded(openai_responses_chat_choices(None, response, [])[0].message)


def responses_items(message: Message) -> list[Any]:
    from inspect_ai.model._openai_responses import openai_responses_inputs

    return list(anyio.run(partial(openai_responses_inputs, [rebuilt(message)])))


@patiently
@given(st.lists(st.one_of(responses_reasoning, responses_text), max_size=3), st.lists(responses_call, max_size=3))
def test_openais_items_go_back_with_ids_and_the_very_argument_texts(items: list[Block], calls: list[Block]) -> None:
    sent = numbered([*items, *calls], "id", "call_id", "encrypted_content")
    message = from_responses(sent)
    # Inspect leaves a summary out beside sealed reasoning.
    returned = [item | {"summary": []} if item["type"] == "reasoning" else item for item in sent]
    assert responses_items(message) == returned


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
@patiently
@given(words, words, st.lists(arguments, max_size=3))
def test_chat_completions_take_their_reasoning_back_in_its_own_field(
    field: str, reasoning: str, text: str, given_arguments: list[dict[str, Any]]
) -> None:
    from inspect_ai.model._openai import chat_choices_from_openai, messages_to_openai
    from openai.types.chat import ChatCompletion

    calls = [
        {"id": f"call_{i}", "type": "function", "function": {"name": "withdraw", "arguments": json.dumps(given)}}
        for i, given in enumerate(given_arguments)
    ]
    message = {"role": "assistant", "content": text, field: reasoning} | ({"tool_calls": calls} if calls else {})
    completion = ChatCompletion.model_validate(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": "local",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        }
    )
    isolate_request()
    said = chat_choices_from_openai(completion, [])[0].message
    returned = anyio.run(partial(messages_to_openai, [rebuilt(recorded(said))]))
    # Inspect begins each part of a content list on a line of its own.
    assert returned == [{**message, "content": f"\n{text}"}]


def test_what_one_conversation_left_in_memory_does_not_reach_another() -> None:
    call = {"type": "function_call", "call_id": "call_1", "name": "withdraw", "status": "completed"}
    sent = [{**call, "id": f"fc_{n}", "arguments": f'{{"amount":{n}}}'} for n in (1, 2)]
    noted = [from_responses([item]) for item in sent]
    assert [responses_items(message)[0] for message in noted] == sent
