"""Which model plays, with which options: plain data that needs no model library."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ecbench.harness.messages import Usage
from ecbench.ranges import PRICE

Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars per million tokens; cached input costs the input price unless `cached` is given."""

    input: float
    output: float
    cached: float | None = None

    @classmethod
    def parse(cls, text: str) -> "Price":
        """`IN,OUT` or `IN,OUT,CACHED`."""
        try:
            figures = [float(part) for part in text.split(",")]
        except ValueError:
            figures = []
        if len(figures) not in (2, 3) or not all(figure in PRICE for figure in figures):
            raise ValueError(
                f"price {text!r} is not IN,OUT or IN,OUT,CACHED in dollars per million tokens, each {PRICE}"
            )
        return cls(*figures)

    def of(self, usage: Usage) -> float:
        cached = self.input if self.cached is None else self.cached
        fresh = usage.input_tokens + usage.cache_write_tokens
        return (fresh * self.input + usage.cache_read_tokens * cached + usage.output_tokens * self.output) / 1e6


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Which model, where, and its time limits. Sampling follows the provider's defaults."""

    name: str
    base_url: str | None = None
    model_args: Mapping[str, Any] = field(default_factory=dict)
    effort: Effort | None = None
    extra_body: Mapping[str, Any] | None = None
    max_tokens: int | None = None  # of one answer, reasoning included; None: as the provider has it
    price: Price | None = None
    attempt_seconds: int = 600  # for one request, which is then retried
    give_up_seconds: int = 1_800  # for one turn: its requests and the backoff between them
