"""Fresh worlds: everything redrawn from the seed, within the published ranges, and every one playable."""

import re
from calendar import month_name
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import pytest
from tests.world.return_notes import contradicts_band

from ecbench.rules import DEFAULT_RULES
from ecbench.world.generate import generate_world
from ecbench.world.generate.fresh_calendar import day_of_year, event_kinds
from ecbench.world.generate.store_worth import is_profitable
from ecbench.world.load import load_world
from ecbench.world.model import World
from ecbench.world.save import save_world

SEEDS = range(10)


@cache
def fresh(seed: int) -> World:
    return generate_world(seed=seed, name=f"fresh-{seed}", products=300, suppliers=120)


def default() -> World:
    return load_world("default")


@pytest.mark.parametrize("seed", SEEDS)
def test_a_fresh_world_is_valid_on_disk(seed: int, tmp_path: Path) -> None:
    save_world(fresh(seed), tmp_path / "world")
    assert load_world(tmp_path / "world").id == fresh(seed).id


@pytest.mark.parametrize("seed", SEEDS)
def test_every_store_type_of_a_fresh_world_can_pay_for_itself(seed: int) -> None:
    world = fresh(seed)
    for store_type in world.store_types:
        categories = [world.category_by_name[name] for name in store_type.categories]
        assert is_profitable(store_type, categories, world.products, DEFAULT_RULES), store_type.id


def test_a_store_type_whose_suppliers_ask_the_full_price_or_have_no_goods_cannot_pay_for_itself() -> None:
    world = default()
    store_type = world.store_type_by_id["pet"]
    own = [world.category_by_name[name] for name in store_type.categories]
    dear = [replace(category, floor_ratio=1.0, wholesale_ratio=1.0) for category in own]
    assert is_profitable(store_type, own, world.products, DEFAULT_RULES)
    assert not is_profitable(store_type, dear, world.products, DEFAULT_RULES)
    assert not is_profitable(store_type, own, (), DEFAULT_RULES)


@pytest.mark.parametrize("seed", SEEDS)
def test_fresh_ratios_and_elasticities_stay_in_the_published_ranges(seed: int) -> None:
    published, world = default(), fresh(seed)
    for category in world.categories:
        tier = world.store_type_by_id[category.store_type].tier
        floors = [c.floor_ratio for c in published.categories if published.store_type_by_id[c.store_type].tier == tier]
        etas = [c.eta for c in published.categories if c.elasticity == category.elasticity]
        assert min(floors) <= category.floor_ratio <= max(floors)
        assert min(etas) <= category.eta <= max(etas)
        assert category.wholesale_ratio == round(0.5 + 0.5 * category.floor_ratio, 2)
        assert category.floor_ratio < category.wholesale_ratio
        assert 0 < category.scam_cap_ratio <= 0.95


@pytest.mark.parametrize("seed", SEEDS)
def test_promotion_windows_never_overlap(seed: int) -> None:
    promotions = fresh(seed).promotions
    windows = sorted((day_of_year(a), day_of_year(b)) for p in promotions for a, b in p.windows)
    assert len(promotions) == len({p.name for p in promotions}) == 8
    assert all(start <= end for start, end in windows)
    assert all(end < start for (_, end), (start, _) in pairwise(windows))
    published = default().promotions
    for promotion in promotions:
        assert min(p.max_demand for p in published) <= promotion.max_demand <= max(p.max_demand for p in published)
        assert promotion.elasticity_boost in {p.elasticity_boost for p in published}


@pytest.mark.parametrize("seed", SEEDS)
def test_events_fall_in_their_season_within_the_year_and_the_published_ranges(seed: int) -> None:
    events, published = fresh(seed).events, default().events
    kinds = {kind.name: kind for kind in event_kinds()}
    factors = [factor for event in published for factor in event.demand.values()]
    assert len({event.name for event in events}) == 10
    for event in events:
        assert event.start[0] in kinds[event.name].months
        assert day_of_year(event.start) + event.days <= 365
        assert min(e.days for e in published) <= event.days <= max(e.days for e in published)
        assert all(min(factors) <= factor <= max(factors) for factor in event.demand.values())
        assert all((event.demand[s] > 1) == (s in kinds[event.name].more) for s in event.demand)
        assert 1.0 <= event.delay <= max(e.delay for e in published)
        assert (event.delay > 1) == (event.delayed is None or len(event.delayed) > 0)
    assert all(day_of_year(a.start) + a.days <= day_of_year(b.start) for a, b in pairwise(events))


def test_the_news_of_an_event_quotes_its_delay_if_it_moves_no_demand_and_leaves_it_open_otherwise() -> None:
    for kind in event_kinds():
        quoted = (kind.delayed is None or bool(kind.delayed)) and not (kind.more or kind.less)
        news = kind.news.format(window="Sep 28 to Oct 11", delay="2.5")
        assert 80 < len(news) <= 200
        assert re.findall(r"\d+(?:\.\d+)?", news) == ["28", "11", *(["2.5"] if quoted else [])]
        assert set(kind.more) | set(kind.less) | (kind.delayed or set()) <= set(default().store_type_by_id)


def test_a_fresh_world_understates_the_returns_of_twenty_drawn_categories_and_no_others() -> None:
    drawn = [frozenset(c.name for c in fresh(seed).categories if contradicts_band(c)) for seed in SEEDS]
    assert {len(names) for names in drawn} == {20}
    assert len(set(drawn)) == len(SEEDS)
    bands = default().category_by_name
    assert {bands[name].return_min for names in drawn for name in names} == {0.20}
    assert not any("return" in str(s.overview).lower() for seed in SEEDS for s in fresh(seed).store_types)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_fresh_overview_has_no_numbers_and_names_a_month_that_stands_out(seed: int) -> None:
    for store_type in fresh(seed).store_types:
        overview = store_type.overview
        texts = (
            overview.profit_potential,
            overview.advantage,
            *overview.strengths,
            *overview.challenges,
            *overview.operating_tips,
        )
        assert overview.strengths
        assert overview.challenges
        assert all(text and not any(character.isdigit() for character in text) for text in texts)
        mean, high, low = (f(store_type.seasonality) for f in (fmean, max, min))
        if max(high - mean, mean - low) > 0.2:
            extreme = high if high - mean >= mean - low else low
            month = month_name[store_type.seasonality.index(extreme) + 1]
            assert month in " ".join((overview.advantage, *overview.strengths, *overview.challenges))


def test_a_fresh_world_keeps_its_id() -> None:
    """Seasons and scores name fresh worlds by their seeds."""
    world = generate_world(seed=4, name="small", products=451, suppliers=200, fraud_share=0.1)
    assert (len(world.products), len(world.suppliers)) == (451, 200)
    assert world.id == "10aa00cc499263683d6e21177d00869aeaffc4890e7b14a8556bb7f8f33725cd"


@pytest.mark.parametrize(("products", "reason"), [(299, "too few"), (-1, "too few"), (9_000_000, "too many")])
def test_an_impossible_number_of_products_is_refused_with_the_reason(products: int, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        generate_world(seed=1, name="impossible", products=products)
