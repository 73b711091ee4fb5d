"""The merchant that pays what it is asked: a token offer brings the first quote, and the first quote is taken."""

from typing import Any

from ecbench.players.merchants.corner_shop import Shop, do, file_orders, keep_shop, letter, quotes_in
from ecbench.players.merchants.protocol import Play, Routine, call

TOKEN = 0.01


class FirstQuote:
    """Four stores at plain prices, everything bought at the first quote."""

    def __init__(self, days: int = 365) -> None:
        self.days = days

    def play(self, _schemas: list[dict[str, Any]]) -> Play:
        return keep_shop(self.days, take_first_quotes)


def take_first_quotes(shop: Shop, address: str, wants: dict[str, int]) -> Routine[bool]:
    asked = [{"action": "offer", "sku_id": sku, "price": TOKEN, "quantity": units} for sku, units in wants.items()]
    reply = yield from do(shop, call("chatbox", uid=address, content=letter(asked)))
    quotes = quotes_in(reply)
    if not quotes:
        return False
    taken = [
        {"action": "accept", "sku_id": sku, "price": round(price, 4), "quantity": wants[sku]}
        for sku, price in quotes.items()
        if sku in wants
    ]
    reply = yield from do(shop, call("chatbox", uid=address, content=letter(taken)))
    return bool(file_orders(shop, reply))
