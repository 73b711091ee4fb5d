from dataclasses import replace
from pathlib import Path

import pytest

from ecbench.world.load import load_world
from ecbench.world.model import content_id


def rewrite(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("products.csv", ",88,", ',"88.00",'),
        ("products.csv", "a1,Green Tea", 'a1,"Green Tea"'),
        ("categories.csv", ",2.25,", ",225e-2,"),
        ("world.toml", "capacity = 3", "capacity = 3.0"),
        ("world.toml", "{tea = 1.5, pots = 0.25}", "{pots = 0.25, tea = 1.50}"),
        ("world.toml", "[[events]]", "# a comment\n[[events]]"),
    ],
)
def test_how_a_file_is_written_does_not_change_the_id(small_world: Path, file: str, old: str, new: str) -> None:
    before = load_world(small_world).id
    rewrite(small_world / file, old, new)
    assert load_world(small_world).id == before


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("world.toml", "corner shop", "corner stall"),
        ("world.toml", "seed = 5", "seed = 6"),
        ("world.toml", "Light to ship", "Light to send"),
        ("world.toml", 'delayed = ["tea"]', 'delayed = ["tea", "pots"]'),
        ("world.toml", '["04-30", "04-30"]', '["04-30", "05-01"]'),
        ("categories.csv", ",8,150.50,", ",8,150.5,"),
        ("products.csv", "12.5,0.01", "12.5,0.0101"),
        ("suppliers.csv", ",12\n", ",13\n"),
    ],
)
def test_every_fact_and_every_text_that_is_shown_counts_for_the_id(
    small_world: Path, file: str, old: str, new: str
) -> None:
    before = load_world(small_world).id
    rewrite(small_world / file, old, new)
    assert load_world(small_world).id != before


def test_the_order_of_rows_counts_for_the_id(small_world: Path) -> None:
    world = load_world(small_world)
    assert replace(world, products=world.products[::-1]).id != world.id


def test_a_value_no_world_holds_is_refused() -> None:
    with pytest.raises(TypeError, match="a world contains no bytes"):
        content_id((b"x",))
