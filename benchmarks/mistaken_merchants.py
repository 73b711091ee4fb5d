"""Merchants that make one known mistake at a known day, for a review to find.

Each is the merchant of its name up to the day of the mistake, and goes on as that merchant would afterwards. The days
and sizes were chosen on `seed-102`, one of the worlds on which the engine was developed.
"""

import json
import re
from collections.abc import Mapping
from typing import ClassVar

from ecbench.episode import Episode
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.protocol import Call, Play, Reply, Routine, call
from ecbench.players.merchants.registry import get_merchant
from ecbench.suppliers.scams import MEMBERS_ONLY, SCHEMES
from ecbench.tools.catalog import WAIT
from ecbench.world.model import Product

MERCHANTS = ("first-quote", "haggler", "steady")
TOO_LOW = 0.1  # of the reference price: nobody sells for it, everybody answers with a quote
SHORT = frozenset(scam for scam, scheme in SCHEMES.items() if scheme.short)
NOTHING_SENT: Reply = {"success": False, "error": "nothing was sent"}


class Mistake:
    """Something that a merchant does besides its own trade, or does not do."""

    title: ClassVar[str]
    first: ClassVar[int]  # the day it begins
    last: ClassVar[int]  # included
    causes: ClassVar[frozenset[str]]  # of the account of losses, any of which names it

    def on(self, year: Episode) -> bool:
        return self.first <= year.day <= self.last

    def besides(self, _year: Episode, /) -> Routine[None]:
        """Turns of its own before the merchant's next one, while it lasts and once when it is over."""
        yield from ()

    def instead(self, one: Call, /) -> Call | None:
        """What the merchant's call becomes while it lasts; None where the call is not made."""
        return one


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
        quote = yield from _quote(seller.email, junk)
        yield from _buy(seller.email, junk, quote, int(year.bank / quote))


class WrongPrices(Mistake):
    """Prices times a factor; what the merchant sets is changed again the same morning."""

    factor: ClassVar[float]
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
                    prices[sku] = self.raised[store.id, sku] = round(self.factor * listing.price, 2)
                elif not self.on(year) and listing.price == ours:
                    prices[sku] = round(ours / self.factor, 2)
            if prices:
                wishes = [{"product_id": sku, "price": price} for sku, price in prices.items()]
                calls.append(call("set_prices", store_id=store.id, prices=wishes))
        if not self.on(year):
            self.raised.clear()
        if calls:
            yield calls


class DoublePrices(WrongPrices):
    title, first, last, factor = "four weeks of doubled prices", 245, 272, 2.0


class HalfPrices(WrongPrices):
    title, first, last, factor = "two weeks of halved prices", 140, 153, 0.5
    causes = frozenset({"price", "empty_shelf"})


class Memberships(MadeOnce):
    """Fees to suppliers whose goods are dearer for members than elsewhere."""

    title, first, last = "every membership paid that is asked for", 1, 4
    causes = frozenset({"fees"})

    def make(self, year: Episode) -> Routine[None]:
        cheats = [supplier for supplier in year.world.suppliers if supplier.scam in MEMBERS_ONLY]
        for supplier in cheats:
            for said in ("What do you offer?", "I agree to pay the membership fee now."):
                yield [call("chatbox", uid=supplier.email, content=said)]


class Cheated(MadeOnce):
    """Half of the bank goes to a supplier that delivers less than was paid for, for goods that a store sells."""

    title, first, last = "half of the bank paid to a cheat", 168, 168
    causes = frozenset({"short_delivery", "above_floor", "unsold", "defective"})

    def make(self, year: Episode) -> Routine[None]:
        sold = {category for store in year.account.books.trading for category in store.type.categories}
        cheats = [s for s in year.world.suppliers if s.category in sold and s.scam in SHORT]
        if not cheats:
            return
        goods = [product for product in year.world.products if product.category == cheats[0].category]
        wanted = max(goods, key=lambda product: product.reference_price)
        quote = yield from _quote(cheats[0].email, wanted)
        yield from _buy(cheats[0].email, wanted, quote, int(0.5 * year.bank / quote))


class Without(Mistake):
    """Some tools are not used for a time."""

    tools: ClassVar[frozenset[str]]

    def instead(self, one: Call) -> Call | None:
        return None if str(one["name"]) in self.tools else one


