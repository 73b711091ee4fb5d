"""The default world beside the published one, figure by figure."""

from functools import cache

import pytest
from tests.world.published_statistics import PUBLISHED, Numbers, statistics

from ecbench.world.load import load_world
from ecbench.world.model import World


@cache
def default() -> World:
    return load_world("default")


@cache
def figures() -> dict[str, Numbers]:
    return statistics(default())


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_figure_of_the_default_world_is_the_published_one(name: str) -> None:
    published = PUBLISHED[name]
    assert figures()[name] == pytest.approx(published.numbers, rel=0, abs=published.within + 1e-9)


def test_every_figure_that_is_measured_has_a_published_one_beside_it() -> None:
    assert figures().keys() == PUBLISHED.keys()


@pytest.mark.parametrize("size", ["Small", "Medium", "Large", "XLarge"])
def test_three_parcels_in_ten_are_one_size_off_whatever_the_category_usually_sends(size: str) -> None:
    world = default()
    goods = [product for product in world.products if world.category_by_name[product.category].size == size]
    off = sum(product.size != size for product in goods) / len(goods)
    assert off == pytest.approx(0.3, abs=3 * (0.3 * 0.7 / len(goods)) ** 0.5)


def test_dear_goods_come_in_no_larger_parcels_than_cheap_ones() -> None:
    world, sizes = default(), ("Small", "Medium", "Large", "XLarge")
    steps: dict[bool, list[int]] = {True: [], False: []}
    for product in world.products:
        category = world.category_by_name[product.category]
        dear = product.reference_price > (category.price_min + category.price_max) / 2
        steps[dear].append(sizes.index(product.size) - sizes.index(category.size))
    means = [sum(values) / len(values) for values in steps.values()]
    assert means[0] == pytest.approx(means[1], abs=0.04)
