"""Every known exploit as a merchant, under `paper` and `fair`, against the same merchant without it.

    python benchmarks/redteam.py                    print the table
    python benchmarks/redteam.py docs/studies.md   put it into the page too, between its marks

A gain is the mean over fresh worlds of the logarithm of final assets, exploit less plain shop, as a percentage.
Exploits that read hidden state know what the source code and a public world reveal. It takes ten minutes of one core.
"""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import exp, log
from statistics import fmean
from typing import Any, NamedTuple

from construct import BEFORE_DEAL, Buyer, Changed, avoids
from doc_tables import markdown_table, publish
from offer_letters import offer_letter
from revaluation import UNITS, Revaluation
from shortcuts import FloorHaggler, KernelHaggler
from spite import Closer, attack

from ecbench import Episode, load_world
from ecbench.market.calendar import is_running
from ecbench.players.driver import play_year
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.corner_shop import Shop, do, file_orders
from ecbench.players.merchants.haggler import Haggler, bargain
from ecbench.players.merchants.protocol import Call, Insider, Merchant, Play, Routine, call
from ecbench.players.merchants.replies import rows, text
from ecbench.players.merchants.supplier_letters import letter
from ecbench.quantiles import mean_interval
from ecbench.rules import rule_set
from ecbench.suppliers.kernel import terms_of
from ecbench.suppliers.scams import PRE_DEAL
from ecbench.world.model import Promotion, World

RULES = ("paper", "fair")
SEEDS, SALT = range(4401, 4405), "8d" * 16
DISCOUNT = 0.30
UNAWARE = 730  # days that a `haggler` expects which is left with goods at the end
LONG_DAY = 61  # calls of ten minutes
LAST_DAYS = 3  # of the year, in which everything is spent
WAIT = "wait_for_next_day"
PROBES = tuple(share / 100 for share in range(20, 90, 3))  # of the reference price, in one letter
RECOGNISED = 2  # cheats of a category, so that few can be left where every category has two or three

Make = Callable[[], Merchant | Insider]


class HagglerWithMore:
    """`haggler`, with more calls before each night; it restocks until the end of the days that it expects."""

    days = 365

    def play_knowing(self, episode: Episode, _schemas: list[dict[str, Any]]) -> Play:
        self.year, play = episode, begin_play(Haggler(self.days), episode)
        calls = next(play)
        while True:
            if any(each["name"] == WAIT for each in calls):
                own = list(self.before_night())
                calls = [each for each in calls if each["name"] != WAIT]
                replies = yield [*own, *calls, call(WAIT)]
                replies = replies[len(own) :]
            else:
                replies = yield calls
            try:
                calls = play.send(replies)
            except StopIteration:
                return

    def before_night(self) -> Iterator[Call]:
        yield from ()


class RaisedPrices(HagglerWithMore):
    """Joins promotions after raising prices by what the discount takes off."""

    chosen: Callable[[Promotion, World], bool] = staticmethod(lambda _promotion, _world: True)

    def before_night(self) -> Iterator[Call]:
        account = self.year.account
        today = account.market.date
        running = [p for p in account.world.promotions if is_running(p, today) and self.chosen(p, account.world)]
        price = Haggler().habits.price / (1 - DISCOUNT if running else 1)
        for store in account.books.trading:
            if running and (store.enrolment is None or store.enrolment.promotion is not running[0]):
                yield call("join_promotion", store_id=store.id, event_name=running[0].name, discount_rate=DISCOUNT)
            plan = [
                {"product_id": listing.sku, "price": price * listing.stock.product.reference_price}
                for listing in store.shelf.values()
                if listing.quantity
            ]
            if plan:
                yield call("set_prices", store_id=store.id, prices=plan)


class UnannouncedSale(RaisedPrices):
    """Only the promotion that runs on the first day, which no news announces."""

    chosen = staticmethod(lambda promotion, world: is_running(promotion, world.start))


class AfterTheEnd(HagglerWithMore):
    """Works into the last night, and sells full stores off with calls behind the one that ends the year."""

    days = UNAWARE

    def before_night(self) -> Iterator[Call]:
        market = self.year.account.market
        if market.day == market.days - 1:
            yield from [call("check_balance")] * LONG_DAY
            for store in self.year.account.books.trading:
                yield call("close_store", store_id=store.id, liquidate=True)


class Hoarder(HagglerWithMore):
    """Buys for all its money in the last days, of the cheapest honest supplier, at its floor."""

    def before_night(self) -> Iterator[Call]:
        account = self.year.account
        if account.market.day < account.market.days - LAST_DAYS:
            return
        world = account.world
        for category in world.categories:
            product = max(world.products_by_category[category.name], key=lambda each: each.reference_price)
            for supplier in world.suppliers_by_category[category.name]:
                if supplier.honest and account.books.purse.bank > 0:
                    floor = terms_of(account.economy, supplier, product).floor
                    units = int(account.books.purse.bank / len(world.categories) / floor)
                    if units:
                        yield offer_letter(supplier.email, [(product.sku, round(floor + 0.01, 2), units)])


def told(skips: Callable[[World], set[str]], year: Episode) -> Merchant:
    """`haggler` that does not buy from some suppliers."""
    skipped = skips(year.world)

    def buy(own: Shop, address: str, wants: dict[str, int]) -> Routine[bool]:
        return (yield from bargain(own, address, wants)) if address not in skipped else False

    return Buyer(buy)


