"""Sessions and years small enough to work out by hand."""

from collections.abc import Callable, Iterable
from datetime import date, timedelta

import pytest

from ecbench.market.economy import Economy
from ecbench.market.filed import DayRecord, PurchaseOrder
from ecbench.market.marketplace import Account, open_marketplace
from ecbench.rules import DEFAULT_RULES
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.records import Session
from ecbench.world.model import Category, Product, StoreType, Supplier, World
from ecbench.world.supplier_kinds import Template

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


def _session(
    price: float | None,
    day: int = 1,
    *,
    supplier: str = "Alder",
    sku: str = "mug",
    honest: bool = True,
    template: Template = "candid",
    reference: float = 100.0,
    floor: float = 50.0,
    target: float = 80.0,
    turns: int = 3,
    agent_prices: tuple[float, ...] = (),
    supplier_prices: tuple[float, ...] = (),
    critical: tuple[str, ...] = (),
    secondary: tuple[str, ...] = (),
) -> Session:
    """An agreement at a price, or a walk-away at none; by default an honest bargain over 50 to 100."""
    return Session(
        supplier=supplier,
        sku=sku,
        honest=honest,
        template=template,
        scam="" if honest else "qty_bait",
        reference_price=reference,
        floor=floor,
        opening_target=target,
        agent_prices=agent_prices,
        supplier_prices=supplier_prices,
        turns=turns,
        outcome="Disagreement" if price is None else "Agreement",
        final_price=price,
        closed_by="AgentReject" if price is None else "SupplierAccept",
        day_opened=0,
        day_concluded=day,
        critical_violations=critical,
        secondary_violations=secondary,
    )


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
