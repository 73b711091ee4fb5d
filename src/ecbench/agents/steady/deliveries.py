"""What came in: deliveries are held against orders, and the warehouse goes onto the shelves."""

from dataclasses import dataclass
from itertools import combinations
from math import sqrt

from ecbench.agents.protocol import Errand
from ecbench.agents.reading import count, mapping, number, rows, share, text
from ecbench.agents.steady.desk import ask_one
from ecbench.agents.steady.notebook import Notebook, Source
from ecbench.agents.steady.planning import expected_returns
from ecbench.agents.steady.pricing import list_ratio
from ecbench.agents.steady.promotions import Promotions
from ecbench.sums import added

BLAME_SHARE = 0.5  # of a product's deliveries: enough to answer for its returns
ALARM_SALES = 15
RETURN_DAYS = 8  # after which most of what comes back has come
EARLY_RETURNS = 0.4  # share of it that comes sooner
LIKELY_DELIVERY = 0.5  # of what is on its way
PUBLISH_MINUTES = 20


def put_on_shelves(book: Notebook, promotions: Promotions) -> Errand[None]:
    """Everything in the warehouse that an open store may sell goes on its shelf."""
    reply = yield from ask_one(book, "check_warehouse")
    items = {sku: item for sku, item in mapping(reply, "items").items() if isinstance(item, dict)}
    book.free = {sku: count(item, "quantity") for sku, item in items.items() if sku in book.goods}
    for sku, units in book.free.items():
        # Returns come back in ones and twos; a larger lot is a delivery. The trace settles it for good.
        if units >= LIKELY_DELIVERY * book.coming.get(sku, 0):
            book.coming.pop(sku, None)
    for trade in book.open_trades:
        listing = [(book.goods[sku], units) for sku, units in book.free.items() if book.goods[sku].line in trade.lines]
        plan = []
        for item, units in listing:
            ratio = book.ratios[item.sku] = list_ratio(trade, item, promotions)
            plan.append({"product_id": item.sku, "quantity": units, "retail_price": round(ratio * item.reference, 2)})
        if plan and book.has_time_for(PUBLISH_MINUTES):
            reply = yield from ask_one(book, "publish_to_store", store_id=trade.store, plan=plan)
            for row in rows(reply, "results"):
                sku = text(row, "product_id")
                if row.get("success") is True and sku in book.free:
                    book.shelf[sku] = book.shelf.get(sku, 0) + book.free.pop(sku)


def check_deliveries(book: Notebook) -> Errand[None]:
    """Drop suppliers that deliver short or defective goods; learn how much of each line comes back by nature."""
    reply = yield from ask_one(book, "trace_return_sources")
    sources = {source.name: source for line in book.lines.values() for source in line.sources}
    rates: dict[str, list[float]] = {}
    records: dict[str, Record] = {}
    for row in rows(reply, "products"):
        item = book.goods.get(text(row, "product_id"))
        if item is None:
            continue
        natural = share(row, "natural_baseline_return_rate")
        rates.setdefault(item.line, []).append(natural)
        for part in rows(row, "supplier_sources"):
            source = sources.get(text(part, "supplier"))
            if source is None:
                continue
            _receive(source, item.sku, count(part, "units_delivered"))
            if not source.dropped and share(part, "share") >= BLAME_SHARE:
                settled = settled_sales(book, item.sku, number(row, "units_sold"))
                record = records.setdefault(source.name, Record())
                record.sold += settled
                record.returned += number(row, "units_returned")
                record.expected += settled * expected_returns(natural, book.lines[item.line].ratio)
    for name, found in rates.items():
        book.lines[name].returns = added(found) / len(found)
    for name, record in records.items():
        sources[name].dropped |= record.is_alarming()
    book.coming = {}
    for source in sources.values():
        for sku, quantities in source.owed.items():
            if quantities:
                book.coming[sku] = book.coming.get(sku, 0) + sum(quantities)


@dataclass(slots=True)
class Record:
    """Sales of the products that mostly came from one supplier, and the returns that sound goods would have had."""

    sold: float = 0.0
    returned: float = 0.0
    expected: float = 0.0

    def is_alarming(self) -> bool:
        """Defective goods come back at least twice as often; price and freight alone stay below that."""
        return self.sold >= ALARM_SALES and self.returned > 1.6 * self.expected + 2 * sqrt(self.expected + 1)


def settled_sales(book: Notebook, sku: str, sold: float) -> float:
    """Units sold, where those of the last days count in part: what comes back of them has yet to come."""
    notes = book.sales_notes.setdefault(sku, [])
    notes.append((book.day, sold))
    settled = book.day - RETURN_DAYS
    before = next((units for day, units in reversed(notes) if day <= settled), 0.0)  # sales only ever grow
    return before + EARLY_RETURNS * max(0.0, sold - before)


def _receive(source: Source, sku: str, delivered: int) -> None:
    arrived = delivered - source.received.get(sku, 0)
    if arrived <= 0:
        return
    source.received[sku] = delivered
    owed = source.owed.get(sku, [])
    if arrived > sum(owed):
        owed.clear()  # somebody else's order is among it, so it says nothing about ours
        return
    paid_off = subset_of(owed, arrived)
    if paid_off is None:
        source.dropped = True
        owed.clear()
        return
    source.checked = True
    for quantity in paid_off:
        owed.remove(quantity)


def subset_of(owed: list[int], arrived: int) -> tuple[int, ...] | None:
    """The orders that make up a delivery; None if no set of whole orders does, which means it came short."""
    for length in range(1, len(owed) + 1):
        for orders in combinations(owed[:8], length):
            if sum(orders) == arrived:
                return orders
    return None
