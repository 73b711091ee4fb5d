"""News of a morning, as data; the tools put it into words."""

from datetime import date
from typing import NamedTuple

from ecbench.market.books import PurchaseOrder
from ecbench.world.model import Event, Promotion


class IdleCharged(NamedTuple):
    """No store was open, and that cost money."""

    amount: float


class OrdersCancelled(NamedTuple):
    """Customers' orders that were not shipped in time, and the fee for them in a market of several merchants."""

    orders: int
    fee: float


class GoodsDelivered(NamedTuple):
    """Orders that arrived this morning."""

    orders: tuple[PurchaseOrder, ...]


class EventBegan(NamedTuple):
    """The first day of an event."""

    event: Event


class PromotionAnnounced(NamedTuple):
    """A promotion that can be joined from now on."""

    promotion: Promotion


News = IdleCharged | OrdersCancelled | GoodsDelivered | EventBegan | PromotionAnnounced


class DayNews(NamedTuple):
    """The news of one morning, in the order in which they came up."""

    date: date
    day: int
    items: list[News]
