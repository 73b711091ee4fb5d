"""A whole year through the real client, on a bad line: the merchant earns what it earns without a model between."""

import json
from collections.abc import Iterator
from itertools import count
from typing import Any

import anyio
from tests.harness.provider import KEY, MODEL, Fault, Provider, Turn, serve
from tests.harness.scripts import Diary

import ecbench
from ecbench.agents.driver import play_year
from ecbench.agents.protocol import Play, Reply, call
from ecbench.harness.brief import Brief
from ecbench.harness.context import ContextPolicy
from ecbench.harness.loop import Outcome, play
from ecbench.harness.models import open_model
from ecbench.harness.settings import ModelSettings

# A small window keeps requests small and needs evictions all year long.
BRIEF = Brief(policy=ContextPolicy(window=8_000, trigger=5_000, release=2_000, keep=2))
ATTEMPT_SECONDS = 2

# On the way to which answer the line breaks, and how.
FAULTS = {
    20: Fault(status=429),
    35: Fault(status=500),
    50: Fault(drop=True),
    65: Fault(status=503),
    80: Fault(delay=ATTEMPT_SECONDS + 0.5, drop=True),
}
# Answers that the model gives before the merchant's own: no tool, no such tool, arguments that cannot be read.
SLIPS = {
    15: Turn("Let me think about that for a moment."),
    30: Turn(calls=(("withdraw", '{"amount": 5'),)),
    45: Turn(calls=(("chatbox", "hello there"), ("ship_orders", "[1, 2]"))),
    60: Turn(calls=(("teleport", {"to": "the warehouse"}),)),
    75: Turn(),
    90: Turn("profit " * 300_000, (("teleport", {}),)),
    105: Turn("I will", (("chatbox", '{"uid": "sales'),), finish="length"),
}


class Patient:
    """Orders at the reference price every four weeks, and looks after its one store every morning in one batch."""

    def play(self, _schemas: list[dict[str, Any]]) -> Play:
        (market,) = yield [call("market_search")]
        kind = market["store_types"][0]
        category = kind["subcategories"][0]
        opened, goods, suppliers = yield [
            call("open_store", store_type=kind["store_type"], store_name="Corner"),
            call("list_products", category=category),
            call("supplier_search", category=category),
        ]
        chosen = goods["results"][:3]
        stock: dict[str, Any] = {}
        for visit in count():
            batch = [call("check_warehouse")]
            if stock:
                batch.append(call("publish_to_store", store_id=opened["store_id"], plan=shelf_plan(stock)))
            if visit % 28 == 0:
                letter = "\n".join(order(item["product_id"], item["reference_price"]) for item in chosen)
                supplier = suppliers["results"][visit // 28 % len(suppliers["results"])]
                batch.append(call("chatbox", uid=supplier["supplier_email"], content=letter))
            warehouse, *_ = yield [*batch, call("ship_orders"), call("withdraw"), call("wait_for_next_day")]
            stock = warehouse["items"]


def order(sku: str, price: float) -> str:
    block = {"action": "offer", "sku_id": sku, "price": price, "quantity": 12}
    return f"```negotiate\n{json.dumps(block)}\n```"


def shelf_plan(stock: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"product_id": sku, "quantity": item["quantity"], "retail_price": round(item["purchase_price"] * 1.2, 2)}
        for sku, item in stock.items()
    ]


class MerchantBehind:
    """The merchant as a server's model. The same request gets the same answer, as often as it is sent."""

    def __init__(self, merchant: Play) -> None:
        self.merchant = merchant
        self.turn = 0
        self.faults, self.slips = dict(FAULTS), dict(SLIPS)
        self.owed: list[Reply] | None = None  # results that the merchant has not seen because of a slip
        self.last: tuple[list[dict[str, Any]], Turn] | None = None

    def __call__(self, request: dict[str, Any]) -> Turn | Fault:
        messages = request["messages"]
        if self.last is not None and messages == self.last[0]:
            return self.last[1]
        fault = self.faults.pop(self.turn, None)
        if fault is not None:
            return fault
        said = self.slips.pop(self.turn, None)
        if said is not None:
            self.owed = list(results_of(messages))
        else:
            said = self.merchants_turn(messages)
            self.turn += 1
        self.last = messages, said
        return said

    def merchants_turn(self, messages: list[dict[str, Any]]) -> Turn:
        results, self.owed = self.owed or list(results_of(messages)), None
        batch = self.merchant.send(results) if self.turn else next(self.merchant)
        return Turn(
            f"Turn {self.turn}.",
            tuple((each["name"], each["arguments"]) for each in batch),
            reasoning="Cash comes first." if self.turn % 3 == 0 else "",
        )


def results_of(messages: list[dict[str, Any]]) -> Iterator[Reply]:
    newest = max(index for index, message in enumerate(messages) if message["role"] == "assistant" or index == 1)
    for message in messages[newest + 1 :]:
        if message["role"] == "tool":
            yield json.loads(message["content"].split("\n<system_warning>")[0])


def test_a_year_on_a_bad_line_earns_the_same_money() -> None:
    world = ecbench.load_world("default")
    reference, episode = ecbench.Episode(world), ecbench.Episode(world)
    calls = play_year(Patient(), reference)
    behind, diary = MerchantBehind(Patient().play(ecbench.tool_schemas())), Diary()

    async def year(provider: Provider) -> Outcome:
        settings = ModelSettings(
            f"openai-api/loopback/{MODEL}",
            base_url=provider.url,
            model_args={"api_key": KEY},
            attempt_seconds=ATTEMPT_SECONDS,
        )
        model = open_model(settings, ecbench.tool_schemas())
        try:
            return await play(episode, model, BRIEF, diary)
        finally:
            await model.close()

    with serve(behind) as provider:
        outcome = anyio.run(year, provider)
    assert not behind.faults and not behind.slips
    assert (outcome.ending, outcome.reason) == ("year_end", "")
    assert outcome.turns == behind.turn + len(SLIPS)
    assert outcome.calls == calls + sum(len(slip.calls) for slip in SLIPS.values())
    assert len(diary.evictions) > 5
    assert len(diary.reminders) == 2
    assert episode.report() == reference.report()
    assert episode.bank + episode.wallet == reference.bank + reference.wallet != 100_000
