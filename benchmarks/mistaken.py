"""Merchants that make one known mistake at a known day, for a review to find.

Each is the merchant of its name up to the day of the mistake, and goes on as that merchant would afterwards. The days
and sizes were chosen on `seed-102`, one of the worlds on which the engine was developed.
"""

import json
from collections.abc import Mapping
from typing import ClassVar

from ecbench.episode import Episode
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.protocol import Call, Play, Reply, Routine, call
from ecbench.players.merchants.registry import get_merchant
from ecbench.suppliers.scams import MEMBERS_ONLY
from ecbench.world.model import Product

MERCHANTS = ("haggler", "steady")
TOO_LOW = 0.1  # of the reference price: nobody sells for it, everybody answers with a quote
NOTHING_SENT: Reply = {"success": False, "error": "nothing was sent"}


class Mistake:
    """Something that a merchant does besides its own trade, or does not do."""

    title: ClassVar[str]
    first: ClassVar[int]  # the day it begins
    last: ClassVar[int]  # included
    causes: ClassVar[frozenset[str]]  # of the bill, any of which names it

    def on(self, year: Episode) -> bool:
        return self.first <= year.day <= self.last

    def besides(self, _year: Episode, /) -> Routine[None]:
        """Turns of its own before the merchant's next one, while it lasts and once when it is over."""
        yield from ()

    def allows(self, _one: Call, /) -> bool:
        return True


class MadeOnce(Mistake):
    """What is over as soon as it is done."""

    def __init__(self) -> None:
        self.done = False

    def make(self, _year: Episode, /) -> Routine[None]:
        yield from ()

    def besides(self, year: Episode) -> Routine[None]:
        if self.on(year) and not self.done:
            self.done = True
            yield from self.make(year)


class JunkStock(MadeOnce):
    """All money in the bank goes into goods that no store of the merchant may sell, at the supplier's quote."""

    title, first, last = "the bank spent on goods that no store sells", 210, 210
    causes = frozenset({"unsold", "storage"})

    def make(self, year: Episode) -> Routine[None]:
        kinds = {store.type.id for store in year.account.books.trading}
        goods = [product for product in year.world.products if _type_of(year, product) not in kinds]
        junk = max(goods, key=lambda product: product.reference_price)
        seller = next(s for s in year.world.suppliers if s.honest and s.category == junk.category)
        wish = {"action": "offer", "sku_id": junk.sku, "price": TOO_LOW * junk.reference_price, "quantity": 1}
        [reply] = yield [call("chatbox", uid=seller.email, content=_letter(wish))]
        quote = reply["negotiation_responses"][0]["price"]
        wish |= {"action": "accept", "price": quote, "quantity": int(year.bank / quote)}
        yield [call("chatbox", uid=seller.email, content=_letter(wish))]


class DoublePrices(Mistake):
    """Four weeks at twice the prices; what the merchant sets is doubled again the same morning."""

    title, first, last = "four weeks of doubled prices", 245, 272
    causes = frozenset({"price"})

    def __init__(self) -> None:
        self.raised: dict[tuple[str, str], float] = {}

    def besides(self, year: Episode) -> Routine[None]:
        calls = []
        for store in year.account.books.trading:
            prices = {}
            for sku, listing in store.shelf.items():
                ours = self.raised.get((store.id, sku))
                if self.on(year) and listing.price != ours:
                    prices[sku] = self.raised[store.id, sku] = round(2 * listing.price, 2)
                elif not self.on(year) and listing.price == ours:
                    prices[sku] = round(ours / 2, 2)
            if prices:
                wishes = [{"product_id": sku, "price": price} for sku, price in prices.items()]
                calls.append(call("set_prices", store_id=store.id, prices=wishes))
        if not self.on(year):
            self.raised.clear()
        if calls:
            yield calls


class Memberships(MadeOnce):
    """Fees to suppliers whose goods are dearer for members than elsewhere."""

    title, first, last = "every membership paid that is asked for", 1, 4
    causes = frozenset({"fees"})

    def make(self, year: Episode) -> Routine[None]:
        cheats = [supplier for supplier in year.world.suppliers if supplier.scam in MEMBERS_ONLY]
        for supplier in cheats:
            for said in ("What do you offer?", "I agree to pay the membership fee now."):
                yield [call("chatbox", uid=supplier.email, content=said)]


class Unshipped(Mistake):
    """Three weeks in which no parcel leaves."""

    title, first, last = "three weeks unshipped", 245, 265
    causes = frozenset({"cancelled"})

    def allows(self, one: Call) -> bool:
        return str(one["name"]) != "ship_orders"


class ClosedStore(MadeOnce):
    """The store whose shelf is worth most is closed, and its goods are sold off."""

    title, first, last = "the best store closed", 210, 210
    causes = frozenset({"closed_store", "empty_slot", "unsold"})

    def make(self, year: Episode) -> Routine[None]:
        if stores := year.account.books.trading:
            best = max(stores, key=lambda store: sum(item.price * item.quantity for item in store.shelf.values()))
            yield [call("close_store", store_id=best.id, liquidate=True)]


MISTAKES: dict[str, type[Mistake]] = {
    made.__name__: made for made in (JunkStock, DoublePrices, Memberships, Unshipped, ClosedStore)
}


def _type_of(year: Episode, product: Product) -> str:
    return next(kind.id for kind in year.world.store_types if product.category in kind.categories)


def _letter(wish: Mapping[str, object]) -> str:
    return f"We would like to order.\n```negotiate\n{json.dumps(wish)}\n```"


class Mistaken:
    """A merchant that makes one mistake. It is an insider only to make it well."""

    merchant: ClassVar[str]
    mistake: ClassVar[type[Mistake]]

    def play_knowing(self, year: Episode, _schemas: list[dict[str, object]]) -> Play:
        mistake = self.mistake()
        play = begin_play(get_merchant(self.merchant, days=year.account.market.days), year)
        calls = next(play)
        while True:
            yield from mistake.besides(year)
            allowed = [one for one in calls if not mistake.on(year) or mistake.allows(one)]
            replies = iter((yield allowed) if allowed else [])
            heard = [next(replies) if one in allowed else NOTHING_SENT for one in calls]
            try:
                calls = play.send(heard)
            except StopIteration:
                return


def mistaken_merchant(merchant: str, mistake: type[Mistake]) -> type[Mistaken]:
    name = f"{merchant.capitalize()}{mistake.__name__}"
    return type(name, (Mistaken,), {"merchant": merchant, "mistake": mistake})


# A merchant is found by its class: mistaken.py:HagglerJunkStock.
_MADE = [mistaken_merchant(merchant, mistake) for merchant in MERCHANTS for mistake in MISTAKES.values()]
globals().update({made.__name__: made for made in _MADE})
