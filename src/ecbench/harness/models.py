"""Any provider's model, through Inspect AI's model layer.

Inspect names a model `provider/model`, speaks each provider's protocol, replays reasoning where a provider needs it
and caches the prompt where a provider can. This module adds our own messages, strict tool arguments, prices, failures
in one line, and retries that a progress display can show.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic
from typing import Any
from weakref import WeakKeyDictionary

from anyio import move_on_after
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolInfo, ToolParams

from ecbench.harness.inspect_internals import disable_client_retries, http_client, isolate_request
from ecbench.harness.message_conversion import assistant_message, chat_message, restore_state
from ecbench.harness.messages import (
    Answer,
    Message,
    ModelFailure,
    OnRetry,
    OnUsage,
    Retry,
    Usage,
    ignore_retries,
    ignore_usage,
)
from ecbench.harness.prices import known_price
from ecbench.harness.provider_errors import Refusal, model_failure, setup_problem
from ecbench.harness.response_limits import add_response_limits
from ecbench.harness.response_parsing import parse_strictly
from ecbench.harness.retry import answer_with_retries
from ecbench.harness.settings import CacheTtl, ModelSettings
from ecbench.ranges import DOLLARS, TOKENS
from ecbench.redaction import named_secrets, protect


@dataclass(slots=True)
class InspectModel:
    """A model behind Inspect. Inside an evaluation it is not `standalone`: Inspect logs, retries and fails itself."""

    model: Model
    tools: list[ToolInfo]
    settings: ModelSettings
    standalone: bool = True
    on_retry: OnRetry = ignore_retries
    on_usage: OnUsage = ignore_usage
    _forms: WeakKeyDictionary[Message, ChatMessage] = field(default_factory=WeakKeyDictionary)

    def notifying(self, on_retry: OnRetry, on_usage: OnUsage = ignore_usage) -> "InspectModel":
        """The same model, which reports its retries and what its answers used."""
        return replace(self, on_retry=on_retry, on_usage=on_usage)

    async def answer(self, messages: Sequence[Message]) -> Answer:
        """The next turn. Transient failures are retried, as long as the settings allow."""
        if not self.standalone:
            return await self._answer(messages)
        attempt, patience = partial(self.attempt, messages), self.settings.give_up_seconds
        try:
            answer = await answer_with_retries(attempt, patience, self.on_retry)
        except ModelFailure as failure:
            if (used := failure.usage + _retries_usage(failure.retries)).tokens:
                self.on_usage(used)
            raise
        self.on_usage(answer.usage + _retries_usage(answer.retries))
        return answer

    def forms(self, messages: Sequence[Message]) -> list[ChatMessage]:
        """The messages in Inspect's form; the same message always gives the same object."""
        return [self._form(message) for message in messages]

    async def attempt(self, messages: Sequence[Message], seconds: float | None = None) -> Answer:
        """One request, within `seconds` or the time limit of the settings. Raises `ModelFailure`."""
        isolate_request()
        limit = self.settings.attempt_seconds if seconds is None else seconds
        try:
            with move_on_after(limit):
                return await self._answer(messages)
        except Exception as error:
            failure = model_failure(error, self.model)
            if isinstance(error, Refusal):
                failure.usage = self._usage(error.usage)
            raise failure from error
        raise ModelFailure(f"{self.model}: no answer within {limit:,.0f} s", "busy", cause="no answer in time")

    async def close(self) -> None:
        await self.model.api.aclose()

    async def _answer(self, messages: Sequence[Message]) -> Answer:
        state = restore_state(messages)
        started = monotonic()
        output: ModelOutput = await self.model.generate(self.forms(messages), self.tools)
        return Answer(
            assistant_message(output, state, messages),
            self._usage(output.usage),
            monotonic() - started,
            output.stop_reason,
            model=output.model,
        )

    def _usage(self, reported: ModelUsage | None) -> Usage:
        """What was used, and its cost: at the price that was given, else as reported, else at the listed price."""
        if reported is None:
            return Usage()
        counts = (
            reported.input_tokens,
            reported.output_tokens,
            reported.input_tokens_cache_read or 0,
            reported.input_tokens_cache_write or 0,
            reported.reasoning_tokens or 0,
        )
        if not all(count in TOKENS for count in counts):
            return Usage()  # no model reads as many tokens, so the report is discarded
        usage = Usage(*counts)
        if self.settings.price is None and reported.total_cost in DOLLARS:
            return replace(usage, cost=reported.total_cost)
        ttl: CacheTtl = "1h" if self.model.api.cache_write_ttl() == "1h" else "5m"
        price = known_price(self.settings, ttl)
        return usage if price is None else replace(usage, cost=price.of(usage))

    def _form(self, message: Message) -> ChatMessage:
        form = self._forms.get(message)
        if form is None:
            form = self._forms[message] = chat_message(message)
        return form


def open_model(settings: ModelSettings, tool_schemas: Sequence[Mapping[str, Any]]) -> InspectModel:
    """The model that `settings` name, with these tools; raises `ModelFailure` if it cannot be set up."""
    config = GenerateConfig(
        max_retries=0,
        timeout=settings.attempt_seconds,
        reasoning_effort=settings.effort,
        max_tokens=settings.max_tokens,
        extra_body=dict(settings.extra_body) if settings.extra_body else None,
        cache_prompt=True,
    )
    protect(*(value for _, value in named_secrets([settings.base_url, settings.model_args, settings.extra_body])))
    try:
        model = get_model(
            settings.name,
            config=config,
            base_url=settings.base_url,
            memoize=False,
            **settings.model_args,
        )
    except Exception as error:  # each provider's client has its own ways to reject its options
        raise ModelFailure(f"{settings.name}: {setup_problem(error)}") from error
    protect_key(model)
    disable_client_retries(model.api, float(settings.attempt_seconds), add_response_limits)
    add_response_limits(http_client(model.api))
    parse_strictly(model.api)
    return InspectModel(model, [tool_info(schema) for schema in tool_schemas], settings)


def _retries_usage(retries: Sequence[Retry]) -> Usage:
    return sum((retry.usage for retry in retries), Usage())


def protect_key(model: Model) -> None:
    """Redact the key that a model's provider found in its environment."""
    key = model.api.api_key
    if isinstance(key, str):
        protect(key)


def tool_info(schema: Mapping[str, Any]) -> ToolInfo:
    """One function-style schema in Inspect's form."""
    function = schema["function"]
    return ToolInfo(
        name=function["name"],
        description=function["description"],
        parameters=ToolParams.model_validate(function["parameters"]),
    )
