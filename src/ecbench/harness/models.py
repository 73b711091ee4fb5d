"""Any provider's model, through Inspect AI's model layer.

Inspect names a model `provider/model`, speaks each provider's protocol, replays reasoning where the provider needs
it and keeps the prompt cached where that exists. Here stands what it does not do: the loop's own messages, strict
tool arguments, prices, failures told in one line, and retries that a person can watch.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import uniform
from time import monotonic
from typing import Any
from weakref import WeakKeyDictionary

from anyio import move_on_after, sleep
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log._transcript import init_transcript
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolInfo, ToolParams

from ecbench.harness.failures import failure, one_line, prerequisite
from ecbench.harness.messages import Answer, Message, ModelFailure, Retry, Setback, Tell, Usage, tell_nobody
from ecbench.harness.native import assistant_message, chat_message, clear_tables, fill_tables
from ecbench.harness.reading import LatestCall, read_strictly
from ecbench.harness.refusals import Refusal
from ecbench.harness.settings import ModelSettings, Price
from ecbench.ranges import DOLLARS, TOKENS

CHECK_SECONDS = 4.5
REFUSALS = 2  # times that a refused answer is asked for again
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds before a request is made again; each pause is twice the last one
SPREAD = 0.25  # of a pause, so that episodes that failed together do not come back together


@dataclass(slots=True)
class InspectModel:
    """A model behind Inspect; not `standalone` inside an Inspect evaluation, which records and fails by itself."""

    model: Model
    tools: list[ToolInfo]
    settings: ModelSettings
    standalone: bool = True
    tell: Tell = tell_nobody
    _forms: WeakKeyDictionary[Message, ChatMessage] = field(default_factory=WeakKeyDictionary)

    def telling(self, tell: Tell) -> "InspectModel":
        """The same model for somebody who wants to know of its setbacks."""
        return replace(self, tell=tell)

    async def answer(self, messages: Sequence[Message]) -> Answer:
        """The next turn. What may pass is waited for, as long as the settings say."""
        if not self.standalone:
            return await self._answer(messages)
        begun = monotonic()
        retries: list[Retry] = []
        while True:
            asked = monotonic()
            try:
                return replace(await self._attempt(messages), retries=tuple(retries))
            except ModelFailure as setback:
                pause = max(setback.retry_after, _pause(len(retries)))
                waited = monotonic() - begun
                if not self._worth_another(setback, retries, waited + pause):
                    setback.retries = tuple(retries)
                    raise
                retries.append(Retry(setback.cause, monotonic() - asked + pause, setback.usage))
                self.tell(Setback(str(setback), pause, len(retries), waited))
            await sleep(pause)

    def forms(self, messages: Sequence[Message]) -> list[ChatMessage]:
        """The messages as Inspect has them; the same message always has the same form."""
        return [self._form(message) for message in messages]

    async def check(self, seconds: float = CHECK_SECONDS) -> None:
        """One tiny turn: raises `ModelFailure` when the key, the model's name or the address is wrong.

        A model that is merely slow or busy passes.
        """
        try:
            with move_on_after(seconds):
                await self._attempt([Message("user", "Answer with OK.")])
        except ModelFailure as told:
            if told.kind != "busy":
                raise

    async def close(self) -> None:
        await self.model.api.aclose()

    def _worth_another(self, setback: ModelFailure, retries: Sequence[Retry], waited: float) -> bool:
        if setback.kind == "refused" and sum(retry.cause == setback.cause for retry in retries) >= REFUSALS:
            return False
        return setback.kind != "final" and waited < self.settings.give_up_seconds

    async def _attempt(self, messages: Sequence[Message]) -> Answer:
        # Inspect keeps every request it sees; without an evaluation around it nobody would ever drop them.
        init_transcript(LatestCall())
        clear_tables()
        try:
            return await self._answer(messages)
        except Exception as problem:
            told = failure(problem, self.model, self.settings.attempt_seconds)
            if isinstance(problem, Refusal):
                told.usage = _usage(problem.usage, self.settings.price)
            raise told from problem

    async def _answer(self, messages: Sequence[Message]) -> Answer:
        tables = fill_tables(messages)
        started = monotonic()
        output: ModelOutput = await self.model.generate(self.forms(messages), self.tools)
        return Answer(
            assistant_message(output.message, tables),
            _usage(output.usage, self.settings.price),
            monotonic() - started,
            output.stop_reason,
        )

    def _form(self, message: Message) -> ChatMessage:
        form = self._forms.get(message)
        if form is None:
            form = self._forms[message] = chat_message(message)
        return form


def open_model(settings: ModelSettings, tool_schemas: Sequence[Mapping[str, Any]]) -> InspectModel:
    """The model that `settings` name, offered these tools; raises `ModelFailure` when it cannot be set up."""
    config = GenerateConfig(
        max_retries=0,
        timeout=settings.attempt_seconds,
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
        raise ModelFailure(f"{settings.name}: {prerequisite(str(problem.message))}") from problem
    except (ValueError, TypeError, ImportError) as problem:
        raise ModelFailure(f"{settings.name}: {one_line(str(problem))}") from problem
    _leave_retries_to_us(model, settings)
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


def _leave_retries_to_us(model: Model, settings: ModelSettings) -> None:
    """The providers' clients retry by themselves, unseen and with times of their own."""
    api: Any = model.api
    client: Any = vars(api).get("client")
    if isinstance(getattr(client, "max_retries", None), int):
        client.max_retries = 0
        client.timeout = float(settings.attempt_seconds)
    if hasattr(api, "_http_options"):  # Google's, whose client is made anew for each request
        api._http_options = _single_attempts(api._http_options)


def _single_attempts(options: Callable[..., Any]) -> Callable[..., Any]:
    """Unless told how often to ask, Google's client asks again up to ten seconds after the line broke."""

    def single(*given: Any) -> Any:
        made = options(*given)
        return type(made).model_validate(made.model_dump(exclude_none=True) | {"retry_options": {"attempts": 1}})

    return single


def _pause(retries: int) -> float:
    return float(min(FIRST_PAUSE * 2.0**retries, LONGEST_PAUSE) * uniform(1, 1 + SPREAD))


def _usage(reported: ModelUsage | None, price: Price | None) -> Usage:
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
        return Usage()  # no model reads as much: such a report is as good as none
    usage = Usage(*counts, reported.total_cost if reported.total_cost in DOLLARS else None)
    return usage if price is None else replace(usage, cost=price.of(usage))
