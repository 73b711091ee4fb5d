"""A numeric seat's year through the texts of the tools: its calls are sent as text, and the replies are read.

The same policy plays the same year here as through `DirectDoor`, which shows that the numbers of an observation are
those that the tools reply with. Where a reply is not needed at once, calls wait for the next turn that needs one.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ecbench.players.merchants.protocol import Call, call
from ecbench.players.merchants.replies import number, rows, text, texts
from ecbench.rl.array_layout import ArraySizes
from ecbench.rl.array_seat import ArraySeat
from ecbench.rl.array_years import ArrayStep
from ecbench.rl.environment import Setting, Step, YearEnvironment
from ecbench.rl.seat_arrays import Arrays, SeatArrays
from ecbench.rl.seat_door import LOOKS, MINUTES, Answers, MorningLooks, OpenedTrade, TradeOverview, as_call
from ecbench.rules import rule_set
from ecbench.suppliers.grammar import BargainAction
from ecbench.tools.catalog import WAIT
from ecbench.tools.outcome import SUPPLIER_CLOSED, decode_reply
from ecbench.world.load import load_world

ANNOUNCED = re.compile(r"^The (.*) is open to merchants: ")
Act = Callable[[list[Call]], list[dict[str, Any]]]
"""Takes a turn and returns its replies, decoded."""


class TextualDoor:
    """`act` takes turns in a year that begins; `over` says whether it is over."""

    def __init__(self, act: Act, over: Callable[[], bool], opening_minute: int) -> None:
        self.slots: dict[str, int] = {}
        self._act, self._over = act, over
        self._opening, self.minute, self.day = opening_minute, opening_minute, 0
        self._waiting: list[Call] = []
        self._promotion: str | None = None

    @property
    def over(self) -> bool:
        return self._over()

    def _queue(self, name: str, **arguments: Any) -> None:
        """Add a call to the next turn."""
        self.minute += MINUTES[name]
        self._waiting.append(call(name, **arguments))

    def _send(self) -> list[dict[str, Any]]:
        """Take the turn."""
        calls, self._waiting = self._waiting, []
        return self._act(calls)

    def overview(self) -> list[TradeOverview]:
        self._queue("market_search")
        return [
            TradeOverview(
                text(row, "store_type"),
                number(row, "daily_ops_cost"),
                tuple(month / 100 for month in row["monthly_sales_index"]),
                tuple(texts(row, "subcategories")),
            )
            for row in rows(self._send()[-1], "store_types")
        ]

    def look(self, stores: Sequence[str]) -> MorningLooks:
        for name in LOOKS:
            self._queue(name)
        for store in stores:
            self._queue("check_store_status", store_id=store)
        balance, warehouse, trace, *shops = self._send()
        slots, free = self.slots, warehouse["items"]
        shelves = [
            row for shop in shops for row in shop["products"] if row["product_id"] in slots and row["retail_price"]
        ]
        held = [row for row in trace["products"] if row["product_id"] in slots]
        kept = ("bank_balance", "platform_wallet", "pending_settlement", "unshipped_sales_value")
        bank, wallet, escrow, unshipped = (number(balance, name) for name in kept)
        return MorningLooks(
            (bank, wallet, escrow, unshipped),
            [(shop["reputation"], shop["promotion_discount"]) for shop in shops],
            [slots[row["product_id"]] for row in shelves],
            [row["quantity"] for row in shelves],
            [row["retail_price"] for row in shelves],
            [slots[row["product_id"]] for row in held],
            [free[row["product_id"]]["quantity"] if row["product_id"] in free else 0 for row in held],
            [row["total_units_delivered"] for row in held],
            [row["units_returned"] for row in held],
            {slots[row["product_id"]]: row["lowest_rival_price"] for row in shelves if "lowest_rival_price" in row},
        )

    def ship(self, speed: str) -> None:
        self._queue("ship_orders", action="ship", speed=speed)

    def withdraw(self) -> None:
        self._queue("withdraw")

    def open(self, kind: str) -> OpenedTrade | None:
        self._queue("open_store", store_type=kind, store_name=kind)
        store = text(self._send()[-1], "store_id")
        if not store:
            return None
        self._queue("list_products", store_type=kind)
        self._queue("supplier_search", store_type=kind)
        catalog, found = self._send()
        goods: dict[str, list[tuple[str, float]]] = {}
        for row in rows(catalog, "results"):
            goods.setdefault(text(row, "category"), []).append(
                (text(row, "product_id"), number(row, "reference_price"))
            )
        suppliers: dict[str, list[str]] = {}
        for row in rows(found, "results"):
            suppliers.setdefault(texts(row, "categories_served")[0], []).append(text(row, "supplier_email"))
        return OpenedTrade(store, goods, suppliers)

    def forget_slots(self) -> None:
        """Slots are looked up in every reply."""

    def publish(self, store: str, plan: list[tuple[str, int, float]]) -> None:
        self._queue_logged("publish_to_store", (store, plan))

    def set_prices(self, store: str, prices: list[tuple[str, float]]) -> None:
        self._queue_logged("set_prices", (store, prices))

    def _queue_logged(self, name: str, given: tuple[object, ...]) -> None:
        self.minute += MINUTES[name]
        self._waiting.append(as_call(name, given))

    def join(self, store: str, promotion: str, discount: float) -> None:
        self._queue("join_promotion", store_id=store, event_name=promotion, discount_rate=discount)

    def close(self, store: str) -> None:
        self._queue("close_store", store_id=store, liquidate=True)

    def write(self, address: str, actions: list[BargainAction]) -> Answers:
        self._queue_logged("chatbox", (address, actions))
        reply = self._send()[-1]
        answers, orders = rows(reply, "negotiation_responses"), rows(reply, "orders_placed")
        return Answers(
            {text(row, "sku_id"): number(row, "price") for row in answers if text(row, "decision") == "Offer"},
            [(text(row, "sku_id"), row["quantity"], number(row, "agreed_price")) for row in orders],
            text(reply, "message") == SUPPLIER_CLOSED,
        )

    def wait(self) -> None:
        self._queue(WAIT)
        reply = self._send()[-1]
        self.day, self.minute = reply["day"], self._opening
        news = [item for day in reply.get("system_notifications", ()) for item in day["news"]]
        for item in news:
            found = ANNOUNCED.match(item["content"]) if item["type"] == "promotion" else None
            self._promotion = found[1] if found else self._promotion

    def announced(self) -> str | None:
        promotion, self._promotion = self._promotion, None
        return promotion


class TextualArrayYear:
    """One year of the numeric environment played through the textual one; with a `folder` it is recorded there."""

    def __init__(self, setting: Setting, sizes: ArraySizes | None = None, *, folder: Path | None = None) -> None:
        self.text = YearEnvironment(setting, folder=folder)
        self.arrays = SeatArrays(1, sizes or ArraySizes(), rule_set(setting.rules))
        self._step: Step | None = None
        self._reward = 0.0

    def reset(self, world_seed: int | None = None) -> tuple[Arrays, Arrays]:
        """Begin the year; its first observation and masks."""
        self.text.reset(world_seed)
        rules, self._step = self.arrays.rules, None
        door = TextualDoor(self._act, lambda: self.over, 60 * rules.opening_hour)
        world = load_world(self.text.world)
        days = world.days if self.text.setting.days is None else self.text.setting.days
        self._seat = ArraySeat(door, self.arrays.rows(0), self.arrays.sizes, rules, world.start, days)
        self._seat.begin()
        self.arrays.begin([0])
        return self.arrays.observation, self.arrays.masks()

    def _act(self, calls: list[Call]) -> list[dict[str, Any]]:
        step = self._step = self.text.step(calls)
        self._reward += step.reward
        return [decode_reply(reply) for reply in step.replies]

    @property
    def over(self) -> bool:
        return self._step is not None and self._step.ending is not None

    def step(self, action: Mapping[str, ArrayLike]) -> ArrayStep:
        """Play a day."""
        self._reward = 0.0
        for _ in self._seat.day(self.arrays.plans(action)[0]):
            pass
        self._seat.look()
        reward, over = np.array([self._reward]), np.array([self.over])
        self.arrays.derive(~over)
        return ArrayStep(self.arrays.observation, self.arrays.masks(), reward, over)
