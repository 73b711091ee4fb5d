"""A scripted merchant behind the server earns exactly what it earns without one."""

import json
from collections.abc import Iterator
from typing import Any

import anyio
from tests.harness.provider import KEY, MODEL, Fault, Turn, serve
from tests.harness.scripts import Diary, YearPlayed, converse

import ecbench
from ecbench.harness.brief import Brief
from ecbench.harness.context import ContextPolicy
from ecbench.harness.messages import answer_from_json, answer_to_json
from ecbench.harness.models import open_model
from ecbench.harness.replay import RecordedModel
from ecbench.harness.settings import ModelSettings
from ecbench.players.merchants.protocol import Call, Play, Reply, call

DAYS = 24
# A small window, so that a short season needs several evictions.
BRIEF = Brief(days=DAYS, policy=ContextPolicy(window=12_000, trigger=9_000, release=3_000, keep=2))


def negotiate(sku: str, price: float, quantity: int) -> str:
    block = {"action": "offer", "sku_id": sku, "price": price, "quantity": quantity}
    return f"```negotiate\n{json.dumps(block)}\n```"


def trade() -> Play:
    """Buys three products of one category at what is asked, sells them a little dearer, ships every morning."""
    replies = yield [call("market_search")]
    kind = replies[0]["store_types"][0]
    category = kind["subcategories"][0]
    opened, goods, suppliers = yield [
        call("open_store", store_type=kind["store_type"], store_name="Corner"),
        call("list_products", category=category),
        call("supplier_search", category=category),
    ]
    chosen = goods["results"][:3]
    for supplier in suppliers["results"][:4]:
        yield [
            call(
                "chatbox",
                uid=supplier["supplier_email"],
                content="\n".join([negotiate(item["product_id"], item["reference_price"], 20) for item in chosen]),
            ),
            call("wait_for_next_day"),
        ]
    while True:
        warehouse, _, _ = yield [call("check_warehouse"), call("ship_orders"), call("wait_for_next_day")]
        plan = [
            {"product_id": sku, "quantity": item["quantity"], "retail_price": round(item["purchase_price"] * 1.2, 2)}
            for sku, item in warehouse["items"].items()
        ]
        yield [call("publish_to_store", store_id=opened["store_id"], plan=plan), call("check_balance")]


class Behind:
    """The merchant as a server's model: it reads the tool messages of its last turn and answers with calls."""

    def __init__(self) -> None:
        self.merchant = trade()
        self.requests = 0

    def __call__(self, request: dict[str, Any]) -> Turn | Fault:
        self.requests += 1
        if self.requests % 20 == 0:
            return Fault(drop=True)
        results = list(last_results(request["messages"]))
        calls = self.merchant.send(results) if results else next(self.merchant)
        return Turn(f"Turn {self.requests}.", tuple((each["name"], each["arguments"]) for each in calls))


def last_results(messages: list[dict[str, Any]]) -> Iterator[Reply]:
    newest = max(index for index, message in enumerate(messages) if message["role"] != "tool")
    for message in messages[newest + 1 :]:
        yield json.loads(message["content"].split("\n<system_warning>")[0])


def alone() -> ecbench.Episode:
    episode = ecbench.Episode(ecbench.load_world("default"), days=DAYS)
    merchant = trade()
    calls: list[Call] = next(merchant)
    while True:
        replies = [json.loads(reply) for reply in episode.act(calls)]
        if episode.done:
            return episode
        calls = merchant.send(replies)


def behind_a_server(diary: Diary) -> tuple[ecbench.Episode, YearPlayed]:
    episode = ecbench.Episode(ecbench.load_world("default"), days=DAYS)

    async def year() -> YearPlayed:
        settings = ModelSettings(f"openai-api/loopback/{MODEL}", base_url=provider.url, model_args={"api_key": KEY})
        model = open_model(settings, ecbench.tool_schemas())
        try:
            return await converse(episode, model, BRIEF, diary)
        finally:
            await model.close()

    with serve(Behind()) as provider:
        return episode, anyio.run(year)


def test_the_money_is_the_same_with_and_without_a_model_between() -> None:
    reference = alone()
    diary = Diary()
    episode, outcome = behind_a_server(diary)
    assert outcome.ending == "year_end"
    assert len(diary.evictions) >= 2
    assert reference.report() == episode.report()
    assert (episode.bank, episode.wallet) == (reference.bank, reference.wallet)
    assert episode.bank + episode.wallet != 100_000

    recorded = [answer_from_json(json.loads(json.dumps(answer_to_json(answer)))) for answer in diary.answers]
    again, copy = ecbench.Episode(ecbench.load_world("default"), days=DAYS), Diary()
    assert anyio.run(converse, again, RecordedModel(recorded), BRIEF, copy).ending == "year_end"
    assert (copy.replies, copy.evictions) == (diary.replies, diary.evictions)
    assert again.report() == reference.report()
