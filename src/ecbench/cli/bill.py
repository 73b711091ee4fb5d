"""What models took, in words: tokens, dollars and hours."""

from collections.abc import Iterator, Mapping

from ecbench.runs.summary import Spent

MINUTE, HOUR = 60, 3_600


def bill(spent: Spent) -> Iterator[str]:
    """A line for each side that a model played."""
    if spent.usage:
        per_turn = spent.seconds / spent.turns if spent.turns else 0.0
        waited = f"{duration(spent.seconds)} of answers, {per_turn:.1f} s a turn"
        yield f"Model: {spent.turns:,} turns, {tokens(spent.usage, 'cost not known (give --price)')}, {waited}"
    if spent.supplier_usage:
        yield f"Suppliers' model: {tokens(spent.supplier_usage, 'cost not known (the provider reports none)')}"


def tokens(usage: Mapping[str, float], unpriced: str) -> str:
    """Providers report input that came from their cache beside the rest of it; `unpriced` stands in for a cost."""
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
