"""Whether each axis of ability measures its ability: a shop is changed in one thing at a time.

    python benchmarks/construct.py                    print the table
    python benchmarks/construct.py docs/studies.md   put it into the page too, between its marks

The shop is `haggler` under `fair`. A change and the unchanged shop play the same worlds and salts. A movement is shown
if the 99% interval of its mean over worlds does not contain 0. It takes two minutes of one core.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import exp, log
from statistics import fmean, stdev
from typing import Any, NamedTuple

from doc_tables import markdown_table, publish

from ecbench import Episode, load_world
from ecbench.metrics.axes import ABILITIES, ASSETS, Axis
from ecbench.metrics.measures import measured_year
from ecbench.players.driver import play_year
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.corner_shop import PLAIN, Shop, do, file_orders, keep_shop
from ecbench.players.merchants.haggler import OFFERS, Haggler, bargain
from ecbench.players.merchants.protocol import Call, Merchant, Play, Routine, call
from ecbench.players.merchants.supplier_letters import letter, quotes_in
from ecbench.rules import rule_set
from ecbench.tools.catalog import TOOL_BY_NAME, WAIT

SEEDS, SALTS = range(4301, 4307), ("5a" * 16, "c3" * 16)
STUDENT_99 = 4.032  # of five degrees of freedom
AXES = (ASSETS, *ABILITIES)


class Changed:
    """`haggler` whose calls are changed before they are made."""

    def __init__(self, make: Callable[[Episode], Merchant], change: "Change | None" = None) -> None:
        self.make, self.change, self.minutes = make, change, 0

    def play_knowing(self, year: Episode, _schemas: list[dict[str, Any]]) -> Play:
        play = begin_play(self.make(year), year)
        calls = next(play)
        while True:
            kept = list(calls if self.change is None else self.change(year, calls))
            self.minutes += sum(TOOL_BY_NAME[one["name"]].minutes for one in kept)
            replies = iter((yield kept))
            answers = {id(one): reply for one, reply in zip(kept, replies, strict=False)}
            try:
                calls = play.send([answers.get(id(one), {}) for one in calls])
            except StopIteration:
                return


Change = Callable[[Episode, list[Call]], Iterator[Call]]


def ships_rarely(year: Episode, calls: list[Call]) -> Iterator[Call]:
    """What was sold on the first of the four days is cancelled by then."""
    for one in calls:
        if one["name"] != "ship_orders" or one["arguments"].get("action") != "ship" or year.day % 4 == 0:
            yield one


def ships(speed: str, _year: Episode, calls: list[Call]) -> Iterator[Call]:
    for one in calls:
        if one["name"] == "ship_orders" and one["arguments"].get("action") == "ship":
            one["arguments"]["speed"] = speed
        yield one


def dawdles(_year: Episode, calls: list[Call]) -> Iterator[Call]:
    """Four lookups a day that nothing comes of."""
    for one in calls:
        yield from [call("check_balance")] * 4 if one["name"] == WAIT else ()
        yield one


def shop(year: Episode, **habits: Any) -> Merchant:
    return Haggler(year.account.market.days, **habits)


class Buyer:
    """`haggler` with another way to buy."""

    def __init__(self, buy: Callable[[Shop, str, dict[str, int]], Routine[bool]]) -> None:
        self.buy = buy

    def play(self, _schemas: list[dict[str, Any]]) -> Play:
        return keep_shop(365, self.buy, PLAIN)


def avoids(scams: Sequence[str], year: Episode) -> Merchant:
    """Some kinds of cheats, whom it is told."""
    cheats = {each.email for each in year.world.suppliers if not each.honest and each.scam in scams}

    def buy(own: Shop, address: str, wants: dict[str, int]) -> Routine[bool]:
        return (yield from bargain(own, address, wants)) if address not in cheats else False

    return Buyer(buy)


def falls_for_cheats(year: Episode) -> Merchant:
    """Buys from cheats in the goods wherever a category has one."""
    cheats = {each.category: each.email for each in year.world.suppliers if each.scam in IN_GOODS}

    def buy(own: Shop, address: str, wants: dict[str, int]) -> Routine[bool]:
        category = own.articles[next(iter(wants))].category
        found = yield from bargain(own, cheats.get(category, address), wants)
        return found or (yield from bargain(own, address, wants))

    return Buyer(buy)


def orders_too_much(_year: Episode) -> Merchant:
    def buy(own: Shop, address: str, wants: dict[str, int]) -> Routine[bool]:
        return (yield from bargain(own, address, {sku: 4 * units for sku, units in wants.items()}))

    return Buyer(buy)


def learns_late(_year: Episode) -> Merchant:
    """Takes first quotes for three weeks, then bargains."""

    def buy(own: Shop, address: str, wants: dict[str, int]) -> Routine[bool]:
        return (yield from bargain(own, address, wants, offers=OFFERS if own.day >= 21 else OFFERS[:1], fair=1.0))

    return Buyer(buy)


def pads(_year: Episode) -> Merchant:
    """Orders single units at the floor's side of the range beside what it needs, so that its deals look better."""

    def buy(own: Shop, address: str, wants: dict[str, int]) -> Routine[bool]:
        found = yield from bargain(own, address, wants)
        sku = min(wants, key=own.reference)
        quotes = dict[str, float]()
        for share in (0.1, 0.12, 0.14, 0.16):
            bid = {"action": "offer", "sku_id": sku, "price": round(share * own.reference(sku), 2), "quantity": 1}
            reply = yield from do(own, call("chatbox", uid=address, content=letter([bid])))
            quotes |= quotes_in(reply)
        if sku in quotes:
            taken = {"action": "accept", "sku_id": sku, "price": round(quotes[sku], 4), "quantity": 1}
            reply = yield from do(own, call("chatbox", uid=address, content=letter([taken])))
            file_orders(own, reply)
        return found

    return Buyer(buy)


