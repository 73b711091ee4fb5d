"""Every rule of a world's files, each broken on its own; the message must say where and what would be right."""

import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ecbench.world.files import MAX_BYTES, MAX_ROWS, Problem, WorldError
from ecbench.world.load import load_world
from ecbench.world.world_folder import COLUMNS, SETTINGS, SHEETS


def problems_of(folder: Path) -> tuple[Problem, ...]:
    with pytest.raises(WorldError) as caught:
        load_world(folder)
    assert caught.value.problems
    return caught.value.problems


def spoil(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) >= 1, f"{old!r} is not in {file}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


CELLS = [
    ("categories.csv", ",tea,Small", ",sofas,Small", "2", "store_type", "a store type of this world"),
    ("categories.csv", "Small", "Tiny", "2", "size", "one of Small, Medium, Large, XLarge"),
    ("categories.csv", ",8,", ",-8,", "2", "price_min", "a price from 0.01 to 10,000,000"),
    ("categories.csv", ",8,150.50", ",8,7.5", "2", "price_min", "above price_max"),
    ("categories.csv", ",50,100,", ",150,100,", "3", "sales_min", "above sales_max"),
    ("categories.csv", ",0,0.03,", ",0,1.03,", "2", "return_max", "a number from 0 to 1"),
    ("categories.csv", "0.1,0.2,", "0.3,0.2,", "4", "return_min", "above return_max"),
    ("categories.csv", "linear", "cubic", "2", "elasticity", "constant_elasticity"),
    ("categories.csv", ",3.5,", ",40,", "2", "eta", "a number above 0, up to 10"),
    ("categories.csv", "0.8,0.6,0.7", "0.8,0,0.7", "2", "floor_ratio", "a number above 0, up to 1"),
    ("categories.csv", "0.8,0.6,0.7", "0.5,0.6,0.7", "2", "floor_ratio", "above wholesale_ratio"),
    ("categories.csv", "Kettles,pots", "Green Tea,pots", "4", "name", "already in row 2"),
    ("products.csv", "a2,", "a1,", "3", "sku", "already in row 2"),
    ("products.csv", "a2,", "A2,", "3", "sku", "1 to 40 lower-case letters, digits, dots, dashes and underscores"),
    ("products.csv", "a2,", f"{'a' * 41},", "3", "sku", "1 to 40 lower-case letters"),
    ("products.csv", "a2,Coffee Beans", "a2,Cofee Beans", "3", "category", "a category of this world"),
    ("products.csv", ",88,", ",eighty,", "3", "reference_price", "a price from 0.01 to 10,000,000"),
    ("products.csv", ",88,0.05", ",88,1.5", "3", "return_rate", "a number from 0 to 1"),
    ("products.csv", "Kopi Dark", " Kopi Dark", "3", "title", "without spaces around it"),
    ("products.csv", "Kopi Dark", "Kopi\x07Dark", "3", "title", "one line of text"),
    ("suppliers.csv", "S2,", "S1,", "3", "id", "already in row 2"),
    ("suppliers.csv", "Roast & Sons", "Hill Farm", "3", "name", "already in row 2"),
    ("suppliers.csv", "desk@roast.example", "SALES@hillfarm.example", "3", "email", "already in row 2"),
    ("suppliers.csv", "desk@roast.example", "roast.example", "3", "email", "an e-mail address"),
    ("suppliers.csv", "desk@roast.example", '"desk,@roast.example"', "3", "email", "without spaces or commas"),
    ("suppliers.csv", "desk@roast.example", "désk@roast.example", "3", "email", "in plain letters"),
    ("suppliers.csv", "candid", "chatty", "2", "template", "one of expressive"),
    ("suppliers.csv", "vip_fee", "bribe", "3", "scam", "empty or one of vip_fee"),
    ("suppliers.csv", "adversarial,vip_fee", "candid,vip_fee", "3", "template", "must then be 'adversarial'"),
    ("suppliers.csv", ",12\n", ",12.5\n", "2", "order_limit", "a whole number from 1 to 999,999,999"),
]

