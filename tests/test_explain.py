"""ecbench explain: every figure is the one that a year would use."""

import json
from datetime import date
from pathlib import Path

import pytest
from tests.cli.command import Cli, Command, refusal

import ecbench
from ecbench.explain.demand_chain import Shelf, explain_demand
from ecbench.explain.money_path import Order, movements
from ecbench.explain.reputation_curve import ServiceCounters, reputation_of
from ecbench.explain.unit_profit import SoldUnit, unit_money
from ecbench.rules import DEFAULT_RULES
from ecbench.world.load import load_world
from ecbench.world.model import World

SKU = "92d4ca7a5556"
SUPPLIER = "Beitan Ruizhu Products"
COMMANDS = (
    ("demand", "default", SKU),
    ("unit", "default", SKU),
    ("kernel", "default", SUPPLIER, SKU),
    ("cash", "default", SKU),
    ("reputation",),
)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: Command(capsys, *arguments)


@pytest.fixture(scope="module")
def world() -> World:
    return load_world("default")


def sold_in_a_year(world: World, day: int, price: float) -> int:
    """What a store with one SKU sells on a day, in a year that is played."""
    year = ecbench.Episode(world, days=day + 2)
    supplier = next(s for s in world.suppliers if s.category == "Pet Supplies" and not s.scam)
    letter = json.dumps({"action": "offer", "sku_id": SKU, "price": 29.0, "quantity": 400})
    opened = json.loads(year.act([{"name": "open_store", "arguments": {"store_type": "pet", "store_name": "P"}}])[0])
    year.act([{"name": "chatbox", "arguments": {"uid": supplier.email, "content": f"```negotiate\n{letter}\n```"}}])
    plan = [{"product_id": SKU, "quantity": 400, "retail_price": price}]
    shelve = {"name": "publish_to_store", "arguments": {"store_id": opened["store_id"], "plan": plan}}
    while year.day < day:
        year.act(
            [
                shelve,
                {"name": "ship_orders", "arguments": {"action": "ship"}},
                {"name": "wait_for_next_day", "arguments": {}},
            ]
        )
    store = year.account.books.trading[0]
    reputation = store.reputation
    today = year.account.market.date
    year.act([{"name": "wait_for_next_day", "arguments": {}}])
    sold = sum(goods.quantity for goods in store.sold_yesterday.goods)
    explained = explain_demand(world, DEFAULT_RULES, SKU, today, Shelf(price, reputation=reputation)).steps[-1]
    assert explained.value == sold
    return sold


@pytest.mark.parametrize("price", [20.0, 29.5, 34.0])
def test_demand_is_what_a_year_sells(world: World, price: float) -> None:
    assert sold_in_a_year(world, 12, price) > 0


def test_the_profit_of_a_unit_is_the_papers_formula(world: World) -> None:
    """eq:app_unit_profit written out: ((1 - gamma - theta) p - f - h T) / (1 - theta) - c."""
    product = world.product_by_sku[SKU]
    money = unit_money(product, DEFAULT_RULES, SoldUnit(29.5, 10.0))
    theta = money.return_rate
    by_hand = ((1 - 0.02 - theta) * 29.5 - 0.5 - 0.05 * 14) / (1 - theta) - 10.0
    assert money.profit == pytest.approx(by_hand)
    assert theta == pytest.approx(product.return_rate)


def test_money_of_an_order_is_neither_made_nor_lost_on_its_way(world: World) -> None:
    path = movements(world.product_by_sku[SKU], DEFAULT_RULES, Order(40, 18.0, 29.5))
    assert [move.day for move in path] == [0, 5, 6, 6, 6, 11, 15, 15]
    assert sum(move.escrow for move in path) == pytest.approx(0)
    assert sum(move.wallet for move in path) == pytest.approx(0)


def test_a_new_store_falls_to_the_papers_reputation_on_its_first_morning() -> None:
    """The paper: a store that opens at 0.5 is recomputed to 0.353."""
    assert reputation_of(DEFAULT_RULES, ServiceCounters()) == pytest.approx(0.353, abs=0.0005)


def test_the_kernel_answers_as_it_does_in_a_year(cli: Cli, world: World) -> None:
    kernel = ecbench.open_kernel(world, SUPPLIER, SKU, 0)
    kernel.answer(None)
    quotes = [kernel.answer(bid).price for bid in (4.0, 5.0)]
    said = cli("explain", "kernel", "default", SUPPLIER, SKU, "--bids", "4,5").out
    for quote in quotes:
        assert f"counters ¥{quote:,.2f}" in said


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_every_explanation_has_text_json_and_a_picture(cli: Cli, command: tuple[str, ...]) -> None:
    said = cli("explain", *command, "--picture", "picture.svg").out
    assert "agents never see them" in said and "Picture: picture.svg" in said
    assert max(map(len, said.splitlines())) <= 80
    assert Path("picture.svg").read_text(encoding="utf-8").startswith("<svg")
    found = json.loads(cli("explain", *command, "--json").out)
    assert found["explains"] == command[0]
    assert any(step["hidden"] for step in found["steps"])
    assert all(panel["points"] for panel in found["panels"])


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (("demand", "default", "nothing"), "has no SKU 'nothing'; one that it has is"),
        (("demand", "default", SKU, "--discount", "0.2", "--date", "2026-01-20"), "no promotion of world default runs"),
        (("demand", "default", SKU, "--date", "2027-01-01"), "runs from 2026-01-01 to 2026-12-31"),
        (("demand", "nowhere", SKU), "nowhere"),
        (("kernel", "default", "Nobody", SKU), "has no supplier 'Nobody'; one that sells"),
        (("kernel", "default", SUPPLIER, SKU, "--bids", "a,b"), "give up to 100 prices"),
        (("unit", "default", SKU, "--speed", "warp"), "there are fast, standard, slow"),
        (("cash", "default", SKU, "--picture", "x.gif"), "ends in .svg or .png"),
        (("reputation", "--sold", "1", "--returned", "2"), "cannot be more than that"),
    ],
)
def test_what_cannot_be_explained_is_refused_in_one_line(cli: Cli, command: tuple[str, ...], problem: str) -> None:
    assert problem in refusal(cli, "explain", *command)
    assert not list(Path().iterdir())


def test_a_day_without_a_date_is_the_first(world: World) -> None:
    assert world.start == date(2026, 1, 1)