class Unshipped(Without):
    title, first, last = "three weeks unshipped", 245, 265
    causes, tools = frozenset({"cancelled"}), frozenset({"ship_orders"})


class WeekUnshipped(Unshipped):
    title, first, last = "one week unshipped", 182, 188


class NoWithdrawals(Without):
    """The wallet fills while the bank runs dry."""

    title, first, last = "two months without a withdrawal", 28, 87
    causes, tools = frozenset({"idle_wallet"}), frozenset({"withdraw"})


class NoLetters(Without):
    """No supplier is written to, so nothing is bought."""

    title, first, last = "two weeks without a letter", 161, 174
    causes, tools = frozenset({"empty_shelf"}), frozenset({"chatbox"})


class HighBids(Mistake):
    """Every price in a letter is half as high again, and what was to be accepted is bid for."""

    title, first, last = "four weeks of bids half as high again", 217, 244
    causes = frozenset({"above_floor"})

    def instead(self, one: Call) -> Call | None:
        if str(one["name"]) != "chatbox":
            return one
        arguments: dict[str, object] = dict(one["arguments"])
        said = str(arguments["content"]).replace('"accept"', '"offer"')
        said = re.sub(r'("price": ?)([0-9.]+)', lambda bid: f"{bid[1]}{1.5 * float(bid[2]):.4f}", said)
        return call("chatbox", **arguments | {"content": said})


class Holiday(Mistake):
    """Nothing is done but to wait for the next day."""

    title, first, last = "ten days of nothing but waiting", 119, 128
    causes = frozenset({"cancelled", "empty_shelf"})

    def instead(self, one: Call) -> Call | None:
        return one if str(one["name"]) == WAIT else None


class ClosedStore(MadeOnce):
    """The store whose shelf is worth most is closed, and its goods are sold off."""

    title, first, last = "the best store closed", 210, 210
    causes = frozenset({"closed_store", "no_store", "unsold"})

    def make(self, year: Episode) -> Routine[None]:
        if stores := year.account.books.trading:
            best = max(stores, key=lambda store: sum(item.price * item.quantity for item in store.shelf.values()))
            yield [call("close_store", store_id=best.id, liquidate=True)]


MISTAKES: dict[str, type[Mistake]] = {
    made.__name__: made
    for made in (
        JunkStock, DoublePrices, HalfPrices, Memberships, Cheated, Unshipped, WeekUnshipped, ClosedStore,
        NoWithdrawals, NoLetters, HighBids, Holiday,
    )
}  # fmt: skip


def _type_of(year: Episode, product: Product) -> str:
    return next(kind.id for kind in year.world.store_types if product.category in kind.categories)


def _quote(address: str, product: Product) -> Routine[float]:
    """What a supplier answers to a bid that is too low."""
    wish = {"action": "offer", "sku_id": product.sku, "price": TOO_LOW * product.reference_price, "quantity": 1}
    [reply] = yield [call("chatbox", uid=address, content=_letter(wish))]
    return float(reply["negotiation_responses"][0]["price"])


def _buy(address: str, product: Product, price: float, quantity: int) -> Routine[None]:
    wish = {"action": "accept", "sku_id": product.sku, "price": price, "quantity": quantity}
    yield [call("chatbox", uid=address, content=_letter(wish))]


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
            made = [mistake.instead(one) if mistake.on(year) else one for one in calls]
            allowed = [one for one in made if one is not None]
            replies = iter((yield allowed) if allowed else [])
            heard = [NOTHING_SENT if one is None else next(replies) for one in made]
            try:
                calls = play.send(heard)
            except StopIteration:
                return


def mistaken_merchant(merchant: str, mistake: type[Mistake]) -> type[Mistaken]:
    name = f"{merchant.title().replace('-', '')}{mistake.__name__}"
    return type(name, (Mistaken,), {"merchant": merchant, "mistake": mistake})


# A merchant is found by its class: mistaken.py:HagglerJunkStock.
_MADE = [mistaken_merchant(merchant, mistake) for merchant in MERCHANTS for mistake in MISTAKES.values()]
globals().update({made.__name__: made for made in _MADE})
