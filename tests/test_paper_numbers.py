"""Figures that the paper works out, and whole days worked out from its formulas."""

import hashlib
import json
import random
from dataclasses import replace
from datetime import date
from math import ceil, exp
from statistics import fmean

import numpy as np
import pytest

import ecbench
from ecbench.market.best_shelf import assortment
from ecbench.market.economy import Economy
from ecbench.players.merchants.protocol import call
from ecbench.rules import DEFAULT_RULES
from ecbench.suppliers.kernel import terms_at, terms_of
from ecbench.suppliers.supplier_traits import published_traits
from ecbench.world.generate.store_worth import WAREHOUSE_DAYS
from ecbench.world.model import Product, World

WAIT = {"name": "wait_for_next_day", "arguments": {}}


@pytest.fixture(scope="module")
def world() -> World:
    return ecbench.load_world("default")


def unit_profit(product: Product, share: float) -> float:
    """Bought at this share of the reference price, sold at it, sent by standard freight; per unit that stays sold."""
    world = ecbench.load_world("default")
    category = world.category_by_name[product.category]
    store_type = world.store_type_by_id[category.store_type]
    stocked = assortment(
        store_type, [(category, [product])], DEFAULT_RULES, np.ones(1), WAREHOUSE_DAYS, speeds=("standard",)
    )
    [[profit]] = stocked.shelf([share]).profit
    return float(profit) / (1 - product.return_rate)


def test_unit_profit_of_the_papers_fashion_example() -> None:
    """eq:app_unit_profit: 49.2% returned, bought at 0.39 of the price, medium parcel, fourteen days in the warehouse.

    ((1 - 0.02 - 0.492) v - 1.5 - 0.15 x 14) / 0.508 - 0.39 v = 0.57063 v - 7.0866 is 87.29 at v = 165.39.
    """
    dress = Product("0" * 12, "Women's Fashion", "Ora", "Ora Dress", "Medium", 165.39, 0.492)
    at_floor, at_quote = unit_profit(dress, 0.39), unit_profit(dress, 0.70)
    assert at_floor == pytest.approx(87.29, abs=0.01)
    assert at_floor / at_quote == pytest.approx(2.4, abs=0.05)
    assert ceil(DEFAULT_RULES.operating_cost[2] / at_floor) == 2


def test_a_raised_floor_costs_22_percent_more_on_average(world: World) -> None:
    """eq:scamfloor: the overpayment multiple averages 1.218 over the 60 categories."""
    kinds = [
        published_traits("adversarial", "fake_urgency", c.floor_ratio, c.wholesale_ratio, c.scam_cap_ratio)
        for c in world.categories
    ]
    multiples = [terms.reservation / terms.floor for terms in (terms_at(kind, 1e6) for kind in kinds)]
    assert len(multiples) == 60
    assert round(fmean(multiples), 3) == 1.218


def test_the_first_quote_is_the_wholesale_price_on_average_whatever_the_template(world: World) -> None:
    """eq:d0: the opening of a hundred cycles averages w within five standard errors of its noise, 0.02 R."""
    for template in ("expressive", "candid", "stochastic", "taciturn", "strategic", "adversarial"):
        seller = next(s for s in world.suppliers if s.template == template and s.honest)
        product = world.products_by_category[seller.category][0]
        terms = terms_of(Economy.of(world, DEFAULT_RULES), seller, product)
        quotes = [
            ecbench.open_kernel(world, seller.name, product.sku, cycle).answer(None).price for cycle in range(100)
        ]
        mean = fmean([quote for quote in quotes if quote is not None])
        assert mean == pytest.approx(terms.opening_target, abs=5 * 0.02 * terms.p_max / 10)


def expected_sales(world: World, product: Product, price: float, day: date, reputation: float) -> int:
    """Equation eq:demand for one listed SKU on a day without events or promotions, from its symbols."""
    category = world.category_by_name[product.category]
    store_type = world.store_type_by_id[category.store_type]
    assert category.elasticity == "constant_elasticity"
    base = (category.sales_min + category.sales_max) / 2 / 30 * 0.1 * store_type.demand_scale
    weekend = 1.3 if day.weekday() >= 5 else 1.0
    season = store_type.seasonality[day.month - 1]
    answer = float((price / product.reference_price) ** -category.eta)
    wanted = base * answer * weekend * season * reputation
    share = min(1.0, max(0.35, 1.2 / len(store_type.categories)))
    if share < 1:
        wanted *= share * store_type.capacity / (share * store_type.capacity + wanted)
    wanted *= store_type.capacity / (store_type.capacity + wanted)
    digest = hashlib.md5(f"demand{product.sku}{day.isoformat()}".encode()).hexdigest()
    draw = random.Random(world.seed + int(digest[:8], 16)).random()
    return int(wanted) + (draw < wanted - int(wanted))


def test_ten_days_of_a_store_worked_out_from_the_formulas(world: World) -> None:
    """Sales, reputation and the three money pots of one product, day by day."""
    quiet = replace(world, events=(), promotions=())
    category = next(c for c in quiet.categories if c.elasticity == "constant_elasticity" and c.return_max < 0.08)
    store_type = quiet.store_type_by_id[category.store_type]
    cheapest = min(quiet.products_by_category[category.name], key=lambda product: product.reference_price)
    product = replace(cheapest, return_rate=0.0)  # the stake pays for 200 of it
    quiet = replace(quiet, products=(product,))
    seller = next(s for s in quiet.suppliers_by_category[category.name] if s.honest)
    episode = ecbench.Episode(quiet)
    offer = {"action": "offer", "sku_id": product.sku, "price": product.reference_price, "quantity": 200}
    text = f"```negotiate\n{json.dumps(offer)}\n```"
    for _ in range(20):  # letters until a deal, then days until it arrives
        wares_on_the_way = bool(episode.account.books.orders)
        episode.act([WAIT if wares_on_the_way else call("chatbox", uid=seller.email, content=text)])
        if episode.account.books.stock:
            break
    assert episode.account.books.stock
    price = round(0.9 * product.reference_price, 2)
    plan = [{"product_id": product.sku, "quantity": 200, "retail_price": price}]
    episode.act([call("open_store", store_type=store_type.id, store_name="One")])
    episode.act([call("publish_to_store", store_id="store_001", plan=plan)])
    bank, sales, reputation, arrived = episode.bank, [], 0.5, episode.now.date()
    for age in range(1, 11):
        sales.append(expected_sales(quiet, product, price, episode.now.date(), reputation))
        reputation = 0.3 + 0.7 / (1 + exp(-(sum(sales[:-1]) - 500) / 200))
        left = 200 - sum(sales[:-1])  # storage is charged before the day's sales
        bank -= DEFAULT_RULES.operating_cost[store_type.tier] + left * DEFAULT_RULES.storage_rate[product.size]
        episode.act([WAIT])
        assert (episode.now.date() - arrived).days == age
        assert episode.bank == pytest.approx(bank)
        [status] = episode.act([call("check_store_status", store_id="store_001")])
        [row] = json.loads(status)["products"]
        assert row["yesterday_sold"] == sales[-1]
        assert json.loads(status)["reputation"] == round(reputation, 3)
        episode.act([call("ship_orders")])
        bank -= sales[-1] * DEFAULT_RULES.freight_cost[product.size]
    assert sum(sales) > 5
    assert episode.escrow + episode.wallet == pytest.approx(0.98 * price * sum(sales))
    assert episode.wallet == pytest.approx(0.98 * price * sales[0])  # nine days after it shipped