MONTHS = "a list of 12 numbers, January to December, each above 0, up to 100"
WRONG_SETTINGS = [
    ("seed = 5", 'seed = "five"', "", "seed", "a whole number from 0 to 9,223,372,036,854,775,807"),
    ("days = 365", "days = 0", "", "days", "a whole number from 1 to 36,525"),
    ("days = 365\n", "", "", "days", "missing"),
    ("days = 365", "days = 365\ncolour = 3", "", "'colour'", "unknown key"),
    ('"2026-01-01"', '"2026-02-30"', "", "start", "a date such as"),
    ('"2026-01-01"', '"1899-12-31"', "", "start", "not within the years 1900 to 2200"),
    ("demand_scale = 2", "demand_scale = 1e307", "store type 1", "demand_scale", "a number above 0, up to 1,000"),
    ('["Kettles"]', "[]", "store type 2", "categories", "a list of category names, with at least one of them"),
    ("delay = 2.5", "delay = 1e6", "event 1", "delay", "a number above 0, up to 100"),
    ("tea = 1.5", "tea = 1e307", "event 1", "demand", "each from 0 to 20"),
    ("elasticity_boost = 1.8", "elasticity_boost = 40", "promotion 1", "elasticity_boost", "up to 3"),
    ('"Spring Week"', f'"{"Week" * 26}"', "promotion 1", "name", "of 100 characters at most"),
    ("tier = 3", "tier = 4", "store type 1", "tier", "1 (hard)"),
    ("capacity = 12.5", "capacity = nan", "store type 1", "capacity", "a number from 0.01 to 100,000"),
    ("1.5, 0.5]", "1.5]", "store type 2", "seasonality", MONTHS),
    ("1.5, 0.5]", "1.5, 0]", "store type 2", "seasonality", MONTHS),
    ('id = "pots"', 'id = "tea"', "store type 2", "id", "already in store type 1"),
    ('["Kettles"]', '["Kettles", "Pans"]', "store type 2", "categories", "does not belong to it in categories.csv"),
    ('["Kettles"]', '["Kettles", "Green Tea"]', "store type 2", "categories", "'Green Tea' is listed twice"),
    ('start = "12-28"', 'start = "02-30"', "event 1", "start", 'as "MM-DD"'),
    ("days = 7", "days = 7.5", "event 1", "days", "a whole number from 1 to 366"),
    ("pots = 0.25", "sofas = 0.25", "event 1", "demand", "'sofas' is not a store type"),
    ('delayed = ["tea"]', 'delayed = ["sofas"]', "event 1", "delayed", "'sofas' is not a store type"),
    ('delayed = ["tea"]', 'delayed = "tea"', "event 1", "delayed", '"all" or a list'),
    ('["03-01", "03-07"]', '["03-01", "04-31"]', "promotion 1", "windows", "first and last day"),
    ('[["03-01", "03-07"], ["04-30", "04-30"]]', "[]", "promotion 1", "windows", "1 to 24 of them"),
    ('["03-01", "03-07"]', '["03-01"]', "promotion 1", "windows", '["MM-DD", "MM-DD"]'),
    ("max_demand = 2.5", "max_demand = inf", "promotion 1", "max_demand", "a number above 0, up to 100"),
]


@pytest.mark.parametrize(
    ("file", "old", "new", "row", "column", "right"), [*CELLS, *[("world.toml", *each) for each in WRONG_SETTINGS]]
)
def test_a_wrong_cell_or_setting_is_named_with_its_place_and_what_would_be_right(
    small_world: Path, file: str, old: str, new: str, row: str, column: str, right: str
) -> None:
    spoil(small_world, file, old, new)
    found = [p for p in problems_of(small_world) if (p.file, p.row, p.column) == (file, row, column)]
    assert found
    assert right in str(found[0])


