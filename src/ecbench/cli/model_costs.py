"""What models cost: the estimate and the budgets before a run, the bill after it, as text."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ecbench.cli.options import Output
from ecbench.cli.terminal import say
from ecbench.errors import RunError
from ecbench.formatting import counted
from ecbench.harness.cost_estimate import CostEstimate
from ecbench.harness.settings import known_price
from ecbench.runs.budget_limits import BudgetLimits
from ecbench.runs.play.model_settings import estimate_run, models_of
from ecbench.runs.results.summary import Spent
from ecbench.runs.terms import Terms

MINUTE, HOUR = 60, 3_600
UNITS = ((1e9, "billion"), (1e6, "million"), (1e3, "thousand"))


def check_limits(limits: BudgetLimits, terms: Terms, advice: str = "") -> None:
    """Raise RunError if no model plays, or if dollars are limited and a price is unknown.

    `advice` is what helps where a price cannot be given any more.
    """
    models = models_of(terms) if limits.flags else []
    if limits.flags and not models:
        names = ", ".join(limits.flags)
        agents = " and ".join(dict.fromkeys(seat.agent for seat in terms.seats))
        raise RunError(f"{names}: only a model uses a budget, and none plays here ({agents}); name one with --agent")
    for settings in models:
        if limits.dollars is not None and known_price(settings) is None:
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
        length = f"{counted(sum(days), 'day', ',')} in {counted(len(days), 'episode')}"
        say(f"Estimate for {length}: {estimate_text(estimate, seconds)}", err=True)
    hours = {"hours": list(estimate.hours(seconds))} if seconds else {}
    return {"estimate": estimate.to_json() | hours}


def estimate_text(estimate: CostEstimate, seconds: float = 0.0) -> str:
    """Tokens, hours and dollars in a few words."""
    least, most = estimate.least, estimate.most
    read = [usage.tokens - usage.output_tokens for usage in (least, most)]
    parts = [
        f"{_tokens(*read)} tokens read ({least.cache_read_tokens / read[0]:.0%} cached)",
        f"{_tokens(least.output_tokens, most.output_tokens)} written",
    ]
    if seconds:
        parts.append(f"{_span('{:,.1f}', *estimate.hours(seconds))} h of answers")
    if estimate.dollars is None:
        parts.append(f"dollars not known, no price for {' and '.join(estimate.unpriced)} (give -M price=IN,OUT)")
    else:
        parts.append(_span("${:,.0f}", *estimate.dollars))
    return ", ".join(parts)


def _tokens(least: float, most: float) -> str:
    unit, name = next((each for each in UNITS if most >= each[0]), UNITS[-1])
    return f"{_span('{:.3g}', least / unit, most / unit)} {name}"


def _span(form: str, least: float, most: float) -> str:
    low, high = form.format(least), form.format(most)
    return low if low == high else f"{low} to {high}"


def bill(spent: Spent) -> Iterator[str]:
    """Lines on the usage of each model, and on the letters that a template wrote in its place."""
    if spent.usage:
        per_turn = spent.seconds / spent.turns if spent.turns else 0.0
        waited = f"{duration(spent.seconds)} of answers, {per_turn:.1f} s a turn"
        yield f"Model: {spent.turns:,} turns, {tokens(spent.usage)}, {waited}"
    if spent.retries:
        yield f"Requests to the model that failed: {sum(found['count'] for found in spent.retries.values()):,}"
    if spent.supplier_usage:
        yield f"Suppliers' model: {tokens(spent.supplier_usage, '--supplier-M')}"
    if fallbacks := spent.supplier_fallbacks:
        written, reason = sum(fallbacks.values()), max(fallbacks, key=lambda each: fallbacks[each])
        by_template = f"{written:,} of {spent.supplier_lines:,} were the template's"
        yield f"Suppliers' letters: {by_template}, since the model failed (mostly {reason})"


def tokens(usage: Mapping[str, float], flag: str = "-M") -> str:
    """Tokens and cost. Providers report cached input apart from the rest; `flag` is the option that gives a price."""
    cached = usage.get("cache_read_tokens", 0)
    read = usage.get("input_tokens", 0) + usage.get("cache_write_tokens", 0) + cached
    share = f" ({cached / read:.0%} cached)" if cached else ""
    cost = f"${usage['cost']:,.2f}" if "cost" in usage else f"cost not known (give {flag} price=IN,OUT)"
    return f"{read:,.0f} tokens read{share}, {usage.get('output_tokens', 0):,.0f} written, {cost}"


def duration(seconds: float) -> str:
    if seconds < MINUTE:
        return f"{seconds:.0f} s"
    if seconds < HOUR:
        return f"{seconds / MINUTE:.0f} min"
    return f"{seconds / HOUR:.1f} h"
