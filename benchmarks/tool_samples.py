"""Every tool at work on the default world: real calls with their replies, and every way in which they fail.

`reference.py` writes them into docs/tools.md. Only ordinary calls are made, but for two shortcuts that are said where
they are taken.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from ecbench import Episode, load_world
from ecbench.players.merchants.protocol import call
from ecbench.rules import DEFAULT_RULES, rule_set

Shape = Literal["bare", "refused", "inside"]
"""`error` alone; a refusal with the time; or something inside a reply that has no top-level `success: false`."""

PET = "Pet Supplies"
FAIR = "dongqiao.ruizhu.sourcing@suppliers.example"
OTHER = "minglou.yilei.enterprises@suppliers.example"
MEMBERS_ONLY = "donglou.hongduo.trade.house@suppliers.example"
TOY, BONE, RING = "924935eaad31", "1a3a0f435bb0", "587acd3c1df5"
STORE = "store_001"


class Sample(NamedTuple):
    when: str
    arguments: Any
    reply: Any
    shape: Shape | None = None  # None: it went well


@dataclass
class Demonstration:
    """A year that is played to be shown."""

    year: Episode = field(default_factory=lambda: Episode(load_world("default")))
    samples: dict[str, list[Sample]] = field(default_factory=dict)

    def play(self, name: str, **arguments: Any) -> Any:
        return self.give(name, arguments)

    def give(self, name: str, arguments: Any) -> Any:
        [reply] = self.year.act([{"name": name, "arguments": arguments}])
        return json.loads(reply)

    def show(self, name: str, when: str, **arguments: Any) -> Any:
        return self.keep(name, Sample(when, arguments, self.give(name, arguments)))

    def fail(self, name: str, shape: Shape, when: str, **arguments: Any) -> None:
        self.keep(name, Sample(when, arguments, self.give(name, arguments), shape))

    def fail_with(self, name: str, when: str, arguments: Any) -> None:
        """Arguments of any kind, which no keyword could give."""
        self.keep(name, Sample(when, arguments, self.give(name, arguments), "bare"))

    def wait(self, days: int = 1) -> None:
        for _ in range(days):
            self.play("wait_for_next_day")

    def keep(self, name: str, sample: Sample) -> Any:
        self.samples.setdefault(name, []).append(sample)
        return sample.reply


def negotiate(action: str, sku: str, **more: Any) -> str:
    return f"```negotiate\n{json.dumps({'action': action, 'sku_id': sku, **more})}\n```"


def demonstrate() -> dict[str, list[Sample]]:
    """The samples by tool, in the order in which they were played."""
    shown = Demonstration()
    for scene in SCENES:
        scene(shown)
    return shown.samples


def research(shown: Demonstration) -> None:
    shown.show("market_search", "without arguments: every store type")
    shown.show("market_search", "with a store type: its categories", store_type="pet")
    shown.show("market_search", "with a category: what there is to know about it", category=PET)
    shown.fail("market_search", "inside", "nothing has that name", category="Dragons")
    shown.fail("market_search", "bare", "an argument has the wrong type", category=7)
    shown.wait()
    shown.show("supplier_search", "by category", category=PET)
    shown.fail("supplier_search", "inside", "nobody sells it", product_name="dragon saddle")
    shown.fail("supplier_search", "bare", "an argument has the wrong type", category=[PET])
    shown.show("list_products", "of one category", category=PET)
    shown.fail("list_products", "inside", "nothing has that name", category="Dragons")
    shown.fail("list_products", "bare", "an argument has the wrong type", store_type=7)


def opening(shown: Demonstration) -> None:
    shown.show("open_store", "the first store of a type", store_type="pet", store_name="Paws")
    shown.fail("open_store", "refused", "one of this type is open already", store_type="pet", store_name="Claws")
    shown.fail("open_store", "refused", "there is no such type", store_type="dragons", store_name="Lair")
    hidden = "Pa\u200bws"
    shown.fail(
        "open_store", "refused", "the name holds a hidden character", store_type="toys_entertainment", store_name=hidden
    )
    shown.fail("open_store", "bare", "an argument is missing or has the wrong type", store_type="pet")
    shown.wait()
    for kind in ("beauty", "sports_outdoor", "toys_entertainment"):
        shown.play("open_store", store_type=kind, store_name=kind)
    shown.fail("open_store", "refused", "as many are open as may be", store_type="fashion", store_name="Coats")
    for store in ("store_002", "store_003", "store_004"):
        shown.play("close_store", store_id=store)
    shown.wait()


def talking(shown: Demonstration) -> None:
    shown.show("chatbox", "a first letter: the catalog comes back", uid=FAIR, content="What do you sell?")
    low, fair = negotiate("offer", TOY, price=2.0, quantity=40), negotiate("offer", TOY, price=6.0, quantity=40)
    countered = shown.show("chatbox", "a bid that is countered", uid=FAIR, content=low)
    quote = countered["negotiation_responses"][0]["price"]
    taken = negotiate("accept", TOY, price=round(quote, 2), quantity=40)
    shown.show("chatbox", "taking the quote: the order is placed and charged", uid=FAIR, content=taken)
    shown.show("chatbox", "a letter to two of them", uids=[FAIR, OTHER], content="Are you open in spring?")
    shown.wait()
    refused: list[tuple[str, str, str]] = [
        ("no such product of this supplier (`unknown_sku`)", FAIR, negotiate("offer", "0" * 12, price=5, quantity=1)),
        ("no talks are open (`no_active_negotiation`)", FAIR, negotiate("reject", RING)),
        ("the bank cannot pay for it", OTHER, negotiate("offer", BONE, price=9.66, quantity=50_000)),
        ("an accept without a price (`accept_missing_price`)", OTHER, negotiate("accept", BONE)),
        ("another price than the quote (`accept_price_mismatch`)", OTHER, negotiate("accept", BONE, price=0.01)),
        ("fewer than one unit", OTHER, negotiate("offer", BONE, price=9.66, quantity=0)),
        ("the supplier sells to members alone", MEMBERS_ONLY, negotiate("offer", BONE, price=9.66, quantity=5)),
    ]
    for when, address, content in refused:
        shown.fail("chatbox", "inside", when, uid=address, content=content)
    _refused_under_fair(shown)
    shown.wait()
    shown.fail("chatbox", "refused", "no address is given", content="Hello?")
    shown.fail("chatbox", "refused", "nobody has that address", uid="nobody@suppliers.example", content="Hello?")
    shown.fail("chatbox", "bare", "an argument it does not know", uid=FAIR, content="Hello", cc="me")
    shown.fail("chatbox", "bare", "an argument has the wrong type", uid=FAIR, content=7)
    shown.play("chatbox", uid=OTHER, content=negotiate("offer", BONE, price=9.0, quantity=3))
    _wear_out(shown, fair)


def _refused_under_fair(shown: Demonstration) -> None:
    """What only other rules than the paper's refuse, in a year of its own with little money."""
    fair = Demonstration(Episode(load_world("default"), rules=rule_set("fair"), stake=1_000))
    low = negotiate("offer", BONE, price=0.5, quantity=5)
    quote = fair.give("chatbox", {"uid": OTHER, "content": low})["negotiation_responses"][0]["price"]
    for when, content in (
        ("a bid far above the market (`bid_too_high`)", negotiate("offer", BONE, price=60.0, quantity=5)),
        ("a bid for no unit (`quantity_too_small`)", negotiate("offer", BONE, price=13.0, quantity=0)),
        (
            "a bid for more than the week's supply (`beyond_supply`)",
            negotiate("offer", BONE, price=1.0, quantity=1_000),
        ),
        ("a bid beyond the bank (`insufficient_funds`)", negotiate("offer", BONE, price=9.0, quantity=150)),
        ("two bids for a SKU (`second_bid`)", f"{low}\n{negotiate('offer', BONE, price=0.6, quantity=5)}"),
        ("taking more units than are left this week", negotiate("accept", BONE, price=quote, quantity=1_000)),
    ):
        reply = fair.give("chatbox", {"uid": OTHER, "content": content})
        shown.keep(
            "chatbox", Sample(f"under `--rules fair`: {when}", {"uid": OTHER, "content": content}, reply, "inside")
        )


