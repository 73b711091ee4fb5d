"""A folder in the release's layout, written here: CRLF, quoted multi-line cells, and a module that must never run."""

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ecbench.world.files import WorldError
from ecbench.world.load import load_world
from ecbench.world.release import import_release, is_release_catalog
from ecbench.world.save import save_world

Rows = list[list[Any]]

STORE_TYPES: Rows = [
    ["store_type_id", "store_type_name", "tier", "description", "allowed_categories"],
    ["tea", "Tea", 3, "Leaves", "Green Tea|Coffee"],
    ["pots", "Pots", 1, "Metal", "Kettles"],
]
CATEGORIES: Rows = [
    [
        *("category", "store_type", "default_size", "ref_price_min", "ref_price_max", "monthly_sales_min"),
        *("monthly_sales_max", "return_rate_min", "return_rate_max", "return_rate_description", "elasticity_type"),
        *("elasticity_param", "wholesale_ratio", "cost_floor_ratio", "scam_cap_ratio"),
    ],
    ["Green Tea", "tea", "Small", 8, 150, 0, 50, 0.0, 0.03, "Rarely, if ever.", "linear", 3.5, 0.8, 0.6, 0.7],
    ["Coffee", "tea", "Medium", 20, 300, 50, 90, 0.03, 0.1, "Some.", "exponential", 2.2, 0.75, 0.5, 0.65],
    ["Kettles", "pots", "Large", 50, 900, 10, 20, 0.1, 0.2, "Dents.", "quadratic", 5.2, 0.7, 0.4, 0.5],
]
PRODUCTS: Rows = [
    *[["product_id", "shop_id", "category", "store_type", "brand", "title", "size", "reference_price", "return_rate"]],
    ["p1", "x", "Kettles", "pots", "Tin", "Tin Kettle, 2 L", "Large", 99.9, 0.15],
    ["p2", "x", "Green Tea", "tea", "Leaf", "Leaf Spring", "Small", 12, 0.01],
]
PERSONALITIES = ["Enthusiastic", "Friendly", "Unpredictable", "Professional", "Strategic", "Tough", "Adversarial"]
TEMPLATES = ["expressive", "candid", "stochastic", "taciturn", "strategic", "adversarial", "adversarial"]
SUPPLIERS: Rows = [
    [
        *("supplier_id", "supplier_name", "supplier_email", "supplier_type", "personality", "urgency", "fraud_type"),
        *("categories_served", "bankruptcy_threshold"),
    ],
    *(
        [f"S{n}", f"Firm {n}", f"f{n}@x.example", "good", personality, 1, "", "Coffee", 10 + n]
        for n, personality in enumerate(PERSONALITIES)
    ),
    ["S7", "Firm 7", "f7@x.example", "good", "Friendly", 2, "", "Green Tea", 12],
    ["S8", "Firm 8", "f8@x.example", "bad", "Friendly", 2, "qty_bait", "Kettles", 18],
]
EVENTS: Rows = [
    ["event_name", "start_date", "duration_days", "demand_effects", "supply_effects", "news_content"],
    [
        *("Flood", "07-05", 7, '{"tea": 2.0, "pots": 0.5}'),
        '{"delivery_delay_multiplier": 2.5, "affected_categories": "all", "cost_increase": 0.2}',
        'Water everywhere.\r\nTrucks wait, says "The Post".',
    ],
    [
        *("Strike", "03-01", 3, "{}"),
        '{"delivery_delay_multiplier": 4, "affected_categories": ["tea"]}',
        "No tea this week.",
    ],
    ["Rumour", "08-20", 5, '{"pots": 0.4}', "{}", "Someone said something."],
]
PROMOTIONS: Rows = [
    ["event_name", "periods", "max_demand_multiplier", "elasticity_boost"],
    ["Midyear", "05-29:05-31|06-14:06-18", 3.0, 2.0],
]
CONFIG = '''
"""Settings."""
import os
from pathlib import Path
Path(__file__).with_name("ran").write_text("this module was run")
MARKET_CAPACITY = {"tea": 13.9, "pots": 2}
PER_STORE_DEMAND_SCALE: dict[str, float] = {"tea": 0.6, "pots": 1.5}
SEASONALITY = {
    "tea": [1.0, 0.9, 1.0, 1.0, 1.0, 1.3, 0.9, 1.0, 1.0, 1.0, 1.4, 1.1],
    "pots": {1: 1.0, 2: 0.5, 3: 1, 4: 1, 5: 1, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1, 11: 1.5, 12: 1},
}
STORE_PLAYBOOK = {
    "tea": {"advantage": "Light.", "strengths": ["Loyal", "Small"], "tips": "Buy in spring.", "margin": 0.3},
}
def capacity(name):
    return MARKET_CAPACITY[name]
raise SystemExit("never run this")
'''


def write_sheet(path: Path, rows: Rows) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\r\n").writerows(rows)


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return write_release(tmp_path)


def write_release(place: Path) -> Path:
    data = place / "release" / "data"
    data.mkdir(parents=True)
    sheets = {
        "store_types": STORE_TYPES,
        "category_params": CATEGORIES,
        "products": PRODUCTS,
        "suppliers": SUPPLIERS,
        "events": EVENTS,
        "promotions": PROMOTIONS,
    }
    for name, rows in sheets.items():
        write_sheet(data / f"{name}.csv", rows)
    (data / "store_type_config.py").write_text(CONFIG)
    return data.parent


def messages(folder: Path) -> list[str]:
    with pytest.raises(WorldError) as caught:
        import_release(folder)
    return [str(problem) for problem in caught.value.problems]


