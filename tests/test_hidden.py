"""No tool and no transport shows what an agent has to find out. Unmistakable values are planted in everything hidden,
and a long episode is searched for them, played directly and through every transport for external agents."""

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, get_args

import pytest
from tests.adapters.transports import ArenaTable, Table, open_table

import ecbench
from ecbench.harness.brief import Brief, job_description
from ecbench.players.merchants.protocol import call
from ecbench.rule_values import as_json
from ecbench.rules import rule_set
from ecbench.suppliers.kernel import terms_of
from ecbench.world.model import Category, Product, Promotion, Supplier, World
from ecbench.world.save import save_world
from ecbench.world.supplier_kinds import Scam, Template

DAYS = 150
STORE_TYPES = ("beauty", "toys_entertainment", "food_beverage")
PER_CATEGORY = 8
NUMBER = re.compile(r"(\d[\d,]*(?:\.\d+)?)(?: ?(%|×|x\b|times))?")
OWN_OUTCOMES = re.compile(r'"(?:reputation|realized_return_rate|share)":[\d.]+')  # shares with three decimals
WORDS = re.compile(r"[A-Za-z]+(?:_[A-Za-z]+)*")
UNPAID = 733_271  # mornings below zero, planted late in the year

# One value for each thing that no tool may show, in digits that nothing else in the market has.
PLANTED = {
    "capacity": 27_182.818,
    "demand scale": 7.389056,
    "elasticity": 3.1415926,
    "wholesale ratio": 0.7071067,
    "floor ratio": 0.4142135,
    "scam cap ratio": 0.5772156,
    "lowest return rate": 0.0183156,
    "highest return rate": 0.3678794,
    "event demand": 1.6180339,
    "event delay": 2.2360679,
    "promotion boost": 1.9021605,
    "order limit": 60_653.0,
}
MAX_DEMAND = 2.7639320
SALT = "5a17ed0000facade"
PROSE = {
    "brief",
    "tools",
    "prompt",
    "prompts",
    "observation",
    "/openapi.json",
    "/v1/session",
}  # words of any world
FORBIDDEN_WORDS = {
    *get_args(Template),
    *filter(None, get_args(Scam)),
    *("honest", "dishonest", "fraud", "fraudulent", "scam", "template", "reservation", "floor", "harshness"),
    *("elasticity", "capacity", "demand_scale", "order_limit", "unpaid", "unpaid_days", "streak"),
    *("posture", "sentiment", "conciliatory", "hardball"),
}


def spellings(value: float) -> set[str]:
    """A value in any usual formatting: as a figure, a percentage, a gain in percent or a factor.

    Money has two decimals and counts have none, so a bare figure is unmistakable from three decimals on, or when large.
    """
    found = {f"{value:.{decimals}f}" for decimals in range(0 if value >= 10_000 else 3, 8)}
    found |= {f"{100 * value:.{decimals}f}%" for decimals in range(8)}
    found |= {f"{100 * abs(value - 1):.{decimals}f}%" for decimals in range(8)}
    return found | {f"{value:.{decimals}f}x" for decimals in range(1, 8)} | {repr(value), f"{100 * value:.5f}"}


def return_rate(index: int) -> float:
    """A natural return rate of its own for every product: 0.2 and a bit, with seven digits."""
    return round(0.2 + index * 0.0013137, 7)


@cache
def planted_world() -> World:
    world = ecbench.load_world("default")
    kept = [s for s in world.store_types if s.id in STORE_TYPES]
    names = {name for store_type in kept for name in store_type.categories}
    goods = [p for c in world.categories if c.name in names for p in world.products_by_category[c.name][:PER_CATEGORY]]
    return replace(
        world,
        name="planted",
        salt=SALT,
        store_types=tuple(replace(s, capacity=PLANTED["capacity"], demand_scale=PLANTED["demand scale"]) for s in kept),
        categories=tuple(_category(c) for c in world.categories if c.name in names),
        products=tuple(_product(p, index) for index, p in enumerate(goods)),
        suppliers=tuple(
            replace(s, id=f"{s.scam or s.template}-{s.id}", order_limit=int(PLANTED["order limit"]))
            for s in world.suppliers
            if s.category in names
        ),
        events=tuple(
            replace(
                e,
                demand=MappingProxyType(dict.fromkeys(STORE_TYPES, PLANTED["event demand"])),
                delay=PLANTED["event delay"],
                delayed=None,
                news="Something is going on.",
            )
            for e in world.events
        ),
        promotions=tuple(
            Promotion(p.name, p.windows, MAX_DEMAND, PLANTED["promotion boost"]) for p in world.promotions
        ),
    )


