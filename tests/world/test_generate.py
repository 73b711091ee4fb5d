"""The default world: the published counts and figures, with goods a shopper would believe."""

import re
from collections import Counter
from datetime import date, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import pytest

from ecbench.rules import DEFAULT_RULES
from ecbench.world.generate import default_world
from ecbench.world.generate.__main__ import main as regenerate
from ecbench.world.generate.products import FEWEST, draw_counts, published_deal
from ecbench.world.generate.published_figures import UNDERSTATED_RETURNS
from ecbench.world.generate.store_worth import is_profitable
from ecbench.world.generate.word_files import vocabularies
from ecbench.world.load import load_world
from ecbench.world.model import World
from ecbench.world.schema import SHIPPED
from ecbench.world.validate import contradicts_band

SIZES = ("Small", "Medium", "Large", "XLarge")


@cache
def default() -> World:
    return default_world()


def test_the_packaged_world_is_the_one_the_generator_makes_and_keeps_its_id() -> None:
    """Runs name their world by its id: a figure that changes would part them from all earlier ones."""
    assert (
        default().id == load_world("default").id == "5af899dc609c093b275f0d437f0243126614906231d383abe8cfb4f85a27c1f0"
    )


def test_the_command_writes_the_packaged_files_byte_for_byte(tmp_path: Path) -> None:
    assert regenerate([str(tmp_path / "again")]) == 0
    packaged = SHIPPED / "default"
    for file in packaged.iterdir():
        assert (tmp_path / "again" / file.name).read_bytes() == file.read_bytes()


def test_the_command_refuses_to_guess_where_to_write(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["--help"], ["here", "there"]):
        assert regenerate(arguments) == 2
        assert "FOLDER" in capsys.readouterr().err


def test_the_packaged_worlds_take_less_than_two_megabytes() -> None:
    assert 0 < sum(file.stat().st_size for file in SHIPPED.rglob("*") if file.is_file()) < 2_000_000


def test_every_published_store_type_can_pay_for_itself() -> None:
    world = default()
    for store_type in world.store_types:
        categories = [world.category_by_name[name] for name in store_type.categories]
        assert is_profitable(store_type, categories, world.products, DEFAULT_RULES), store_type.id


def test_a_store_with_nothing_to_sell_cannot_pay_for_itself() -> None:
    store_type = default().store_type_by_id["pet"]
    categories = [default().category_by_name["Pet Supplies"]]
    assert not is_profitable(store_type, categories, (), DEFAULT_RULES)


def test_a_product_lies_within_its_categorys_bands() -> None:
    world = default()
    for product in world.products:
        category = world.category_by_name[product.category]
        assert category.price_min <= product.reference_price <= category.price_max
        assert product.reference_price == round(product.reference_price, 2)
        assert category.return_min <= product.return_rate <= category.return_max
        assert product.return_rate == round(product.return_rate, 4)
        assert abs(SIZES.index(product.size) - SIZES.index(category.size)) <= 1


def test_skus_are_twelve_hex_digits_and_unique() -> None:
    skus = [product.sku for product in default().products]
    assert len(set(skus)) == len(skus)
    assert all(len(sku) == 12 and set(sku) <= set("0123456789abcdef") for sku in skus)


def test_titles_are_unique_short_and_open_with_the_brand() -> None:
    products = default().products
    assert len({product.title.lower() for product in products}) == len(products)
    for product in products:
        assert len(product.title) <= 80
        assert product.title.startswith(f"{product.brand} ")
        assert product.title.isascii()
        assert ", " in product.title


def test_goods_of_a_higher_level_cost_more() -> None:
    world = default()
    for category in world.categories:
        levels = {phrase: line.level for line in vocabularies()[category.name].lines for phrase in line.products}
        low: list[float] = []
        high: list[float] = []
        for product in world.products_by_category[category.name]:
            level = max((len(phrase), level) for phrase, level in levels.items() if phrase in product.title)[1]
            (low if level < 0.5 else high).append(product.reference_price)
        assert fmean(low) < fmean(high), category.name