def test_the_release_becomes_a_world(release: Path) -> None:
    world = import_release(release)
    tea, pots = world.store_types
    assert (tea.capacity, tea.demand_scale, tea.tier, tea.categories) == (13.9, 0.6, 3, ("Green Tea", "Coffee"))
    assert pots.seasonality == (1.0, 0.5, 1, 1, 1, 1, 1, 1, 1, 1, 1.5, 1)
    coffee = world.category_by_name["Coffee"]
    assert (coffee.eta, coffee.floor_ratio, coffee.price_range) == (2.2, 0.5, "20-300")
    assert [product.sku for product in world.products] == ["p1", "p2"]
    assert world.promotions[0].windows == (((5, 29), (5, 31)), ((6, 14), (6, 18)))


def test_personalities_become_templates_and_cheats_are_adversarial(release: Path) -> None:
    suppliers = import_release(release).suppliers
    assert [supplier.template for supplier in suppliers[:-2]] == TEMPLATES
    assert all(supplier.honest for supplier in suppliers[:-1])
    assert (suppliers[-1].template, suppliers[-1].scam, suppliers[-1].order_limit) == ("adversarial", "qty_bait", 18)


def test_events_keep_their_effects_and_their_news_in_several_lines(release: Path) -> None:
    flood, strike, rumour = import_release(release).events
    assert flood.news == 'Water everywhere.\nTrucks wait, says "The Post".'
    assert (flood.start, flood.days, dict(flood.demand)) == ((7, 5), 7, {"tea": 2.0, "pots": 0.5})
    assert (flood.delay, flood.delayed) == (2.5, None)
    assert (strike.delay, strike.delayed) == (4.0, frozenset({"tea"}))
    assert (rumour.delay, rumour.delayed) == (1.0, frozenset())


def test_known_keys_of_the_playbook_become_the_overview(release: Path) -> None:
    tea, pots = import_release(release).store_types
    assert tea.overview.advantage == "Light."
    assert tea.overview.strengths == ("Loyal", "Small")
    assert tea.overview.operating_tips == ("Buy in spring.",)
    assert pots.overview.advantage == ""


def test_the_data_folder_itself_may_be_given_and_its_module_is_never_run(release: Path) -> None:
    assert import_release(release / "data").id == import_release(release).id
    assert not (release / "data" / "ran").exists()


def test_an_imported_world_states_its_origin_and_needs_the_papers_counts_to_be_its_catalog(
    release: Path, tmp_path: Path
) -> None:
    save_world(import_release(release), tmp_path / "saved")
    world = load_world(tmp_path / "saved")
    assert world.origin == "release" and not is_release_catalog(world), "it has three categories"
    assert world.id != replace(world, origin="").id
    default = load_world("default")
    assert is_release_catalog(replace(default, origin="release")) and not is_release_catalog(default)
    settings = tmp_path / "saved" / "world.toml"
    settings.write_text(settings.read_text().replace('origin = "release"', "origin = []"))
    with pytest.raises(WorldError, match="origin"):
        load_world(tmp_path / "saved")


@pytest.mark.parametrize("file", ["products.csv", "events.csv", "store_type_config.py"])
def test_a_partial_release_names_what_is_missing(release: Path, file: str) -> None:
    (release / "data" / file).unlink()
    assert messages(release) == [f"data/{file}: this file is missing from the folder"]


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    assert len(messages(tmp_path)) == 7
    with pytest.raises(WorldError, match="there is no such folder"):
        import_release(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("MARKET_CAPACITY = ", "CAPACITY = ", "MARKET_CAPACITY must be a dictionary of plain values"),
        ("SEASONALITY = {", "SEASONALITY = load() or {", "SEASONALITY must be a dictionary of plain values"),
        ("import os", "import", "not a Python module"),
        ('"tea": 13.9', '"coffee": 13.9', "store type 1, capacity: missing; it must be a number from 0.01 to 100,000"),
    ],
)
def test_a_config_module_without_the_dictionaries_is_refused(release: Path, old: str, new: str, message: str) -> None:
    path = release / "data" / "store_type_config.py"
    path.write_text(path.read_text().replace(old, new, 1))
    assert any(message in text for text in messages(release))


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("suppliers.csv", "Professional", "Grumpy", "column template: 'Grumpy' is not one of expressive"),
        ("suppliers.csv", ",bad,", ",ugly,", "column template: 'ugly' is not one of"),
        ("suppliers.csv", "qty_bait", "", "column scam: 'none' is not empty or one of"),
        ("events.csv", '""tea"": 2.0', '""tea"": oops', "data/events.csv, event 1, demand"),
        ("events.csv", '""delivery_delay_multiplier"": 4', "oops", "data/events.csv, event 2, delay"),
        ("promotions.csv", "05-29:05-31", "05-29", "data/promotions.csv, promotion 1, windows"),
        ("suppliers.csv", "Green Tea", "Coffee", "data/products.csv, row 3, column category: 'Green Tea' has no"),
        ("store_types.csv", "Tea,3", "Tea,easy", "data/store_types.csv, store type 1, tier: 'easy'"),
    ],
)
def test_a_wrong_cell_is_named_by_the_file_of_the_release(
    release: Path, file: str, old: str, new: str, message: str
) -> None:
    path = release / "data" / file
    text = path.read_bytes().decode()
    assert old in text
    path.write_bytes(text.replace(old, new, 1).encode())
    assert any(message in text for text in messages(release)), messages(release)