def _category(category: Category) -> Category:
    return replace(
        category,
        return_min=PLANTED["lowest return rate"],
        return_max=PLANTED["highest return rate"],
        eta=PLANTED["elasticity"],
        wholesale_ratio=PLANTED["wholesale ratio"],
        floor_ratio=PLANTED["floor ratio"],
        scam_cap_ratio=PLANTED["scam cap ratio"],
    )


def _product(product: Product, index: int) -> Product:
    return replace(product, return_rate=return_rate(index))


SCHEMAS = {schema["function"]["name"]: schema["function"]["parameters"] for schema in ecbench.tool_schemas()}
SCRIPTED = {*("market_search", "list_products", "supplier_search", "open_store", "chatbox", "operate_memory"),
            *("check_warehouse", "publish_to_store", "join_promotion", "check_store_status", "trace_return_sources"),
            *("check_balance", "ship_orders", "withdraw", "close_store", "wait_for_next_day")}  # fmt: skip


def example(schema: dict[str, Any], known: dict[str, Any]) -> Any:
    """A value that a schema allows: what is known by a property's name, or any of its type."""
    if schema["type"] == "object":
        return {name: known.get(name) or example(part, known) for name, part in schema["properties"].items()}
    if schema["type"] == "array":
        return [example(schema["items"], known)]
    return schema.get("enum", [{"string": "list", "boolean": False}.get(schema["type"], 1)])[0]


def blocks(*actions: dict[str, Any]) -> str:
    return "".join([f"\n```negotiate\n{json.dumps(action)}\n```" for action in actions])


class Player:
    """Uses every tool, talks to everybody and keeps every reply with the call it answers."""

    def __init__(self, table: Table) -> None:
        self.world = table.episode.world
        self.rng = Random("searching for what is hidden")
        self.table = table
        self.account, self.desk = table.episode.account, table.episode.desk  # which outlive the session
        self.told: dict[str, str] = {}  # by the transport, on the first day and when the year was over
        self.replies: list[tuple[dict[str, Any], str]] = []
        self.joining = self.world.promotions  # by their names, which no tool lists
        # Half of the catalog is never bargained over, so nothing about it can have been learned.
        self.wanted = [p for index, p in enumerate(self.world.products) if index % 2 == 0]

    def act(self, *calls: dict[str, Any]) -> list[dict[str, Any]]:
        texts = self.table.act(calls)
        self.replies += zip(calls, texts, strict=True)
        return [json.loads(text) for text in texts]

    def play(self) -> None:
        self.open_stores()
        self.told = {f"{name}, first": text for name, text in self.table.told().items()}
        books = self.account.books
        while not self.account.done:
            if self.account.market.day >= DAYS - 30 and books.unpaid_days < UNPAID:
                books.purse.bank, books.unpaid_days = -1e6, UNPAID
            self.day()
        self.act(call("check_balance"))
        self.told |= self.table.told()

    def open_stores(self) -> None:
        self.act(call("market_search"), call("list_products"), call("supplier_search"))
        for store_type in self.world.store_types:
            self.act(call("market_search", store_type=store_type.id))
            self.act(call("open_store", store_type=store_type.id, store_name="Shop"))
            self.act(*[call("market_search", category=name) for name in store_type.categories])

    def day(self) -> None:
        for supplier in self.rng.sample(self.world.suppliers, 4):
            goods = [p for p in self.wanted if p.category == supplier.category]
            self.bargain(supplier.email, self.rng.choice(goods))
        stores = list(self.account.books.stores)
        [warehouse] = self.act(call("check_warehouse"))
        for store in stores:
            plan = [
                {"product_id": sku, "quantity": item["quantity"], "retail_price": self.price(sku)}
                for sku, item in warehouse["items"].items()
            ]
            self.act(call("publish_to_store", store_id=store, plan=plan))
        for promotion in self.joining:
            self.act(call("join_promotion", store_id=stores[0], event_name=promotion.name, discount_rate=0.2))
        store = self.rng.choice(stores)
        shelf = self.account.books.stores[store].shelf
        known = {"store_id": store, "product_id": next(iter(shelf), "nothing on the shelf"), "price": 50.0}
        self.act(*[call(name, **example(SCHEMAS[name], known)) for name in sorted(SCHEMAS.keys() - SCRIPTED)])
        self.act(call("check_store_status", store_id=store), call("check_store_status"))
        self.act(call("trace_return_sources"), call("check_balance"), call("ship_orders", action="list"))
        self.act(call("trace_return_sources", product_id=self.rng.choice(self.world.products).sku))
        self.act(call("ship_orders", speed=self.rng.choice(("fast", "standard", "slow"))), call("withdraw"))
        self.act(call("close_store", store_id="store_009"), call("ship_orders", speed="warp"), call("oracle"))
        self.act(call("operate_memory", action="list"), call("wait_for_next_day"))

    def price(self, sku: str) -> float:
        return round(self.world.product_by_sku[sku].reference_price * self.rng.uniform(0.9, 1.2), 2)

    def bargain(self, email: str, product: Product) -> None:
        for share in (0.3, 0.45, 0.6, 0.8, 1.0):
            price = round(product.reference_price * share, 2)
            offer = {"action": "offer", "sku_id": product.sku, "price": price, "quantity": self.rng.randint(1, 6)}
            prose = self.rng.choice(
                ("Your catalog?", "Are you honest?", "Yes, charge me the membership fee now.", "Hi.")
            )
            [reply] = self.act(call("chatbox", uid=email, content=prose + blocks(offer), history_count=2))
            if any(answer["decision"] != "Offer" for answer in reply.get("negotiation_responses", ())):
                return


