from datetime import date
from pathlib import Path

import pytest
from msgspec import ValidationError, convert
from tests.cli.command import Command

from ecbench.world.fields import Ratio
from ecbench.world.files import WorldError
from ecbench.world.load import is_named, load_world


def test_a_folder_loads_as_it_is_written(small_world: Path) -> None:
    world = load_world(small_world)
    assert (world.name, world.seed, world.start, world.days) == ("corner shop", 5, date(2026, 1, 1), 365)
    tea = world.store_type_by_id["tea"]
    assert tea.seasonality[5] == 1.25
    assert tea.overview.strengths == ("Light to ship", "Loyal buyers")
    assert tea.overview.advantage == ""
    strike, fog = world.events
    assert strike.start == (12, 28)
    assert strike.delays("tea")
    assert not strike.delays("pots")
    assert fog.delays("pots")
    assert world.promotions[0].windows == (((3, 1), (3, 7)), ((4, 30), (4, 30)))
    assert world.product_by_sku["a3"].title == 'Tin "Whistler" Kettle 2 L'
    assert [supplier.honest for supplier in world.suppliers] == [True, False, True]
    assert isinstance(world.suppliers[0].order_limit, int)
    green_tea = world.category_by_name["Green Tea"]
    assert (green_tea.price_range, green_tea.price_min, green_tea.price_max) == ("8-150.50", 8.0, 150.5)


def test_columns_may_stand_in_any_order_and_rows_keep_theirs(small_world: Path) -> None:
    (small_world / "suppliers.csv").write_text(
        "order_limit,name,id,email,category,scam,template\n"
        "14,Tin,S3,e@f.example,Kettles,,candid\n"
        "12,Hill Farm,S1,a@b.example,Green Tea,,candid\n"
        "13,Roast,S2,c@d.example,Coffee Beans,,candid\n"
    )
    suppliers = load_world(small_world).suppliers
    assert [(each.id, each.order_limit) for each in suppliers] == [("S3", 14), ("S1", 12), ("S2", 13)]


def test_byte_order_marks_and_windows_line_ends_change_nothing(small_world: Path) -> None:
    before = load_world(small_world).id
    for path in small_world.iterdir():
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert load_world(small_world).id == before


def test_a_cell_may_hold_several_lines_blank_lines_are_skipped_and_the_start_may_be_a_toml_date(
    small_world: Path,
) -> None:
    for file, old, new in (
        ("categories.csv", "Hardly ever sent back.", '"Hardly ever\nsent back."'),
        ("products.csv", "a2,", "\n\na2,"),
        ("world.toml", '"2026-01-01"', "2026-01-01"),
    ):
        (small_world / file).write_text((small_world / file).read_text().replace(old, new) + "\n\n")
    world = load_world(small_world)
    assert world.categories[0].return_note == "Hardly ever\nsent back."
    assert (len(world.products), world.start) == (3, date(2026, 1, 1))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (Path("nothing"), "there is no such folder"),
        (Path(__file__), "it is a file; a world is a folder"),
        *[(name, "no world at") for name in ("a\0b", "x" * 5_000)],
    ],
)
def test_a_world_needs_a_folder(name: str | Path, reason: str) -> None:
    with pytest.raises(WorldError, match=reason):
        load_world(name)


def test_half_a_world_names_every_missing_file(small_world: Path) -> None:
    (small_world / "products.csv").unlink()
    (small_world / "world.toml").unlink()
    with pytest.raises(WorldError) as caught:
        load_world(small_world)
    assert {problem.file for problem in caught.value.problems} == {"products.csv", "world.toml"}


def test_a_world_by_its_seed_is_the_one_that_world_new_writes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert Command(capsys, "world", "new", "--seed", "11", "--out", str(tmp_path / "w")).code == 0
    assert load_world("seed-11").id == load_world(tmp_path / "w").id
    assert is_named("seed-11") and is_named("default") and not is_named(str(tmp_path / "w"))


@pytest.mark.parametrize("name", ["seed-", "seed--1", "seed-1.5", "seed-٣", "seed-" + "9" * 40, "seed-x"])
def test_what_is_no_seed_is_a_folder_that_does_not_exist(name: str) -> None:
    with pytest.raises(WorldError, match=r"no such folder.*seed-N is a fresh one"):
        load_world(name)


@pytest.mark.parametrize(
    "text", ["", " 1", "1 ", "+1", "0,5", "0x1", "１", "0_1", "nan", "inf", "1e", "--1", ".5", "5.", "0", "1.0001"]
)
def test_a_number_of_a_sheet_is_in_plain_decimal_digits_and_within_its_bounds(text: str) -> None:
    with pytest.raises(ValidationError):
        convert(text, Ratio, strict=False)


def test_a_number_of_a_sheet_may_have_a_point_and_an_exponent() -> None:
    assert [convert(text, Ratio, strict=False) for text in ("1", "0.5", "1e-05")] == [1.0, 0.5, 1e-05]
