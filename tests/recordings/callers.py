"""Who makes the calls of a recording: merchants that trade sensibly, and callers that do anything at all.

A caller sees nothing but the replies and draws from its own named stream, so it makes the same calls every time.
"""

import json
from collections.abc import Generator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.recordings.tape import Call

Turn = list[Call]
Replies = list[dict[str, Any]]
Conversation = Generator[Turn, Replies, None]
Question = Generator[Turn, Replies, Replies]
Errand = Generator[Turn, Replies, None]


def call(name: str, **arguments: Any) -> Call:
    return {"name": name, "arguments": arguments}


def negotiate(*actions: dict[str, Any], prose: str = "Hello.") -> str:
    return prose + "".join([f"\n```negotiate\n{json.dumps(action)}\n```" for action in actions])


WAIT = call("wait_for_next_day")


@dataclass
class Merchant:
    """Buys a few products of each category, bargains in rising steps, lists, ships every day and restocks.

    `turns` is a conversation: it yields calls and is sent the decoded replies.
    """

    seed: int
    shops: dict[str, list[str]]  # store type to the categories it stocks
    products: int = 2  # a category
    lot: int = 40
    speed: str = "standard"
    liquidate_on: int | None = None
    rng: Random = field(init=False)
    stores: dict[str, str] = field(default_factory=dict)  # category to store
    reference: dict[str, float] = field(default_factory=dict)
    sellers: dict[str, list[str]] = field(default_factory=dict)  # category to addresses
    range: dict[str, list[str]] = field(default_factory=dict)  # category to SKUs
    held: dict[str, int] = field(default_factory=dict)  # units bought and not yet shipped
    day: int = 0

    def __post_init__(self) -> None:
        self.rng = Random(f"merchant {self.seed}")

    def turns(self) -> Conversation:
        yield from self.open_shops()
        while True:
            if self.day % 9 == 0:
                yield from self.restock()
            if self.day % 5 == 0:
                yield from self.list_stock()
            if self.day == self.liquidate_on:
                yield from self.close_last()
            replies = yield from self.ask(
                call("ship_orders", speed=self.speed), call("withdraw"), *self.look_around(), WAIT
            )
            self.day += 1
            for sent in replies[0].get("shipments", ()):
                self.held[sent["product_id"]] -= sent["quantity"]
            yield from self.join(replies)

    def ask(self, *calls: Call) -> Question:
        return (yield list(calls))

    def open_shops(self) -> Errand:
        yield from self.ask(call("market_search"), call("market_search", store_type=next(iter(self.shops))))
        for store_type, categories in self.shops.items():
            [opened] = yield from self.ask(call("open_store", store_type=store_type, store_name=f"{store_type} corner"))
            for category in categories:
                self.stores[category] = opened["store_id"]
                found, goods = yield from self.ask(
                    call("supplier_search", category=category), call("list_products", category=category)
                )
                self.sellers[category] = [row["supplier_email"] for row in found["results"]]
                rows = sorted(goods["results"], key=lambda row: row["reference_price"])
                middle = rows[len(rows) // 3 :][: self.products]
                self.reference |= {row["product_id"]: row["reference_price"] for row in middle}
                self.range[category] = [row["product_id"] for row in middle]

    def restock(self) -> Errand:
        """One round of bargaining per category: the same bids to two suppliers, each a little higher."""
        for category, skus in self.range.items():
            scarce = [sku for sku in skus if self.held.get(sku, 0) < self.lot // 2]
            if not scarce:
                continue
            pair = self.rng.sample(self.sellers[category], min(2, len(self.sellers[category])))
            for share in (0.45, 0.60, 0.75, 0.95):
                offers = [
                    {
                        "action": "offer",
                        "sku_id": sku,
                        "price": round(self.reference[sku] * share, 2),
                        "quantity": self.lot,
                    }
                    for sku in scarce
                ]
                seller = pair[0] if share < 0.7 else pair[-1]
                [reply] = yield from self.ask(call("chatbox", uid=seller, content=negotiate(*offers)))
                for order in reply.get("orders_placed", ()):
                    self.held[order["sku_id"]] = self.held.get(order["sku_id"], 0) + order["quantity"]
                if reply.get("order_confirmed"):
                    break

    def list_stock(self) -> Errand:
        [warehouse] = yield from self.ask(call("check_warehouse"))
        for category, store in self.stores.items():
            plan = [
                {
                    "product_id": sku,
                    "quantity": item["quantity"],
                    "retail_price": round(self.reference[sku] * self.rng.uniform(0.85, 1.15), 2),
                }
                for sku, item in warehouse["items"].items()
                if item["category"] == category
            ]
            if plan:
                yield from self.ask(call("publish_to_store", store_id=store, plan=plan))

    def look_around(self) -> Turn:
        looks = []
        if self.day % 7 == 3:
            looks.append(call("check_store_status", store_id=self.rng.choice(list(self.stores.values()))))
        if self.day % 11 == 5:
            looks += [call("trace_return_sources"), call("check_balance")]
        if self.day % 30 == 1:
            looks.append(call("operate_memory", action="add", title=f"day {self.day}", content="All is well."))
        return looks

    def join(self, replies: Replies) -> Errand:
        """Enrol wherever an announcement names a promotion."""
        for day in replies[-1].get("system_notifications", ()):
            for item in day["news"]:
                if item["type"] == "promotion":
                    name = item["content"].removeprefix("The ").split(" is open")[0]
                    for store in dict.fromkeys(self.stores.values()):
                        yield from self.ask(call("join_promotion", store_id=store, event_name=name, discount_rate=0.2))

    def close_last(self) -> Errand:
        category, store = list(self.stores.items())[-1]
        yield from self.ask(call("close_store", store_id=store, liquidate=True))
        for gone in [name for name, place in self.stores.items() if place == store]:
            del self.stores[gone], self.range[gone]
        self.shops = {kind: names for kind, names in self.shops.items() if category not in names}


@dataclass
class Chaos:
    """Any tool with arguments that are sometimes right: talks to everybody, pays fees, mistypes, overspends."""

    seed: int
    store_types: tuple[str, ...]
    categories: tuple[str, ...]
    rng: Random = field(init=False)
    skus: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    quotes: dict[str, float] = field(default_factory=dict)
    free: list[str] = field(default_factory=list)  # SKUs last seen in the warehouse
    reference: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rng = Random(f"chaos {self.seed}")

    def turns(self) -> Conversation:
        for category in self.categories:
            found, goods = yield [call("supplier_search", category=category), call("list_products", category=category)]
            self.addresses += [row["supplier_email"] for row in found["results"]]
            rows = goods["results"][:6]
            self.skus += [row["product_id"] for row in rows]
            self.reference |= {row["product_id"]: row["reference_price"] for row in rows}
        yield [call("open_store", store_type=kind, store_name=f"Any {kind}") for kind in self.store_types]
        while True:
            turn = [self.any_call() for _ in range(self.rng.randint(1, 4))]
            replies = yield turn + [WAIT] * self.rng.choice((0, 1, 1, 2))
            self.learn(replies)

    def learn(self, replies: Replies) -> None:
        for reply in replies:
            self.free = list(reply.get("items", self.free))
            for answer in reply.get("negotiation_responses", ()):
                if answer["decision"] == "Offer":
                    self.quotes[answer["sku_id"]] = answer["price"]

    def any_call(self) -> Call:
        rng, sku, store = self.rng, self.rng.choice(self.skus), f"store_{self.rng.randint(1, 5):03d}"
        price = round(self.reference[sku] * rng.uniform(0.2, 1.7), 2)
        number = rng.choice((-1, 0, 1, 3, 12, "7", 2.9, "many", None, True))
        choices = [
            call("open_store", store_type=rng.choice((*self.store_types, "moon")), store_name="Anything"),
            call("check_store_status", store_id=rng.choice((store, "", None))),
            call("publish_to_store", store_id=store, plan=[self.item(sku, rng.randint(1, 30), price), 7]),
            *(self.publish(kind) for kind in ("store_001", "store_002")),
            call("publish_to_store", store_id=store, plan=[self.item(sku, number, rng.choice((price, "9.5", 0)))]),
            call("set_prices", store_id=store, prices=[{"product_id": sku, "price": rng.choice((price, "x", -1))}]),
            call("return_to_warehouse", store_id=store, items=[{"product_id": sku, "quantity": number}]),
            call("ship_orders", speed=rng.choice(("fast", "Slow", "standard", "teleport"))),
            call("ship_orders", action="list"),
            call("ship_orders", shipment_ids=[rng.randint(1, 40), str(rng.randint(1, 40))]),
            call("withdraw", amount=rng.choice((None, 50.0, 1e9, -3))),
            call("trace_return_sources", product_id=rng.choice((sku, None))),
            call("check_warehouse"),
            call("check_balance"),
            call("operate_memory", action=rng.choice(("add", "get", "list", "delete", "update")), title=sku[:1]),
            call("join_promotion", store_id=store, event_name="Winter Clearance Festival", discount_rate=number),
            call("close_store", store_id=store, liquidate=rng.random() < 0.5) if rng.random() < 0.05 else WAIT,
            call("chat", uid="nobody"),
        ]
        return rng.choice([*choices, *(self.chat(sku) for _ in range(12))])

    def publish(self, store: str) -> Call:
        plan = [self.item(sku, 4, round(self.reference[sku] * self.rng.uniform(0.5, 1.2), 2)) for sku in self.free]
        return call("publish_to_store", store_id=store, plan=plan)

    def item(self, sku: str, quantity: Any, price: Any) -> dict[str, Any]:
        return {"product_id": sku, "quantity": quantity, "retail_price": price}

    def chat(self, sku: str) -> Call:
        rng = self.rng
        price = round(self.reference[sku] * rng.uniform(0.2, 1.6), 2)
        quantity = rng.choice((1, 5, 20, 60, 0, "4", 100_000))
        actions: list[dict[str, Any]] = [
            {"action": "offer", "sku_id": sku, "price": price, "quantity": quantity},
            {"action": "accept", "sku_id": sku, "price": self.quotes.get(sku, price), "quantity": quantity},
            {"action": rng.choice(("reject", "ACCEPT")), "sku_id": sku},
        ]
        prose = rng.choice(("Your catalog, please.", "Yes, charge me the membership fee now.", "Our bid:"))
        chosen = rng.sample(actions, rng.randint(0, 2)) + actions[:1] * rng.randint(0, 1)
        to = rng.sample(self.addresses, 3) if rng.random() < 0.2 else rng.choice(self.addresses)
        return call(
            "chatbox", **{"uids" if isinstance(to, list) else "uid": to}, content=negotiate(*chosen, prose=prose)
        )
