"""Sessions and years small enough to work out by hand."""

from collections.abc import Callable, Iterable
from datetime import date, timedelta
from typing import Any

import pytest

from ecbench.market.economy import Economy
from ecbench.market.filed import DayRecord, PurchaseOrder
from ecbench.market.marketplace import Account, open_marketplace
from ecbench.rules import DEFAULT_RULES
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.records import Session
from ecbench.world.model import Category, Product, StoreType, Supplier, World

START = date(2026, 1, 1)
MUG = Product("mug", "Mugs", "Own", "A mug", "Small", 100.0, 0.1)

ROSTER = (
    Supplier("S1", "Alder", "alder@x", "candid", "", "Mugs", 10),
    Supplier("S2", "Birch", "birch@x", "candid", "", "Mugs", 10),
    Supplier("S3", "Cedar", "cedar@x", "taciturn", "", "Mugs", 10),
    Supplier("S4", "Dogwood", "dogwood@x", "adversarial", "", "Mugs", 10),
    Supplier("S5", "Elm", "elm@x", "adversarial", "vip_fee", "Mugs", 10),
    Supplier("S6", "Fir", "fir@x", "adversarial", "qty_bait", "Mugs", 10),
)


class FiledDesk(SupplierDesk):
    """A desk with some concluded sessions."""

    def __init__(self, sessions: Iterable[Session] = ()) -> None:
        super().__init__()
        self._sessions = list(sessions)

    @property
    def sessions(self) -> list[Session]:
        return self._sessions


BARGAIN = Session(
    supplier="Alder",
    sku="mug",
    honest=True,
    template="candid",
    scam="",
    reference_price=100.0,
    floor=50.0,
    opening_target=80.0,
    agent_prices=(),
    supplier_prices=(),
    turns=3,
    outcome="Agreement",
    final_price=75.0,
    closed_by="SupplierAccept",
    day_opened=0,
    day_concluded=1,
    critical_violations=(),
    secondary_violations=(),
)
LEFT = BARGAIN._replace(outcome="Disagreement", final_price=None, closed_by="AgentReject")


def _session(price: float | None, day: int = 1, *, honest: bool = True, **fields: Any) -> Session:
    """An agreement at a price, or a walk-away at none; by default an honest bargain over 50 to 100."""
    made = LEFT if price is None else BARGAIN._replace(final_price=price)
    return made._replace(day_concluded=day, honest=honest, scam="" if honest else "qty_bait", **fields)


@pytest.fixture
def session() -> Callable[..., Session]:
    return _session


@pytest.fixture
def account() -> Account:
    """The first morning of a year in a market of one shop, one product and six suppliers."""
    shops = StoreType("S01", "Kitchen", 3, 100.0, 1.0, (1.0,) * 12, ("Mugs",))
    mugs = Category("Mugs", "S01", "Small", 10, 200, 30, 60, 0.1, 0.2, "", "linear", 1.0, 0.8, 0.5, 0.9, "10-200")
    world = World("tiny", 1, START, 365, (shops,), (mugs,), (MUG,), ROSTER)
    return open_marketplace(Economy(world, DEFAULT_RULES), days=365, stake=1_000.0).accounts[0]


@pytest.fixture
def order(account: Account) -> Callable[..., None]:
    """Charge an order to the books of `year`: ten mugs at a price, or a membership fee."""

    def place(supplier: str, charged: float, *, quantity: int = 10, fee: bool = False) -> None:
        now = 9 * 60
        account.books.orders.append(
            PurchaseOrder(
                number=len(account.books.orders) + 1,
                day=0,
                placed=now,
                supplier=supplier,
                product=None if fee else MUG,
                quantity=1 if fee else quantity,
                unit_price=charged if fee else charged / quantity,
                charged=charged,
                delivered=0 if fee else quantity // 2,
                defective=False,
                arrives=now + 3 * 24 * 60,
            )
        )

    return place


@pytest.fixture
def morning(account: Account) -> Callable[..., None]:
    """Record one more morning in the books of `year`."""

    def record(*, bank: float, wallet: float = 0.0, escrow: float = 0.0, units: int = 0) -> None:
        account.market.day += 1
        today = START + timedelta(days=account.market.day)
        total = bank + wallet + escrow
        account.books.days.append(DayRecord(account.market.day, today, bank, wallet, escrow, total, 1, units, 0.0, ()))

    return record