def test_goods_that_nobody_supplies_are_refused_once_for_their_category(small_world: Path) -> None:
    spoil(small_world, "suppliers.csv", "Coffee Beans,15", "Green Tea,15")
    spoil(small_world, "products.csv", "a3,", "a4,Coffee Beans,Kopi,Kopi Mild,Medium,80,0.05\na3,")
    (problem,) = problems_of(small_world)
    assert str(problem) == (
        "products.csv, row 3, column category: 'Coffee Beans' has no supplier, so its products cannot be bought; "
        "it needs one"
    )


@pytest.mark.parametrize(("name", "most"), [("events", 100), ("promotions", 100), ("store_types", 1_000)])
def test_a_world_has_only_so_many_tables(small_world: Path, name: str, most: int) -> None:
    settings = small_world / "world.toml"
    settings.write_text(settings.read_text() + f"\n[[{name}]]\n" * (most + 1))
    assert any(f"tables; a world has at most {most:,}" in str(problem) for problem in problems_of(small_world))


def test_wrong_values_of_all_files_are_reported_together_and_then_all_contradictions(small_world: Path) -> None:
    spoil(small_world, "products.csv", "a2,Coffee Beans", "a1,Cofee")
    spoil(small_world, "products.csv", ",88,0.05", ",-88,2")
    spoil(small_world, "world.toml", "tier = 3", "tier = 9")
    places = {(problem.file, problem.column) for problem in problems_of(small_world)}
    assert places == {("products.csv", "reference_price"), ("products.csv", "return_rate"), ("world.toml", "tier")}
    spoil(small_world, "products.csv", ",-88,2", ",88,0.05")
    spoil(small_world, "world.toml", "tier = 9", "tier = 3")
    places = {(problem.file, problem.column) for problem in problems_of(small_world)}
    assert places == {("products.csv", "sku"), ("products.csv", "category")}


def test_a_message_shows_the_first_mistakes_and_counts_the_rest(small_world: Path) -> None:
    header = ",".join(column.name for column in COLUMNS["products.csv"])
    rows = "\n".join(f"s{n},Green Tea,B,T{n},Small,0,0.1" for n in range(100))
    (small_world / "products.csv").write_text(f"{header}\n{rows}\n")
    with pytest.raises(WorldError) as caught:
        load_world(small_world)
    assert len(caught.value.problems) == 100
    lines = str(caught.value).splitlines()
    assert len(lines) == 22
    assert lines[-1].strip() == "... and 80 more"


HEADERS: list[tuple[Callable[[str], str], str]] = [
    (lambda text: text.replace("brand", "maker", 1), "missing 'brand'; unknown 'maker'"),
    (lambda text: text.replace("brand", "brand,brand", 1), "more than once 'brand'"),
    (lambda text: "", "missing 'sku'"),
    (lambda text: text.splitlines()[0], "no rows below the header"),
    (lambda text: text + "a4,Kettles\n", "row 5: 2 cells where the header has 7"),
    (lambda text: text + 'a4,"Kettles\n', "row 5: not valid CSV"),
]


@pytest.mark.parametrize(("change", "message"), HEADERS)
def test_a_sheet_of_another_shape_is_refused(small_world: Path, change: Callable[[str], str], message: str) -> None:
    path = small_world / "products.csv"
    path.write_text(change(path.read_text()))
    assert any(p.file == "products.csv" and message in str(p) for p in problems_of(small_world))


@pytest.mark.parametrize("encoding", ["utf-16", "gb18030", "latin-1"])
def test_another_encoding_is_refused(small_world: Path, encoding: str) -> None:
    path = small_world / "suppliers.csv"
    path.write_bytes(path.read_text().replace("Hill Farm", "Hill Farmé").encode(encoding))
    (problem,) = problems_of(small_world)
    assert "is not UTF-8; save the file as UTF-8" in str(problem)


@pytest.mark.parametrize(
    "text",
    ["name = ", "name = 1\nname = 2", "[[events]", "\x00"],
)
def test_broken_toml_is_refused(small_world: Path, text: str) -> None:
    (small_world / "world.toml").write_text(text)
    assert any(p.file == "world.toml" and "not valid TOML" in p.message for p in problems_of(small_world))


