"""Any provider's model, through Inspect AI's model layer.

Inspect names a model `provider/model`, speaks each provider's protocol, replays reasoning where the provider needs
it, keeps the prompt cached where that exists and retries what may be retried. Here stands what it does not do:
the loop's own messages, strict tool arguments, prices, and failures told in one line.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any
from weakref import WeakKeyDictionary

from anyio import move_on_after
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import Transcript
from inspect_ai.log._transcript import init_transcript
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.tool import ToolCall, ToolInfo, ToolParams
from tenacity import RetryError

from ecbench.harness.messages import Answer, Call, Message, ModelFailure, Usage
from ecbench.harness.reading import read_strictly
from ecbench.harness.settings import ModelSettings, Price

CHECK_SECONDS = 4.5
TOO_MANY_REQUESTS = 429
SERVER_ERROR = 500


@dataclass(slots=True)
class InspectModel:
    """A model behind Inspect; not `standalone` inside an Inspect evaluation, which records and fails by itself."""

    model: Model
    tools: list[ToolInfo]
    settings: ModelSettings
    standalone: bool = True
    _forms: WeakKeyDictionary[Message, ChatMessage] = field(default_factory=WeakKeyDictionary)

    async def answer(self, messages: Sequence[Message]) -> Answer:
        started = monotonic()
        output = await self._generate(self.forms(messages))
        answer = _answer(output, monotonic() - started, self.settings.price)
        if output.choices:
            self._forms[answer.message] = output.message
        return answer

    def forms(self, messages: Sequence[Message]) -> list[ChatMessage]:
        """The messages as Inspect has them; the same message always has the same form."""
        return [self._form(message) for message in messages]

    async def check(self, seconds: float = CHECK_SECONDS) -> None:
        """One tiny request: raises `ModelFailure` when the key, the model's name or the address is wrong.

        A model that is merely slow or busy passes. The provider is asked directly: Inspect's retries and its report of
        a failure take longer than a person should wait for one line.
        """
        question: list[ChatMessage] = [ChatMessageUser(content="Answer with OK.")]
        try:
            with move_on_after(seconds):
                answered = await self.model.api.generate(question, self.tools, "auto", self.model.config)
                output = answered[0] if isinstance(answered, tuple) else answered
                if isinstance(output, Exception):
                    raise output
        except Exception as problem:
            failure = _failure(problem, self.model)
            if not failure.busy:
                raise failure from problem

    async def close(self) -> None:
        await self.model.api.aclose()

    async def _generate(self, messages: list[ChatMessage]) -> ModelOutput:
        if self.standalone:
            # Inspect keeps every request it sees; without an evaluation around it nobody would ever drop them.
            init_transcript(Transcript(log_model_api=False))
        try:
            return await self.model.generate(messages, self.tools)
        except Exception as problem:
            if not self.standalone:
                raise
            raise _failure(problem, self.model) from problem

    def _form(self, message: Message) -> ChatMessage:
        form = self._forms.get(message)
        if form is None:
            form = self._forms[message] = _chat_message(message)
        return form


def open_model(settings: ModelSettings, tool_schemas: Sequence[Mapping[str, Any]]) -> InspectModel:
    """The model that `settings` name, offered these tools; raises `ModelFailure` when it cannot be set up."""
    config = GenerateConfig(
        max_retries=settings.max_retries,
        timeout=settings.give_up_seconds,
        attempt_timeout=settings.attempt_seconds,
        reasoning_effort=settings.effort,
        extra_body=dict(settings.extra_body) if settings.extra_body else None,
        cache_prompt=True,
    )
    try:
        model = get_model(
            settings.name,
            config=config,
            base_url=settings.base_url,
            memoize=False,
            **settings.model_args,
        )
    except PrerequisiteError as problem:
        raise ModelFailure(f"{settings.name}: {_one_line(str(problem.message))}") from problem
    except (ValueError, TypeError, ImportError) as problem:
        raise ModelFailure(f"{settings.name}: {_one_line(str(problem))}") from problem
    read_strictly(model.api)
    return InspectModel(model, [tool_info(schema) for schema in tool_schemas], settings)


def tool_info(schema: Mapping[str, Any]) -> ToolInfo:
    """One function-style schema in Inspect's form."""
    function = schema["function"]
    return ToolInfo(
        name=function["name"],
        description=function["description"],
        parameters=ToolParams.model_validate(function["parameters"]),
    )


