"""What a model costs: the price that the user gives, else that of the package `genai-prices`, else none."""

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from ecbench.harness.settings import ModelSettings, Price

if TYPE_CHECKING:
    from genai_prices.types import PriceCalculation

# What Anthropic charges for a token written to its cache, in multiples of its input price.
_WRITE, _WRITE_FOR_AN_HOUR = 1.25, 2.0
_SAMPLE = 1_000  # tokens; in long requests some models cost more a token
_PER_MILLION = 1_000_000 / _SAMPLE


def known_price(settings: ModelSettings) -> Price | None:
    """The price of a model; None if it is not known.

    A listed price is the provider's own, so it does not hold for a model behind another address.
    """
    price = settings.price
    if price is None and settings.base_url is None:
        price = listed_price(settings.name)
    if price is not None and price.write is None and writes_to_cache(settings.name):
        multiple = _WRITE_FOR_AN_HOUR if settings.model_args.get("cache") == "1h" else _WRITE
        price = replace(price, write=price.input * multiple)
    return price


@cache
def listed_price(name: str) -> Price | None:
    """What `genai-prices` lists for `provider/model`; None without the package, which the extra `models` installs."""
    found = [_sample(name, **usage) for usage in ({"input": 1}, {"output": 1}, {"input": 1, "cache_read": 1})]
    figures = [round(float(each.total_price) * _PER_MILLION, 6) for each in found if each is not None]
    return Price(*figures) if len(figures) == len(found) else None


def listed_window(name: str) -> int | None:
    """The window of a model in tokens, as the same package lists it."""
    found = _sample(name, input=1)
    return found.model.context_window if found is not None else None


def _sample(name: str, **usage: int) -> "PriceCalculation | None":
    """The price of a few tokens."""
    try:
        from genai_prices import Usage, calc_price
    except ImportError:
        return None
    provider, _, model = name.partition("/")
    try:
        return calc_price(Usage(**{f"{kind}_tokens": _SAMPLE for kind in usage}), model, provider_id=provider)
    except LookupError:
        return None


def writes_to_cache(model: str) -> bool:
    """Whether a provider charges for what it writes to its cache: Anthropic, and others that serve its models."""
    return model.startswith("anthropic/") or "claude" in model
