"""What a run records of the options about models. An option that cannot be read, or has no effect, is refused."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ecbench.agent_text import DEEPEST_AROUND
from ecbench.cli.model_options import ModelOptions, ProviderOptions
from ecbench.errors import RunError
from ecbench.gate import is_too_deep
from ecbench.harness.context import ContextPolicy
from ecbench.harness.prices import read_prices
from ecbench.harness.settings import ModelSettings, Price
from ecbench.ranges import quoted
from ecbench.runs.manifest import refuse_secrets
from ecbench.runs.play.agents import ModelAgent, parse_agent

LONGEST_BRIEF = 1 << 20  # bytes

Options = dict[str, Any]


def agent_options(given: ProviderOptions) -> Options:
    """What was given about the agent's model, its job description and its window."""
    own = provider_options("--", given)
    return own | (brief_and_window(given.brief, given.window) if isinstance(given, ModelOptions) else {})


def provider_options(prefix: str, given: ProviderOptions) -> Options:
    """Parse the options of one model; `prefix` begins their names."""
    url, body, price = given.base_url, given.extra_body, given.price
    arguments = dict(_argument(f"{prefix}model-arg", argument) for argument in given.model_arg or ())
    read: Options = {
        "model_args": arguments | ({"cache_ttl": given.cache_ttl} if given.cache_ttl else {}),
        "base_url": None if url is None else _address(f"{prefix}base-url", url),
        "effort": given.effort,
        "extra_body": None if body is None else _object(f"{prefix}extra-body", body),
        "max_tokens": given.max_tokens,
        "price": None if price is None else _price(f"{prefix}price", price),
    }
    options = {name: value for name, value in read.items() if value}
    refuse_secrets(options)
    return options


def brief_and_window(brief: Path | None, window: str | None) -> Options:
    """What the harness gives the model; its provider is not concerned."""
    given = {
        "brief": None if brief is None else _wording(brief),
        "window": None if window is None else window_terms(window),
    }
    return {name: value for name, value in given.items() if value}


def time_limits(given: ProviderOptions) -> Options:
    limits = {"attempt_seconds": given.attempt_seconds, "give_up_seconds": given.give_up_seconds}
    return {name: value for name, value in limits.items() if value}


def model_terms(
    agent: str, voice: str, *, own: Options, supplier: Options, limits: Options, prices: Path | None = None
) -> Options:
    """As the run records it: the options of the agent's model, and under `supplier` those of the suppliers'.

    The time limits and the file of prices apply to both; the window is recorded even where it is the default.
    """
    plays, speaks = (isinstance(parse_agent(name), ModelAgent) for name in (agent, voice))
    idle = own if speaks else own | limits
    if idle and not plays:
        flags = _flags("--", idle)
        raise RunError(f"{flags}: only a model takes this, and {agent} is a merchant; name a model with --agent")
    if supplier and not speaks:
        flags = _flags("--supplier-", supplier)
        raise RunError(f"{flags}: only a suppliers' model takes this; name one with --supplier-model")
    if "cache_ttl" in own.get("model_args", {}) and not agent.startswith("anthropic/"):
        raise RunError(
            f"--cache-ttl: only Anthropic's models take it, named anthropic/MODEL, not {agent}; leave it out"
        )
    if prices is not None:
        own, supplier = _with_listed_prices(prices, (agent, own), (voice, supplier))
    terms = {"window": ContextPolicy().to_json()} | own | limits if plays else {}
    letters = supplier | limits if speaks else {}
    return terms | {"supplier": letters} if letters else terms


def _with_listed_prices(path: Path, *models: tuple[str, Options]) -> list[Options]:
    """The options of each model with its price in the user's file. Raises RunError where the file has none of them."""
    listed = read_prices(path)
    found = {name: listed.find(name) for name, _ in models if isinstance(parse_agent(name), ModelAgent)}
    if not any(found.values()):
        raise RunError(f"--prices {path}: it has no price for {' and '.join(found) or 'a model that plays here'}")
    priced = []
    for name, options in models:
        price, ttl = found.get(name), ModelSettings(name, model_args=options.get("model_args", {})).cache_ttl
        priced.append(({"price": str(price.price(ttl))} if price else {}) | options)
    return priced


def voice_of(supplier_model: str | None) -> str:
    if supplier_model is None:
        return "template"
    if not isinstance(parse_agent(supplier_model), ModelAgent):
        raise RunError(f"--supplier-model {supplier_model}: a model is named provider/model")
    return supplier_model


def _address(flag: str, url: str) -> str:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # an address in brackets that is none, or a port that is no number
        usable = False
    if not usable:
        raise RunError(f"{flag} {url}: write it with its scheme, such as http://127.0.0.1:8000/v1")
    if parts.username or parts.password:
        raise RunError(f"{flag}: the name or password in it would be written into the run folder; leave it out")
    return url


def _argument(flag: str, text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip().isidentifier():
        raise RunError(f"{flag} {quoted(text)}: write it as key=value, such as {flag} organization=mine")
    try:
        read = json.loads(value)
    except (ValueError, RecursionError):
        read = value
    if is_too_deep(read, DEEPEST_AROUND):
        raise RunError(f"{flag} {name.strip()}: {quoted(value)} is nested more than {DEEPEST_AROUND} deep")
    return name.strip(), read


def _object(flag: str, text: str) -> Options:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or is_too_deep(value, DEEPEST_AROUND):
        raise RunError(f"{flag} {quoted(text)}: this is not a JSON object, such as '{{\"top_k\": 20}}'")
    return value


def _price(flag: str, text: str) -> str:
    try:
        Price.parse(text)
    except ValueError as problem:
        raise RunError(f"{flag.removesuffix('price')}{problem}") from problem
    return text


def window_terms(text: str) -> Options:
    """The context policy as a run records it. Raises RunError."""
    try:
        return ContextPolicy.parse(text).to_json()
    except ValueError as problem:
        raise RunError(f"--{problem}") from problem


def _wording(path: Path) -> str:
    try:
        if path.exists() and not path.is_file():
            raise RunError(f"--brief {path}: this is not a plain file")
        if path.stat().st_size > LONGEST_BRIEF:
            raise RunError(f"--brief {path}: {path.stat().st_size:,} bytes; at most {LONGEST_BRIEF:,} are read")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise RunError(f"--brief {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise RunError(f"--brief {path}: this is not UTF-8 text") from error
    if not text.strip():
        raise RunError(f"--brief {path}: the file is empty")
    return text


def _flags(prefix: str, options: Mapping[str, Any]) -> str:
    arguments = "cache-ttl" if list(options.get("model_args", ())) == ["cache_ttl"] else "model-arg"
    names = (arguments if name == "model_args" else name.replace("_", "-") for name in options)
    return ", ".join(f"{prefix}{name}" for name in names)