def _answer(output: ModelOutput, seconds: float, price: Price | None) -> Answer:
    usage = _usage(output.usage, price)
    if not output.choices:
        return Answer(Message("assistant", ""), usage, seconds, "empty")
    said = output.message
    parts = [part for part in said.content if part.type == "reasoning"] if isinstance(said.content, list) else []
    # A redacted trace is opaque to us; at most its summary can be read and counted.
    reasoning = "\n".join((part.summary or "") if part.redacted else part.reasoning for part in parts)
    plain = isinstance(said.content, str) and not said.metadata
    message = Message(
        role="assistant",
        text=said.text,
        reasoning=reasoning,
        calls=tuple(
            Call(call.id, call.function, call.arguments, call.parse_error or "") for call in said.tool_calls or ()
        ),
        native=None if plain else said.model_dump(mode="json", exclude_none=True),
    )
    return Answer(message, usage, seconds, output.stop_reason)


def _usage(reported: ModelUsage | None, price: Price | None) -> Usage:
    if reported is None:
        return Usage()
    usage = Usage(
        reported.input_tokens,
        reported.output_tokens,
        reported.input_tokens_cache_read or 0,
        reported.input_tokens_cache_write or 0,
        reported.reasoning_tokens or 0,
        reported.total_cost,
    )
    return usage if price is None else replace(usage, cost=price.of(usage))


def _chat_message(message: Message) -> ChatMessage:
    match message.role:
        case "system":
            return ChatMessageSystem(content=message.text)
        case "user":
            return ChatMessageUser(content=message.text)
        case "tool" if message.answers is not None:
            return ChatMessageTool(content=message.text, tool_call_id=message.answers.id, function=message.answers.name)
        case "assistant" if message.native is not None:
            return ChatMessageAssistant.model_validate(message.native)
        case "assistant":
            calls = [ToolCall(call.id, call.name, call.arguments) for call in message.calls]
            return ChatMessageAssistant(content=message.text, tool_calls=calls or None)
    raise ValueError("a tool message must name the call it answers")


def _failure(problem: Exception, model: Model) -> ModelFailure:
    """The one line a person needs; the exceptions of some ten client libraries agree on little but a status."""
    while isinstance(problem, RetryError):
        last = problem.last_attempt.exception()
        if not isinstance(last, Exception):
            break
        problem = last
    name, said = str(model), _one_line(str(problem)) or type(problem).__name__
    match _status(problem):
        case 401 | 403 as status:
            keys = " or ".join(model.api.api_key_vars) or "the provider's key"
            return ModelFailure(f"{name}: the key was refused (HTTP {status}); set {keys} to a valid one")
        case 404:
            advice = "check the model's name and the base URL"
            return ModelFailure(f"{name}: no such model or address (HTTP 404: {said}); {advice}")
        case None if re.search(r"connect|resolve|unreachable", f"{type(problem).__name__} {said}", re.IGNORECASE):
            where = model.api.base_url or "the provider"
            return ModelFailure(f"{name}: no connection to {where} ({said}); check the network and the base URL")
        case None:
            return ModelFailure(f"{name}: {said}")
        case status:
            busy = status == TOO_MANY_REQUESTS or status >= SERVER_ERROR
            return ModelFailure(f"{name}: the provider failed (HTTP {status}: {said})", busy=busy)


def _status(problem: BaseException | None) -> int | None:
    while problem is not None:
        for value in (vars(problem).get("status_code"), vars(problem).get("code")):
            if isinstance(value, int):
                return value
        problem = problem.__cause__
    return None


def _one_line(text: str, longest: int = 200) -> str:
    """A message without Rich's markup and line breaks; Inspect prints a whole request before the error itself."""
    told = text.rsplit("\n", 1)[-1] if text.startswith("\nRequest:\n") else text
    line = " ".join(re.sub(r"\[/?[a-z ]+\]", "", told).split()).removeprefix("ERROR: ")
    return line if len(line) <= longest else f"{line[:longest]}..."