BEFORE_DEAL, IN_GOODS = ("vip_fee", "fake_urgency", "future_discount"), ("qty_bait", "quality_downgrade")
BASE = "unchanged"
SHOPS: dict[str, tuple[str, Callable[[], Changed]]] = {
    BASE: ("", partial(Changed, shop)),
    "bargains one round instead of three": ("range_captured", partial(Changed, partial(shop, offers=OFFERS[:1]))),
    "bargains five rounds": ("range_captured", partial(Changed, partial(shop, offers=(*OFFERS, 0.16, 0.18)))),
    "pads with one-unit deals": ("", partial(Changed, pads)),
    "avoids cheats in the goods": ("lost_to_cheats_percent", partial(Changed, partial(avoids, IN_GOODS))),
    "avoids cheats before the deal": ("lost_to_cheats_percent", partial(Changed, partial(avoids, BEFORE_DEAL))),
    "buys from cheats in the goods": ("lost_to_cheats_percent", partial(Changed, falls_for_cheats)),
    "ships every fourth day": ("service_loss_percent", partial(Changed, shop, ships_rarely)),
    "ships everything slowly": ("service_loss_percent", partial(Changed, shop, partial(ships, "slow"))),
    "orders four times what it needs": ("most_at_risk", partial(Changed, orders_too_much)),
    "four useless calls a day": ("profit_per_minute", partial(Changed, shop, dawdles)),
    "first quotes for three weeks, then bargains": ("learning_gain", partial(Changed, learns_late)),
    "prices at 0.85 of the reference price": ("", partial(Changed, partial(shop, price=0.85))),
    "prices at 1.3": ("", partial(Changed, partial(shop, price=1.3))),
}


class Year(NamedTuple):
    shop: str
    world: str


def played(year: Year) -> dict[str, float]:
    """The values on the axes; of money the logarithm."""
    episode, player = Episode(load_world(year.world), rules=rule_set("fair")), SHOPS[year.shop][1]()
    play_year(player, episode)
    found = measured_year({**episode.report(), "run": {"minutes": player.minutes}})
    values = {axis.name: value for axis in AXES if (value := found[axis.name]) is not None}
    return values | {ASSETS.name: log(max(1.0, values[ASSETS.name]))}


def movement(axis: Axis, changed: Sequence[dict[str, float]], base: Sequence[dict[str, float]]) -> str:
    """The mean change over worlds, in bold if its interval leaves 0 out; of money and of effort as a factor."""
    gaps = [one[axis.name] - other[axis.name] for one, other in zip(changed, base, strict=True)]
    if axis.name == "profit_per_minute":
        gaps = [log(max(0.01, one[axis.name] / other[axis.name])) for one, other in zip(changed, base, strict=True)]
    by_world = [fmean(gaps[n : n + len(SALTS)]) for n in range(0, len(gaps), len(SALTS))]
    mean, error = fmean(by_world), STUDENT_99 * stdev(by_world) / len(by_world) ** 0.5
    text = f"{exp(mean):.2f}x" if axis.name in (ASSETS.name, "profit_per_minute") else axis.text(mean)
    return f"**{text}**" if abs(mean) > error else text


def table(jobs: int) -> str:
    worlds = [f"seed-{seed}:{salt}" for seed in SEEDS for salt in SALTS]
    years = [Year(name, world) for name in SHOPS for world in worlds]
    with ProcessPoolExecutor(jobs) as pool:
        found = dict(zip(years, pool.map(played, years), strict=True))
    base, rows = [found[Year(BASE, world)] for world in worlds], []
    means = [fmean(one[axis.name] for one in base) for axis in AXES]
    rows.append(
        [BASE, *(axis.text(exp(mean) if axis is ASSETS else mean) for axis, mean in zip(AXES, means, strict=True))]
    )
    for name, (own, _) in SHOPS.items():
        if name != BASE:
            changed = [found[Year(name, world)] for world in worlds]
            cells = [movement(axis, changed, base) + ("*" if axis.name == own else "") for axis in AXES]
            rows.append([name, *cells])
    head = ["The shop", *(axis.title for axis in AXES)]
    told = f"{len(SEEDS)} fresh worlds (seeds {SEEDS[0]} to {SEEDS[-1]}), {len(SALTS)} salts, `fair`."
    return f"{told}\n\n{markdown_table(head, rows)}"


if __name__ == "__main__":
    publish("construct", table(jobs=2), sys.argv[1:])