def _wear_out(shown: Demonstration, letter: str) -> None:
    """A supplier serves some ten to twenty orders and closes for good."""
    for _ in range(40):
        if shown.play("chatbox", uid=FAIR, content=letter)["message"] == "supplier_bankrupt":
            break
    shown.fail("chatbox", "inside", "the supplier has closed: nothing is decided any more", uid=FAIR, content=letter)
    shown.play("wait_for_next_day")
    shown.show("wait_for_next_day", "the day ends, and goods arrive")
    shown.wait(6)


def _full_shelf(shown: Demonstration) -> None:
    """Where listings are limited, in a year of its own with a limit of one."""
    limited = Demonstration(Episode(load_world("default"), rules=DEFAULT_RULES.with_overrides({"most_listings": 1})))
    limited.play("open_store", store_type="pet", store_name="Paws")
    bids = [negotiate("offer", sku, price=60.0, quantity=2) for sku in (TOY, BONE)]
    limited.play("chatbox", uid=FAIR, content="\n".join(bids))
    limited.wait(9)
    plan = [{"product_id": sku, "quantity": 1, "retail_price": 9} for sku in (TOY, BONE)]
    reply = limited.play("publish_to_store", store_id=STORE, plan=plan)
    when = "under `--rules fair`, where listings are limited: none is left"
    shown.keep("publish_to_store", Sample(when, {"store_id": STORE, "plan": plan}, reply, "inside"))


