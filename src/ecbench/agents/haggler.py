"""The merchant that bargains: three low offers bring the quotes down, and then fair quotes are taken."""

from typing import Any

from ecbench.agents.corner_shop import PRICE, Shop, do, file_orders, keep_shop, letter, quotes_in
from ecbench.agents.protocol import Errand, Play, call

OFFERS = (0.10, 0.12, 0.14)  # of the reference price, too low for anybody to take
FAIR = 0.75  # of the reference price, at most


class Haggler:
    """Four stores at plain prices, everything bought after three rounds of bargaining."""

    def __init__(self, days: int = 365, price: float = PRICE) -> None:
        self.days = days
        self.price = price  # over the reference price

    def play(self, _schemas: list[dict[str, Any]]) -> Play:
        return keep_shop(self.days, bargain, self.price)


def bargain(shop: Shop, address: str, wants: dict[str, int]) -> Errand[bool]:
    """Quotes fall while a buyer stays low. Three rounds are safe: nobody walks away before the fifth, and suppliers
    retire after so many orders that goods are better taken in one order than bid for piece by piece."""
    quotes: dict[str, float] = {}
    for share in OFFERS:
        bids = [
            {"action": "offer", "sku_id": sku, "price": round(share * shop.reference(sku), 2), "quantity": units}
            for sku, units in wants.items()
        ]
        reply = yield from do(shop, call("chatbox", uid=address, content=letter(bids)))
        file_orders(shop, reply)
        quotes = quotes_in(reply)
    fair = [
        {"action": "accept", "sku_id": sku, "price": round(quotes[sku], 4), "quantity": units}
        for sku, units in wants.items()
        if sku in quotes and quotes[sku] <= FAIR * shop.reference(sku)
    ]
    if not fair:
        return False
    reply = yield from do(shop, call("chatbox", uid=address, content=letter(fair)))
    return bool(file_orders(shop, reply))