def test_no_title_names_goods_of_another_category() -> None:
    homes = {
        phrase.lower(): vocabulary.category
        for vocabulary in vocabularies().values()
        for line in vocabulary.lines
        for phrase in line.products
    }
    longest = max(len(phrase.split()) for phrase in homes)
    for product in default().products:
        named = set()
        for part in product.title.lower().split(", "):
            words = part.split()
            for start in range(len(words)):
                for end in range(start + 1, min(start + longest, len(words)) + 1):
                    named.add(homes.get(" ".join(words[start:end]), product.category))
        assert named == {product.category}, product.title


def test_no_product_phrase_stands_in_two_categories() -> None:
    homes = Counter(
        phrase.lower()
        for vocabulary in vocabularies().values()
        for phrase in {phrase for line in vocabulary.lines for phrase in line.products}
    )
    assert [phrase for phrase, count in homes.items() if count > 1] == []


def test_rows_of_a_category_are_scattered_over_the_file() -> None:
    neighbours = sum(a.category == b.category for a, b in pairwise(default().products))
    assert neighbours < 0.05 * len(default().products)


RETURN_WORDS = (
    ("very low", 0.0, 0.03),
    ("low", 0.03, 0.10),
    ("moderate", 0.10, 0.20),
    ("high", 0.20, 0.35),
    ("very high", 0.35, 1.0),
)


def level_words(note: str) -> set[str]:
    return set(re.findall(r"\b(?:very )?(?:low|high)\b|\bmoderate\b", note.lower()))


def test_the_marked_twenty_categories_read_low_against_a_band_of_20_to_35_percent() -> None:
    world = default()
    low = [category for category in world.categories if contradicts_band(category)]
    assert {category.name for category in low} == UNDERSTATED_RETURNS
    assert {(category.return_min, category.return_max) for category in low} == {(0.20, 0.35)}
    assert all(level_words(category.return_note) in ({"low"}, {"very low"}) for category in low)


def test_no_overview_gives_the_understated_returns_away() -> None:
    world = default()
    for store_type in world.store_types:
        if UNDERSTATED_RETURNS.issuperset(store_type.categories):
            assert not re.search(r"return|sen[dt] back|come back", str(store_type.overview), re.IGNORECASE)


def test_notes_on_returns_are_true_of_the_band_in_the_other_categories() -> None:
    for category in default().categories:
        assert not re.search(r"\d", category.return_note)
        if category.name in UNDERSTATED_RETURNS:
            continue
        middle = (category.return_min + category.return_max) / 2
        touched = {w for w, low, high in RETURN_WORDS if category.return_max > low and category.return_min < high}
        usual = next(word for word, _, high in RETURN_WORDS if middle <= high)
        used = level_words(category.return_note)
        assert usual in used, f"{category.name}: {category.return_note}"
        assert used <= touched, f"{category.name}: {category.return_note}"


def test_overviews_speak_of_every_store_type_without_numbers() -> None:
    for overview in (store_type.overview for store_type in default().store_types):
        texts = (
            overview.profit_potential,
            overview.advantage,
            *overview.strengths,
            *overview.challenges,
            *overview.operating_tips,
        )
        assert len(texts) >= 8
        assert all(text and not any(character.isdigit() for character in text) for text in texts)


def test_event_news_quotes_the_delay_in_three_of_eight_cases_and_never_the_demand() -> None:
    """Beside the window, the only figure is the delay of an event that moves no demand."""
    quoting = [event for event in default().events if event.delay > 1 and not event.demand]
    open_delays = [event.delay for event in default().events if event.delay > 1 and event.demand]
    assert sorted(event.delay for event in quoting) == [3.0, 4.0, 5.0]
    assert (len(open_delays), min(open_delays), max(open_delays)) == (5, 2.0, 3.0)
    for event in default().events:
        month, first = event.start
        last = date(2026, month, first) + timedelta(days=event.days - 1)
        figures = [str(first), str(last.day), *([f"{event.delay:g}"] if event in quoting else [])]
        assert 80 < len(event.news) <= 200
        assert re.findall(r"\d+(?:\.\d+)?", event.news) == figures, event.news
        assert f"{date(2026, month, first):%b} {first} to " in event.news


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
