"""What a command says about the cost of its models before it plays, and the budgets that it refuses."""

from collections.abc import Iterable, Sequence
from typing import Any

from ecbench.cli.options import Output
from ecbench.cli.terminal import say
from ecbench.errors import RunError
from ecbench.formatting import counted
from ecbench.harness.cost_estimate import CostEstimate
from ecbench.harness.prices import known_price
from ecbench.harness.settings import ModelSettings
from ecbench.runs.budget_limits import BudgetLimits
from ecbench.runs.play.budget import models_of
from ecbench.runs.play.model_settings import estimate_run
from ecbench.runs.terms import Terms

UNITS = ((1e9, "billion"), (1e6, "million"), (1e3, "thousand"))


def check_limits(limits: BudgetLimits, terms: Terms, advice: str = "") -> None:
    """Raise RunError if no model plays, or if dollars are limited and a price is unknown.

    `advice` is what helps where a price cannot be given any more.
    """
    models = models_of(terms)
    if limits.flags and not models:
        names = ", ".join(limits.flags)
        agents = " and ".join(dict.fromkeys(seat.agent for seat in terms.seats))
        raise RunError(f"{names}: only a model uses a budget, and none plays here ({agents}); name one with --agent")
    if limits.dollars is None:
        return
    for settings in models:
        if known_price(settings) is None:
            flag = "--supplier-M" if settings.name == terms.voice else "-M"
            way = advice or f"give {flag} price=IN,OUT"
            raise RunError(f"--budget dollars: no price is known for {settings.name}; {way}")


def announce_estimate(terms: Terms, days: Sequence[int], output: Output, seconds: float = 0.0) -> dict[str, Any]:
    """Print what these episodes may take in one line, if a model plays; returns the same for the JSON of a command.

    `seconds` is how long a turn of the agent takes, where that is known.
    """
    estimate = estimate_run(terms, days)
    if estimate is None:
        return {}
    if not output.silent:
        say(f"Estimate for {_years(days)}: {estimate_text(estimate, models_of(terms), seconds)}", err=True)
    hours = {"hours": list(estimate.hours(seconds))} if seconds else {}
    return {"estimate": estimate.to_json() | hours}


def estimate_text(estimate: CostEstimate, models: Iterable[ModelSettings], seconds: float = 0.0) -> str:
    """Tokens, hours and dollars of these models in a few words."""
    least, most = estimate.least, estimate.most
    read = [usage.tokens - usage.output_tokens for usage in (least, most)]
    cached = least.cache_read_tokens / read[0]
    written = _tokens(least.cache_write_tokens, most.cache_write_tokens)
    into = f", {written} written to the cache" if most.cache_write_tokens else ""
    parts = [f"{_tokens(*read)} tokens read ({cached:.0%} cached{into})"]
    parts.append(f"{_tokens(least.output_tokens, most.output_tokens)} written")
    if seconds:
        parts.append(f"{_span('{:,.1f}', *estimate.hours(seconds))} h of answers")
    if estimate.dollars is None:
        unpriced = " and ".join(estimate.unpriced)
        return f"{', '.join(parts)}; dollars not known, no price for {unpriced} (give -M price=IN,OUT)"
    listed = any(settings.price is None for settings in models)
    source = " (prices of the package genai-prices)" if listed else ""
    return f"{', '.join(parts)}, {_span('${:,.0f}', *estimate.dollars)}{source}"


def _years(days: Sequence[int]) -> str:
    if len(set(days)) == 1:
        return f"{counted(len(days), 'episode')} of {counted(days[0], 'day')}"
    return f"{counted(sum(days), 'day', ',')} in {counted(len(days), 'episode')}"


def _tokens(least: float, most: float) -> str:
    unit, name = next((each for each in UNITS if most >= each[0]), UNITS[-1])
    return f"{_span('{:.3g}', least / unit, most / unit)} {name}"


def _span(form: str, least: float, most: float) -> str:
    low, high = form.format(least), form.format(most)
    return low if low == high else f"{low} to {high}"
