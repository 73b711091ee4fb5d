"""What holds after every call, whatever a merchant does: money, units, quotes, replies, determinism, copies."""

import json
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import ecbench
from ecbench.agent_text import parse_json
from ecbench.market.books import Parcel, SoldGoods
from ecbench.market.cache import FunctionCache
from ecbench.market.economy import ProductDemand
from ecbench.market.ledger import CHANNELS, FEES, FREIGHT, PROCUREMENT, REFUNDS, REVENUE, SALVAGE, SETUP, STORAGE
from ecbench.players.merchants.protocol import call
from ecbench.rules import rule_set
from ecbench.suppliers.kernel import KernelTerms
from ecbench.suppliers.sessions import Pair
from ecbench.world.model import Product, Promotion, StoreType, Supplier, World

DAYS = 60
INFLOWS = {REVENUE, SALVAGE}
STORE_TYPES = ("food_beverage", "pet", "fashion", "beauty", "nonesuch")
PER_CATEGORY = 2
SHARED = (
    World,
    FunctionCache,
    Product,
    Supplier,
    StoreType,
    Promotion,
    KernelTerms,
    ProductDemand,
    SoldGoods,
    Parcel,
)  # by all episodes on a world
Call = dict[str, Any]

index = st.integers(0, 1_000)
ratios = st.floats(0.05, 1.7)
junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@cache
def world() -> World:
    return ecbench.load_world("default")


@cache
def counterparts() -> tuple[Supplier, ...]:
    """One supplier of every template and every scam, all serving one store type."""
    roster = {
        supplier.scam or supplier.template: supplier
        for supplier in reversed(world().suppliers)
        if world().category_by_name[supplier.category].store_type == STORE_TYPES[0]
    }
    return tuple(roster[kind] for kind in sorted(roster))


@cache
def goods() -> tuple[Product, ...]:
    """The cheapest products of every category that a counterpart serves."""
    categories = dict.fromkeys(supplier.category for supplier in counterparts())
    return tuple(
        product
        for category in categories
        for product in sorted(world().products_by_category[category], key=lambda p: p.reference_price)[:PER_CATEGORY]
    )


@cache
def reservation(supplier: str, sku: str, rules: str) -> float:
    return ecbench.open_kernel(world(), supplier, sku, 0, rule_set(rules)).reservation


def snapshot(value: Any) -> Any:
    """Everything that belongs to one episode, as plain values that compare."""
    if isinstance(value, SHARED):
        return value
    if isinstance(value, Random):
        return value.getstate()
    if is_dataclass(value) and not isinstance(value, type):
        return [(field.name, snapshot(getattr(value, field.name))) for field in fields(value)]
    if isinstance(value, dict):
        return [(key, snapshot(held)) for key, held in value.items()]
    if isinstance(value, list | tuple):
        return [snapshot(held) for held in value]
    return sorted(value) if isinstance(value, set) else value


def state_of(episode: ecbench.Episode) -> Any:
    account, market = episode.account, episode.account.market
    return snapshot(
        [
            [account.books, account.rng, account.minute, account.ending, account.closed_suppliers, episode.desk],
            [market.days, market.date, market.day],
        ]
    )


def strict_json(text: str) -> dict[str, Any]:
    reply = parse_json(text)
    assert isinstance(reply, dict)
    return reply


def block(**action: Any) -> str:
    return f"```negotiate\n{json.dumps(action)}\n```"


