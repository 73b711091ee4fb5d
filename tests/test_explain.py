"""ecbench world explain: every figure is the one that an episode would use."""

import json
from math import sqrt
from pathlib import Path
from statistics import median

import pytest
from tests.cli.command import Cli, Command, refusal

import ecbench
from ecbench.analysis.explain.explanation import Explanation, Rows
from ecbench.analysis.explain.market_figures import explain_demand, explain_reputation
from ecbench.analysis.explain.order_figures import balance, explain_unit, movements, unit_money, zero_demand_ratio
from ecbench.analysis.explain.world_figures import explain_calendar
from ecbench.market.calendar import Calendar
from ecbench.market.demand import curve_response
from ecbench.rules import DEFAULT_RULES, rule_set
from ecbench.world.load import load_world
from ecbench.world.model import World

SKU = "92d4ca7a5556"
FASHION = "df0d8bb51a29"  # of median price
SUPPLIER = "Beitan Ruizhu Products"
COMMANDS = (
    ("demand", "default", SKU),
    ("unit", "default", FASHION),
    ("kernel", "default", SUPPLIER, SKU),
    ("cash", "default", SKU),
    ("reputation", "default"),
    ("catalog", "default"),
    ("seasonality", "default"),
    ("calendar", "default"),
)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: Command(capsys, *arguments)


@pytest.fixture(scope="module")
def world() -> World:
    return load_world("default")


@pytest.mark.parametrize("price", [20.0, 29.5, 34.0])
def test_demand_is_what_a_store_with_one_sku_sells_in_a_year_that_is_played(world: World, price: float) -> None:
    year = ecbench.Episode(world, days=14)
    supplier = next(s for s in world.suppliers if s.category == "Pet Supplies" and not s.scam)
    letter = json.dumps({"action": "offer", "sku_id": SKU, "price": 29.0, "quantity": 400})
    opened = json.loads(year.act([{"name": "open_store", "arguments": {"store_type": "pet", "store_name": "P"}}])[0])
    year.act([{"name": "chatbox", "arguments": {"uid": supplier.email, "content": f"```negotiate\n{letter}\n```"}}])
    plan = [{"product_id": SKU, "quantity": 400, "retail_price": price}]
    shelve = {"name": "publish_to_store", "arguments": {"store_id": opened["store_id"], "plan": plan}}
    ship, wait = (
        {"name": "ship_orders", "arguments": {"action": "ship"}},
        {"name": "wait_for_next_day", "arguments": {}},
    )
    while year.day < 12:
        year.act([shelve, ship, wait])
    store, today = year.account.books.trading[0], year.account.market.date
    explained = explain_demand(world, DEFAULT_RULES, SKU, day=today, price=price, reputation=store.reputation)
    year.act([wait])
    sold = sum(goods.quantity for goods in store.sold_yesterday.goods)
    assert explained.facts[-1].value == sold > 0


def rows_of(explanation: Explanation, panel: str, **wanted: str) -> Rows:
    return [row for row in explanation.panels[panel] if all(row[name] == value for name, value in wanted.items())]


@pytest.mark.parametrize("family", ["linear", "exponential", "constant_elasticity", "quadratic"])
def test_each_family_is_drawn_at_its_median_parameter_without_and_with_the_largest_boost(
    world: World, family: str
) -> None:
    eta = median(category.eta for category in world.categories if category.elasticity == family)
    explained = explain_demand(world, DEFAULT_RULES, SKU)
    for name, boost in (("no promotion", 1.0), ("sensitivity x2", 2.0)):
        drawn = rows_of(explained, "response", family=family.replace("_", " "), boost=name)
        assert len(drawn) > 100
        for row in drawn:
            assert row["response"] == curve_response(family, eta * boost, row["ratio"])  # type: ignore[arg-type]


def test_the_profit_of_a_unit_is_the_papers_formula(world: World) -> None:
    """eq:app_unit_profit written out: ((1 - gamma - theta) p - f - h T) / (1 - theta) - c."""
    product = world.product_by_sku[SKU]
    money, theta = unit_money(product, DEFAULT_RULES, 29.5, 10.0), product.return_rate
    by_hand = ((1 - 0.02 - theta) * 29.5 - 0.5 - 0.05 * 14) / (1 - theta) - 10.0
    assert money["profit"] == pytest.approx(by_hand)
    assert sum(money.values()) == pytest.approx(29.5)


def test_the_shares_of_a_unit_add_up_and_its_volume_pays_for_the_store(world: World) -> None:
    """And demand ends at a line."""
    explained = explain_unit(world, DEFAULT_RULES, FASHION)
    for cost in ("floor", "opening"):
        assert sum(row["share"] for row in rows_of(explained, "shares", bought=cost)) == pytest.approx(1.0)
        profits = {row["ratio"]: row["profit"] for row in rows_of(explained, "profits", cost=cost)}
        volumes = rows_of(explained, "volumes", cost=cost)
        assert volumes and all(profits[row["ratio"]] * row["units"] == pytest.approx(100.0) for row in volumes)
    eta = world.category_by_name["Women's Fashion"].eta
    ended = rows_of(explained, "profits", cost="no demand")
    assert [row["ratio"] for row in ended] == 2 * [pytest.approx(1 + 1 / sqrt(eta))]


def test_demand_that_never_ends_has_no_line(world: World) -> None:
    endless = next(category for category in world.categories if category.elasticity == "exponential")
    assert zero_demand_ratio(endless, DEFAULT_RULES) is None
    ceiling = DEFAULT_RULES.with_overrides({"price_ceiling": 1.2})
    assert zero_demand_ratio(endless, ceiling) == pytest.approx(1.2)


