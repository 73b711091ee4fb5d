"""The merchant that bargains: low first offers, small steps up, and the last quote only if it is a fair one."""

from typing import Any

from ecbench.agents.corner_shop import Shop, do, file_orders, keep_shop, letter, quotes_in
from ecbench.agents.protocol import Errand, Play, call

OFFERS = (0.15, 0.20, 0.25, 0.32)  # of the reference price, round after round
FAIR = 0.70


class Haggler:
    """Four stores at plain prices, everything bought after four rounds of bargaining."""

    def __init__(self, days: int = 365) -> None:
        self.days = days

    def play(self, _schemas: list[dict[str, Any]]) -> Play:
        return keep_shop(self.days, bargain)


def bargain(shop: Shop, address: str, wants: dict[str, int]) -> Errand[bool]:
    """Quotes fall while a buyer stays low, and suppliers only begin to walk away in the fifth round."""
    missing, quotes = dict(wants), dict[str, float]()
    for share in OFFERS:
        bids = [
            {"action": "offer", "sku_id": sku, "price": round(share * shop.reference(sku), 2), "quantity": units}
            for sku, units in missing.items()
        ]
        reply = yield from do(shop, call("chatbox", uid=address, content=letter(bids)))
        bought = file_orders(shop, reply)
        quotes = quotes_in(reply)
        missing = {sku: units for sku, units in missing.items() if sku not in bought and sku in quotes}
        if not missing:
            break
    fair = [
        {"action": "accept", "sku_id": sku, "price": round(quotes[sku], 4), "quantity": units}
        for sku, units in missing.items()
        if quotes[sku] <= FAIR * shop.reference(sku)
    ]
    if fair:
        reply = yield from do(shop, call("chatbox", uid=address, content=letter(fair)))
        return bool(file_orders(shop, reply))
    return not missing
