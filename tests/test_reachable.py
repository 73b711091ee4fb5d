"""Whatever world is accepted, an agent reaches all of it through the tools: it can find, ask, buy, list and enrol."""

import json
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.conftest import write_little_world

import ecbench
from ecbench.rules import Rules
from ecbench.world.fields import EMAIL, SKU
from ecbench.world.generate import generate_world
from ecbench.world.model import World
from ecbench.world.save import save_world

RULES = Rules(stake=1e12, max_stores=1_000, lead_days=(0, 0), opening_hour=0, closing_hour=24)
MOST_ROUNDS = 12
Reply = dict[str, Any]

SIGNS = "aZ9 ,;:.'\"`|[]{}()<>@/\\#&%=+*?!~^$-_é茶ßİ🫖\t"
names = st.text(st.sampled_from(SIGNS), min_size=1, max_size=30).filter(lambda text: text == text.strip())
skus = st.from_regex(SKU, fullmatch=True)
addresses = st.from_regex(EMAIL, fullmatch=True)


class Agent:
    """Knows nothing but what the tools reply."""

    def __init__(self, world: World) -> None:
        self.episode = ecbench.Episode(world, rules=RULES, days=400)
        self.news: list[str] = []

    def ask(self, tool: str, **arguments: Any) -> Reply:
        [text] = self.episode.act([{"name": tool, "arguments": arguments}])
        reply: Reply = json.loads(text)
        for day in reply.get("system_notifications", ()):
            self.news += [item["content"] for item in day["news"] if item["type"] == "promotion"]
        return reply

    def open_all(self) -> dict[str, str]:
        """The store of each category, which every type that the market lists offers."""
        stores = {}
        for row in self.ask("market_search")["store_types"]:
            opened = self.ask("open_store", store_type=row["store_type"], store_name=row["store_name"])
            for category in row["subcategories"]:
                assert self.ask("market_search", category=category)["detail"]["category"] == category
                stores[category] = opened["store_id"]
        return stores

    def buy(self, category: str) -> list[str]:
        """Every product of the category, from whichever of its suppliers sells: raise the bid until it is an order."""
        goods = self.ask("list_products", category=category)["results"]
        suppliers = self.ask("supplier_search", category=category)["results"]
        assert goods and suppliers
        wanted = {row["product_id"]: row["reference_price"] for row in goods}
        for number in range(MOST_ROUNDS):
            bids = [
                {"action": "offer", "sku_id": sku, "price": 2 * price, "quantity": 1} for sku, price in wanted.items()
            ]
            letter = f"Please sell.\n```negotiate\n{json.dumps(bids)}\n```"
            reply = self.ask("chatbox", uid=suppliers[number % len(suppliers)]["supplier_email"], content=letter)
            for order in reply.get("orders_placed", ()):
                wanted.pop(order["sku_id"], None)
            if not wanted:
                return [row["product_id"] for row in goods]
        raise AssertionError(f"nobody sells {list(wanted)}")


def reach_everything(world: World) -> None:
    agent = Agent(world)
    stores = agent.open_all()
    listed = {row["supplier_email"] for row in agent.ask("supplier_search")["results"]}
    assert len(listed) == len(world.suppliers)
    for address in listed:
        assert agent.ask("chatbox", uid=address, content="Your catalog, please?")["message"] == "message_sent"
    assert agent.ask("chatbox", uids=sorted(listed), content="Good day!")["recipients"] == len(listed)
    bought = {category: agent.buy(category) for category in stores if world.products_by_category[category]}
    assert sorted(sku for skus in bought.values() for sku in skus) == sorted(world.product_by_sku)
    agent.ask("wait_for_next_day")
    agent.ask("wait_for_next_day")
    for category, skus in bought.items():
        plan = [{"product_id": sku, "quantity": 1, "retail_price": 0.01} for sku in skus]
        results = agent.ask("publish_to_store", store_id=stores[category], plan=plan)["results"]
        assert all(result["success"] for result in results), results
        assert {
            row["product_id"] for row in agent.ask("check_store_status", store_id=stores[category])["products"]
        } >= set(skus)


def enrol_in_everything(world: World) -> None:
    """A promotion is joined under the name that its announcement gives."""
    agent = Agent(replace(world, start=world.start.replace(month=12, day=1)))
    store = next(iter(agent.open_all().values()))
    while agent.episode.day < 366:
        told = len(agent.news)
        agent.ask("wait_for_next_day")
        for text in agent.news[told:]:
            [name] = [promotion.name for promotion in world.promotions if promotion.name in text]
            joined = agent.ask("join_promotion", store_id=store, event_name=name, discount_rate=0.2)
            assert joined["event"] == name
    assert len(agent.news) == len(world.promotions)


@cache
def generated(seed: int) -> World:
    return generate_world(seed=seed, name="small", products=300, suppliers=180)


@pytest.mark.parametrize("seed", [1, 2])
def test_all_of_a_generated_world_can_be_reached(seed: int) -> None:
    reach_everything(generated(seed))


@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # shrinking takes minutes; add Phase.shrink for it
)
@given(data=st.data())
def test_all_of_a_world_with_odd_names_can_be_reached(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    place = tmp_path_factory.mktemp("odd")
    world = ecbench.load_world(write_little_world(place))
    renamed = rename(world, data)
    accepted = ecbench.load_world(save_world(renamed, place / "renamed"))
    reach_everything(accepted)
    enrol_in_everything(accepted)


def rename(world: World, data: st.DataObject) -> World:
    """The world with other names in the place of all of them, references included."""

    def several(strategy: st.SearchStrategy[str], count: int) -> list[str]:
        key = str.lower
        return data.draw(st.lists(strategy, min_size=count, max_size=count, unique_by=key))

    types = dict(zip(world.store_type_by_id, several(names, 2), strict=True))
    categories = dict(zip(world.category_by_name, several(names, 3), strict=True))
    titles, ids = several(names, 3), several(skus, 3)
    firms, mails = several(names, 3), several(addresses, 3)
    [sale] = several(names.map(lambda name: (name * 50)[:100].strip()), 1)
    return replace(
        world,
        store_types=tuple(
            replace(each, id=types[each.id], categories=tuple(categories[name] for name in each.categories))
            for each in world.store_types
        ),
        categories=tuple(
            replace(each, name=categories[each.name], store_type=types[each.store_type]) for each in world.categories
        ),
        products=tuple(
            replace(each, sku=sku, title=title, category=categories[each.category])
            for each, sku, title in zip(world.products, ids, titles, strict=True)
        ),
        suppliers=tuple(
            replace(each, name=name, email=mail, category=categories[each.category], scam="", template="candid")
            for each, name, mail in zip(world.suppliers, firms, mails, strict=True)
        ),
        events=(),
        promotions=tuple(replace(each, name=sale) for each in world.promotions),
    )
