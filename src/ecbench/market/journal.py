"""An account's journal: what happened and the books do not keep. The market reports to it and never reads it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal, NamedTuple

from ecbench.market.books import DaySales, Parcel, PendingReturn, SoldGoods, Store
from ecbench.market.day_demand import ShelfDemand
from ecbench.market.demand import NO_OFFER
from ecbench.market.filed import PurchaseOrder
from ecbench.sums import ordered_sum
from ecbench.world.model import Event, Product, Promotion


class IdleCharged(NamedTuple):
    """No store was open, and that cost money."""

    amount: float


class OrdersCancelled(NamedTuple):
    """Customers' orders that were not shipped in time, and the fee for them in a market of several merchants."""

    orders: int
    fee: float


class GoodsDelivered(NamedTuple):
    """Orders that arrived this morning; `numbered` where a report can name one."""

    orders: tuple[PurchaseOrder, ...]
    numbered: bool = False


class EventBegan(NamedTuple):
    """The first day of an event."""

    event: Event


class PromotionAnnounced(NamedTuple):
    """A promotion that can be joined from now on."""

    promotion: Promotion


class MessageReceived(NamedTuple):
    """What a merchant of the same market wrote."""

    sender: int  # its seat
    text: str


class MoneyReceived(NamedTuple):
    """What a merchant of the same market paid."""

    sender: int
    amount: float


Mail = MessageReceived | MoneyReceived
News = IdleCharged | OrdersCancelled | GoodsDelivered | EventBegan | PromotionAnnounced | Mail


class DayNews(NamedTuple):
    """The news of one morning, in the order in which they came up."""

    date: date
    day: int
    items: list[News]


StoreMoment = Literal["opened", "morning", "closed"]


class Sale(NamedTuple):
    """One SKU sold in one store on one day; `lost` units more would have gone had the shelf held them."""

    number: int  # of the shipment
    day: int
    store: str
    goods: SoldGoods
    lost: int


class Sending(NamedTuple):
    day: int
    parcel: Parcel


class Return(NamedTuple):
    day: int
    back: PendingReturn
    refunded: float
    restocked: bool


class SoldOff(NamedTuple):
    """Units of one SKU that were sold off with the store that held them."""

    day: int
    store: str
    product: Product
    quantity: int
    proceeds: float
    cost: float  # of a unit


@dataclass(slots=True)
class StoreEntry:
    """A store when it opened, on a morning after its settlement, or when it closed."""

    moment: StoreMoment
    day: int
    store: str
    reputation: float
    listings: int  # SKUs with units on the shelf
    units: int
    store_saturation: float = 1.0  # the share of the day before's demand that the store type could serve
    promotion: str = ""  # the one that ran the day before
    discount: float = 0.0
    setup: float = 0.0
    operating: float = 0.0
    salvage: float = 0.0


@dataclass(slots=True)
class Journal:
    """Entries in the order of what happened."""

    sales: list[Sale] = field(default_factory=list)
    sent: dict[int, Sending] = field(default_factory=dict)  # by shipment number
    cancelled: dict[int, int] = field(default_factory=dict)  # the day, by shipment number
    returns: list[Return] = field(default_factory=list)
    stores: list[StoreEntry] = field(default_factory=list)
    sold_off: list[SoldOff] = field(default_factory=list)
    # Called with the account every morning, once the demand of the day before is known and before anything is charged.
    on_demand: Callable[[Any], None] | None = None

    def store_opened(self, day: int, store: Store, fee: float) -> None:
        self._enter("opened", day, store).setup = fee

    def store_closed(self, day: int, store: Store, sold_off: Mapping[str, tuple[int, float]]) -> None:
        """`sold_off` has the units and the proceeds of each SKU; the shelf is still as it was."""
        for sku, (quantity, proceeds) in sold_off.items():
            stock = store.shelf[sku].stock
            self.sold_off.append(SoldOff(day, store.id, stock.product, quantity, proceeds, stock.cost))
        self._enter("closed", day, store).salvage = ordered_sum(proceeds for _, proceeds in sold_off.values())

    def goods_sent(self, day: int, numbers: list[int], parcels: list[Parcel]) -> None:
        """What one call shipped: the numbers of the shipments, in the order of their parcels."""
        self.sent |= {number: Sending(day, parcel) for number, parcel in zip(numbers, parcels)}

    def sales_cancelled(self, day: int, sales: DaySales) -> None:
        self.cancelled |= dict.fromkeys(range(sales.first, sales.first + len(sales.goods)), day)

    def goods_returned(self, day: int, returns: list[PendingReturn], refunded: list[float], *, restocked: bool) -> None:
        """`refunded` is what left escrow; the rest of the customers' money is commission that the platform gives
        back. What is refunded when the year ends is not restocked."""
        self.returns += [Return(day, back, taken, restocked) for back, taken in zip(returns, refunded)]

    def morning_settled(self, day: int, stores: list[Store], demand: Mapping[str, ShelfDemand]) -> None:
        """The open stores after a morning's settlement, and the demand for each on the day before."""
        for store in stores:
            sales, shelf = store.sold_yesterday, demand[store.id]
            for number, goods in enumerate(sales.goods, sales.first):
                lost = sales.missed.get(goods.product.sku, 0)
                self.sales.append(Sale(number, day - 1, store.id, goods, lost))
            entry = self._enter("morning", day, store)
            entry.store_saturation, entry.operating = shelf.store_saturation, store.operating
            entry.discount = shelf.offer.discount
            # A store stays enrolled on the morning after a day of the promotion.
            if store.enrolment is not None and shelf.offer is not NO_OFFER:
                entry.promotion = store.enrolment.promotion.name

    def _enter(self, moment: StoreMoment, day: int, store: Store) -> StoreEntry:
        held = [listing.quantity for listing in store.shelf.values() if listing.quantity]
        entry = StoreEntry(moment, day, store.id, store.reputation, len(held), sum(held))
        self.stores.append(entry)
        return entry
