"""Every known exploit as a merchant, under each set of rules, beside what an honest insider earns.

    python benchmarks/redteam.py                    print the table
    python benchmarks/redteam.py docs/studies.md   put it into the page too, between its marks

An exploit changes one thing of a merchant, and its gain is what it ends with beyond that merchant. Exploits that read
hidden state know what the source code and the public default world reveal. `fair` is played with a salt, as a season
is. It takes some minutes.
"""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from doc_tables import markdown_table, publish
from draw_pricer import DrawPricer
from offer_letters import offer_letter
from revaluation import UNITS, Revaluation
from shortcuts import FloorHaggler, KernelHaggler

from ecbench import Episode, load_world
from ecbench.formatting import yuan
from ecbench.market.calendar import is_running
from ecbench.players.driver import play_year
from ecbench.players.merchant_player import begin_play
from ecbench.players.merchants.haggler import Haggler
from ecbench.players.merchants.protocol import Call, Insider, Merchant, Play, call
from ecbench.players.merchants.registry import get_merchant
from ecbench.players.merchants.steady import Steady
from ecbench.rules import rule_set
from ecbench.suppliers.kernel import terms_of
from ecbench.world.model import Promotion, World

RULES = ("paper", "no-salvage", "fair")
SALT = "8d1f6c3a5b7e9024"
DISCOUNT = 0.30
CEILING = 5.0  # times the reference price
LADDER = 100  # units, as one line and as lines of one unit
UNAWARE = 730  # days that a `haggler` expects which is left with goods at the end
LONG_DAY = 61  # calls of ten minutes
LAST_DAYS = 3  # of the year, in which everything is spent
WAIT = "wait_for_next_day"

Make = Callable[[], Merchant | Insider]
_PLAYED: dict[tuple[Make, str, float | None], float] = {}


@cache
def world_of(rules: str) -> World:
    world = load_world("default")
    return replace(world, salt=SALT) if rule_set(rules).secret_draws else world


def earned(make: Make, rules: str, ceiling: float | None = None) -> float:
    """What a merchant ends with; each year is played once."""
    if (make, rules, ceiling) not in _PLAYED:
        _PLAYED[make, rules, ceiling] = play(make, rules, ceiling)
    return _PLAYED[make, rules, ceiling]


def play(make: Make, rules: str, ceiling: float | None) -> float:
    played = rule_set(rules) if ceiling is None else rule_set(rules).with_overrides({"price_ceiling": ceiling})
    year = Episode(world_of(rules), rules=played)
    play_year(make(), year)
    return year.bank + year.wallet


def haggler() -> Merchant:
    return Haggler()


def insider() -> Merchant | Insider:
    return get_merchant("insider")


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


def modified(make: Make) -> Callable[[str], float]:
    return lambda rules: earned(make, rules) - earned(haggler, rules)


def revalued(rules: str) -> float:
    """Up to two rounds, and what is left of the money; as many cheap units as a supplier delivers at once."""
    supply = rule_set(rules).weekly_supply
    play = Revaluation(world_of(rules), rules, supply // 4 if supply else UNITS)
    try:
        for _ in range(2):
            play.play_round()
    except SystemExit:  # the play cannot go on
        pass
    return play.episode.bank - rule_set(rules).stake


def laddered(rules: str) -> float:
    """Units that one message's lines of one unit save from short deliveries, at the reference price."""
    world, saved = world_of(rules), 0.0
    for supplier in [each for each in world.suppliers if each.scam == "qty_bait"]:
        product = min(world.products_by_category[supplier.category], key=lambda each: each.reference_price)
        price, delivered = product.reference_price, list[float]()
        for lines in ([LADDER], [1] * LADDER):
            year = Episode(world, rules=rules)
            year.act([offer_letter(supplier.email, [(product.sku, price, units) for units in lines])])
            orders = year.account.books.orders
            units = sum(one.quantity for one in orders)
            delivered.append(sum(one.delivered for one in orders) / max(1, units))
        saved += (delivered[1] - delivered[0]) * units * price
    return saved


class Exploit(NamedTuple):
    name: str
    gain: Callable[[str], float]  # by rule set, yuan


EXPLOITS = (
    Exploit("Revalued stock: one dear unit lifts the salvage of the cheap ones, twice over", revalued),
    Exploit(
        "Prices without end: what the insider earns above five times the reference price",
        lambda rules: earned(insider, rules) - earned(insider, rules, CEILING),
    ),
    Exploit(
        "Rounding draws known: each unit priced just past its draw, against the same merchant with draws of its own",
        lambda rules: earned(DrawPricer, rules) - earned(wrong_draws, rules),
    ),
    Exploit("Floors as 2 x opening - reference: `haggler` that bids there", modified(FloorHaggler)),
    Exploit("Kernels computed from names: `haggler` that knows cheats and floors", modified(KernelHaggler)),
    Exploit("Promotions joined at raised prices: `haggler` in every sale", modified(RaisedPrices)),
    Exploit("The unannounced sale of the first days, joined by name", modified(UnannouncedSale)),
    Exploit(
        "Calls behind the end: a `haggler` left with goods sells its stores off after the year",
        lambda rules: earned(AfterTheEnd, rules) - earned(unaware, rules),
    ),
    Exploit("Hoarding: `haggler` spends everything on goods in the last days", modified(Hoarder)),
    Exploit("Ladders of one unit: what 100 lines save from each `qty_bait` supplier, at reference", laddered),
)


def unaware() -> Merchant:
    return Haggler(UNAWARE)


def wrong_draws() -> Insider:
    return DrawPricer(seed=-1)


def play_all() -> None:
    """Play all years that the table needs, in parallel."""
    makers: list[Make] = [
        haggler,
        unaware,
        SteadyByTheRules,
        insider,
        DrawPricer,
        wrong_draws,
        FloorHaggler,
        KernelHaggler,
    ]
    makers += [KernelHaggler, RaisedPrices, UnannouncedSale, AfterTheEnd, Hoarder]
    years: list[tuple[Make, str, float | None]] = [(insider, rules, CEILING) for rules in RULES]
    years += [(make, rules, None) for make in makers for rules in RULES]
    with ProcessPoolExecutor() as pool:
        _PLAYED.update(zip(years, pool.map(play, *zip(*years, strict=True)), strict=True))


def section() -> str:
    play_all()
    rows = []
    for exploit in EXPLOITS:
        gains = {rules: exploit.gain(rules) for rules in RULES}
        share = max(0.0, gains["fair"]) / earned(insider, "fair")
        rows.append([exploit.name, *(yuan(gain) for gain in gains.values()), f"{share:.1%}"])
        print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
    for name, make in (("`haggler`", haggler), ("`steady`", SteadyByTheRules), ("`insider`", insider)):
        rows.append([f"For comparison, final assets: {name}", *(yuan(earned(make, rules)) for rules in RULES), ""])
    head = ["Gain of an exploit", *(f"`{name}`" for name in RULES), "of the insider's money under `fair`"]
    return markdown_table(head, rows)


class SteadyByTheRules:
    """`steady`, told the rules of the year that it plays, as `ecbench run` tells it."""

    def play_knowing(self, episode: Episode, schemas: list[dict[str, Any]]) -> Play:
        return Steady(rules=episode.account.rules).play(schemas)


if __name__ == "__main__":
    publish("redteam", section(), sys.argv[1:])