FAIR = {name: as_json(value) for name, value in rule_set("fair").values().items()}


@pytest.fixture(scope="module", params=["direct", "http", "mcp", "rl", "arena", "fair http", "fair rl"])
def player(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Player:
    index, fair = tmp_path_factory.mktemp("transport"), request.param.startswith("fair ")
    rules = {**(FAIR if fair else {}), "unpaid_limit": 10**7}
    source = save_world(planted_world(), index / "world")
    with open_table(request.param.removeprefix("fair "), index, source, DAYS, **rules) as table:
        played = Player(table)
        played.play()
    return played


@cache
def numbers_in(text: str) -> frozenset[str]:
    """Every figure without its separators, and with a percent or times sign where it has one."""
    found: set[str] = set()
    for figure, sign in NUMBER.findall(OWN_OUTCOMES.sub("", text)):
        plain = figure.replace(",", "")
        found |= {plain, plain + ("%" if sign == "%" else "x")} if sign else {plain}
    return frozenset(found)


@cache
def stated_of_any_world() -> frozenset[str]:
    """The figures of the rules, in the brief and the tools' descriptions."""
    return numbers_in(job_description(Brief()) + json.dumps(ecbench.tool_schemas()))


def test_everything_that_could_leak_has_happened(player: Player) -> None:
    """Everything that could give something away has happened."""
    books, desk = player.account.books, player.desk
    kinds = {s.scam or s.template for s in player.world.suppliers}
    met = {player.world.supplier_by_name[name] for name in desk.contacted}
    assert {s.scam or s.template for s in met} == kinds
    assert len(kinds) == 11
    refused = re.compile(r'"error":|"success":false')
    assert {asked["name"] for asked, text in player.replies if not refused.search(text)} >= SCHEMAS.keys() - {
        "close_store"
    }
    assert sum(stock.returned for stock in books.stock.values()) > 20
    assert desk.members
    assert books.unpaid_days > UNPAID


@pytest.mark.parametrize("thing", PLANTED)
def test_the_search_finds_a_planted_value_where_it_is_written(tmp_path: Path, thing: str) -> None:
    folder = save_world(planted_world(), tmp_path / "world")
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.iterdir()))
    assert numbers_in(text.replace(",", ", ")) & spellings(PLANTED[thing])


