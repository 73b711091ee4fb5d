"""The goods of a generated world: as many as asked for, and such as a shopper would believe."""

import re
from functools import cache

import pytest
from tests.world.return_notes import contradicts_band

from ecbench.world.generate import generate_world
from ecbench.world.generate.products import FEWEST, draw_counts, vocabularies
from ecbench.world.load import load_world
from ecbench.world.model import World

SIZES = ("Small", "Medium", "Large", "XLarge")


@cache
def fresh() -> World:
    return generate_world(seed=5, name="fresh")


def test_the_packaged_world_keeps_its_id() -> None:
    """Runs name their world by its id: a figure that changes would part them from all earlier ones."""
    assert load_world("default").id == "5af899dc609c093b275f0d437f0243126614906231d383abe8cfb4f85a27c1f0"


def test_a_product_lies_within_its_categorys_bands() -> None:
    world = fresh()
    for product in world.products:
        category = world.category_by_name[product.category]
        assert category.price_min <= product.reference_price <= category.price_max
        assert product.reference_price == round(product.reference_price, 2)
        assert category.return_min <= product.return_rate <= category.return_max
        assert product.return_rate == round(product.return_rate, 4)
        assert abs(SIZES.index(product.size) - SIZES.index(category.size)) <= 1


def test_titles_are_unique_short_and_open_with_the_brand() -> None:
    products = fresh().products
    assert len({product.title.lower() for product in products}) == len(products)
    for product in products:
        assert len(product.title) <= 80
        assert product.title.startswith(f"{product.brand} ")
        assert product.title.isascii()
        assert ", " in product.title


def test_no_title_names_goods_of_another_category() -> None:
    homes = {
        phrase.lower(): category
        for category, vocabulary in vocabularies().items()
        for line in vocabulary.lines
        for phrase in line.products
    }
    longest = max(len(phrase.split()) for phrase in homes)
    for product in fresh().products:
        named = set()
        for part in product.title.lower().split(", "):
            words = part.split()
            for start in range(len(words)):
                for end in range(start + 1, min(start + longest, len(words)) + 1):
                    named.add(homes.get(" ".join(words[start:end]), product.category))
        assert named == {product.category}, product.title


RETURN_WORDS = (
    ("very low", 0.0, 0.03),
    ("low", 0.03, 0.10),
    ("moderate", 0.10, 0.20),
    ("high", 0.20, 0.35),
    ("very high", 0.35, 1.0),
)


def level_words(note: str) -> set[str]:
    return set(re.findall(r"\b(?:very )?(?:low|high)\b|\bmoderate\b", note.lower()))


def test_notes_on_returns_are_true_of_the_band_except_in_twenty_categories_that_read_low() -> None:
    understated = [category for category in fresh().categories if contradicts_band(category)]
    assert len(understated) == 20
    for category in fresh().categories:
        assert not re.search(r"\d", category.return_note)
        used = level_words(category.return_note)
        if category in understated:
            assert category.return_min == 0.20
            assert used in ({"low"}, {"very low"})
            continue
        middle = (category.return_min + category.return_max) / 2
        touched = {w for w, low, high in RETURN_WORDS if category.return_max > low and category.return_min < high}
        usual = next(word for word, _, high in RETURN_WORDS if middle <= high)
        assert usual in used, f"{category.name}: {category.return_note}"
        assert used <= touched, f"{category.name}: {category.return_note}"


@pytest.mark.parametrize("products", [300, 301, 451, 1_500, 20_000])
def test_any_number_of_products_is_dealt_out_whole_and_leaves_no_category_bare(products: int) -> None:
    counts = draw_counts(7, 60, products)
    assert sum(counts) == products
    assert min(counts) >= FEWEST
