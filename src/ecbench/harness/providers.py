"""A model of any provider, opened through Pydantic AI's public parts: its client, its key, its address, its options.

Clients send each request once: `retry` repeats what failed.
"""

import os
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from inspect import signature
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import urlsplit

from httpx2 import AsyncClient
from openai import AsyncOpenAI, NotGiven, Omit
from openai.types.chat import ChatCompletion
from openai.types.responses import Response
from pydantic_ai.models import Model, infer_model
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers import infer_provider_class
from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
from pydantic_ai.settings import ModelSettings as RequestSettings

from ecbench.harness.settings import ModelSettings

ANY_SERVER = "openai-api"  # the provider of `openai-api/SERVICE/MODEL`: any server with OpenAI's chat protocol
PLACEHOLDER_KEY = "none"  # for a server on this machine, most of which take any key
LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")
LOCAL_ADDRESSES = {"ollama": "http://127.0.0.1:11434/v1"}


def open_provider(settings: ModelSettings, http: AsyncClient) -> Model:
    """The model that `settings` name. Raises the provider's own errors if it cannot be set up."""
    provider, _, name = settings.name.partition("/")
    if provider == ANY_SERVER:
        return _any_server(settings, name, http)
    return infer_model(f"{provider}:{name}", provider_factory=lambda kind: _provider(kind, settings, http))


def key_variable(name: str) -> str:
    """The environment variable that has the key of a model."""
    provider, _, rest = name.partition("/")
    service = rest.partition("/")[0] if provider == ANY_SERVER else provider
    return f"{service.upper().replace('-', '_')}_API_KEY"


def request_settings(settings: ModelSettings, model: Model) -> RequestSettings:
    """The options of each request. Raises ValueError for an argument that the provider does not have."""
    own: dict[str, Any] = {"timeout": float(settings.attempt_seconds), "cache": "5m", "max_retries": 0}
    if settings.name.startswith("openai/"):
        own["openai_store"] = False  # the conversation stays here; reasoning comes back encrypted
    if settings.max_tokens is not None:
        own["max_tokens"] = settings.max_tokens
    own |= _reasoning(settings, model)
    if settings.extra_body:
        own["extra_body"] = dict(settings.extra_body)
    given = {name: value for name, value in settings.model_args.items() if name != "api_key"}
    module = vars(import_module(type(model).__module__))
    kinds = [kind for name, kind in module.items() if name.endswith("ModelSettings")]  # of all models, and of these
    known = {name for kind in kinds for name in kind.__annotations__}
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, n=3) or sorted(RequestSettings.__annotations__)
            raise ValueError(f"there is no argument {name!r}; there are {', '.join(near)}")
    return cast(RequestSettings, own | given)


def _reasoning(settings: ModelSettings, model: Model) -> dict[str, Any]:
    """How hard the model is asked to reason, in the words of its provider."""
    effort = settings.effort
    if model.profile.get("anthropic_binds_thinking_blocks") and effort != "none":
        # Evicted turns change what stands before the later ones; thinking that does not fit there is dropped.
        binding = {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}}
        return {"anthropic_thinking": binding} | ({"anthropic_effort": effort} if effort else {})
    if effort is None:
        return {}
    if settings.name.startswith(f"{ANY_SERVER}/"):
        return {"openai_reasoning_effort": effort}
    return {"thinking": False if effort == "none" else effort}


def _any_server(settings: ModelSettings, path: str, http: AsyncClient) -> Model:
    service, _, name = path.partition("/")
    if not name:
        raise ValueError(f"write {ANY_SERVER}/SERVICE/MODEL, such as {ANY_SERVER}/local/{service or 'MODEL'}")
    address = key_variable(settings.name).replace("_API_KEY", "_BASE_URL")
    url = settings.base_url or os.environ.get(address)
    if url is None:
        raise ValueError(f"give the server's address in -M base_url or {address}, such as http://127.0.0.1:8080/v1")
    client = PlainOpenAI(api_key=_key(settings, url, needed=True), base_url=url, http_client=http)
    older = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False)  # `max_tokens` is known everywhere
    return OpenAIChatModel(name, provider=OpenAICompatibleProvider(service, openai_client=client), profile=older)


def _key(settings: ModelSettings, url: str | None, *, needed: bool) -> str | None:
    variable, local = key_variable(settings.name), urlsplit(url or "").hostname in LOCAL_HOSTS
    key = settings.model_args.get("api_key") or os.environ.get(variable) or (PLACEHOLDER_KEY if local else None)
    if needed and not key:
        raise ValueError(f"there is no key; set {variable}")
    return key


def _provider(kind: str, settings: ModelSettings, http: AsyncClient) -> Any:
    """The provider of this name, with the key and the address of the settings."""
    try:
        made: Callable[..., Any] = infer_provider_class(kind)
    except ValueError as error:
        advice = f"docs/models.md lists them; any server with OpenAI's protocol is {ANY_SERVER}/SERVICE/MODEL"
        raise ValueError(f"no provider is called {kind!r}; {advice}") from error
    accepted = signature(made).parameters
    url = settings.base_url or LOCAL_ADDRESSES.get(kind)
    if url is not None and "base_url" not in accepted:
        raise ValueError(f"{kind} takes no base_url")
    key = _key(settings, url, needed=kind.startswith("openai"))
    given: dict[str, Any] = {"http_client": http, "base_url": url, "api_key": key}
    provider = made(**{name: value for name, value in given.items() if name in accepted and value is not None})
    if "openai_client" not in accepted:
        return provider
    client = provider.client
    return made(openai_client=PlainOpenAI(api_key=client.api_key, base_url=client.base_url, http_client=http))


class PlainOpenAI(AsyncOpenAI):  # type: ignore[misc]
    """OpenAI's client with `chat.completions.create` and `responses.create` alone, posting each request as it is.

    Its own `create` walks the whole conversation by the types of its fields: at 3,200 messages 400 ms of processor time
    for a chat completion and 1,080 ms for a response, in every turn. A plain post takes 4 ms.
    """

    @property
    def chat(self) -> Any:
        create = partial(_post, self.post, "/chat/completions", ChatCompletion)
        return SimpleNamespace(completions=SimpleNamespace(create=create))

    @property
    def responses(self) -> Any:
        return SimpleNamespace(create=partial(_post, self.post, "/responses", Response))


async def _post(
    post: Callable[..., Any],
    path: str,
    answer: type,
    *,
    timeout: Any,
    extra_headers: Mapping[str, str],
    extra_body: Mapping[str, Any] | None = None,
    **asked: Any,
) -> Any:
    body = {name: value for name, value in asked.items() if not isinstance(value, Omit | NotGiven)}
    options = {"headers": extra_headers, "timeout": timeout}
    return await post(path, body=body | dict(extra_body or {}), cast_to=answer, options=options)