def test_money_of_an_order_is_neither_made_nor_lost_on_its_way(world: World) -> None:
    """As in the paper: an order that is paid on day 0 brings its first cash on day 16."""
    path = movements(world.product_by_sku[SKU], DEFAULT_RULES, 40, 29.5, 18.0)
    assert [move.day for move in path] == [0, 6, 6, 11, 15, 16]
    assert balance(path, "bank", 0) == -720.0
    assert balance(path, "bank", 15) < balance(path, "bank", 0)
    assert balance(path, "escrow", 6) == pytest.approx(0.98 * 40 * 29.5)
    assert balance(path, "wallet", 15) == pytest.approx(balance(path, "bank", 16) - balance(path, "bank", 15))
    assert balance(path, "escrow", 16) == pytest.approx(0) and balance(path, "wallet", 16) == pytest.approx(0)


def test_a_new_store_falls_to_the_papers_reputation_on_its_first_morning(world: World) -> None:
    """The paper: a store that opens at 0.5 is recomputed to 0.353."""
    facts = {fact.name: fact.value for fact in explain_reputation(world, DEFAULT_RULES).facts}
    assert facts["a new store opens with"] == 0.5
    assert facts["its first morning"] == pytest.approx(0.353, abs=0.0005)


def test_the_calendar_shows_the_largest_effect_of_what_runs_on_its_days(world: World) -> None:
    explained = explain_calendar(world, DEFAULT_RULES)
    facts = {fact.name: fact.value for fact in explained.facts}
    assert len(facts) == 18
    marks = {row["name"]: row["text"] for row in explained.panels["windows"]}
    calendar, storm = Calendar(world), next(event for event in world.events if event.name == "Winter Storm")
    day = world.start.replace(month=storm.start[0], day=storm.start[1])
    factors = [calendar.demand_factor(store_type.id, day) for store_type in world.store_types]
    assert marks["Winter Storm"] == f"x{max(factors, key=lambda factor: abs(factor - 1)):g}"
    assert marks["Grand Autumn Carnival"] == "x3.5"
    assert facts["Winter Storm"] == f"{day:%m-%d} to 01-18"


def test_the_kernel_answers_as_it_does_in_a_year(cli: Cli, world: World) -> None:
    kernel = ecbench.open_kernel(world, SUPPLIER, SKU, 0)
    kernel.answer(None)
    quotes = [kernel.answer(bid).price for bid in (4.0, 5.0)]
    said = cli("world", "explain", "kernel", "default", SUPPLIER, SKU, "--at", "bids=[4,5]").out
    for quote in quotes:
        assert f"counters ¥{quote:,.2f}" in said


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
def test_every_explanation_has_text_json_and_a_picture(cli: Cli, command: tuple[str, ...]) -> None:
    said = cli("world", "explain", *command, "--picture", "picture.svg").out
    assert "Picture: picture.svg" in said
    assert max(map(len, said.splitlines())) <= 80
    assert Path("picture.svg").read_text(encoding="utf-8").startswith("<svg")
    found = json.loads(cli("world", "explain", *command, "--json").out)
    assert found["key"] == command[0]
    assert found["facts"] and all(found["panels"].values())
    assert any(fact["hidden"] for fact in found["facts"]) == ("agents never see them" in said)


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (("demand", "default", "nothing"), "has no SKU 'nothing'; one that it has is"),
        (
            ("demand", "default", SKU, "--at", "discount=0.2", "--at", "day=2026-01-20"),
            "no promotion of world default runs",
        ),
        (("demand", "default", SKU, "--at", "day=2027-01-01"), "runs from 2026-01-01 to 2026-12-31"),
        (("demand", "nowhere", SKU), "nowhere"),
        (
            ("kernel", "default", "Nobody", SKU),
            "no supplier 'Nobody' of world default sells 92d4ca7a5556; one that does is",
        ),
        (("kernel", "default", SUPPLIER, SKU, "--at", "bids=a,b"), "--at: bids: expected array"),
        (("kernel", "default", SKU), "write it as: kernel WORLD SUPPLIER SKU"),
        (("demand", "default", SKU, "--at", "storage_days=3"), "there is no key 'storage_days'; there are price, day"),
        (("cash", "default", SKU, "--picture", "x.gif"), "ends in .svg or .png"),
        (("unit", "default", SKU, FASHION), "write it as: unit WORLD SKU"),
    ],
)
def test_what_cannot_be_explained_is_refused_in_one_line(cli: Cli, command: tuple[str, ...], problem: str) -> None:
    assert problem in refusal(cli, "world", "explain", *command)
    assert not list(Path().iterdir())


def test_a_world_without_a_calendar_is_explained_too(cli: Cli, small_world: Path) -> None:
    settings = small_world / "world.toml"
    settings.write_text(settings.read_text(encoding="utf-8").partition("[[events]]")[0], encoding="utf-8")
    assert json.loads(cli("world", "explain", "calendar", str(small_world), "--json").out)["facts"] == []
    found = explain_demand(load_world(small_world), DEFAULT_RULES, "a1")
    assert {row["boost"] for row in found.panels["response"]} == {"no promotion", "sensitivity x1"}


def test_an_explanation_follows_the_rules_that_are_given(world: World) -> None:
    for rules, has_drift in ((rule_set("fair"), True), (DEFAULT_RULES, False)):
        assert any(fact.name == "drift" for fact in explain_demand(world, rules, SKU).facts) == has_drift
