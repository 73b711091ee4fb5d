"""Letters to suppliers: sentences, and a block of what is offered or accepted."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from ecbench.players.merchants.protocol import Reply

Clause = dict[str, Any]


def clause(action: str, sku: str, price: float, quantity: int) -> Clause:
    """One thing that a letter asks for; `action` is offer or accept."""
    return {"action": action, "sku_id": sku, "price": price, "quantity": quantity}


def acceptances(quotes: Mapping[str, float], wants: Mapping[str, int]) -> list[Clause]:
    """Of the quotes for what is wanted."""
    return [clause("accept", sku, round(quotes[sku], 4), units) for sku, units in wants.items() if sku in quotes]


def letter(clauses: Iterable[Clause], opening: str = "We would like to order.") -> str:
    return f"{opening}\n```negotiate\n" + "\n".join(map(json.dumps, clauses)) + "\n```"


def quotes_in(reply: Reply) -> dict[str, float]:
    """What a supplier asks for each SKU that it has not agreed on."""
    answers = reply.get("negotiation_responses", ())
    return {row["sku_id"]: row["price"] for row in answers if row.get("decision") == "Offer"}
