"""Where the money of a year went: by channel, store, goods and supplier, and what was lost on the way."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from ecbench.market.economy import Economy
from ecbench.market.ledger import CHANNELS
from ecbench.metrics.negotiation import overpaid
from ecbench.runs.results.cheat_costs import CheatLine, cheat_lines
from ecbench.runs.results.goods_flow import GoodsFlow, goods_flow
from ecbench.runs.results.negotiation_losses import NegotiationLine, negotiation_lines
from ecbench.runs.results.occasions import EventLine, PromotionLine, event_lines, occasions_of, promotion_lines
from ecbench.runs.results.profit import LOST, GoodsLine, StoreLine, goods_by_shipment, grouped, profit
from ecbench.runs.results.tables import CallRow, OpenSessionRow, OrderRow, SaleRow, SessionRow, YearTables
from ecbench.tools.catalog import WAIT

WORST_NEGOTIATIONS = 10  # where all tables of a year are shown
COMPUTED = ("result", "cost", "loss")  # properties of lines that their JSON has too


@dataclass(frozen=True, slots=True)
class SupplierLine:
    supplier: str
    honest: bool
    template: str
    scam: str
    orders: int
    spend: float
    overpaid: float  # above the honest floor, for units that came or not
    units: int  # delivered
    short_units: int
    defective_units: int

    @property
    def kind(self) -> str:
        """The manner of an honest one, the scam of any other."""
        return self.template if self.honest else self.scam


@dataclass(frozen=True, slots=True)
class ScamLine:
    """Met: bargained with or paid."""

    scam: str
    suppliers_met: int
    suppliers_paid: int
    orders: int
    spend: float
    cost: float  # of its suppliers, see CheatLine


@dataclass(frozen=True, slots=True)
class OrdersKept:
    orders_shipped: int
    orders_cancelled: int
    orders_voided: int
    revenue_lost: float  # net of what was cancelled or voided


@dataclass(frozen=True, slots=True)
class Statement:
    """`outside_stores` and `outside_goods` are what belongs to no line of stores, and of categories and SKUs."""

    channels: dict[str, float]  # signed
    stores: Sequence[StoreLine]
    outside_stores: dict[str, float]  # signed
    categories: Sequence[GoodsLine]
    skus: Sequence[GoodsLine]
    outside_goods: dict[str, float]  # signed
    suppliers: Sequence[SupplierLine]  # most spend first
    scams: Sequence[ScamLine]
    cheats: Sequence[CheatLine]
    negotiations: Sequence[NegotiationLine]  # the worst first
    promotions: Sequence[PromotionLine]
    events: Sequence[EventLine]
    overpaid_honest: float
    overpaid_fraudulent: float
    fulfilment: OrdersKept
    rollovers: dict[str, int]  # mornings that came without a wait, by the tool that reached the evening

    def to_json(self) -> dict[str, Any]:
        """Of the negotiations the worst: there are thousands."""
        plain = {each.name: _json(getattr(self, each.name)) for each in fields(self) if each.name != "negotiations"}
        return plain | {"negotiations": _json(list(self.negotiations[:WORST_NEGOTIATIONS]))}


def statement(tables: YearTables, economy: Economy | None, flow: GoodsFlow | None = None) -> Statement:
    """`economy` has titles, calendar and draws; without it promotions, events and the cost of defects are missing."""
    flow = flow or goods_flow(tables)
    world = economy.world if economy else None
    goods = goods_by_shipment(tables, flow)
    suppliers, cheats = supplier_lines(tables), cheat_lines(tables, economy)
    by_line = profit(tables, flow, goods, world)
    occasions = occasions_of(tables, goods, economy) if economy else None
    last = tables.days[-1]
    return Statement(
        channels={channel: getattr(last, f"{channel}_to_date") for channel in CHANNELS},
        stores=by_line.stores,
        outside_stores=by_line.outside_stores,
        categories=by_line.categories,
        skus=by_line.skus,
        outside_goods=by_line.outside_goods,
        suppliers=suppliers,
        scams=_scams(tables, cheats),
        cheats=cheats,
        negotiations=negotiation_lines(tables, world),
        promotions=promotion_lines(occasions) if occasions else [],
        events=event_lines(occasions) if occasions else [],
        overpaid_honest=sum(line.overpaid for line in suppliers if line.honest),
        overpaid_fraudulent=sum(line.overpaid for line in suppliers if not line.honest),
        fulfilment=_fulfilment(tables.sales),
        rollovers=dict(Counter(row.tool for row in rollovers(tables.calls)).most_common()),
    )


def rollovers(calls: Iterable[CallRow]) -> list[CallRow]:
    """Calls that reached the evening, so that the next morning came before they acted."""
    return [row for row in calls if row.mornings and row.tool != WAIT]


def supplier_lines(tables: YearTables) -> list[SupplierLine]:
    """Those that were paid, the most first."""
    lines = [
        SupplierLine(
            supplier=supplier,
            honest=rows[0].honest,
            template=rows[0].template,
            scam=rows[0].scam,
            orders=len(rows),
            spend=sum(row.charged for row in rows),
            overpaid=sum(overpaid(row.charged, row.quantity, row.floor) for row in rows),
            units=sum(row.delivered for row in rows),
            short_units=sum(row.short_units for row in rows),
            defective_units=sum(row.defective_units for row in rows),
        )
        for supplier, rows in grouped(tables.orders, lambda row: row.supplier).items()
    ]
    return sorted(lines, key=lambda line: (-line.spend, line.supplier))


def _scams(tables: YearTables, cheats: Sequence[CheatLine]) -> list[ScamLine]:
    met: dict[str, set[str]] = {}
    rows: list[SessionRow | OpenSessionRow | OrderRow] = [*tables.sessions, *tables.open_sessions, *tables.orders]
    for row in rows:
        if row.scam:
            met.setdefault(row.scam, set()).add(row.supplier)
    lines = []
    for scam, suppliers in sorted(met.items()):
        paid = [line for line in cheats if line.scam == scam]
        orders, spend, cost = (sum(getattr(line, part) for line in paid) for part in ("orders", "spend", "cost"))
        lines.append(ScamLine(scam, len(suppliers), len(paid), orders, spend, cost))
    return lines


def _fulfilment(sales: Sequence[SaleRow]) -> OrdersKept:
    count = Counter(row.outcome for row in sales)
    lost = sum(row.net for row in sales if row.outcome in LOST)
    return OrdersKept(count["shipped"], count["cancelled"], count["voided"], lost)


def _json(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_json(each) for each in value]
    if hasattr(value, "__dataclass_fields__"):
        computed = [name for name in COMPUTED if hasattr(value, name)]
        return {name: _json(getattr(value, name)) for name in (*(each.name for each in fields(value)), *computed)}
    if isinstance(value, dict):
        return {name: _json(each) for name, each in value.items()}
    return round(value, 2) if isinstance(value, float) else value
