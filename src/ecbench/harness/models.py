"""Any provider's model, through Pydantic AI's model layer, with our own messages, prices, failures and retries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic
from typing import Any, TypeAlias, cast
from weakref import WeakKeyDictionary

from anyio import move_on_after
from httpx2 import AsyncClient
from msgspec import structs
from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelRequestPart, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings as RequestSettings
from pydantic_ai.tools import ToolDefinition

from ecbench.harness.message_conversion import assistant_message, conversation, request_form
from ecbench.harness.messages import (
    NO_USAGE,
    Answer,
    Message,
    ModelFailure,
    OnRetry,
    OnUsage,
    Usage,
    ignore,
)
from ecbench.harness.provider_errors import LONGEST_REASON, NO_TOOLS, find_refusal, model_failure, one_line
from ecbench.harness.providers import open_provider, request_settings
from ecbench.harness.response_limits import http_client
from ecbench.harness.retry import answer_with_retries
from ecbench.harness.servers import look_at_server
from ecbench.harness.settings import ModelSettings, known_price
from ecbench.harness.text_calls import as_text, calls_schema, read_text_calls
from ecbench.ranges import DOLLARS, TOKENS
from ecbench.redaction import named_secrets, protect

Form: TypeAlias = ModelResponse | ModelRequestPart

TAKE_SCHEMA = ("llama.cpp", "vLLM")  # servers that hold an answer to a JSON schema, whatever the model


@dataclass(slots=True)
class TextCalls:
    """Whether calls are text, and whether a JSON schema holds answers to their form; shared by copies of a model."""

    on: bool
    schema: bool | None = None  # None: the server has not been asked yet


@dataclass(slots=True)
class ProviderModel:
    """A model of a provider with the tools of a run."""

    model: Model
    tools: ModelRequestParameters
    settings: ModelSettings
    options: RequestSettings
    http: AsyncClient
    schemas: Sequence[Mapping[str, Any]]
    text_calls: TextCalls
    on_retry: OnRetry = ignore
    on_usage: OnUsage = ignore
    _forms: WeakKeyDictionary[Message, Form] = field(default_factory=WeakKeyDictionary)

    def notifying(self, on_retry: OnRetry, on_usage: OnUsage = ignore) -> "ProviderModel":
        """The same model, which reports its retries and what its answers used."""
        return replace(self, on_retry=on_retry, on_usage=on_usage)

    def with_calls_as_text(self) -> "ProviderModel":
        """The same model with calls as text, over the same connections."""
        settings = replace(self.settings, calls="text")
        return replace(self, settings=settings, text_calls=TextCalls(True), _forms=WeakKeyDictionary())

    def write_calls(self) -> None:
        """From now on calls are text."""
        self.text_calls.on = True
        self._forms.clear()

    async def answer(self, messages: Sequence[Message]) -> Answer:
        """The next turn. Transient failures are retried, as long as the settings allow."""
        attempt, patience = partial(self.attempt, messages), self.settings.give_up_seconds
        try:
            answer = await answer_with_retries(attempt, patience, self.on_retry)
        except ModelFailure as failure:
            if (used := _usage_with_retries(failure)).tokens:
                self.on_usage(used)
            raise
        self.on_usage(_usage_with_retries(answer))
        return answer

    async def attempt(self, messages: Sequence[Message], seconds: float | None = None) -> Answer:
        """One request, within `seconds` or the time limit of the settings. Raises `ModelFailure`."""
        limit = self.settings.attempt_seconds if seconds is None else seconds
        try:
            with move_on_after(limit):
                return await self._answer(messages)
            raise ModelFailure(f"no answer within {limit:,.0f} s", "busy", cause="no answer in time")
        except Exception as error:  # each provider's client has its own
            address = self.settings.base_url or self.model.base_url or "the provider"
            failure = model_failure(error, self.settings.name, address)
            if not self._changes_calls(failure):
                raise failure from error
        return await self.attempt(messages, seconds)

    async def close(self) -> None:
        """Close the connections."""
        await self.http.aclose()

    async def _answer(self, messages: Sequence[Message]) -> Answer:
        if self.text_calls.on and self.text_calls.schema is None:
            given = "response_format" in (self.settings.extra_body or {})
            kind = "" if given or not self.schemas else (await look_at_server(self.model)).kind
            self.text_calls.schema = kind in TAKE_SCHEMA
        options = self.options
        if self.text_calls.schema:
            body = calls_schema(self.schemas) | dict(self.settings.extra_body or {})
            options = cast("RequestSettings", {**options, "extra_body": body})
        started = monotonic()
        response = await model_request(
            self.model,
            conversation(map(self._form, messages)),
            model_settings=options,
            model_request_parameters=ModelRequestParameters() if self.text_calls.on else self.tools,
        )
        usage = self._usage(response)
        if refusal := find_refusal(response):
            refusal.usage = usage
            raise refusal
        said = assistant_message(response, messages)
        if self.settings.calls != "native":
            taken = [call.id for message in messages for call in message.calls]
            said = read_text_calls(said, {tool.name for tool in self.tools.function_tools}, taken)
        return Answer(
            said,
            usage,
            round(monotonic() - started, 3),
            response.finish_reason or "",
            model=response.model_name or "",
            as_text=self.settings.calls == "auto" and self.text_calls.on,
        )

    def _changes_calls(self, failure: ModelFailure) -> bool:
        """Whether another form of the calls may cure the failure: text, or text without a schema."""
        if self.settings.calls == "auto" and not self.text_calls.on and failure.cause == NO_TOOLS:
            self.write_calls()
            return True
        if self.text_calls.schema and failure.cause in ("HTTP 400", "HTTP 422"):
            self.text_calls.schema = False
            self._forms.clear()
            return True
        return False

    def _usage(self, response: ModelResponse) -> Usage:
        """What was used, and its cost: at the price that was given, else as reported, else at the listed price."""
        reported = response.usage
        cached, written = reported.cache_read_tokens, reported.cache_write_tokens
        reasoning = getattr(reported, "output_reasoning_tokens", None) or reported.details.get("reasoning_tokens", 0)
        counts = (reported.input_tokens - cached - written, reported.output_tokens, cached, written, reasoning)
        if not any(counts) or not all(count in TOKENS for count in counts):
            return NO_USAGE  # no model reads as many tokens, so the report is discarded
        usage = Usage(*counts)
        cost = (response.provider_details or {}).get("cost")
        if self.settings.price is not None or cost not in DOLLARS:
            price = known_price(self.settings)
            cost = price.of(usage) if price else None
        return structs.replace(usage, cost=cost or None)

    def _form(self, message: Message) -> Form:
        if message not in self._forms:
            schemas = self.schemas if self.text_calls.on else ()
            sent = as_text(message, schemas, in_schema=bool(self.text_calls.schema))
            self._forms[message] = request_form(sent)
        return self._forms[message]


def open_model(settings: ModelSettings, tool_schemas: Sequence[Mapping[str, Any]]) -> ProviderModel:
    """The model that `settings` name, with these tools; raises `ModelFailure` if it cannot be set up."""
    protect(*(value for _, value in named_secrets([settings.base_url, settings.model_args, settings.extra_body])))
    try:
        http = http_client(settings.attempt_seconds)
        model = open_provider(settings, http)
        options = request_settings(settings, model)
    except Exception as error:  # each provider's client has its own ways to reject its options
        problem = one_line(str(error).replace("`", ""), LONGEST_REASON)
        raise ModelFailure(f"{settings.name}: {problem}") from error
    key = getattr(getattr(model, "client", None), "api_key", None)  # the provider may have found it in the environment
    if isinstance(key, str):
        protect(key)
    functions = [schema["function"] for schema in tool_schemas]
    tools = [
        ToolDefinition(
            name=each["name"], description=each["description"], parameters_json_schema=each["parameters"], strict=False
        )
        for each in functions
    ]
    return ProviderModel(
        model,
        ModelRequestParameters(function_tools=tools),
        settings,
        options,
        http,
        tool_schemas,
        TextCalls(settings.calls == "text"),
    )


def _usage_with_retries(asked: Answer | ModelFailure) -> Usage:
    return sum((retry.usage for retry in asked.retries), asked.usage)
