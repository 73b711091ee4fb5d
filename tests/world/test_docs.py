import re
from pathlib import Path
from shutil import copytree
from textwrap import dedent

import pytest

from ecbench.world.files import WorldError
from ecbench.world.load import find_world, load_world

PAGE = Path(__file__).parents[2] / "docs" / "world.md"


def test_the_manuals_example_of_a_new_category_is_a_valid_world(tmp_path: Path) -> None:
    folder = tmp_path / "with-board-games"
    copytree(find_world("default"), folder)
    example = PAGE.read_text().partition("## Adding a category by hand")[2].partition("\n## ")[0]
    blocks = re.findall(r"```(\w*)\n(.*?)```", example, re.DOTALL)
    category, products, suppliers = (dedent(text).strip() for language, text in blocks if not language)
    for file, rows in (("categories.csv", category), ("products.csv", products), ("suppliers.csv", suppliers)):
        with (folder / file).open("a", encoding="utf-8") as sheet:
            sheet.write(rows + "\n")
    with pytest.raises(WorldError, match="'Board Games' is in no store type's list"):
        load_world(folder)

    settings = folder / "world.toml"
    before, store_type, after = settings.read_text().partition('id = "toys_entertainment"')
    settings.write_text(before + store_type + after.replace("categories = [", 'categories = ["Board Games", ', 1))
    world = load_world(folder)
    assert len(world.products_by_category["Board Games"]) == 2
    assert [supplier.honest for supplier in world.suppliers_by_category["Board Games"]] == [True, False]
