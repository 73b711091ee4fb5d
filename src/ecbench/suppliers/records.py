"""What passed between a merchant and its suppliers: letters, decisions, orders, and concluded bargains."""

from datetime import date
from typing import Literal, NamedTuple

from msgspec import Struct

from ecbench.suppliers.kernel import Sentiment
from ecbench.world.model import Product
from ecbench.world.supplier_kinds import Scam, Template

MERCHANT = "agent"
MEMBERSHIP_FEE = "MEMBERSHIP_FEE"
Verdict = Literal["Offer", "Accept", "Reject", "Error"]
Outcome = Literal["Agreement", "Disagreement"]
ClosedBy = Literal["SupplierAccept", "AgentAccept", "SupplierReject", "AgentReject"]


class Letter(NamedTuple):
    """One message of either side, as it was sent."""

    sender: str  # MERCHANT, or the supplier's name
    day: date
    minute: int
    content: str


class Exchange(Struct, frozen=True):
    """A message to a supplier and its reply."""

    supplier: str
    day: date
    minute: int
    content: str
    reply: str
    ordered: bool  # whether it ended in an order

    @property
    def letters(self) -> tuple[Letter, Letter]:
        return (
            Letter(MERCHANT, self.day, self.minute, self.content),
            Letter(self.supplier, self.day, self.minute, self.reply),
        )


class Decision(Struct):
    """The public result of one action of a message."""

    sku: str
    verdict: Verdict
    price: float | None
    round: int
    quantity: int = 1
    product: Product | None = None  # None: not a SKU of this supplier's
    tone: Sentiment | None = None  # of a counter-offer alone; an end has its own fixed tone
    by_agent: bool = False  # of a Reject: who walked away
    error_code: str | None = None


class OrderResult(Struct, frozen=True):
    """The result of an order that a message asked for."""

    sku: str  # MEMBERSHIP_FEE for a fee
    quantity: int
    agreed_price: float | None = None  # None: a fee
    unit_price: float = 0.0
    charged: float = 0.0
    total: float = 0.0  # the charge, to the cent
    refusal: str | None = None  # None: the order went through
    missing: float = 0.0  # yuan that the bank lacked for it
    number: int = 0  # of the purchase order; 0: none

    @property
    def placed(self) -> bool:
        return self.refusal is None


class Response(Struct, frozen=True):
    """The result of one message."""

    reply: str
    answers: list[Decision]
    orders: list[OrderResult]
    closed: bool = False  # the supplier had closed before this message
    over_limit: int = 0  # blocks of the message that exceed the limits, and were not read


class Session(NamedTuple):
    """One concluded bargain over one SKU, as the metrics read it (app:nego_metrics)."""

    supplier: str
    sku: str
    honest: bool
    template: Template
    scam: Scam
    reference_price: float
    floor: float  # the honest cost floor, also of a fraudulent supplier
    opening_target: float
    agent_prices: tuple[float, ...]
    supplier_prices: tuple[float, ...]
    turns: int  # every quote and offer of either side, and the closing move
    outcome: Outcome
    final_price: float | None  # as agreed: neither rounded nor raised
    closed_by: ClosedBy
    day_opened: int
    day_concluded: int
    critical_violations: tuple[str, ...]  # one entry per offending offer, in order
    secondary_violations: tuple[str, ...]
