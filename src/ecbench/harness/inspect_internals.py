"""Everything that ecbench needs of Inspect AI beyond its public interface; no other module reaches for a private part.

Private parts change between releases without notice. The module therefore loads only with the tested versions
(`package_versions`), and each piece names what it relies on and why no public part does the same.
"""

import sys
from asyncio import AbstractEventLoop, get_running_loop
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from ecbench.harness.package_versions import require_supported_inspect

require_supported_inspect()

from httpx import AsyncClient
from inspect_ai._util.registry import registry_add
from inspect_ai.event import Event, ModelEvent
from inspect_ai.log import Transcript, transcript
from inspect_ai.log._samples import sample_active
from inspect_ai.log._transcript import init_transcript
from inspect_ai.model import ModelAPI, ModelCall, ModelOutput
from inspect_ai.util import RegistryInfo, registry_info

Generated = ModelOutput | tuple[ModelOutput | Exception, ModelCall]
Generate = Callable[..., Awaitable[Generated]]

ProviderState = dict[str, dict[str, Any]]
"""What providers keep beside the messages, by provider and table."""

# Inspect's own checkpoints dump and restore the state of these two providers; nothing public does.
_STATE_MODULES = {"openai": "inspect_ai.model._openai_responses", "anthropic": "inspect_ai.model._providers.anthropic"}

_wrapped: WeakSet[ModelAPI] = WeakSet()


class _LatestCall(Transcript):
    """A transcript that also holds the newest request with its response.

    Relies on `Transcript._process_event`: the event's own copy loses the response when Inspect condenses it.
    """

    def __init__(self) -> None:
        super().__init__(log_model_api=False)
        self.call: ModelCall | None = None

    def _process_event(self, event: Event, *, retain_attachments: bool = True) -> None:
        if isinstance(event, ModelEvent) and event.call is not None:
            self.call = event.call
        super()._process_event(event, retain_attachments=retain_attachments)


def isolate_request() -> None:
    """Start a request outside an evaluation with an empty transcript and no provider state.

    Relies on `init_transcript`: without an evaluation, one transcript would hold every request of the process.
    """
    init_transcript(_LatestCall())
    for provider, module in _state_modules():
        vars(module)[f"init_sample_{provider}_assistant_internal"]()


def latest_call() -> ModelCall | None:
    """The newest request since `isolate_request`; None if none was sent, and inside an evaluation."""
    current = transcript()
    return current.call if isinstance(current, _LatestCall) else None


def provider_state() -> ProviderState:
    """The state that providers keep for the current conversation."""
    dumped = {name: vars(module)[f"dump_{name}_assistant_internal"]() for name, module in _state_modules()}
    return {name: tables for name, tables in dumped.items() if tables}


def restore_provider_state(state: ProviderState) -> None:
    """Add dumped state to the current conversation's."""
    for provider, module in _state_modules():
        if provider in state:
            vars(module)[f"init_sample_{provider}_assistant_internal"](state[provider])


def _state_modules() -> Iterator[tuple[str, ModuleType]]:
    """Only loaded providers have state; loading one takes up to a second."""
    for provider, name in _STATE_MODULES.items():
        if name in sys.modules:
            yield provider, sys.modules[name]


def wrap_generate(api: ModelAPI, wrap: Callable[[Generate], Generate]) -> None:
    """Put `wrap` around this provider's `generate`, once.

    Replaces a method of one object: Inspect has no hook between a response and its own reading and logging of it.
    """
    if api not in _wrapped:
        _wrapped.add(api)
        api.generate = wrap(api.generate)  # type: ignore[method-assign, assignment]


def provider_client(api: ModelAPI) -> Any:
    """The provider's own client, where the provider keeps one under this name; else None."""
    return vars(api).get("client")


def uses_responses_api(api: ModelAPI) -> bool:
    """Whether requests go to OpenAI's Responses API."""
    return bool(vars(api).get("responses_api"))


def http_client(api: ModelAPI) -> Any:
    """The HTTP client below the provider's own, with the hooks of httpx; None where there is none.

    Relies on `_client` of OpenAI's and Anthropic's clients. Google's makes one of another kind for each request.
    """
    client = getattr(provider_client(api), "_client", None)
    return client if hasattr(client, "event_hooks") else None


def disable_client_retries(api: ModelAPI, timeout: float, limit_responses: Callable[[Any], None]) -> None:
    """Make the provider's client send each request once: its own retries are invisible and have their own times.

    `limit_responses` prepares the HTTP client that Google's client is given.

    Relies on the `client` of a provider, and on `_http_options` of Google's, which makes a client for each request.
    """
    client = provider_client(api)
    if isinstance(getattr(client, "max_retries", None), int):
        client.max_retries = 0
        client.timeout = timeout
    google: Any = api
    if hasattr(google, "_http_options"):
        google._http_options = _single_attempt(google._http_options, limit_responses)


def _single_attempt(options: Callable[..., Any], limit_responses: Callable[[Any], None]) -> Callable[..., Any]:
    """Without a number of attempts, Google's client retries a broken connection for up to ten seconds.

    It is also given an HTTP client with limits on responses, one for each event loop: its own has no hooks.
    """
    clients: WeakKeyDictionary[AbstractEventLoop, AsyncClient] = WeakKeyDictionary()

    def single(*given: Any) -> Any:
        made = options(*given)
        made = type(made).model_validate(made.model_dump(exclude_none=True) | {"retry_options": {"attempts": 1}})
        loop = get_running_loop()
        if loop not in clients:
            clients[loop] = AsyncClient(timeout=None)  # the request states its own
            limit_responses(clients[loop])
        made.httpx_async_client = clients[loop]
        return made

    return single


@dataclass(frozen=True, slots=True)
class ActiveSample:
    """The sample of an evaluation that the current task runs."""

    uuid: str
    id: str | int | None
    epoch: int
    log_location: str


def active_sample() -> ActiveSample | None:
    """Relies on `sample_active`: the place of a log that is being written is public nowhere."""
    active = sample_active()
    if active is None:
        return None
    return ActiveSample(active.sample_uuid, active.sample.id, active.epoch, active.log_location)


def log_event(event: Event) -> None:
    """Add an event to the evaluation's transcript. Relies on `_event`: the public methods add info events only."""
    transcript()._event(event)


def register_as(scorer: Any, name: str) -> None:
    """Register a scorer under exactly this name as well; relies on `registry_add`.

    A log names a scorer without its package, and `inspect score` looks that name up. The public decorator would put
    the package in front of it once more.
    """
    own = registry_info(scorer)
    registry_add(scorer, RegistryInfo(type="scorer", name=name, metadata=own.metadata))
    registry_add(scorer, own)
