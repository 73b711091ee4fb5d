"""How many goods each category has: a few categories are very narrow, a few very broad."""

from statistics import median

import pytest

from ecbench.world.generate.products import FEWEST, draw_counts, published_deal, spread_counts


def test_the_spread_at_full_length_is_the_published_one() -> None:
    counts = spread_counts(60, 6_886)
    assert sum(counts) == 6_886
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == pytest.approx((10, 260), abs=2)
    assert median(counts) == pytest.approx(100, abs=10)


@pytest.mark.parametrize("products", [300, 301, 451, 1_500, 20_000])
def test_any_number_of_products_is_dealt_out_whole_and_leaves_no_category_bare(products: int) -> None:
    counts = draw_counts(7, 60, products)
    assert sum(counts) == products
    assert min(counts) >= FEWEST


def test_which_categories_are_broad_is_by_lot() -> None:
    one, other = draw_counts(1, 60, 6_886), draw_counts(2, 60, 6_886)
    assert one != other
    assert sorted(one) == sorted(other)


def test_the_default_deal_is_drawn_until_it_spreads_the_goods_over_named_categories_as_published() -> None:
    assert not any(published_deal(draw_counts(seed, 60, 6_886)) for seed in range(20))
    assert published_deal(draw_counts(20260122, 60, 6_886, published_deal))