def shelves(shown: Demonstration) -> None:
    shown.show("check_warehouse", "after a delivery")
    shown.fail_with("check_warehouse", "the arguments are no object", ["all"])
    plan = [{"product_id": TOY, "quantity": 60, "retail_price": 8.9}, {"product_id": BONE, "quantity": 1}]
    shown.show("publish_to_store", "two products; the second entry lacks a price", store_id=STORE, plan=plan)
    for when, item in {
        "more than there are": {"product_id": TOY, "quantity": 10_000, "retail_price": 9},
        "nothing of it in the warehouse": {"product_id": RING, "quantity": 1, "retail_price": 9},
        "no whole number of units": {"product_id": TOY, "quantity": 0, "retail_price": 9},
        "no product": {"quantity": 1},
    }.items():
        shown.fail("publish_to_store", "inside", when, store_id=STORE, plan=[item])
    _full_shelf(shown)
    shown.wait()
    shown.play("open_store", store_type="beauty", store_name="Glow")
    wrong_shelf = [{"product_id": TOY, "quantity": 1, "retail_price": 9}]
    shown.fail("publish_to_store", "inside", "a store of another type", store_id="store_005", plan=wrong_shelf)
    shown.fail("publish_to_store", "refused", "the store is closed", store_id="store_002", plan=wrong_shelf)
    shown.fail("publish_to_store", "bare", "an argument is missing or has the wrong type", store_id=STORE, plan="all")
    shown.show("set_prices", "one product", store_id=STORE, prices=[{"product_id": TOY, "price": 9.5}])
    shown.fail("set_prices", "inside", "not on the shelf", store_id=STORE, prices=[{"product_id": RING, "price": 9.5}])
    shown.fail("set_prices", "inside", "no price", store_id=STORE, prices=[{"product_id": TOY, "price": -1}])
    shown.fail("set_prices", "refused", "there is no such store", store_id="store_099", prices=[])
    shown.fail("set_prices", "bare", "an argument is missing or has the wrong type", store_id=STORE)
    shown.show("return_to_warehouse", "some units", store_id=STORE, items=[{"product_id": TOY, "quantity": 5}])
    too_many = [{"product_id": TOY, "quantity": 900}]
    shown.fail("return_to_warehouse", "inside", "more than the shelf holds", store_id=STORE, items=too_many)
    shown.fail("return_to_warehouse", "inside", "no whole number", store_id=STORE, items=[{"product_id": TOY}])
    shown.fail("return_to_warehouse", "refused", "the store is closed", store_id="store_002", items=[])
    shown.fail("return_to_warehouse", "bare", "an argument is missing or has the wrong type", items=[])
    shown.wait()


def fulfilment(shown: Demonstration) -> None:
    for _ in range(10):
        shown.wait()
        if shown.play("ship_orders", action="list")["pending_shipments"]:
            break
    shown.show("ship_orders", "what waits to be shipped", action="list")
    shown.fail("ship_orders", "refused", "there is no such speed", speed="drone")
    shown.fail("ship_orders", "bare", "an argument has the wrong type", shipment_ids=1)
    shown.show("ship_orders", "all of it, by standard freight")
    shown.fail("ship_orders", "refused", "nothing waits, or none of these", shipment_ids=[99_999])
    shown.wait()
    shown.show("check_store_status", "all stores in a line each")
    shown.show("check_store_status", "one store", store_id=STORE)
    shown.fail("check_store_status", "refused", "there is no such store", store_id="store_099")
    shown.fail("check_store_status", "bare", "an argument has the wrong type", store_id=1)
    shown.show("trace_return_sources", "one product", product_id=TOY)
    shown.fail("trace_return_sources", "refused", "it was never delivered", product_id=RING)
    shown.fail("trace_return_sources", "bare", "an argument has the wrong type", product_id=1)


