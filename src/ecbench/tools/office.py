"""What a tool works on, and how it writes JSON."""

import json
from dataclasses import dataclass, field

from orjson import dumps

from ecbench.market.books import Store
from ecbench.market.marketplace import Account
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.voices import Voice

Reply = dict[str, object]
CLOCK = tuple(f"{minute // 60:02d}:{minute % 60:02d}" for minute in range(24 * 60))


class Refused(Exception):
    """A call that cannot be carried out as things stand. The message says what would be right."""

    def __init__(self, message: str, *, missing: float = 0.0) -> None:
        super().__init__(message)
        self.missing = missing  # yuan that the bank lacked


# A line of `trace_return_sources` as JSON, behind what lines are sorted by: the rate, highest first, and the SKU.
TraceRow = tuple[float, str, str]


@dataclass(slots=True, init=False)
class Trace:
    """What `trace_return_sources` last showed of a SKU, as JSON, and of which figures."""

    delivered: int
    sold: int
    returned: int
    product: str  # the part that never changes
    sources: str  # the part that stays as it is until a delivery
    row: TraceRow

    def __init__(self, delivered: int, sold: int, returned: int, product: str, sources: str, row: TraceRow) -> None:
        self.delivered = delivered
        self.sold = sold
        self.returned = returned
        self.product = product
        self.sources = sources
        self.row = row


# What `check_warehouse` last showed of a SKU: the units, what one cost, and both as JSON.
FreeUnits = tuple[int, float, str]


@dataclass(slots=True)
class Office:
    """A merchant's desk: the account, the correspondence with suppliers, and the voice they speak with."""

    account: Account
    desk: SupplierDesk
    voice: Voice
    # What two tools last showed of each SKU.
    traces: dict[str, Trace] = field(default_factory=dict)
    free_units: dict[str, FreeUnits] = field(default_factory=dict)
    # Items of the call at hand that were not carried out, and the yuan that the bank lacked for one of them, at most.
    item_errors: int = 0
    missing: float = 0.0

    @property
    def current_time(self) -> str:
        return f"{self.account.market.today} {CLOCK[self.account.minute]}"

    def note_item_error(self, missing: float = 0.0) -> None:
        """The reply of the call at hand will report an item that was not carried out."""
        self.item_errors += 1
        self.missing = max(self.missing, missing)

    def copy(self, account: Account) -> "Office":
        """The office of the same merchant in a copy of its marketplace."""
        return Office(
            account=account,
            desk=self.desk.copy(),
            voice=self.voice,
            traces=self.traces.copy(),
            free_units=self.free_units.copy(),
        )


# What replies show where there is nothing to add: a whole number. A compiled sum would be the float 0.0.
NOTHING: object = 0


def json_text(prepared: object) -> str:
    """For replies that are put together from prepared text."""
    try:
        return dumps(prepared).decode()
    except TypeError:  # a world may hold text that no UTF-8 does
        return json.dumps(prepared, separators=(",", ":"))


def json_members(figures: Reply) -> str:
    """What stands between the braces of a JSON object."""
    return json_text(figures)[1:-1]


def open_store_named(office: Office, store_id: str) -> Store:
    store = office.account.books.stores.get(store_id)
    if store is None or not store.is_open:
        state = "does not exist" if store is None else "is closed"
        ids = [s.id for s in office.account.books.trading]
        choice = f"open stores: {', '.join(ids)}" if ids else "no store is open; open one with open_store"
        raise Refused(f"store {store_id[:40]!r} {state}; {choice}")
    return store
