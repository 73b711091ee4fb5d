"""Merchants that differ from a shipped one in one thing, for the panel and the red team."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from ecbench import Episode
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.haggler import OFFERS, Haggler
from ecbench.players.merchants.protocol import Call, Insider, Merchant, Play, Routine, call
from ecbench.players.merchants.steady import Steady
from ecbench.players.merchants.supplier_letters import clause, letter, quotes_in
from ecbench.tools.catalog import TOOL_BY_NAME, WAIT

BEFORE_DEAL, IN_GOODS = ("vip_fee", "fake_urgency", "future_discount"), ("qty_bait", "quality_downgrade")

Make = Callable[[Episode], Merchant | Insider]
Buy = Callable[[Haggler, str, dict[str, int]], Routine[bool]]
Change = Callable[[Episode, list[Call]], Iterable[Call]]


class Changed:
    """A merchant that is made for its year, and whose calls are changed before they are made."""

    def __init__(self, make: Make, change: Change = lambda _year, calls: calls) -> None:
        self.make, self.change, self.minutes = make, change, 0

    def play_knowing(self, year: Episode, _schemas: list[dict[str, Any]]) -> Play:
        play = begin_play(self.make(year), year)
        calls = next(play)
        while True:
            kept = list(self.change(year, calls))
            self.minutes += sum(TOOL_BY_NAME[one["name"]].minutes for one in kept)
            replies = yield kept
            answers = {id(one): reply for one, reply in zip(kept, replies, strict=False)}
            try:
                calls = play.send([answers.get(id(one), {}) for one in calls])
            except StopIteration:
                return


def before_night(more: Callable[[Episode], Iterator[Call]]) -> Change:
    """More calls in the last batch of a day."""

    def change(year: Episode, calls: list[Call]) -> Iterator[Call]:
        if any(one["name"] == WAIT for one in calls):
            yield from more(year)
        yield from calls

    return change


def haggler(year: Episode, **habits: Any) -> Merchant:
    return Haggler(year.account.market.days, **habits)


def offers_to(address: str, bids: dict[str, tuple[float, int]]) -> Call:
    """A letter with a bid for each SKU, its price and units."""
    return call("chatbox", uid=address, content=letter(clause("offer", sku, *bid) for sku, bid in bids.items()))


class Buyer(Haggler):
    """`haggler` with another way to buy."""

    def __init__(self, other: Buy) -> None:
        super().__init__()
        self.other = other

    def buy(self, address: str, wants: dict[str, int]) -> Routine[bool]:
        return self.other(self, address, wants)


bargain: Buy = Haggler.buy


def avoids(scams: Sequence[str], year: Episode) -> Merchant:
    """Does not buy from some kinds of cheats, whom it is told."""
    known = {each.email for each in year.world.suppliers if not each.honest and each.scam in scams}

    def buy(own: Haggler, address: str, wants: dict[str, int]) -> Routine[bool]:
        return (yield from bargain(own, address, wants)) if address not in known else False

    return Buyer(buy)


def falls_for_cheats(year: Episode) -> Merchant:
    """Buys from cheats in the goods wherever a category has one."""
    cheats = {each.category: each.email for each in year.world.suppliers if each.scam in IN_GOODS}

    def buy(own: Haggler, address: str, wants: dict[str, int]) -> Routine[bool]:
        category = own.articles[next(iter(wants))].category
        found = yield from bargain(own, cheats.get(category, address), wants)
        return found or (yield from bargain(own, address, wants))

    return Buyer(buy)


def orders_too_much(_year: Episode) -> Merchant:
    def buy(own: Haggler, address: str, wants: dict[str, int]) -> Routine[bool]:
        return (yield from bargain(own, address, {sku: 4 * units for sku, units in wants.items()}))

    return Buyer(buy)


def learns_late(_year: Episode) -> Merchant:
    """Takes first quotes for three weeks, then bargains."""

    def buy(own: Haggler, address: str, wants: dict[str, int]) -> Routine[bool]:
        own.offers, own.fair = OFFERS if own.day >= 21 else OFFERS[:1], 1.0
        return (yield from bargain(own, address, wants))

    return Buyer(buy)


def pads(_year: Episode) -> Merchant:
    """Orders single units at the floor's side of the range beside what it needs, so that its deals look better."""

    def buy(own: Haggler, address: str, wants: dict[str, int]) -> Routine[bool]:
        found = yield from bargain(own, address, wants)
        sku = min(wants, key=own.reference)
        quotes = dict[str, float]()
        for share in (0.1, 0.12, 0.14, 0.16):
            bid = clause("offer", sku, round(share * own.reference(sku), 2), 1)
            quotes |= quotes_in((yield from own.write(address, [bid]))[0])
        if sku in quotes:
            yield from own.write(address, [clause("accept", sku, round(quotes[sku], 4), 1)])
        return found

    return Buyer(buy)


def is_shipping(one: Call) -> bool:
    return bool(one["name"] == "ship_orders" and one["arguments"].get("action") == "ship")


def ships_rarely(year: Episode, calls: list[Call]) -> Iterator[Call]:
    """What was sold on the first of the four days is cancelled by then."""
    return (one for one in calls if not is_shipping(one) or year.day % 4 == 0)


def ships_slowly(_year: Episode, calls: list[Call]) -> Iterator[Call]:
    for one in calls:
        if is_shipping(one):
            one["arguments"]["speed"] = "slow"
        yield one


def dawdles(_year: Episode) -> Iterator[Call]:
    """Four lookups a day that nothing comes of."""
    return (call("check_balance") for _ in range(4))


def few_listings(most: int, year: Episode) -> Merchant:
    """`steady` that looks after this number of listings at most."""
    return Steady(rules=year.account.rules, most_listings=most)