class Year(RuleBasedStateMachine):
    """A merchant that does anything in any order."""

    @initialize(
        stake=st.sampled_from((100_000.0, 12_000.0, 2_500.0)), rules=st.sampled_from(("paper", "fair")), number=index
    )
    def begin(self, stake: float, rules: str, number: int) -> None:
        self.stake, self.rules_name = stake, rules
        self.episode = self.fresh()
        self.log: list[tuple[list[Call], list[str]]] = []
        self.act(call("open_store", store_type=STORE_TYPES[0], store_name="First"))
        for supplier in counterparts():
            self.stock_up(supplier, number)
        self.wait(8)
        self.publish(0, 0.9, 0.7)

    def stock_up(self, supplier: Supplier, number: int) -> None:
        """Bid the reference price for one product until it is sold or out of reach."""
        mine = [product for product in goods() if product.category == supplier.category]
        product = self.pick(mine, number)
        offer = block(action="offer", sku_id=product.sku, price=product.reference_price, quantity=25)
        for _ in range(3):
            reply = self.talk(supplier, "Yes, charge me the membership fee now." + offer)
            if reply.get("order_confirmed"):
                return

    def fresh(self) -> ecbench.Episode:
        return ecbench.Episode(world(), days=DAYS, stake=self.stake, rules=self.rules_name)

    def act(self, *calls: Call) -> list[dict[str, Any]]:
        over = self.episode.done
        before = state_of(self.episode) if over else None
        replies = self.episode.act(list(calls))
        self.log.append((list(calls), replies))
        assert len(replies) == len(calls)
        decoded = [strict_json(reply) for reply in replies]
        if over:
            assert all(list(reply) == ["error"] for reply in decoded)
            assert state_of(self.episode) == before
        return decoded

    def pick(self, rows: Sequence[Any], number: int) -> Any:
        return rows[number % len(rows)]

    def store(self, number: int) -> str:
        return str(self.pick([*self.episode.account.books.stores, "store_099"], number))

    # Stores and shelves

    @rule(number=index, name=st.text(max_size=5))
    def open_store(self, number: int, name: str) -> None:
        self.act(call("open_store", store_type=self.pick(STORE_TYPES, number), store_name=name))

    @rule(number=index, liquidate=st.booleans())
    def close_store(self, number: int, liquidate: bool) -> None:
        self.act(call("close_store", store_id=self.store(number % 3), liquidate=liquidate))

    @rule(number=index, ratio=ratios, share=st.floats(0.1, 1.3))
    def publish(self, number: int, ratio: float, share: float) -> None:
        free = [stock for stock in self.episode.account.books.stock.values() if stock.free]
        plan = [
            {
                "product_id": stock.product.sku,
                "quantity": 1 + int(stock.free * share),
                "retail_price": stock.product.reference_price * ratio,
            }
            for stock in free
        ]
        self.act(call("publish_to_store", store_id=self.store(number % 3), plan=plan))

    @rule(number=index, ratio=ratios, quantity=st.integers(-1, 30))
    def reprice_and_delist(self, number: int, ratio: float, quantity: int) -> None:
        product, store = self.pick(goods(), number), self.store(number % 3)
        self.act(
            call("set_prices", store_id=store, prices=[{"product_id": product.sku, "price": ratio * 10}]),
            call("return_to_warehouse", store_id=store, items=[{"product_id": product.sku, "quantity": quantity}]),
        )

    @rule(number=index, discount=st.floats(0.0, 0.6))
    def join_promotion(self, number: int, discount: float) -> None:
        name = self.pick(world().promotions, number % 2).name
        self.act(call("join_promotion", store_id=self.store(0), event_name=name, discount_rate=discount))

    # Suppliers

    def talk(self, supplier: Supplier, content: str) -> dict[str, Any]:
        [reply] = self.act(call("chatbox", uid=supplier.email, content=content))
        return reply

    def pair(self, number: int) -> tuple[Supplier, Product]:
        supplier = self.pick(counterparts(), number)
        mine = [product for product in goods() if product.category == supplier.category]
        return supplier, self.pick(mine, number // 16)

    @rule(number=index, ratio=ratios, quantity=st.integers(-1, 60))
    def bid(self, number: int, ratio: float, quantity: int) -> None:
        supplier, product = self.pair(number)
        price = product.reference_price * ratio
        self.talk(supplier, block(action="offer", sku_id=product.sku, price=price, quantity=quantity))

    @rule(number=index, start=st.floats(0.2, 0.6), quantity=st.integers(1, 80))
    def haggle(self, number: int, start: float, quantity: int) -> None:
        """Rising bids until something is agreed, refused or too dear."""
        supplier, product = self.pair(number)
        for step in range(5):
            bid = product.reference_price * (start + 0.1 * step)
            reply = self.talk(supplier, block(action="offer", sku_id=product.sku, price=bid, quantity=quantity))
            if any(answer["decision"] != "Offer" for answer in reply.get("negotiation_responses", ())):
                return

    def open_pairs(self) -> list[Pair]:
        return [pair for pair in self.episode.desk.book.pairs.values() if not pair.concluded]

    @rule(number=index, off=st.sampled_from((0.0, 0.0, 0.004, 1.0)), quantity=st.integers(1, 60))
    def take_the_quote(self, number: int, off: float, quantity: int) -> None:
        if pairs := self.open_pairs():
            pair = self.pick(pairs, number)
            price = pair.standing + off
            accept = block(action="accept", sku_id=pair.product.sku, price=price, quantity=quantity)
            self.talk(pair.supplier, accept)

    @rule(number=index)
    def walk_away(self, number: int) -> None:
        if pairs := self.open_pairs():
            pair = self.pick(pairs, number)
            self.talk(pair.supplier, block(action="reject", sku_id=pair.product.sku))

    @rule(number=index, prose=st.sampled_from(("Your catalog?", "Yes, charge me the membership fee now.", "")))
    def chat(self, number: int, prose: str) -> None:
        self.talk(self.pick(counterparts(), number), prose)

    @rule(number=index, ratio=ratios)
    def broadcast(self, number: int, ratio: float) -> None:
        product = self.pick(goods(), number)
        offer = block(action="offer", sku_id=product.sku, price=product.reference_price * ratio, quantity=3)
        self.act(call("chatbox", uids=[supplier.email for supplier in counterparts()], content=offer * 2))

    # Time, freight and money

    @rule(days=st.integers(1, 6))
    def wait(self, days: int) -> None:
        for _ in range(days):
            self.act(call("wait_for_next_day"), call("wait_for_next_day"))

    @rule(days=st.integers(2, 8), speed=st.sampled_from(("fast", "standard", "slow")))
    def trade(self, days: int, speed: str) -> None:
        for _ in range(days):
            self.act(call("ship_orders", speed=speed), call("withdraw"), call("wait_for_next_day"))

    @rule(numbers=st.none() | st.lists(st.integers(0, 60), max_size=4), speed=st.sampled_from(("fast", "SLOW", "x")))
    def ship(self, numbers: list[int] | None, speed: str) -> None:
        self.act(call("ship_orders", shipment_ids=numbers, speed=speed), call("ship_orders", action="list"))

    @rule(amount=st.none() | st.floats(-5, 5_000))
    def withdraw(self, amount: float | None) -> None:
        self.act(call("withdraw", amount=amount), call("check_balance"))

    @rule()
    def look_at_everything(self) -> None:
        self.act(
            call("check_warehouse"),
            call("check_store_status"),
            call("check_store_status", store_id=self.store(0)),
            call("trace_return_sources"),
            call("supplier_search", category=counterparts()[0].category),
        )

    @rule(name=st.sampled_from([schema["function"]["name"] for schema in ecbench.tool_schemas()]), arguments=junk)
    def send_junk(self, name: str, arguments: Any) -> None:
        self.act({"name": name, "arguments": arguments})

    @precondition(lambda self: self.episode.day > DAYS - 10)
    @rule()
    def finish(self) -> None:
        self.episode.finish()
        self.log.append(([], []))
        final = state_of(self.episode)
        self.episode.finish("twice")
        assert state_of(self.episode) == final

    @rule(number=index, ratio=ratios)
    def fork(self, number: int, ratio: float) -> None:
        """A copy goes its own way; equal calls lead equal copies to equal states."""
        supplier, product = self.pair(number)
        offer = block(action="offer", sku_id=product.sku, price=product.reference_price * ratio, quantity=4)
        future = [
            call("chatbox", uid=supplier.email, content=offer),
            call("ship_orders"),
            call("operate_memory", action="add", title="fork", content="taken"),
            call("wait_for_next_day"),
        ]
        before = state_of(self.episode)
        left, right = self.episode.copy(), self.episode.copy()
        replies = left.act(future)
        assert state_of(self.episode) == before == state_of(right)
        assert right.act(future) == replies
        assert state_of(right) == state_of(left)

    # What always holds

    @invariant()
    def money_adds_up(self) -> None:
        books = self.episode.account.books
        purse, flows = books.purse, books.purse.totals
        held = self.episode.bank + self.episode.wallet + self.episode.escrow
        assert held == pytest.approx(self.stake + sum(flows.values()), abs=1e-6, rel=0)
        assert self.episode.wallet >= 0
        assert self.episode.escrow >= 0
        batches = sum(sum(batch) for batch in purse.batches.values())
        assert batches == pytest.approx(self.episode.escrow, abs=1e-6)
        assert list(flows) == list(CHANNELS)
        for channel, amount in flows.items():
            assert amount >= 0 if channel in INFLOWS else amount <= 0, channel

    @invariant()
    def every_channel_is_explained_by_what_happened(self) -> None:
        year = self.episode.account
        books, rules, flows = year.books, year.rules, year.books.purse.totals
        goods_bought = sum(order.charged for order in books.orders if order.product is not None)
        sent = books.sent
        expected = {
            SETUP: -rules.setup_fee * len(books.stores),
            FEES: -rules.membership_fee * len(self.episode.desk.members),
            PROCUREMENT: -goods_bought,
            FREIGHT: -sum(parcel.freight for parcel in sent),
            REVENUE: sum(parcel.goods.net for parcel in sent),
            STORAGE: -sum(day.storage for day in books.days),
        }
        for channel, amount in expected.items():
            assert flows[channel] == pytest.approx(amount, abs=1e-6), channel
        assert -flows[REFUNDS] <= books.refund_loss + 1e-6

    @invariant()
    def units_add_up(self) -> None:
        books = self.episode.account.books
        assert books.units == sum(stock.physical for stock in books.stock.values())
        for sku, stock in books.stock.items():
            listed = sum(store.shelf[sku].quantity for store in books.stores.values() if sku in store.shelf)
            arrived = stock.delivered + stock.restocked + stock.cancelled
            assert stock.physical == stock.free + listed == arrived - stock.sold - stock.liquidated
            assert min(stock.free, listed, stock.physical) >= 0
            assert stock.delivered == sum(stock.by_supplier.values())

    @invariant()
    def every_lot_pays_for_its_units_at_its_age(self) -> None:
        for stock in self.episode.account.books.stock.values():
            rate = self.episode.account.rules.storage_rate[stock.product.size]
            assert [lot.charge for lot in stock.lots] == [lot.quantity * rate * lot.step for lot in stock.lots]

    @invariant()
    def quotes_only_fall_and_nothing_is_sold_below_the_floor(self) -> None:
        desk = self.episode.desk
        for pair in desk.book.pairs.values():
            quotes = pair.kernel.supplier_prices
            assert all(before >= after for before, after in pairwise(quotes))
            assert quotes[-1] >= pair.kernel.reservation
        for session in desk.sessions:
            if session.final_price is not None:
                assert session.final_price >= reservation(session.supplier, session.sku, self.rules_name)
        for order in self.episode.account.books.orders:
            if order.product is not None:
                lowest = reservation(order.supplier, order.product.sku, self.rules_name)
                assert order.unit_price >= round(lowest, 2)

    def teardown(self) -> None:
        """The same calls on a new episode: the same replies, the same state, the same report."""
        again = self.fresh()
        for calls, replies in self.log:
            if calls:
                assert again.act(calls) == replies
            else:
                again.finish()
        assert state_of(again) == state_of(self.episode)
        assert again.report() == self.episode.report()


Year.TestCase.settings = settings(
    max_examples=50,
    stateful_step_count=40,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # shrinking a year takes minutes; add Phase.shrink for it
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
TestYear = Year.TestCase
