"""The usage of models as text: tokens, dollars, hours, retries."""

from collections.abc import Iterator, Mapping

from ecbench.runs.results.counters import Retries
from ecbench.runs.results.summary import Spent

MINUTE, HOUR = 60, 3_600


def bill(spent: Spent) -> Iterator[str]:
    """Lines on the usage of each model, its retries, and the letters that a template wrote in its place."""
    if spent.usage:
        per_turn = spent.seconds / spent.turns if spent.turns else 0.0
        waited = f"{duration(spent.seconds)} of answers, {per_turn:.1f} s a turn"
        yield f"Model: {spent.turns:,} turns, {tokens(spent.usage, 'cost not known (give -M price=IN,OUT)')}, {waited}"
        yield from _retries("The model", spent.retries)
    if spent.supplier_usage:
        yield f"Suppliers' model: {tokens(spent.supplier_usage, 'cost not known (give --supplier-M price=IN,OUT)')}"
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
    reason, _ = max(spent.supplier_fallbacks.items(), key=lambda item: item[1])
    mostly = "" if len(spent.supplier_fallbacks) == 1 else "mostly "
    yield (
        f"Suppliers' letters: {written:,} of {spent.supplier_lines:,} were the template's, since the model failed "
        f"({mostly}{reason})"
    )


def tokens(usage: Mapping[str, float], unpriced: str) -> str:
    """Tokens and cost. Providers report cached input apart from the rest; `unpriced` stands in for a cost."""
    cached = usage.get("cache_read_tokens", 0)
    read = usage.get("input_tokens", 0) + usage.get("cache_write_tokens", 0) + cached
    parts = [f"{read:,.0f} tokens read"]
    if cached:
        parts[0] += f" ({cached / read:.0%} cached)"
    written = f"{usage.get('output_tokens', 0):,.0f} written"
    if usage.get("reasoning_tokens"):
        written += f" ({usage['reasoning_tokens']:,.0f} reasoning)"
    parts.append(written)
    parts.append(f"${usage['cost']:,.2f}" if "cost" in usage else unpriced)
    return ", ".join(parts)


def duration(seconds: float) -> str:
    if seconds < MINUTE:
        return f"{seconds:.0f} s"
    if seconds < HOUR:
        return f"{seconds / MINUTE:.0f} min"
    return f"{seconds / HOUR:.1f} h"
