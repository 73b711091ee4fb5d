"""A letter with offers to a supplier, as the exploits send it."""

import json
from collections.abc import Sequence

from ecbench.players.merchants.protocol import Call, call

Offer = tuple[str, float, int]
"""SKU, price and quantity."""


def offer_letter(address: str, offers: Sequence[Offer]) -> Call:
    """One block for each offer, without any prose."""
    blocks = [json.dumps({"action": "offer", "sku_id": sku, "price": p, "quantity": n}) for sku, p, n in offers]
    return call("chatbox", uid=address, content="```negotiate\n" + "\n".join(blocks) + "\n```")
