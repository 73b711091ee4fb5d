"""The state of one merchant: money, stock, stores, shipments, orders, memory. Plain data without rules or caches."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from types import MappingProxyType
from typing import Final, NamedTuple

from ecbench.market.economy import PricedGoods, ProductDemand
from ecbench.market.filed import DayRecord, PurchaseOrder
from ecbench.market.ledger import Purse
from ecbench.world.model import Product, Promotion, StoreType

# Records that are made often have a written constructor: compiled code calls it directly, a generated one takes thirty
# times as many instructions.


AgeSteps = tuple[tuple[int, float], ...]
"""(age in days, multiple of the storage rate from that age on), youngest first (app:econ_costs)."""


NEVER: Final = 1 << 60  # a date ordinal that no day reaches


class Lot(NamedTuple):
    """Units that entered the warehouse together and age together."""

    day: int  # date ordinal
    quantity: int
    step: float  # the storage multiplier of its age
    charge: float  # what it pays a morning


@dataclass(slots=True)
class Stock:
    """One SKU of a merchant: its lots, and how many units are free (not listed in a store)."""

    goods: ProductDemand
    product: Product
    lot_days: list[int] = field(default_factory=list)
    lot_units: list[int] = field(default_factory=list)
    lot_steps: list[float] = field(default_factory=list)
    lot_charges: list[float] = field(default_factory=list)
    ages_on: int = NEVER  # no lot's storage grows dearer before this date ordinal
    free: int = 0
    cost: float = 0.0  # of a unit, on average over those held
    delivered: int = 0
    defective: int = 0
    sold: int = 0
    returned: int = 0
    cancelled: int = 0
    restocked: int = 0  # returned units that came back to the warehouse; those refunded at the end of the year did not
    liquidated: int = 0
    by_supplier: Mapping[str, int] = field(default_factory=dict)  # a delivery makes a new one, so copies share it
    defective_share: float = 0.0  # of everything ever delivered
    storage_rate: float = 0.0  # of a unit that has just come in
    age_steps: AgeSteps = ()
    first_age: int = NEVER  # from which on a lot's storage is dearer than at first
    # Recent prices with their date ordinals, each lower than all later ones; only if promotions remember prices.
    past_prices: tuple[tuple[int, float], ...] = ()

    @property
    def physical(self) -> int:
        """Units that came in and have not left."""
        return sum(self.lot_units)

    @property
    def lots(self) -> list[Lot]:
        return list(map(Lot, self.lot_days, self.lot_units, self.lot_steps, self.lot_charges))

    def copy(self) -> "Stock":
        return replace(
            self,
            lot_days=self.lot_days.copy(),
            lot_units=self.lot_units.copy(),
            lot_steps=self.lot_steps.copy(),
            lot_charges=self.lot_charges.copy(),
        )


@dataclass(slots=True, init=False)
class Listing:
    """A SKU on the shelf of a store."""

    stock: Stock
    quantity: int
    priced: PricedGoods

    def __init__(self, stock: Stock, quantity: int, priced: PricedGoods) -> None:
        self.stock = stock
        self.quantity = quantity
        self.priced = priced

    @property
    def price(self) -> float:
        return self.priced.price

    @property
    def sku(self) -> str:
        return self.stock.product.sku

    @property
    def category(self) -> str:
        return self.stock.product.category


class Enrolment(NamedTuple):
    """A store's part in a promotion."""

    promotion: Promotion
    discount: float


class ReturnLayers(NamedTuple):
    """A unit's return rate as each channel raises it, before the shipping speed is known (eq:e5_layers)."""

    natural: float
    blended: float
    priced: float
    capped: float


@dataclass(slots=True, eq=False)
class SoldGoods:
    """Units of one SKU sold together at one price, and how likely each is to come back. It never changes."""

    product: Product
    quantity: int
    unit_price: float  # after a promotion's discount
    gross: float
    net: float  # after commission
    rates: ReturnLayers  # how the return rate by standard freight came about


@dataclass(slots=True, eq=False)
class Parcel:
    """Goods sent at one speed, with their freight and return rate. It never changes."""

    goods: SoldGoods
    speed: str
    unit_freight: float
    freight: float
    return_rate: float


NOTHING_MISSED: Final[Mapping[str, int]] = MappingProxyType({})


