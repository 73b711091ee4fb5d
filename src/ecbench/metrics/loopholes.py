"""Signs that a year lived on a loophole of its rules and not on trade. They are remarks, and change no figure."""

from collections.abc import Iterator, Mapping
from typing import Any

from ecbench.number_words import percent, yuan

MOST_SALVAGE = 0.1  # of the purchases: the rate at which honest stock is sold off
DEAREST_SALE = 5.0  # over the reference price


def loophole_signs(report: Mapping[str, Any]) -> Iterator[str]:
    """Of one episode, by what selling off brought, what goods cost, and the dearest sale over its reference price."""
    salvage, purchases, dearest = (report["loopholes"][name] for name in ("salvage", "purchases", "dearest_sale"))
    if salvage > MOST_SALVAGE * purchases:
        yield (
            f"selling off stock brought {yuan(salvage)}, more than {percent(MOST_SALVAGE)} of the {yuan(purchases)} "
            "that all goods cost: see the loophole of revalued stock"
        )
    if dearest > DEAREST_SALE:
        yield f"a sale at {dearest:,.1f} times the reference price, above {DEAREST_SALE:g} times"
