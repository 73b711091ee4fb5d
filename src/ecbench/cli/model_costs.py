"""What models cost: the estimate and the budgets before a run, the bill after it, as text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ecbench.cli.options import Output
from ecbench.cli.terminal import say
from ecbench.errors import RunError
from ecbench.formatting import counted
from ecbench.harness.cost_estimate import CostEstimate
from ecbench.harness.settings import ModelSettings, known_price
from ecbench.runs.budget_limits import BudgetLimits
from ecbench.runs.play.model_settings import estimate_run, models_of
from ecbench.runs.results.derived_files import Retries
from ecbench.runs.results.summary import Spent
from ecbench.runs.terms import Terms

MINUTE, HOUR = 60, 3_600
UNITS = ((1e9, "billion"), (1e6, "million"), (1e3, "thousand"))
UNPRICED = "cost not known (give {} price=IN,OUT)"


def check_limits(limits: BudgetLimits, terms: Terms, advice: str = "") -> None:
    """Raise RunError if no model plays, or if dollars are limited and a price is unknown.

    `advice` is what helps where a price cannot be given any more.
    """
    if not limits.flags:
        return
    models = models_of(terms)
    if not models:
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


def bill(spent: Spent) -> Iterator[str]:
    """Lines on the usage of each model, its retries, and the letters that a template wrote in its place."""
    if spent.usage:
        per_turn = spent.seconds / spent.turns if spent.turns else 0.0
        waited = f"{duration(spent.seconds)} of answers, {per_turn:.1f} s a turn"
        yield f"Model: {spent.turns:,} turns, {tokens(spent.usage)}, {waited}"
        yield from _retries("The model", spent.retries)
    if spent.supplier_usage:
        yield f"Suppliers' model: {tokens(spent.supplier_usage, '--supplier-M')}"
    if spent.supplier_lines:
        yield from _retries("The suppliers' model", spent.supplier_retries)
        yield from _fallbacks(spent)


def _retries(who: str, retries: Retries) -> Iterator[str]:
    if not retries:
        return
    total = sum(found["count"] for found in retries.values())
    seconds = sum(found["seconds"] for found in retries.values())
    by_count = sorted(retries.items(), key=lambda item: -item[1]["count"])
    causes = ", ".join(f"{found['count']:,} x {cause}" for cause, found in by_count)
    times = "once" if total == 1 else f"{total:,} times"
    yield f"{who} was asked again {times} ({causes}), which took {duration(seconds)}"


def _fallbacks(spent: Spent) -> Iterator[str]:
    """A line on the letters that the template wrote because the model failed."""
    written = sum(spent.supplier_fallbacks.values())
    if not written:
        return
    reason = max(spent.supplier_fallbacks, key=lambda each: spent.supplier_fallbacks[each])
    counted_lines = f"{written:,} of {spent.supplier_lines:,}"
    yield f"Suppliers' letters: {counted_lines} were the template's, since the model failed (mostly {reason})"


def tokens(usage: Mapping[str, float], flag: str = "-M") -> str:
    """Tokens and cost. Providers report cached input apart from the rest; `flag` is the option that gives a price."""
    cached = usage.get("cache_read_tokens", 0)
    read = usage.get("input_tokens", 0) + usage.get("cache_write_tokens", 0) + cached
    parts = [f"{read:,.0f} tokens read"]
    if cached:
        parts[0] += f" ({cached / read:.0%} cached)"
    written = f"{usage.get('output_tokens', 0):,.0f} written"
    if usage.get("reasoning_tokens"):
        written += f" ({usage['reasoning_tokens']:,.0f} reasoning)"
    parts.append(written)
    parts.append(f"${usage['cost']:,.2f}" if "cost" in usage else UNPRICED.format(flag))
    return ", ".join(parts)


def duration(seconds: float) -> str:
    if seconds < MINUTE:
        return f"{seconds:.0f} s"
    if seconds < HOUR:
        return f"{seconds / MINUTE:.0f} min"
    return f"{seconds / HOUR:.1f} h"
