"""Which model plays, with which options, and what it costs: plain data that needs no model library."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Literal

from ecbench.harness.messages import Usage
from ecbench.ranges import PRICE

PACKAGES = ("pydantic-ai-slim", "openai", "anthropic", "google-genai")  # through which models are reached

Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]
CallStyle = Literal["native", "text", "auto"]
"""How a model calls tools: as its provider has it, as text, or as text only where the provider has none."""

_SAMPLE = 1_000  # tokens; in long requests some models cost more a token


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars per million tokens. Input that is read from a cache, or written to it, costs as much as other input
    unless `cached` and `write` say what it costs."""

    input: float
    output: float
    cached: float | None = None
    write: float | None = None

    @classmethod
    def parse(cls, text: str) -> "Price":
        """`IN,OUT`, `IN,OUT,CACHED` or `IN,OUT,CACHED,WRITE`."""
        try:
            figures = [float(part) for part in text.split(",")]
        except ValueError:
            figures = []
        if len(figures) not in (2, 3, 4) or not all(figure in PRICE for figure in figures):
            raise ValueError(
                f"price {text!r} is not IN,OUT[,CACHED[,WRITE]] in dollars per million tokens, each {PRICE}"
            )
        return cls(*figures)

    def __str__(self) -> str:
        """As `parse` reads it."""
        cached = self.input if self.cached is None and self.write is not None else self.cached
        return ",".join(
            f"{figure:.12g}" for figure in (self.input, self.output, cached, self.write) if figure is not None
        )

    def of(self, usage: Usage) -> float:
        """Dollars for these tokens."""
        cached = self.input if self.cached is None else self.cached
        write = self.input if self.write is None else self.write
        read = usage.input_tokens * self.input + usage.cache_read_tokens * cached + usage.cache_write_tokens * write
        return (read + usage.output_tokens * self.output) / 1e6


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Which model, where, and its time limits. Sampling follows the provider's defaults."""

    name: str
    base_url: str | None = None
    model_args: Mapping[str, Any] = field(default_factory=dict)
    effort: Effort | None = None
    extra_body: Mapping[str, Any] | None = None
    max_tokens: int | None = None  # of one answer, reasoning included; None: as the provider has it
    price: Price | None = None  # given by the user; it wins over a cost that the provider reports
    attempt_seconds: int = 600  # for one request, which is then retried
    calls: CallStyle = "native"
    give_up_seconds: int = 1_800  # for one turn: its requests and the backoff between them


def package_versions() -> dict[str, str]:
    """The versions of the packages through which models are reached, of those that are installed."""
    found = {}
    for package in PACKAGES:
        with suppress(PackageNotFoundError):
            found[package] = version(package)
    return found


def known_price(settings: ModelSettings) -> Price | None:
    """The price of a model, which the list has for its provider's own address alone; None if it is not known."""
    return settings.price or (listed_price(settings.name) if settings.base_url is None else None)


@cache
def listed_price(name: str) -> Price | None:
    """What `genai-prices` lists for `provider/model`; None without the package, which the extra `models` installs."""
    try:
        from genai_prices import Usage as Sample
        from genai_prices import calc_price
    except ImportError:
        return None
    provider, _, model = name.partition("/")
    samples = (
        Sample(input_tokens=_SAMPLE),
        Sample(output_tokens=_SAMPLE),
        Sample(input_tokens=_SAMPLE, cache_read_tokens=_SAMPLE),
        Sample(input_tokens=_SAMPLE, cache_write_tokens=_SAMPLE),
    )
    try:
        found = [calc_price(sample, model, provider_id=provider).total_price for sample in samples]
    except LookupError:
        return None
    return Price(*(round(float(dollars) / _SAMPLE * 1e6, 6) for dollars in found))
