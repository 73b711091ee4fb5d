"""How many tests run at once, and a little world for all of them: two store types, three categories, all values."""

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from ecbench.world.load import load_world
from ecbench.world.model import World

WORKERS_PER_CORE = 2  # many tests wait for a process, a socket or a browser

# How long an example takes says how busy the machine is.
settings.register_profile("ecbench", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ecbench")


# A shell that starts the tests in the background may have them ignore these, and processes inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_xdist_auto_num_workers() -> int:
    """What `-n auto` stands for."""
    return WORKERS_PER_CORE * (os.cpu_count() or 1)


def pytest_collection_finish() -> None:
    """What was imported and collected stays, and years die young: looking for garbage took a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


SETTINGS = """\
name = "corner shop"
seed = 5
start = "2026-01-01"
days = 365

[[store_types]]
id = "tea"
name = "Tea & Coffee"
tier = 3
capacity = 12.5
demand_scale = 2
seasonality = [1.0, 0.9, 1, 1, 1, 1.25, 1, 1, 1, 1, 1.4, 1]
categories = ["Green Tea", "Coffee Beans"]
profit_potential = "Good for a careful buyer."
strengths = ["Light to ship", "Loyal buyers"]

[[store_types]]
id = "pots"
name = "Pots"
tier = 1
capacity = 3
demand_scale = 0.4
seasonality = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1.5, 0.5]
categories = ["Kettles"]

[[events]]
name = "Dock Strike"
start = "12-28"
days = 7
demand = {tea = 1.5, pots = 0.25}
delay = 2.5
delayed = ["tea"]
news = "The dock is closed.\\nTea will be late."

[[events]]
name = "Fog"
start = "02-10"
days = 1
demand = {}
delay = 3
delayed = "all"
news = "Nothing moves."

[[promotions]]
name = "Spring Week"
windows = [["03-01", "03-07"], ["04-30", "04-30"]]
max_demand = 2.5
elasticity_boost = 1.8
"""

CATEGORIES = """\
name,store_type,size,price_min,price_max,sales_min,sales_max,return_min,return_max,return_note,elasticity,eta,\
wholesale_ratio,floor_ratio,scam_cap_ratio
Green Tea,tea,Small,8,150.50,0,100,0,0.03,Hardly ever sent back.,linear,3.5,0.8,0.6,0.7
Coffee Beans,tea,Medium,20,300,50,100,0.03,0.1,"Sent back, if stale.",exponential,2.25,0.75,0.5,0.65
Kettles,pots,Large,50,900,100,500,0.1,0.2,Dents are common.,quadratic,5.2,0.7,0.4,0.5
"""

PRODUCTS = """\
sku,category,brand,title,size,reference_price,return_rate
a1,Green Tea,Leaf,"Leaf Spring Harvest, 100 g",Small,12.5,0.01
a2,Coffee Beans,Kopi,Kopi Dark Roast 1 kg,Medium,88,0.05
a3,Kettles,Tin,"Tin ""Whistler"" Kettle 2 L",Large,230.99,0.15
"""

SUPPLIERS = """\
id,name,email,template,scam,category,order_limit
S1,Hill Farm,sales@hillfarm.example,candid,,Green Tea,12
S2,Roast & Sons,desk@roast.example,adversarial,vip_fee,Coffee Beans,15
S3,Tin Works,hello@tin.example,adversarial,,Kettles,20
"""


@pytest.fixture
def small_world(tmp_path: Path) -> Path:
    """The folder of a valid little world, to load or to spoil."""
    return write_little_world(tmp_path)


@pytest.fixture
def world(small_world: Path) -> World:
    return load_world(small_world)


def write_little_world(place: Path) -> Path:
    folder = place / "corner"
    folder.mkdir()
    files = {
        "world.toml": SETTINGS,
        "categories.csv": CATEGORIES,
        "products.csv": PRODUCTS,
        "suppliers.csv": SUPPLIERS,
    }
    for file, text in files.items():
        (folder / file).write_text(text, encoding="utf-8", newline="\n")
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium. Not for a whole session: Playwright keeps an event loop in this thread, which other modules need."""
    from playwright.sync_api import sync_playwright
    from tests.pages.board.browsing import ARGUMENTS, CHROMIUM, PATIENCE

    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS, timeout=PATIENCE)
        yield chromium
        chromium.close()