def money(shown: Demonstration) -> None:
    shown.fail("withdraw", "refused", "the wallet is empty")
    shown.wait(4)
    shown.show("check_balance", "while revenue settles")
    shown.wait(5)
    shown.fail_with("check_balance", "the arguments are no object", "all")
    shown.fail("withdraw", "refused", "more than the wallet holds", amount=1_000_000)
    shown.fail("withdraw", "bare", "an argument has the wrong type", amount="all")
    shown.fail("withdraw", "bare", "no number that arithmetic bears", amount=float("inf"))
    shown.show("withdraw", "everything")


def promotions(shown: Demonstration) -> None:
    soon = {"store_id": STORE, "event_name": "Winter Clearance Festival", "discount_rate": 0.2}
    shown.show("join_promotion", "one that starts soon", **soon)
    for when, event, discount in (
        ("the discount is too deep", "Winter Clearance Festival", 0.9),
        ("there is no such promotion", "Dragon Days", 0.2),
        ("it starts too late", "Autumn Harvest Sale", 0.2),
    ):
        shown.fail("join_promotion", "refused", when, store_id=STORE, event_name=event, discount_rate=discount)
    shown.fail("join_promotion", "refused", "there is no such store", store_id="x", event_name="y", discount_rate=0.2)
    shown.fail("join_promotion", "bare", "an argument is missing or has the wrong type", store_id=STORE, event_name="y")


def closing(shown: Demonstration) -> None:
    shown.wait()
    shown.show("close_store", "the shelf is sold off", store_id=STORE, liquidate=True)
    shown.show("close_store", "the shelf, an empty one here, goes back to the warehouse", store_id="store_005")
    shown.fail("close_store", "refused", "it is closed already", store_id=STORE)
    shown.fail("close_store", "bare", "an argument is missing or has the wrong type", store_id=STORE, liquidate="yes")
    shown.year.account.books.purse.bank = 3.0  # a shortcut: a merchant who has spent it all
    shown.fail("open_store", "refused", "the bank cannot pay the setup fee", store_type="pet", store_name="Paws")
    shown.year.account.books.purse.bank = 1e6


def notes(shown: Demonstration) -> None:
    memory = "operate_memory"
    shown.show(memory, "a new note", action="add", title="toys", content="Dongqiao: ¥5.87, honest so far")
    shown.show(memory, "reading one", action="get", title="toys")
    shown.show(memory, "all of them", action="list")
    shown.fail(memory, "refused", "there is no such action", action="burn")
    shown.fail(memory, "refused", "no title", action="delete")
    shown.fail(memory, "refused", "a note of that title exists", action="add", title="toys", content="again")
    shown.fail(memory, "refused", "nothing to write", action="update", title="toys")
    shown.fail(memory, "refused", "no note of that title, to read", action="get", title="bones")
    shown.fail(memory, "refused", "no note of that title, to change", action="update", title="bones", content="x")
    for number in range(19):
        shown.play(memory, action="add", title=f"note {number}", content="x")
    shown.fail(memory, "refused", "every note is in use", action="add", title="one more", content="x")
    shown.fail(memory, "bare", "an argument has the wrong type", action=1)
    shown.wait()


def waiting(shown: Demonstration) -> None:
    waits = [call("wait_for_next_day"), call("wait_for_next_day")]
    again = json.loads(shown.year.act(waits)[1])
    shown.samples["wait_for_next_day"].append(Sample("asked twice in one turn: the second one", {}, again, "inside"))


def ending(shown: Demonstration) -> None:
    """A shortcut: today becomes the last day, since nothing of what is shown here depends on the days before."""
    shown.fail("fly", "bare", "there is no such tool")
    market = shown.year.account.market
    market.days = market.day + 1
    past_the_evening = [*[call("market_search")] * 21, call("ship_orders")]
    replies = [json.loads(reply) for reply in shown.year.act(past_the_evening)]
    shown.samples["ship_orders"].append(Sample("the year ended earlier in this turn", {}, replies[-1], "refused"))
    shown.fail("fly", "bare", "the year is over: so with every tool")


SCENES: tuple[Callable[[Demonstration], None], ...] = (
    research,
    opening,
    talking,
    shelves,
    fulfilment,
    money,
    promotions,
    closing,
    notes,
    waiting,
    ending,
)