def test_tables_written_as_something_else_are_refused(small_world: Path) -> None:
    (small_world / "world.toml").write_text('name = "x"\nseed = 1\nstart = "2026-01-01"\ndays = 3\nevents = 5\n')
    assert "world.toml, events: must be written as [[events]] tables" in map(str, problems_of(small_world))


@pytest.mark.parametrize("part", [".a", '."\u2028"'])
def test_a_line_without_end_is_refused_before_it_is_parsed(small_world: Path, part: str) -> None:
    (small_world / "world.toml").write_text(f"a{part * 100_000} = 1\n")
    (problem,) = problems_of(small_world)
    assert f"line 1 has {len(part) * 100_000 + 5:,} characters; at most 20,000 are read" in str(problem)


def test_many_long_dotted_keys_are_refused_before_they_are_parsed(small_world: Path) -> None:
    (small_world / "world.toml").write_text("".join(f"a{number}{'.a' * 9_900} = 1\n" for number in range(40)))
    (problem,) = problems_of(small_world)
    assert "world.toml: not valid TOML: it has too many dotted keys" in str(problem)


def test_a_huge_file_is_refused_without_reading_it(small_world: Path) -> None:
    with (small_world / "products.csv").open("wb") as file:
        file.truncate(100 << 20)
    tracemalloc.start()
    (problem,) = problems_of(small_world)
    _, most_held = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most_held < 1 << 20
    assert f"at most {MAX_BYTES:,} are read" in str(problem)


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_a_folder_or_a_pipe_in_place_of_a_file_is_named(small_world: Path, make: Callable[[Path], None]) -> None:
    (small_world / "products.csv").unlink()
    make(small_world / "products.csv")
    (problem,) = problems_of(small_world)
    assert str(problem) == "products.csv: it is not a plain file"


def test_a_sheet_has_at_most_200_000_rows(small_world: Path) -> None:
    header = ",".join(column.name for column in COLUMNS["products.csv"]) + "\n"
    (small_world / "products.csv").write_text(header + "a,Green Tea,B,T,Small,1,0\n" * (MAX_ROWS + 1))
    assert f"products.csv: {MAX_ROWS + 1:,} rows; a world has at most {MAX_ROWS:,}" in map(
        str, problems_of(small_world)
    )


def test_a_world_without_store_types_is_one_problem_and_not_one_per_category(small_world: Path) -> None:
    (small_world / "world.toml").write_text('name = "x"\nseed = 1\nstart = "2026-01-01"\ndays = 3\n')
    (problem,) = problems_of(small_world)
    assert str(problem) == "world.toml: no [[store_types]] table; at least one is needed"


OFTEN_WRONG = ["[]", "{}", '""', "nan", "-inf", "true", "1979-05-27", "[[1]]", '{a = {b = "c"}}', "07:32:00"]


@settings(max_examples=250, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_text_in_any_cell_or_setting_either_loads_or_is_a_world_error(
    small_world: Path, data: st.DataObject
) -> None:
    path = small_world / data.draw(st.sampled_from([*SHEETS, SETTINGS, SETTINGS]))
    original = path.read_bytes()
    lines = original.decode().split("\n")
    value = data.draw(st.one_of(st.text(max_size=12), st.floats().map(str), st.integers().map(str)))
    if path.suffix == ".toml":
        index = data.draw(st.sampled_from([n for n, line in enumerate(lines) if " = " in line]))
        value = data.draw(st.sampled_from([value, *OFTEN_WRONG]))
        lines[index] = f"{lines[index].split(' = ')[0]} = {value}"
    else:
        index = data.draw(st.integers(0, len(lines) - 2))
        cells = lines[index].split(",")
        cells[data.draw(st.integers(0, len(cells) - 1))] = value
        lines[index] = ",".join(cells)
    try:
        path.write_text("\n".join(lines), encoding="utf-8", errors="surrogatepass", newline="")
        assert len(load_world(small_world).id) == 64
    except WorldError as error:
        assert str(error)
    finally:
        path.write_bytes(original)