def where_cheats_are_left(world: World) -> set[str]:
    """Recognised cheats, and everybody in categories that must have more of them if each has two or three."""
    recognised = {each.email: each.category for each in world.suppliers if each.scam in PRE_DEAL}
    counts = {name: list(recognised.values()).count(name) for name in world.category_by_name}
    return {each.email for each in world.suppliers if each.email in recognised or counts[each.category] < RECOGNISED}


def probe(_year: Episode) -> Merchant:
    """Bids for no unit, dozens in one letter, tell what a supplier accepts; then that is bid."""

    def buy(own: Shop, address: str, wants: dict[str, int]) -> Routine[bool]:
        accepted = dict[str, float]()
        for sku in wants:
            bids = [
                {"action": "offer", "sku_id": sku, "price": round(share * own.reference(sku), 2), "quantity": 0}
                for share in PROBES
            ]
            reply = yield from do(own, call("chatbox", uid=address, content=letter(bids)))
            for row in rows(reply, "negotiation_responses"):
                if text(row, "decision") == "Accept":
                    accepted[sku] = min(float(row["agreed_price"]), accepted.get(sku, own.reference(sku)))
        if not accepted:
            return (yield from bargain(own, address, wants))
        bids = [{"action": "offer", "sku_id": sku, "price": accepted[sku], "quantity": wants[sku]} for sku in accepted]
        return bool(file_orders(own, (yield from do(own, call("chatbox", uid=address, content=letter(bids))))))

    return Buyer(buy)


def revalued(world: World, rules: str) -> float:
    """What two rounds leave; as many cheap units as a supplier delivers at once."""
    supply = rule_set(rules).weekly_supply
    play = Revaluation(world, rules, supply // 4 if supply else UNITS)
    try:
        for _ in range(2):
            play.play_round()
    except SystemExit:  # the play cannot go on
        pass
    return play.episode.bank


def haggler() -> Merchant:
    return Haggler()


def unaware() -> Merchant:
    return Haggler(UNAWARE)


class Exploit(NamedTuple):
    play: Make
    base: Make = haggler  # the same without it


EXPLOITS = {
    "Probe: dozens of bids for no unit in one letter find floors": Exploit(partial(Changed, probe)),
    "Quota: recognised cheats clear the others of their category": Exploit(
        partial(Changed, partial(told, where_cheats_are_left)), partial(Changed, partial(avoids, BEFORE_DEAL))
    ),
    "Floors as 2 x opening - reference": Exploit(FloorHaggler),
    "Kernels computed from names, which tell cheats and floors": Exploit(KernelHaggler),
    "Promotions joined at raised prices": Exploit(RaisedPrices),
    "The unannounced sale of the first days, joined by name": Exploit(UnannouncedSale),
    "Calls after the end sell off what is left": Exploit(AfterTheEnd, unaware),
    "Hoarding goods in the last days": Exploit(Hoarder),
}
REVALUED = "Revalued stock: one dear unit lifts the salvage of cheap ones, on `default`"
STARVED = "Starvation: small orders close a rival's suppliers (what the rival, `haggler`, gains)"


def log_money(make: Make | None, rules: str, seed: int) -> float:
    """Of the shop, or of revalued stock."""
    if make is None:
        return log(max(1.0, revalued(load_world("default"), rules)))
    year = Episode(load_world(f"seed-{seed}:{SALT}"), rules=rules)
    play_year(make(), year)
    return log(max(1.0, year.bank + year.wallet))


def starved(rules: str, seed: int) -> float:
    harm = attack(load_world(f"seed-{seed}:{SALT}"), "haggler", Closer, rule_set(rules))
    return log(max(1.0, harm.after) / harm.before)


def shown(gaps: list[float]) -> str:
    low, high = mean_interval(gaps) or (0.0, 0.0)
    percent = [100 * (exp(value) - 1) for value in (fmean(gaps), low, high)]
    if percent[0] > 1_000:
        return f"{exp(fmean(gaps)):,.0f} times"
    return "{:+.0f}% ({:+.0f} to {:+.0f})".format(*percent)


def section(jobs: int) -> str:
    plays: dict[str, tuple[Make | None, Make]] = {REVALUED: (None, haggler)}
    plays |= {name: (each.play, each.base) for name, each in EXPLOITS.items()}
    makes = {make for pair in plays.values() for make in pair}
    jobs_of = [(make, rules, seed) for make in makes for rules in RULES for seed in SEEDS]
    rivals = [(rules, seed) for rules in RULES for seed in SEEDS]
    with ProcessPoolExecutor(jobs) as pool:
        money = dict(zip(jobs_of, pool.map(log_money, *zip(*jobs_of, strict=True)), strict=True))
        harm = dict(zip(rivals, pool.map(starved, *zip(*rivals, strict=True)), strict=True))
    table = [
        [name, *(shown([money[own, rules, seed] - money[base, rules, seed] for seed in SEEDS]) for rules in RULES)]
        for name, (own, base) in plays.items()
    ]
    table.append([STARVED, *(shown([harm[rules, seed] for seed in SEEDS]) for rules in RULES)])
    head = ["Gain of an exploit (95% interval)", *(f"`{name}`" for name in RULES)]
    return f"{len(SEEDS)} fresh worlds, seeds {SEEDS[0]} to {SEEDS[-1]}.\n\n{markdown_table(head, table)}"


if __name__ == "__main__":
    publish("redteam", section(jobs=2), sys.argv[1:])
