"""The engine that says what a position is worth: an insider that takes an episode over and trades until it ends.

A curve compares values of one engine, so a change to what it calls comes with a new `ENGINE`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

from ecbench.episode import Episode
from ecbench.market.calendar import is_running, starts_within
from ecbench.market.economy import Economy
from ecbench.players.loop import play
from ecbench.players.merchant_player import MerchantPlayer, begin_play
from ecbench.players.merchants.protocol import Play, Routine
from ecbench.players.merchants.steady.buying import restock
from ecbench.players.merchants.steady.estimates import PriceBelief, Shape
from ecbench.players.merchants.steady.planning import DARING, make_plans, net_worth_a_day
from ecbench.players.merchants.steady.selling import SoldOrder, enrol_in_promotions, publish, reprice, ship
from ecbench.players.merchants.steady.state import MerchantState, ShelfLine, Source, StoreTypeView, ask_one, send_posted
from ecbench.players.merchants.steady.store_research import open_and_close_stores, read_business, survey
from ecbench.players.session import TableSession
from ecbench.players.turn import Move
from ecbench.sums import ordered_sum
from ecbench.suppliers.supplier_traits import lowest_ratios, traits_of
from ecbench.suppliers.voices import TemplateVoice
from ecbench.tools.outcome import Outcome

ENGINE = "5"
ENGINE_AGENT = "ecbench.analysis.review.engine:Engine"  # by which name it can play a year
APPRAISE_EVERY = 24  # days
SHELVE_EVERY = 3
NEW_STORE_DAYS = 12  # before it earns
LONG_TRIED = 1_000  # days of sales: nothing is left to learn
UNSTEADINESS = 0.012
"""The standard error that all variants share, as a share of what they would still earn: one position suits the engine's
way of taking over better than the next. On its own years, whose curve should be flat, values jump from week to week by
as much more than the variants differ: 0.5% and 1.1% on two worlds, 0.9% over their 94 weeks."""
UNREAD = frozenset({"ship_orders", "withdraw", "set_prices"})  # what their replies say is in the books


@dataclass(frozen=True, slots=True)
class Variant:
    """Habits that are neither better nor worse: their differences show how much a value owes to chance."""

    plan_every: int  # days
    phase: int  # of the days on which it plans, appraises and fills the shelves
    suppliers: int  # by how many places the lists of suppliers are turned
    listings: int  # carried at most


PERIODS, PHASES, TURNS = (6, 7), (0, 2), (0, 1)
LISTINGS = (296, 304)
VARIANTS = tuple(
    Variant(plan_every, phase, suppliers, listings)
    for plan_every, phase, suppliers, listings in product(PERIODS, PHASES, TURNS, LISTINGS)
)


@dataclass(frozen=True, slots=True)
class EngineLimits:
    """What the engine has to do without, as a player did; it trades freely by default."""

    stores: int | None = None  # open at most
    store_types: tuple[str, ...] | None = None  # types of stores that it may open
    listings: int | None = None  # carried at most
    idle_share: float = 0.0  # of all its money, which it never spends on goods

    @property
    def name(self) -> str:
        """Short and unique, for the answers under these limits; nothing for a free engine."""
        return "" if self == FREE else f"/{self.stores}/{self.store_types}/{self.listings}/{self.idle_share:.3f}"


FREE = EngineLimits()


def final_assets(position: Episode, variant: Variant, limits: EngineLimits = FREE) -> float:
    """What a variant makes of a position by the end of the year. The position is left as it is."""
    table = position.table.copy()
    table.offices[0].voice = TemplateVoice()  # a recorded voice has only the words that were said
    year = Episode.at(table)
    play(TableSession(table), [EnginePlayer(partial(begin_play, Engine(variant, limits), year), trusted=True)])
    assets = year.bank + year.wallet + year.escrow
    table.release()
    return assets


class EnginePlayer(MerchantPlayer):
    """Decodes only the replies that the engine reads: most of those to a busy year it does not."""

    def on_results(self, _move: Move, outcomes: Sequence[Outcome]) -> None:
        self._replies = [{} if outcome.call["name"] in UNREAD else outcome.reply for outcome in outcomes]


class Engine:
    """One variant, ready to take over a year; by default the first of them."""

    def __init__(self, variant: Variant = VARIANTS[0], limits: EngineLimits = FREE) -> None:
        self.variant = variant
        self.limits = limits

    def play_knowing(self, year: Episode, _schemas: list[dict[str, Any]]) -> Play:
        listings = self.variant.listings if self.limits.listings is None else self.limits.listings
        book = MerchantState(
            year.account.market.days,
            most_listings=min(self.variant.listings, listings),
            changes=1.0,  # what a move is worth in the days left is reckoned with
            rules=year.account.rules,
        )
        if self.limits.stores is not None:
            book.slots = min(book.slots, self.limits.stores)
        yield from survey(book)
        yield from read_business(book)
        self._reveal(book, year)
        if book.open_types:
            book.hurdle = 0  # the first plan finds out how scarce money is; without a store it is scarce
        today, ahead = year.account.market.date, year.account.rules.enrol_days
        book.promotions = [  # announced before the year was taken over, and still to be joined
            each.name for each in year.world.promotions if is_running(each, today) or starts_within(each, today, ahead)
        ]
        while not book.over:
            yield from self._one_day(book, year)

    def _reveal(self, book: MerchantState, year: Episode) -> None:
        closed = year.account.closed_suppliers
        allowed = self.limits.store_types
        book.store_types = {name: kind for name, kind in book.store_types.items() if allowed is None or name in allowed}
        for store_type in book.store_types.values():
            reveal_store_type(store_type, year.account.economy)
            store_type.ordered_on = book.date  # nothing is left to try
            for line in store_type.lines.values():
                line.sources = [source for source in line.sources if source.name not in closed]
                turn = self.variant.suppliers % max(1, len(line.sources))
                line.sources = line.sources[turn:] + line.sources[:turn]

    def _one_day(self, book: MerchantState, year: Episode) -> Routine[None]:
        today, first, day = book.date, book.days_in == 0, book.day + self.variant.phase
        check_time_and_money(book, year)
        count_goods(book, year)
        book.idle_money = self.limits.idle_share * (year.bank + year.wallet + year.escrow)
        counted_on = book.date
        if year.wallet > 0:
            yield from ask_one(book, "withdraw")
        ship(book, orders_to_send(year))
        yield from send_posted(book)
        check_time_and_money(book, year)
        if book.date != counted_on:
            count_goods(book, year)
        if book.open_types:
            on_offer = book.on_offer
            yield from enrol_in_promotions(book)
            if first:
                make_plans(book)  # what is asked of a listing moves by steps, and may have far to go
            if first or day % self.variant.plan_every == 0 or book.on_offer != on_offer:
                make_plans(book)
                reprice(book)
        book.news.clear()
        if first or day % SHELVE_EVERY == 0:
            publish(book)
        if first or day % APPRAISE_EVERY == 0:
            rank_trades(book)
            yield from open_and_close_stores(book)
        yield from restock(book)
        if book.date == today:
            yield from ask_one(book, "wait_for_next_day")


def reveal_store_type(store_type: StoreTypeView, economy: Economy) -> None:
    """All that the market hides of a store type, its lines and their suppliers."""
    truth = economy.world.store_type_by_id[store_type.id]
    store_type.researched = True
    store_type.sold_days = LONG_TRIED
    store_type.demand.reach = economy.rules.platform_share * truth.demand_scale
    store_type.demand.capacity = truth.capacity
    for line in store_type.lines.values():
        reveal_line(line, economy)


def reveal_line(line: ShelfLine, economy: Economy) -> None:
    world, rules = economy.world, economy.rules
    truth, goods = world.category_by_name[line.name], world.products_by_category[line.name]
    line.market = (truth.sales_min + truth.sales_max) / 2 / 30
    line.freight, line.storage = rules.freight_cost[truth.size], rules.storage_rate[truth.size]
    line.cost = line.bid = lowest_ratios(economy, truth)[0]
    line.bid_is_floor = True
    line.returns = ordered_sum(product.return_rate for product in goods) / len(goods)
    line.belief = PriceBelief((Shape(truth.elasticity, truth.eta),))
    line.proven = rules.price_ceiling / DARING
    line.tried = True
    line.sources = [source for source in line.sources if world.supplier_by_name[source.name].honest]
    line.sources.sort(key=lambda source: traits_of(economy, world.supplier_by_name[source.name]).floor_ratio)
    for source in line.sources:
        reveal_source(source, economy)


def reveal_source(source: Source, economy: Economy) -> None:
    supplier = economy.world.supplier_by_name[source.name]
    traits = traits_of(economy, supplier)
    source.contacted = source.checked = source.bid_is_floor = True
    source.supply, source.order_limit = traits.weekly_supply or None, supplier.order_limit
    if economy.rules.floor_spread > 0:
        source.bid = traits.floor_ratio


def rank_trades(book: MerchantState) -> None:
    """Set what each store type would earn a day beyond what its money and its listings would earn in the others."""
    earning = max(0.0, 1.0 - NEW_STORE_DAYS / max(1, book.days_left))
    for store_type in book.store_types.values():
        potential = net_worth_a_day(book, store_type)
        store_type.potential = potential if store_type.store else potential * earning


def check_time_and_money(book: MerchantState, year: Episode) -> None:
    account, purse = year.account, year.account.books.purse
    book.date, book.minute = account.market.date, account.minute
    book.bank, book.escrow = purse.bank, purse.escrow


def count_goods(book: MerchantState, year: Episode) -> None:
    """What is on the shelves, in the warehouse and on its way, and what the stores' names are worth."""
    books, goods = year.account.books, book.goods
    book.shelf = {sku: listing.quantity for store in books.trading for sku, listing in store.shelf.items()}
    book.free = {sku: stock.free for sku, stock in books.stock.items() if stock.free and sku in goods}
    book.coming = {}
    for arriving in books.in_transit.values():
        for order in arriving:
            if order.product is not None and order.product.sku in goods:
                book.coming[order.product.sku] = book.coming.get(order.product.sku, 0) + order.delivered
    for store_type in book.open_types:
        if store_type.store is not None:
            store_type.reputation = books.stores[store_type.store].reputation


def orders_to_send(year: Episode) -> list[SoldOrder]:
    return [
        SoldOrder(number, goods.product.sku, goods.quantity, goods.unit_price)
        for sales in year.account.books.pending
        for number, goods in enumerate(sales.goods, sales.first)
    ]
