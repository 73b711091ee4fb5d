"""The tables that the package contains, and the words of published results for templates, scams and tools."""

import csv
from collections.abc import Mapping
from importlib.resources import files
from types import MappingProxyType

from ecbench.suppliers.scams import SCHEMES
from ecbench.world.supplier_kinds import Scam, Template


def packaged_rows(name: str) -> list[dict[str, str]]:
    """The rows of a table of `data/`."""
    text = (files("ecbench.metrics") / "data" / f"{name}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


PERSONALITIES: dict[Template, str] = {
    "expressive": "Enthusiastic",
    "stochastic": "Unpredictable",
    "candid": "Friendly",
    "strategic": "Strategic",
    "adversarial": "Tough",
    "taciturn": "Professional",
}
_PUBLISHED: tuple[Scam, ...] = ("vip_fee", "qty_bait", "quality_downgrade", "fake_urgency", "future_discount")
SCAMS: tuple[Scam, ...] = (*_PUBLISHED, *(scam for scam in SCHEMES if scam not in _PUBLISHED))


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
