"""Strict parsing of providers' responses, so that one rule holds for every model.

Inspect repairs arguments that are not JSON: a bare word becomes the tool's first argument, stray quotes are dropped.
Some models' mistakes would then pass where others' fail. The texts that the provider sent are therefore parsed here,
and anything but a JSON object fails its call. A lone surrogate, which JSON can carry and a request cannot, is replaced
at once, since it would break every later request of the conversation.
"""

from collections.abc import Mapping
from typing import Any

from inspect_ai.model import ChatMessageAssistant, ModelAPI, ModelOutput

from ecbench.agent_text import parse_json
from ecbench.harness.inspect_internals import Generate, Generated, latest_call, wrap_generate
from ecbench.harness.provider_errors import find_refusal, unreadable_response

# Raised by Inspect's parser for a malformed response; clients raise errors of their own classes.
PARSER_ERRORS = (TypeError, AttributeError, LookupError, AssertionError, ValueError)

WRITTEN = "ecbench_written"  # the key of argument texts in the metadata of an output


def parse_strictly(api: ModelAPI) -> None:
    """From now on this provider's answers are parsed strictly, and refusals raise `Refusal`."""
    wrap_generate(api, _strict)


def _strict(generate: Generate) -> Generate:
    async def strict(*given: Any, **named: Any) -> Generated:
        try:
            result = await generate(*given, **named)
        except PARSER_ERRORS as error:
            call = latest_call()
            if call is None:  # nothing was sent
                raise
            raise unreadable_response(error, call.response or {}) from error
        output, call = result if isinstance(result, tuple) else (result, None)
        if isinstance(output, ModelOutput):
            response = (call.response if call and not call.error else None) or {}
            refusal = find_refusal(output, response)
            if refusal is not None:
                raise refusal
            _mark_unreadable_calls(output, response)
            _clean(output)
            if call is not None:
                call.response = replace_surrogates(call.response)
        return result

    return strict


def _mark_unreadable_calls(output: ModelOutput, response: Mapping[str, Any]) -> None:
    calls = (output.choices[0].message.tool_calls or []) if output.choices else []
    if calls and _cut_off(response):
        why = f"the arguments of {calls[-1].function} were cut at the length limit of the answer; send them again"
        calls[-1].arguments, calls[-1].parse_error = {}, why
    texts = argument_texts(response)
    if len(texts) != len(calls):
        return
    for call, text in zip(calls, texts, strict=True):
        problem = _argument_problem(call.function, text)
        if problem:
            call.arguments, call.parse_error = {}, problem
            output.metadata = {**(output.metadata or {}), WRITTEN: {**written_arguments(output), call.id: text}}


def written_arguments(output: ModelOutput) -> dict[str, str]:
    """By the id of a call: its arguments as the model wrote them, where they could not be read."""
    return dict((output.metadata or {}).get(WRITTEN, {}))


def _cut_off(response: Mapping[str, Any]) -> bool:
    """Whether an answer ended within a call that reads as a whole one.

    Anthropic's client makes an object of what is there; other servers send no arguments where none were begun.
    """
    match response:
        case {"stop_reason": "max_tokens", "content": [*_, {"type": "tool_use"}]}:
            return True
        case {"choices": [{"finish_reason": "length", "message": {"tool_calls": [*_, {"function": last}]}}, *_]}:
            return not str(last.get("arguments") or "").strip()
    return False


def argument_texts(response: Mapping[str, Any]) -> list[str]:
    """The argument texts of an OpenAI-style response in either of its two forms; other providers send none."""
    match response:
        case {"choices": [{"message": {"tool_calls": list(calls)}}, *_]}:
            return [call["function"]["arguments"] for call in calls if call.get("function")]
        case {"output": list(items)}:
            return [item["arguments"] for item in items if item.get("type") == "function_call"]
    return []


def _argument_problem(name: str, text: str | None) -> str:
    """What is wrong with an argument text; empty for a JSON object or no text."""
    if text is None or not text.strip():
        return ""
    try:
        value = parse_json(text)
    except ValueError as problem:
        return f"the arguments of {name} are not valid JSON ({problem}); send one JSON object"
    if not isinstance(value, dict):
        return f"the arguments of {name} are a JSON {type(value).__name__}; send one JSON object"
    return ""


def _clean(output: ModelOutput) -> None:
    for choice in output.choices:
        sent = choice.message.model_dump()
        clean = replace_surrogates(sent)
        if clean != sent:
            choice.message = ChatMessageAssistant.model_validate(clean)
    output.completion = replace_surrogates(output.completion)


def replace_surrogates(value: Any) -> Any:
    """The same value with a question mark for every lone surrogate."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {replace_surrogates(key): replace_surrogates(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [replace_surrogates(entry) for entry in value]
    return value
