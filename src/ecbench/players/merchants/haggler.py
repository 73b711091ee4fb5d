"""The merchant that bargains: three low offers bring the quotes down, and then fair quotes are taken."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from ecbench.players.merchants.corner_shop import PLAIN, Habits, Shop, do, file_orders, keep_shop
from ecbench.players.merchants.protocol import Play, Routine, call
from ecbench.players.merchants.supplier_letters import acceptances, clause, letter, quotes_in

OFFERS = (0.10, 0.12, 0.14)  # of the reference price, too low for any supplier to accept
FAIR = 0.75  # of the reference price, at most


class Haggler:
    """Four stores at plain prices, everything bought after three rounds of bargaining.

    The numbers that it goes by can be given: `price` over the reference price, the others of `Habits`, and as shares of
    the reference price the `offers` that it begins with, at least one, and the dearest quote that is `fair`.
    """

    def __init__(
        self,
        days: int = 365,
        price: float = PLAIN.price,
        *,
        goods: int = PLAIN.goods,
        restock_every: int = PLAIN.restock_every,
        restocked_a_day: float = PLAIN.restocked_a_day,
        spare_days: float = PLAIN.spare_days,
        first_pace: float = PLAIN.first_pace,
        offers: Sequence[float] = OFFERS,
        fair: float = FAIR,
    ) -> None:
        if not offers or goods < 1 or restocked_a_day <= 0:
            raise ValueError("a haggler makes an offer at least, carries goods, and restocks some categories a day")
        self.days = days
        self.habits = Habits(price, goods, restock_every, restocked_a_day, spare_days, first_pace)
        self.offers = tuple(offers)
        self.fair = fair

    def play(self, _schemas: list[dict[str, Any]]) -> Play:
        return keep_shop(self.days, partial(bargain, offers=self.offers, fair=self.fair), self.habits)


def bargain(
    shop: Shop, address: str, wants: dict[str, int], *, offers: Sequence[float] = OFFERS, fair: float = FAIR
) -> Routine[bool]:
    """Make low offers until the quotes have fallen, then accept the fair ones in one order.

    Three rounds are safe: no supplier ends the talks before the fifth. Suppliers retire after a number of orders, so
    one order is better than many.
    """
    quotes: dict[str, float] = {}
    for share in offers:
        bids = [clause("offer", sku, round(share * shop.reference(sku), 2), units) for sku, units in wants.items()]
        reply = yield from do(shop, call("chatbox", uid=address, content=letter(bids)))
        file_orders(shop, reply)
        quotes = quotes_in(reply)
    taken = acceptances(fair_quotes(shop, quotes, fair), wants)
    if not taken:
        return False
    reply = yield from do(shop, call("chatbox", uid=address, content=letter(taken)))
    return bool(file_orders(shop, reply))


def fair_quotes(shop: Shop, quotes: dict[str, float], fair: float = FAIR) -> dict[str, float]:
    """Those up to this share of the reference price."""
    return {sku: price for sku, price in quotes.items() if sku in shop.articles and price <= fair * shop.reference(sku)}
