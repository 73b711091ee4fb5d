"""What a model took for each simulated day, from the recorded usage; every page and command shows these figures."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ecbench.runs.results.derived_files import Report


class DailyUsage(NamedTuple):
    """Means over the days that were played. Cached input counts as read; `dollars` is None where no price is known."""

    days: int
    read_tokens: float
    written_tokens: float
    dollars: float | None

    @property
    def text(self) -> str:
        cost = "cost not known" if self.dollars is None else f"${self.dollars:,.4f}"
        return f"{self.read_tokens:,.0f} tokens read, {self.written_tokens:,.0f} written, {cost}"


def daily_usage(report: Report, day: int, of: str = "usage") -> DailyUsage | None:
    """Of a year that came to this day; None for an agent without a model. `of` selects the suppliers' usage."""
    usage: Mapping[str, Any] = report["run"][of]
    if not usage:
        return None
    days = max(1, day)
    read = sum(usage.get(name, 0) for name in ("input_tokens", "cache_read_tokens", "cache_write_tokens"))
    cost = usage.get("cost")
    return DailyUsage(days, read / days, usage.get("output_tokens", 0) / days, None if cost is None else cost / days)
