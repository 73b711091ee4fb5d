"""What the books file: structures of msgspec, which compiled code makes in a tenth of the time of a named tuple."""

from datetime import date

from msgspec import Struct

from ecbench.world.model import Product


class PurchaseOrder(Struct):
    """Goods bought or a fee paid, and what will be delivered when."""

    number: int
    day: int
    placed: int  # in minutes since the midnight before the first day
    supplier: str
    product: Product | None  # None: a membership fee, which brings no goods
    quantity: int
    unit_price: float
    charged: float
    delivered: int
    defective: bool
    arrives: int


class DayRecord(Struct, frozen=True):
    """The state of the books after one morning's settlement."""

    day: int
    date: date
    bank: float
    wallet: float
    escrow: float
    total: float
    open_stores: int
    units: int
    storage: float
    flows: tuple[float, ...]  # what each channel of the ledger has moved by then, in their order
    orders_sold: int = 0  # to date
    orders_cancelled: int = 0  # to date
