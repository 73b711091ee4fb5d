"""The merchant that pays what it is asked: it offers the opening quote of the supplier's price list.

It only passes over goods that are quoted at almost its own price.
"""

from functools import partial
from typing import Any

from ecbench.players.merchants.corner_shop import Shop, do, file_orders, keep_shop
from ecbench.players.merchants.protocol import Play, Routine, call
from ecbench.players.merchants.replies import text
from ecbench.players.merchants.supplier_letters import acceptances, clause, letter, quotes_in
from ecbench.suppliers.catalog import price_list_in

INQUIRY = "Hello, we run a store of your kind of goods. Please send us your catalog with your opening quotes."
DEAREST = 0.9  # quotes that are paid, over the reference price: dearer goods bring less than they cost to sell

PriceLists = dict[str, dict[str, float]]  # by address and SKU


class FirstQuote:
    """Four stores at plain prices, everything bought at the opening quote."""

    def __init__(self, days: int = 365) -> None:
        self.days = days

    def play(self, _schemas: list[dict[str, Any]]) -> Play:
        price_lists: PriceLists = {}
        return keep_shop(self.days, partial(pay_opening_quotes, price_lists=price_lists))


def pay_opening_quotes(shop: Shop, address: str, wants: dict[str, int], *, price_lists: PriceLists) -> Routine[bool]:
    """Offer what the price list asks, and accept the supplier's answer where it is not a yes."""
    if address not in price_lists:
        reply = yield from do(shop, call("chatbox", uid=address, content=INQUIRY))
        listed, _ = price_list_in(text(reply, "supplier_reply"))
        price_lists[address] = {line.sku: line.quote for line in listed}
    asked = price_lists[address]
    offers = [
        clause("offer", sku, asked[sku], units)
        for sku, units in wants.items()
        if sku in asked and asked[sku] <= DEAREST * shop.reference(sku)
    ]
    if not offers:
        return False
    reply = yield from do(shop, call("chatbox", uid=address, content=letter(offers)))
    bought = file_orders(shop, reply)
    taken = acceptances(quotes_in(reply), wants)
    if taken:
        reply = yield from do(shop, call("chatbox", uid=address, content=letter(taken)))
        bought |= file_orders(shop, reply)
    return bool(bought)