@dataclass(slots=True, eq=False, init=False)
class DaySales:
    """What a store sold on one day, or a part of it; it never changes, so copies of the books share it."""

    store: str
    sold_on: date
    units: int
    first: int  # number of the first shipment
    goods: list[SoldGoods]
    missed: Mapping[str, int]  # by SKU: units that would have sold too had the shelf held them

    def __init__(
        self,
        store: str,
        sold_on: date,
        units: int,
        first: int,
        goods: list[SoldGoods],
        missed: Mapping[str, int] = NOTHING_MISSED,
    ) -> None:
        self.store = store
        self.sold_on = sold_on
        self.units = units
        self.first = first
        self.goods = goods
        self.missed = missed


NOTHING_SOLD: Final = DaySales("", date.min, 0, 1, [])


@dataclass(slots=True)
class PendingReturn:
    """Units that a customer is sending back. It never changes, so copies of the books share it."""

    number: int  # of the shipment
    store: str
    goods: SoldGoods
    quantity: int
    freight: float  # outbound freight of the returned units
    matures: int  # date ordinal on which the shipment's revenue leaves escrow
    index: int  # of the shipment in the escrow of that date


@dataclass(slots=True)
class Store:
    """A store, open or closed: its shelf, its reputation, and the sales of its last morning."""

    id: str
    type: StoreType
    name: str
    opened: date
    reputation: float
    is_open: bool = True
    shelf: dict[str, Listing] = field(default_factory=dict)
    enrolment: Enrolment | None = None
    operating: float = 0.0  # what its last day cost
    sold_yesterday: DaySales = NOTHING_SOLD
    # Units that came back and parcels that were sent since those sales, in the order of both.
    moved: list[PendingReturn | Parcel] = field(default_factory=list)
    shipped: int = 0  # units to date
    recent_sold: float = 0.0  # the three decaying counters behind the service penalty
    recent_returned: float = 0.0
    recent_cancelled: float = 0.0
    was: dict[str, float] = field(default_factory=dict)  # by SKU: the crossed-out price beside its own

    @property
    def listings(self) -> int:
        """The number of listings with units."""
        return sum([listing.quantity > 0 for listing in self.shelf.values()])

    def copy(self, stock: dict[str, Stock]) -> "Store":
        shelf = {sku: Listing(stock[sku], listing.quantity, listing.priced) for sku, listing in self.shelf.items()}
        return replace(self, shelf=shelf, moved=self.moved.copy(), was=self.was.copy())


@dataclass(slots=True)
class Books:
    """Everything one merchant owns, owes and expects."""

    purse: Purse
    stock: dict[str, Stock] = field(default_factory=dict)
    stores: dict[str, Store] = field(default_factory=dict)  # in opening order, closed ones included
    trading: list[Store] = field(default_factory=list)  # the open ones among them
    units: int = 0  # in the warehouse and on the shelves together
    ages_on: int = NEVER  # no lot's storage grows dearer before this date ordinal
    pending: list[DaySales] = field(default_factory=list)  # still to be sent, in order of sale
    shipment_count: int = 0  # one for each SKU sold on a day in a store
    returns: dict[int, list[PendingReturn]] = field(default_factory=dict)  # by date ordinal of arrival
    orders: list[PurchaseOrder] = field(default_factory=list)
    in_transit: dict[int, list[PurchaseOrder]] = field(default_factory=dict)  # by the day whose morning receives them
    sent: list[Parcel] = field(default_factory=list)
    orders_cancelled: int = 0
    refund_loss: float = 0.0
    freight_loss: float = 0.0
    memory: dict[str, str] = field(default_factory=dict)
    announced: set[str] = field(default_factory=set)
    days: list[DayRecord] = field(default_factory=list)
    unpaid_days: int = 0
    storage_today: float = 0.0
    closing_stock: float = 0.0  # what unsold goods brought when the year ended; part of the channel of salvage

    def copy(self) -> "Books":
        stock = {sku: held.copy() for sku, held in self.stock.items()}
        stores = {name: store.copy(stock) for name, store in self.stores.items()}
        return replace(
            self,
            purse=self.purse.copy(),
            stock=stock,
            stores=stores,
            trading=[stores[store.id] for store in self.trading],
            pending=self.pending.copy(),
            returns={day: coming.copy() for day, coming in self.returns.items()},
            orders=self.orders.copy(),
            in_transit={day: orders.copy() for day, orders in self.in_transit.items()},
            sent=self.sent.copy(),
            memory=self.memory.copy(),
            announced=self.announced.copy(),
            days=self.days.copy(),
        )
