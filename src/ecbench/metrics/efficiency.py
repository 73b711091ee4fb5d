"""Operational efficiency: what the calls were spent on (app:metrics_d4)."""

from collections.abc import Mapping
from types import MappingProxyType

REMAINDER = "other"
# Eight bands that partition the tools; the remainder takes every tool that is not named here.
BANDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "waiting": ("wait_for_next_day",),
        "shipping": ("ship_orders",),
        "listing": ("publish_to_store",),
        "withdrawing": ("withdraw",),
        "bargaining": ("chatbox",),
        "polling": ("check_balance", "check_store_status", "check_warehouse"),
        "memory": ("operate_memory",),
        REMAINDER: (),
    }
)
BAND_OF = MappingProxyType({tool: band for band, tools in BANDS.items() for tool in tools})


def calls_in(band: str, by_tool: Mapping[str, int]) -> int:
    """A call to a tool that does not exist was a call too, and stands with the remainder."""
    return sum(count for tool, count in by_tool.items() if BAND_OF.get(tool, REMAINDER) == band)
