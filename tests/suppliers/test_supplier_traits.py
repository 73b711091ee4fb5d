"""Floors, openings, manners and draws that suppliers have of their own, where the rules say so."""

from dataclasses import replace
from functools import cache
from itertools import pairwise
from statistics import correlation

import pytest

import ecbench
from ecbench.market.economy import Economy
from ecbench.rules import DEFAULT_RULES, Rules, rule_set
from ecbench.suppliers.kernel import terms_of
from ecbench.suppliers.named_kernel import open_kernel
from ecbench.suppliers.supplier_traits import lowest_ratios, traits_of
from ecbench.suppliers.templates import HONEST_MANNERS
from ecbench.world.model import World

FAIR = rule_set("fair")


@cache
def default() -> World:
    return ecbench.load_world("default")


def economy(rules: Rules, salt: str = "") -> Economy:
    return Economy(replace(default(), salt=salt), rules)


def test_without_these_rules_a_supplier_has_the_terms_of_its_kind_and_category() -> None:
    market_rules = Rules(price_ceiling=5.0, listing_fee=5.0, salvage_cap=1.0)
    paper, other = economy(DEFAULT_RULES), economy(market_rules)
    for supplier in default().suppliers:
        product = default().products_by_category[supplier.category][0]
        category = default().category_by_name[supplier.category]
        terms = terms_of(paper, supplier, product)
        assert terms is terms_of(other, supplier, product)
        assert terms.floor == round(product.reference_price * category.floor_ratio, 2)
        assert terms.opening_target == round(product.reference_price * category.wholesale_ratio, 2)
        assert (terms.key, terms.cents, traits_of(paper, supplier).weekly_supply) == (0, False, 0)


def test_own_floors_lie_around_the_category_and_below_every_opening() -> None:
    market = economy(FAIR)
    for category in default().categories:
        found = [traits_of(market, supplier) for supplier in default().suppliers_by_category[category.name]]
        width = FAIR.floor_spread * min(category.floor_ratio, 1 - category.floor_ratio)
        floors, openings = [one.floor_ratio for one in found], [one.opening_ratio for one in found]
        assert len(set(floors)) == len(floors) and len(set(openings)) == len(openings)
        assert (
            category.floor_ratio - width
            <= min(floors)
            < category.floor_ratio
            < max(floors)
            <= (category.floor_ratio + width)
        )
        assert max(floors) <= min(openings) and max(openings) <= 1
        assert lowest_ratios(market, category)[0] >= min(floors) > FAIR.closing_stock_share * category.floor_ratio


def test_an_opening_says_nothing_about_the_floor_within_a_category() -> None:
    market, pairs = economy(FAIR), []
    for category in default().categories:
        found = [traits_of(market, supplier) for supplier in default().suppliers_by_category[category.name]]
        floor, opening = (sum(each) / len(found) for each in zip(*((o.floor_ratio, o.opening_ratio) for o in found)))
        pairs += [(one.floor_ratio - floor, one.opening_ratio - opening) for one in found]
    assert correlation(*zip(*pairs, strict=True)) ** 2 < 0.02


def test_cheats_in_the_goods_have_the_manner_and_the_frame_of_an_honest_supplier() -> None:
    market, honest = economy(FAIR), set(HONEST_MANNERS.values())
    for supplier in default().suppliers:
        product = default().products_by_category[supplier.category][0]
        terms = terms_of(market, supplier, product)
        assert terms.manner in honest and terms.p_min == 0
        assert terms.floor <= terms.reservation <= terms.opening_target
        if supplier.scam in ("", "qty_bait", "quality_downgrade"):
            assert terms.reservation == terms.floor
    drawn = [traits_of(market, supplier).manner for supplier in default().suppliers if supplier.scam]
    assert set(drawn) == honest


@pytest.mark.parametrize("salt", ["", "00" * 16])
def test_floors_and_quotes_hang_on_the_worlds_salt_and_seed(salt: str) -> None:
    one, same, other = economy(FAIR, salt), economy(FAIR, salt), economy(FAIR, "11" * 16)
    supplier = default().suppliers[0]
    sku = default().products_by_category[supplier.category][0].sku
    assert traits_of(one, supplier).floor_ratio == traits_of(same, supplier).floor_ratio
    assert traits_of(one, supplier).floor_ratio != traits_of(other, supplier).floor_ratio
    reseeded = Economy(replace(default(), seed=8, salt=salt), FAIR)
    seeds = {open_kernel(each.world, supplier.name, sku, 0, FAIR).seed for each in (one, same, other, reseeded)}
    assert len(seeds) == 3
    assert open_kernel(default(), supplier.name, sku, 0).seed not in seeds


def test_a_kernel_with_hidden_draws_decides_in_cents() -> None:
    for supplier in default().suppliers[:60]:
        product = default().products_by_category[supplier.category][0]
        kernel = open_kernel(default(), supplier.name, product.sku, 0, FAIR)
        prices = [kernel.answer(None).price, *(kernel.answer(0.05 * product.reference_price).price for _ in range(2))]
        for before, price in pairwise(prices):
            assert before is not None and price is not None
            assert kernel.reservation <= price <= before and price == round(price, 2)
        assert kernel.agent_prices == (round(0.05 * product.reference_price, 2),) * 2
