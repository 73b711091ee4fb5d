"""List prices: a ladder while a store type is on trial, then the plan's price with a little spread; and promotions.

An enrolled store's price is cut and its traffic multiplied while a promotion runs. Customers answer the discounted
price, so list prices are raised by as much as the discount takes off and the traffic comes on top. Where a discount
counts from the lowest price of the weeks before, raising prices brings nothing: prices stay, and the discount is small.
An announcement names no dates: joining again each morning shows whether it runs today.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from ecbench.players.merchants.protocol import Routine, call
from ecbench.players.merchants.replies import number
from ecbench.players.merchants.steady.merchant_state import LineGoods, MerchantState, StoreTypeView, ask, post
from ecbench.rules import Rules

LADDER = (1.0, 1.0, 1.15, 1.35, 1.7, 2.4, 4.0)
SPREAD = (1.0, 0.95, 1.06)  # neighbours on the shelf differ a little, so that every day teaches something
SMALL_DISCOUNT = 0.1


@dataclass(slots=True)
class Promotions:
    watched: list[str] = field(default_factory=list)
    enrolled: dict[str, set[str]] = field(default_factory=dict)  # promotion: store ids
    traffic: float = 1.0  # multiplied by this in the stores on offer
    stores: set[str] = field(default_factory=set)  # on offer now

    def covers(self, store_type: StoreTypeView) -> bool:
        return store_type.store in self.stores


def discount(rules: Rules) -> float:
    """What a store on offer takes off; more than this brings no more traffic, or costs more than it brings."""
    return SMALL_DISCOUNT if rules.promotion_memory_days else rules.full_boost_discount


def announced(content: str) -> str | None:
    """The name in 'The NAME is open to merchants: ...'."""
    head, found, _ = content.partition(" is open to merchants")
    return head.removeprefix("The ") if found else None


def enrol_in_promotions(state: MerchantState, promotions: Promotions) -> Routine[None]:
    """Enrol every known store in the first promotion of the list, and read whether it runs today."""
    promotions.traffic, promotions.stores = 1.0, set()
    for kind, content in state.news:
        name = announced(content) if kind == "promotion" else None
        if name is not None and name not in promotions.watched:
            promotions.watched.append(name)
    if not promotions.watched or not any(store_type.known for store_type in state.open_types):
        return
    name = promotions.watched[0]
    # A store type on trial stays out: what it sold on offer would say little about ordinary days.
    stores = [store_type.store for store_type in state.open_types if store_type.store and store_type.known]
    joined = promotions.enrolled.setdefault(name, set())
    asked = [store for store in stores if store not in joined] or stores[:1]
    rate = discount(state.rules)
    replies = yield from ask(
        state, *(call("join_promotion", store_id=s, event_name=name, discount_rate=rate) for s in asked)
    )
    joined |= {store for store, reply in zip(asked, replies, strict=True) if reply.get("success") is True}
    if any(reply.get("success") is not True for reply in replies):
        promotions.watched.remove(name)
    running = next((reply for reply in replies if reply.get("active_now") is True), None)
    if running is not None:
        promotions.traffic = max(1.0, number(running, "max_demand_multiplier"))
        promotions.stores = joined & set(stores)


def list_ratios(
    store_type: StoreTypeView, items: Sequence[LineGoods], promotions: Promotions, rules: Rules
) -> list[float]:
    """List prices over reference prices; raised by what a running promotion takes off."""
    if not store_type.known:
        return [LADDER[item.place % len(LADDER)] for item in items]
    raised = promotions.covers(store_type) and not rules.promotion_memory_days
    mark_up = 1 / (1 - discount(rules)) if raised else 1.0
    spread = {name: spread_around(line.ratio, mark_up) for name, line in store_type.lines.items()}
    return [spread[item.line][item.place % len(SPREAD)] for item in items]


@lru_cache(maxsize=256)
def spread_around(ratio: float, mark_up: float) -> list[float]:
    return [round(ratio * part * mark_up, 3) for part in SPREAD]


def reprice(state: MerchantState, promotions: Promotions) -> None:
    listed = state.on_shelf()
    for store_type in state.open_types:
        items = [item for name in store_type.lines for item in listed.get(name, ())]
        changes = []
        for item, ratio in zip(items, list_ratios(store_type, items, promotions, state.rules), strict=True):
            if state.ratios.get(item.sku) != ratio:
                state.ratios[item.sku] = ratio
                changes.append({"product_id": item.sku, "price": round(ratio * item.reference, 2)})
        if changes:
            post(state, call("set_prices", store_id=store_type.store, prices=changes))
