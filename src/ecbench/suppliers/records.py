"""Records of orders and of negotiations, as metrics and tables read them."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from ecbench.world.supplier_kinds import Scam, Template

Outcome = Literal["Agreement", "Disagreement"]
ClosedBy = Literal["SupplierAccept", "AgentAccept", "SupplierReject", "AgentReject"]
MEMBERSHIP_FEE = "MEMBERSHIP_FEE"


@dataclass(slots=True)
class OrderResult:
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


class Session(NamedTuple):
    """One concluded bargain over one SKU, as the metrics read it (app:nego_metrics).

    Disagreements are filed when decided, agreements once their order is charged.
    """

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


class OpenSession(NamedTuple):
    """A bargain that has not concluded. It enters no figure of concluded ones."""

    supplier: str
    sku: str
    honest: bool
    template: Template
    scam: Scam
    reference_price: float
    floor: float
    opening_target: float
    agent_prices: tuple[float, ...]
    supplier_prices: tuple[float, ...]
    turns: int  # every quote and offer so far
    standing: float  # the price that an acceptance would have to match
    day_opened: int
