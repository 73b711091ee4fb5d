"""The tables of a statement add up: to the profit of the year, to what was paid, and to the demand model."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import pytest
from tests.analysis.bound.tiny import PLAIN
from tests.metrics.losses.trading import Trader, stall
from tests.runs.conftest import assert_reconciled

from ecbench.episode import Episode
from ecbench.market.books import Enrolment
from ecbench.market.stock import list_units, put_away, stock_of
from ecbench.market.storefronts import open_store
from ecbench.metrics.losses.account import Loss, PlayLog, by_cause
from ecbench.metrics.losses.shelves import losses_of, watch_shelves
from ecbench.players.driver import play_year
from ecbench.players.merchants.protocol import call
from ecbench.players.merchants.registry import get_merchant
from ecbench.rules import rule_set
from ecbench.runs.results.database import YearTables, make_results
from ecbench.runs.results.statement import Statement, statement_tables
from ecbench.runs.results.year_tables import year_tables
from ecbench.world.load import load_world

YEARS = [
    ("steady", 130, 100_000.0, "paper"),
    ("haggler", 365, 100_000.0, "paper"),
    ("first-quote", 120, 60_000.0, "fair-2"),
    ("idle", 20, 5_000.0, "paper"),
]


class PlayedSample(NamedTuple):
    tables: YearTables
    year: Episode
    found: Statement
    profit: float
    losses: Sequence[Loss]


@cache
def played(merchant: str, days: int, stake: float, rules: str) -> PlayedSample:
    year = Episode(load_world("default"), days=days, stake=stake, rules=rule_set(rules))
    watch_shelves(year.account)
    play_year(get_merchant(merchant, days=days), year)
    losses = losses_of(year.account, PlayLog(), over=True)
    tables = year_tables(year, losses=losses)
    profit = year.bank + year.wallet + year.escrow - stake
    return PlayedSample(tables, year, Statement(make_results("", {0: tables})), profit, losses)


@pytest.fixture(params=YEARS, ids=[name for name, *_ in YEARS])
def sample(request: pytest.FixtureRequest) -> Iterator[PlayedSample]:
    yield played(*request.param)


def test_lines_and_remainder_add_up_to_the_profit_of_the_year(sample: PlayedSample) -> None:
    tables = statement_tables(sample.found)
    for name in ("store", "category", "sku"):
        assert tables[name].total == pytest.approx(sample.profit, abs=0.005), name


def test_stake_and_all_rows_come_to_the_final_assets_channel_by_channel(sample: PlayedSample) -> None:
    assert_reconciled(sample.tables, sample.profit)


def test_the_books_count_every_unit_that_was_sold_or_bought(sample: PlayedSample) -> None:
    sold = Counter[str]()
    for row in sample.tables.sales:
        sold[row.sku] += row.units
    assert sold == {sku: stock.sold for sku, stock in sample.year.account.books.stock.items() if stock.sold}
    bought = sum(row.units_bought for row in sample.found.lines("sku"))
    assert bought == sum(row.quantity for row in sample.tables.orders if row.sku)


def test_what_was_sold_off_is_the_salvage_of_its_store(sample: PlayedSample) -> None:
    brought: dict[str, float] = {}
    for row in sample.tables.liquidations:
        brought[row.store] = brought.get(row.store, 0.0) + row.proceeds
    assert brought == pytest.approx({line.store: line.salvage for line in sample.found.lines("store") if line.salvage})


def test_bids_add_up_to_the_price_above_the_floor_and_negotiations_to_what_was_overpaid(sample: PlayedSample) -> None:
    lines = {line.session: line for line in sample.found.lines("negotiation")}
    added = dict(sample.found.database.execute("select session, sum(added) from bid_costs group by session").fetchall())
    for session in sample.tables.sessions:
        above = max((session.final_price or session.floor) - session.floor, 0.0)
        assert added.get(session.session, 0.0) == pytest.approx(above)
        line, bids = lines[session.session], len(session.agent_prices)
        assert line.rounds == bids and 0 <= line.wasted_rounds <= bids
        assert line.wasted_rounds == bids or session.final_price is not None
    honest = sum(line.overpaid for line in sample.found.lines("supplier") if line.honest)
    fees = sum(line.fees for line in sample.found.lines("cheat"))
    above = sum(line.above_floor for line in sample.found.lines("negotiation"))
    assert above == pytest.approx(honest + sample.found.overpaid[False] - fees)
    losses = [line.loss for line in sample.found.lines("negotiation")]
    assert losses == sorted(losses, reverse=True)


def test_a_loss_has_one_amount_in_every_table(sample: PlayedSample) -> None:
    found, by = sample.found, by_cause(sample.losses)
    assert {line.cause: line.amount for line in found.lines("loss")} == pytest.approx(
        {cause: amount for cause, amount in by.items() if amount}
    )
    above = by["above_floor"]
    assert sum(line.overpaid for line in found.lines("supplier")) == pytest.approx(above + by["fees"])
    assert sum(line.above_floor for line in found.lines("negotiation")) == pytest.approx(above)
    for name in ("store", "sku", "category"):
        assert sum(line.missed for line in found.lines(name)) == pytest.approx(by["empty_shelf"])
    for name in ("sku", "category"):
        assert sum(line.unsold for line in found.lines(name)) == pytest.approx(by["unsold"])


def test_goods_cost_the_mean_of_the_stock_and_the_rest_is_left_over_or_on_its_way() -> None:
    """Ten at 60 and ten at 80 are 70 each. Four are sold, sixteen are left, and ten more at 65 have not come."""
    trader = Trader()
    trader.open()
    trader.buy(10, 60.0)
    trader.buy(10, 80.0)
    trader.sleep()
    trader.list(4)
    trader.sleep()
    trader.buy(10, 65.0)
    trader.year.finish("year_end")
    found = Statement(make_results("", {0: year_tables(trader.year)}))
    [store] = found.lines("store")
    assert (store.units, store.goods) == (4, 280.0)
    assert found.remainder("store")["goods that no store sold"] == -(16 * 70.0 + 650.0)


def test_units_that_come_back_to_the_warehouse_cost_their_store_nothing() -> None:
    """Every unit comes back, to be sold for less once more."""
    trader = Trader(stall(returns=1.0), PLAIN.with_overrides({"return_cap": 1.0})).stocked(4)
    trader.sleep()
    trader.call("ship_orders")
    assert year_tables(trader.year).sales[0].cost == 240.0
    trader.sleep(3)
    tables = year_tables(trader.year)
    assert [row.units for row in tables.returns] == [4] and tables.sales[0].cost == 0.0


def test_a_cheat_costs_what_it_was_paid_less_the_goods_at_the_floor_and_the_refunds_it_caused(
    sample: PlayedSample,
) -> None:
    for line in sample.found.lines("cheat"):
        orders = [row for row in sample.tables.orders if row.supplier == line.supplier]
        worth = sum((row.floor or 0.0) * row.delivered for row in orders)
        assert line.defects >= 0.0
        assert line.cost == pytest.approx(line.spend - worth + line.defects)
    for scam in sample.found.lines("scam"):
        cheats = [line for line in sample.found.lines("cheat") if line.scam == scam.scam]
        assert scam.cost == pytest.approx(sum(line.cost for line in cheats))


def test_the_days_of_a_store_earned_what_its_sales_did(sample: PlayedSample) -> None:
    query = "select store, sum(earned) from store_days group by store"
    earned = dict(sample.found.database.execute(query).fetchall())
    sold_off = {row.store for row in sample.tables.liquidations}
    for line in sample.found.lines("store"):
        if line.store not in sold_off:
            shelf = line.result + line.setup + line.operating - line.salvage
            assert earned.get(line.store, 0.0) == pytest.approx(shelf, abs=0.005)
    for promotion in sample.found.lines("promotion"):
        days = [row for row in sample.tables.stores if row.store == promotion.store and row.promotion]
        assert promotion.days == sum(row.promotion == promotion.promotion for row in days)


def test_a_quote_that_was_left_costs_what_the_next_purchase_paid_above_it() -> None:
    tables, *_ = played(*YEARS[1])
    order = next(row for row in tables.orders if row.honest and row.sku and row.session)
    deal = tables.sessions[(order.session or 0) - 1]._replace(session=3)
    left = deal._replace(outcome="Disagreement", final_price=None, closed_by="AgentReject")
    better, worse = (left._replace(session=n, supplier_prices=(order.unit_price - 3 + n,)) for n in (1, 2))
    later, elsewhere = deal._replace(session=4), left._replace(session=5, supplier_prices=(0.01,))
    orders = [order._replace(session=3), order._replace(order=order.order + 1, session=4)]
    rows = YearTables(sessions=[better, worse, deal, later, elsewhere], orders=orders)
    lines = {line.session: line for line in Statement(make_results("", {0: rows})).lines("negotiation")}
    assert [lines[n].left for n in range(1, 6)] == pytest.approx([2.0 * order.quantity, 0.0, 0.0, 0.0, 0.0])
    assert [lines[n].wasted_rounds for n in (1, 2)] == [len(deal.agent_prices)] * 2
    assert lines[1].why.endswith(f"; then paid ¥{order.unit_price:.2f} on day {order.day}")
    assert lines[5].why == "left its quote of ¥0.01"


def test_the_samples_have_what_the_tables_show() -> None:
    steady, haggler = played(*YEARS[0]).found, played(*YEARS[1]).found
    assert steady.lines("promotion") and steady.lines("event") and any(line.closed for line in steady.lines("store"))
    cheats = haggler.lines("cheat")
    assert any(line.defects for line in cheats) and any(line.missing for line in cheats)


def test_a_promotion_added_what_its_day_earned_less_what_the_day_earns_without_it() -> None:
    """The same evening twice, and all that is sold on it is sent and has come back where it comes back."""
    year = Episode(load_world("default"), days=40)
    account, kind = year.account, max(year.world.store_types, key=lambda each: each.capacity)
    store = open_store(account, kind, "Shop")
    for product in [each for name in kind.categories for each in year.world.products_by_category[name][:60]]:
        stock = stock_of(account, product)
        put_away(account.books, stock, 10_000, account.market.date.toordinal())
        stock.delivered += 10_000
        list_units(store, stock, 10_000, product.reference_price)
    earned = []
    for promoted in (True, False):
        twin = year.copy()
        watch_shelves(twin.account)
        if promoted:
            twin.account.books.stores[store.id].enrolment = Enrolment(year.world.promotions[0], 0.3)
        for _ in range(30):
            twin.act([call("wait_for_next_day"), call("ship_orders", action="ship")])
        found = Statement(make_results("", {0: year_tables(twin)})).database
        earned.append(found.execute("select earned from store_days where day = 0").fetchone()[0])
        if promoted:
            [estimate] = found.execute("select added from promotions where day = 0").fetchone()
    with_it, without = earned
    assert with_it > 1.1 * without > 0.0
    assert estimate == pytest.approx(with_it - without, rel=0.05)
