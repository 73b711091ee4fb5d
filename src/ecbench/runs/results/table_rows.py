"""The tables of an episode: a type for the rows of each, whose fields are its columns.

A table is a field of `YearTables`; `results.db`, data frames and exports follow from it. `year_tables` fills them, and
the reference of the docs explains every column (docs/site_build/meanings.toml).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import Literal, NamedTuple, get_args, get_type_hints

from ecbench.market.conduct import Verdict
from ecbench.market.journal import StoreMoment
from ecbench.metrics.losses.account import Loss
from ecbench.metrics.losses.failure_modes import Hit
from ecbench.metrics.solvency import Kind
from ecbench.suppliers.records import ClosedBy, Outcome
from ecbench.world.supplier_kinds import Scam, Template

SaleOutcome = Literal["shipped", "cancelled", "voided", "waiting"]


class DayRow(NamedTuple):
    row: Kind
    day: int
    date: date
    bank: float
    wallet: float
    escrow: float
    total: float
    open_stores: int
    units: int
    storage: float
    orders_sold: int
    orders_cancelled: int
    orders_voided: int
    setup_to_date: float
    operating_to_date: float
    idle_to_date: float
    storage_to_date: float
    freight_to_date: float
    procurement_to_date: float
    fees_to_date: float
    revenue_to_date: float
    refunds_to_date: float
    salvage_to_date: float


class SaleRow(NamedTuple):
    shipment: int
    day: int
    store: str
    sku: str
    category: str
    units: int
    price: float
    reference_price: float
    gross: float
    commission: float
    net: float
    lost_units: int
    outcome: SaleOutcome
    outcome_day: int | None
    speed: str
    freight: float
    cost: float  # of its units, on average over those in stock that day, less those that came back to the warehouse


class ReturnRow(NamedTuple):
    day: int
    store: str
    sku: str
    category: str
    shipment: int
    units: int
    price: float
    refund: float
    from_escrow: float
    freight: float
    restocked: bool
    speed: str
    natural_rate: float
    blended_rate: float
    priced_rate: float
    capped_rate: float
    return_rate: float


class StoreRow(NamedTuple):
    row: StoreMoment
    day: int
    store: str
    type: str
    name: str
    reputation: float
    listings: int
    units: int
    capacity_used: float
    promotion: str
    discount: float
    setup: float
    operating: float
    salvage: float


class LiquidationRow(NamedTuple):
    day: int
    store: str
    sku: str
    category: str
    units: int
    proceeds: float
    cost: float  # of the units


class SessionRow(NamedTuple):
    session: int
    supplier: str
    sku: str
    category: str
    honest: bool
    template: Template
    scam: Scam
    reference_price: float
    floor: float
    opening_target: float
    agent_prices: tuple[float, ...]
    supplier_prices: tuple[float, ...]
    turns: int
    outcome: Outcome
    final_price: float | None
    closed_by: ClosedBy
    day_opened: int
    day_concluded: int
    critical_violations: tuple[str, ...]
    secondary_violations: tuple[str, ...]


class OpenSessionRow(NamedTuple):
    supplier: str
    sku: str
    category: str
    honest: bool
    template: Template
    scam: Scam
    reference_price: float
    floor: float
    opening_target: float
    agent_prices: tuple[float, ...]
    supplier_prices: tuple[float, ...]
    turns: int
    standing: float
    day_opened: int


class OrderRow(NamedTuple):
    order: int
    session: int | None
    day: int
    placed: datetime
    supplier: str
    sku: str
    category: str
    honest: bool
    template: Template
    scam: Scam
    quantity: int
    unit_price: float
    floor: float | None
    charged: float
    delivered: int
    short_units: int
    defective_units: int
    arrives: datetime
    day_received: int | None


class CallRow(NamedTuple):
    call: int
    turn: int
    day: int
    time: str
    tool: str
    minutes: int
    mornings: int
    ok: bool
    error: str


class PromotionRow(NamedTuple):
    """One store's part in one promotion."""

    promotion: str
    store: str
    type: str
    first: int
    last: int
    days: int
    discount: float  # on the last day
    units: int
    given: float  # by the discount, of what was charged
    earned: float
    added: float


class EventRow(NamedTuple):
    """One event. Its days count in the stores whose demand it changed; its delays by the orders placed meanwhile."""

    event: str
    first: int
    last: int
    stores: str  # with their demand's factor
    units: int
    earned: float
    added: float
    delayed_orders: int


class ProductRow(NamedTuple):
    """A product that was bargained for or bought."""

    sku: str
    title: str


class StockAgeRow(NamedTuple):
    """Units in the warehouse on the morning of every seventh day and of the last, by the days since they came."""

    day: int
    age: int
    units: int


class ConductRow(NamedTuple):
    """One entry of the ledger of conduct."""

    entry: int
    turn: int
    day: int
    tool: str
    kind: str
    about: str
    sku: str
    stated: float
    truth: float | None
    verdict: Verdict
    gain: float


@dataclass(frozen=True, slots=True)
class YearTables:
    """A year as tables: a field for each."""

    days: Sequence[DayRow] = ()
    sales: Sequence[SaleRow] = ()
    returns: Sequence[ReturnRow] = ()
    stores: Sequence[StoreRow] = ()
    liquidations: Sequence[LiquidationRow] = ()
    sessions: Sequence[SessionRow] = ()
    open_sessions: Sequence[OpenSessionRow] = ()
    orders: Sequence[OrderRow] = ()
    calls: Sequence[CallRow] = ()
    losses: Sequence[Loss] = ()
    failures: Sequence[Hit] = ()  # where failure modes showed
    promotions: Sequence[PromotionRow] = ()
    events: Sequence[EventRow] = ()
    products: Sequence[ProductRow] = ()
    stock_ages: Sequence[StockAgeRow] = ()
    conduct: Sequence[ConductRow] = ()


ROW_TYPES: Mapping[str, type] = {
    table.name: get_args(get_type_hints(YearTables)[table.name])[0] for table in fields(YearTables)
}
"""By the name of a table: the type of its rows."""
