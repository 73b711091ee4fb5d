"""What a year can lose money to. docs/review.md defines each cause to the cent."""

from dataclasses import dataclass
from typing import Final

ABOVE_FLOOR: Final = "above_floor"
ABOVE_BEST: Final = "above_best"
FEES: Final = "fees"
SHORT_DELIVERY: Final = "short_delivery"
DEFECTIVE: Final = "defective"
EMPTY_SHELF: Final = "empty_shelf"
PRICE: Final = "price"
CANCELLED: Final = "cancelled"
STORAGE: Final = "storage"
UNSOLD: Final = "unsold"
FREIGHT: Final = "freight"
IDLE_WALLET: Final = "idle_wallet"
EMPTY_SLOT: Final = "empty_slot"
CLOSED_STORE: Final = "closed_store"
WASTED_MINUTES: Final = "wasted_minutes"
IDLE_DAY: Final = "idle_day"


@dataclass(frozen=True, slots=True)
class Cause:
    """One way to lose money.

    The ledger causes share no yuan with one another, so their sum is money that really went. The others are
    opportunities, each worked out with everything else as it was: they may overlap, and their sum means nothing.
    """

    key: str
    title: str
    meaning: str
    ledger: bool  # money that moved through the ledger; else an opportunity, computed with the simulator's functions
    counts: str = "units"  # what the units of its charges are
    explains: str = ""  # the cause that it is a reason of: named before it, taken off it where weeks are compared
    beside: str = ""  # the cause whose money it looks at in another way: shown beside it, never added to it

    @property
    def kind(self) -> str:
        """In words for a person."""
        return "money that went" if self.ledger else "missed"

    @property
    def adds_up(self) -> bool:
        """Whether it belongs into the sum of the ledger causes."""
        return self.ledger and not self.beside


CAUSES: Final = (
    Cause(
        ABOVE_FLOOR,
        "Paid above the supplier's floor",
        "The price paid over the lowest the supplier would have taken, for units that came and did not stay unsold.",
        ledger=True,
    ),
    Cause(
        ABOVE_BEST,
        "Paid above the best price already won",
        "The price paid over the lowest that this merchant had paid for good units of the SKU before.",
        ledger=True,
        beside=ABOVE_FLOOR,
    ),
    Cause(FEES, "Fees to suppliers", "Membership fees, which bring no goods.", ledger=True, counts="fees"),
    Cause(
        SHORT_DELIVERY,
        "Short deliveries",
        "Units that were paid for and never came.",
        ledger=True,
    ),
    Cause(
        DEFECTIVE,
        "Defective goods",
        "Refunds for units that came back only because a supplier had delivered defective goods.",
        ledger=True,
    ),
    Cause(
        EMPTY_SHELF,
        "Sales lost to an empty shelf",
        "The margin of what the day would have sold besides, had no listing been empty or run out.",
        ledger=False,
    ),
    Cause(
        PRICE,
        "Margin lost to the price set",
        "What the store was expected to earn less that day than with the best price for the SKU, all else as it was.",
        ledger=False,
    ),
    Cause(
        CANCELLED,
        "Cancelled orders",
        "The margin of sales that were not sent in time, or not at all.",
        ledger=False,
    ),
    Cause(STORAGE, "Storage", "What the warehouse charged that morning.", ledger=True),
    Cause(
        UNSOLD,
        "Goods never sold",
        "What was paid for units that nobody had bought when the year was over, less what selling them off brought.",
        ledger=True,
    ),
    Cause(
        FREIGHT,
        "Freight by the wrong speed",
        "Freight and expected returns of a shipment above those of the speed that costs least.",
        ledger=False,
    ),
    Cause(
        IDLE_WALLET,
        "Wallet idle while the bank was short",
        "What empty shelves lost, or a bankruptcy ended, while the wallet had the money that the bank lacked.",
        ledger=False,
        counts="yuan",
        explains=EMPTY_SHELF,
    ),
    Cause(
        EMPTY_SLOT,
        "Store slots left empty",
        "The charge for having no store at all; the count is of every empty slot.",
        ledger=True,
        counts="slots",
    ),
    Cause(
        CLOSED_STORE,
        "Trade of a closed store",
        "What a closed store would have earned with the shelf of its last evening, while its slot stood empty.",
        ledger=False,
    ),
    Cause(
        WASTED_MINUTES,
        "Minutes without effect",
        "Working time of calls that failed, and of questions whose answer was already known.",
        ledger=False,
        counts="minutes",
    ),
    Cause(
        IDLE_DAY,
        "Days without effect",
        "Operating costs of a day on which nothing was done and nothing was sold.",
        ledger=True,
        counts="days",
    ),
)
"""In the order of a merchant's work: buying, selling, sending, keeping house."""

CAUSE_BY_KEY: Final = {cause.key: cause for cause in CAUSES}
