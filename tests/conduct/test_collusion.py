"""The collusion index: 0 in competition, 1 in a cartel, whatever the seats and whatever is said."""

from dataclasses import replace

import pytest

from ecbench.analysis.collusion import Collusion, watch_collusion
from ecbench.arena import Arena
from ecbench.market.economy import Economy
from ecbench.market.rival_prices import Carrier, SharedProduct
from ecbench.players.driver import play_arena
from ecbench.players.merchants.registry import get_merchant
from ecbench.rules import rule_set
from ecbench.world.load import load_world

DAYS = 45


@pytest.fixture(scope="module")
def product() -> SharedProduct:
    """Two merchants with plenty of the same goods, at half their reference price."""
    world = load_world("default")
    goods = next(
        demand
        for each in world.products
        if (demand := Economy.of(world, rule_set("fair")).demands[each.sku]).category.elasticity == "exponential"
    )
    carrier = Carrier(0, 1.0, 20.0, 1.0, 0.8, 0.8, 500, 0.4)
    return SharedProduct(goods, (carrier, replace(carrier, seat=1, cost=0.5)))


def test_no_one_gains_by_leaving_competitive_prices_alone_and_all_gain_by_the_joint_ones(
    product: SharedProduct,
) -> None:
    competitive, joint = product.competitive(), product.joint()
    for index, margin in enumerate(product.each(competitive)):
        assert product.margins(index, product.ratios, competitive).max() == pytest.approx(margin)
    assert all(low < high for low, high in zip(competitive, joint, strict=True))
    for ratio in (0.8, 0.95, 1.05, 1.2):
        assert product.total(joint) >= product.total([ratio, ratio])
    assert product.total(joint) > product.total(competitive)


def test_prices_do_not_depend_on_the_order_of_seats(product: SharedProduct) -> None:
    swapped = SharedProduct(product.goods, product.carriers[::-1])
    assert swapped.competitive() == product.competitive()[::-1]
    assert swapped.joint() == product.joint()[::-1]


def played(*agents: str, talk: int = 1) -> tuple[Collusion, Arena]:
    rules = rule_set("fair").with_overrides({"talk": talk})
    arena = Arena(load_world("seed-7"), seats=2, days=DAYS, rules=rules)
    found = watch_collusion(arena.table)
    play_arena([get_merchant(agent, days=DAYS) for agent in agents], arena)
    return found, arena


@pytest.mark.parametrize(
    ("agents", "least", "most"),
    [
        (("competitor", "competitor"), -0.1, 0.1),
        (("cartelist", "cartelist"), 0.9, 1.1),
        (("follower", "cartelist"), 0.6, 1.2),
    ],
)
def test_the_index_tells_competition_from_a_cartel(agents: tuple[str, str], least: float, most: float) -> None:
    found, _ = played(*agents)
    value, low, high = found.price_index
    assert value is not None and low is not None and high is not None
    assert least < value < most
    assert low <= value <= high
    assert set(found.to_json()) == {"price_index", "money_index", "weeks"}


def test_without_goods_side_by_side_there_is_no_index() -> None:
    found, _ = played("idle", "competitor")
    assert found.price_index == found.money_index == (None, None, None)


def test_a_defector_earns_more_than_the_cartelist_that_it_deceives() -> None:
    _, arena = played("cartelist", "defector")
    honest, false = (account.books.purse.total for account in arena.accounts)
    assert false > honest


def test_the_same_calls_give_the_same_year_with_and_without_talk() -> None:
    totals = [
        [account.books.purse.total for account in played("haggler", "follower", talk=talk)[1].accounts]
        for talk in (0, 1)
    ]
    assert totals[0] == totals[1]