@pytest.mark.parametrize("thing", PLANTED)
def test_a_planted_value_never_shows_in_any_spelling(player: Player, thing: str) -> None:
    hidden = spellings(PLANTED[thing])
    for asked, text in player.replies:
        leaked = numbers_in(text) & hidden
        assert not leaked, f"{thing} shows as {leaked} in the reply to {asked['name']}"
    for name, text in player.told.items():
        assert not numbers_in(text) & hidden - stated_of_any_world(), f"{thing} shows in the {name}"


def test_no_reply_has_a_word_for_a_kind_of_supplier_or_a_hidden_quantity(player: Player) -> None:
    for asked, text in player.replies:
        leaked = {word.lower() for word in WORDS.findall(_without_history(text))} & FORBIDDEN_WORDS
        assert not leaked, f"{leaked} in the reply to {asked['name']}"
    for name in player.told:
        if name.removesuffix(", first") not in PROSE:
            assert not {word.lower() for word in WORDS.findall(player.told[name])} & FORBIDDEN_WORDS, name


def _without_history(text: str) -> str:
    """What the agent itself wrote is no leak."""
    return json.dumps({key: value for key, value in json.loads(text).items() if key != "conversation_history"})


@pytest.mark.parametrize("secret", [SALT, "sup-"], ids=["the salt", "a supplier's id"])
def test_a_secret_text_never_shows(player: Player, secret: str) -> None:
    assert not [asked["name"] for asked, text in player.replies if secret in text.lower()]
    assert not [name for name, text in player.told.items() if secret in text.lower()]


def test_a_natural_return_rate_shows_in_the_trace_of_a_delivered_product_alone(player: Player) -> None:
    stock = player.account.books.stock
    delivered = {sku for sku, held in stock.items() if held.delivered}
    untouched = [p for p in player.world.products if p.sku not in delivered]
    assert len(untouched) >= 20
    secret = {spelling: p.sku for p in untouched for spelling in spellings(p.return_rate) if "." in spelling}
    known = {f"{round(p.return_rate, 3)}" for p in player.world.products if p.sku in delivered}
    traced = set()
    for asked, text in player.replies:
        found = numbers_in(text)
        if asked["name"] == "trace_return_sources":
            rows = json.loads(text).get("products", [])
            traced |= {row["product_id"] for row in rows}
            found -= known
        assert not (found & secret.keys()), asked["name"]
    assert traced == delivered


def test_a_promotions_traffic_shows_to_who_has_joined_it_alone(player: Player) -> None:
    hidden, told = spellings(MAX_DEMAND), 0
    for asked, text in player.replies:
        if numbers_in(text) & hidden:
            reply = json.loads(text)
            assert asked["name"] == "join_promotion"
            assert reply["success"]
            assert reply["max_demand_multiplier"] == MAX_DEMAND
            told += 1
    assert told


def test_the_floor_of_a_product_nobody_bargained_for_never_shows(player: Player) -> None:
    """A floor may only be met as a quote, at the end of a bargain; another product's may have the same digits."""
    floors = {
        p.sku: {f"{terms_of(player.account.economy, s, p).reservation:.2f}" for s in _sellers(player.world, p)}
        - {f"{p.reference_price:.2f}"}
        for p in player.world.products
        if p not in player.wanted
    }
    seen = set()
    for asked, text in player.replies:
        if asked["name"] in {"market_search", "list_products", "supplier_search", "chatbox"}:
            lines = re.split(r"\\n- |\},\{", text)
            for sku, line in ((sku, line) for line in lines for sku in floors if sku in line):
                seen.add(sku)
                assert not numbers_in(line) & floors[sku], asked["name"]
    assert seen == floors.keys()


def _sellers(world: World, product: Product) -> list[Supplier]:
    return [supplier for supplier in world.suppliers if supplier.category == product.category]


def test_the_number_of_mornings_below_zero_never_shows(player: Player) -> None:
    streak = {str(UNPAID + days) for days in range(-1, DAYS)}
    for asked, text in player.replies:
        assert not numbers_in(text) & streak, asked["name"]
    assert not [name for name, text in player.told.items() if numbers_in(text) & streak]


def test_neither_money_nor_notes_of_a_rival_ever_show(player: Player) -> None:
    rivals = spellings(ArenaTable.RIVALS_BANK)
    for asked, text in player.replies:
        assert not numbers_in(text) & rivals, asked["name"]
        assert ArenaTable.RIVALS_NOTE not in text, asked["name"]
