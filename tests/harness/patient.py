"""A merchant that needs no model, and the same merchant as a server's model: both must do the same."""

import json
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

from tests.harness.servers.conversation import Block, Fault, Say, Talk, Think, Turn, Use, turn

import ecbench
from ecbench.players.merchants.protocol import Play, Reply, call


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
    block = {"action": "offer", "sku_id": sku, "price": price, "quantity": 4}
    return f"```negotiate\n{json.dumps(block)}\n```"


def shelf_plan(stock: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"product_id": sku, "quantity": item["quantity"], "retail_price": round(item["purchase_price"] * 1.2, 2)}
        for sku, item in stock.items()
    ]


class PatientModel:
    """The same request gets the same answer, as often as it is sent.

    By the number of the merchant's turn: `slips` are said before it, `faults` happen on the way to it.
    """

    def __init__(self, slips: Mapping[int, Turn], faults: Mapping[int, Callable[[], Fault]]) -> None:
        self.slips, self.faults = dict(slips), dict(faults)
        self.turn = 0
        self._play = Patient().play(ecbench.tool_schemas())
        self._owed: tuple[str, ...] = ()  # results that the merchant has not seen because of a slip
        self._last: tuple[Talk, Turn] | None = None

    def __call__(self, talk: Talk) -> Turn | Fault:
        if not talk.system:
            return turn(Use("list_products", {"category": "tea"}))  # the check before a run
        if self._last is not None and self._last[0] == talk:
            return self._last[1]
        fault = self.faults.pop(self.turn, None)
        if fault is not None:
            return fault()
        said, results = self.slips.pop(self.turn, None), self._owed or talk.results
        self._owed = results if said else ()
        said = said or self._merchants_turn(results)
        self._last = talk, said
        return said

    def _merchants_turn(self, results: tuple[str, ...]) -> Turn:
        """Thoughts before, between and behind parallel calls, some of them redacted."""
        batch = self._play.send([read(result) for result in results]) if self.turn else next(self._play)
        first, *others = [Use(each["name"], each["arguments"]) for each in batch]
        self.turn += 1
        blocks: list[Block] = [Think(f"Thought {self.turn}."), first]
        if self.turn % 3 == 0:
            blocks.append(Think(f"sealed {self.turn}", redacted=True))
        blocks += [Say(f"Turn {self.turn}."), *others[:1]]
        if len(others) > 1:
            blocks += [Think(f"Second thought {self.turn}."), *others[1:]]
        return Turn(tuple(blocks))


def read(result: str) -> Reply:
    reply: Reply = json.loads(result.partition("\n<system_warning>")[0])
    return reply
