"""What an episode can lose money to. docs/review.md defines each cause to the cent."""

from dataclasses import dataclass
from typing import Final

ABOVE_FLOOR: Final = "above_floor"
FEES: Final = "fees"
SHORT_DELIVERY: Final = "short_delivery"
DEFECTIVE: Final = "defective"
UNSOLD: Final = "unsold"
EMPTY_SHELF: Final = "empty_shelf"
PRICE: Final = "price"
CANCELLED: Final = "cancelled"
FREIGHT: Final = "freight"
IDLE_WALLET: Final = "idle_wallet"
CLOSED_STORE: Final = "closed_store"
STORAGE: Final = "storage"
NO_STORE: Final = "no_store"


@dataclass(frozen=True, slots=True)
class Cause:
    """One way to lose money.

    Paid causes share no yuan with one another, so their sum is money that was spent. The others are missed: each is
    computed with everything else as it was, so they may overlap and have no sum.
    """

    key: str
    title: str
    meaning: str
    paid: bool
    explains: str = ""  # the cause that it is a reason of: where weeks are compared it is taken off that one

    @property
    def kind(self) -> str:
        return "paid" if self.paid else "missed"


CAUSES: Final = (
    Cause(
        ABOVE_FLOOR,
        "Paid above the floor",
        "The price over the lowest that an honest supplier would take, for every unit ordered.",
        paid=True,
    ),
    Cause(FEES, "Fees to suppliers", "Membership fees, which bring no goods.", paid=True),
    Cause(SHORT_DELIVERY, "Short deliveries", "Units that were paid for and never came, each at the floor.", paid=True),
    Cause(
        DEFECTIVE,
        "Defective goods",
        "Refunds for units that came back only because a supplier had delivered defective goods.",
        paid=True,
    ),
    Cause(
        UNSOLD,
        "Goods never sold",
        "Units that nobody had bought at the end, each at the floor, less what they brought then.",
        paid=True,
    ),
    Cause(
        EMPTY_SHELF,
        "Sales lost to an empty shelf",
        "The margin of what the day would have sold besides, had no listing been empty or run out.",
        paid=False,
    ),
    Cause(
        PRICE,
        "Margin lost to the price set",
        "What the store was expected to earn less that day than with the best price for the SKU, all else as it was.",
        paid=False,
    ),
    Cause(
        CANCELLED, "Cancelled orders", "The margin of sales that were not shipped in time, or not at all.", paid=False
    ),
    Cause(
        FREIGHT,
        "Freight by the wrong speed",
        "Freight and expected returns of a shipment above those of the speed that costs least.",
        paid=False,
    ),
    Cause(
        IDLE_WALLET,
        "Wallet idle while the bank was short",
        "The part of what empty shelves lost that money in the wallet would have covered.",
        paid=False,
        explains=EMPTY_SHELF,
    ),
    Cause(
        CLOSED_STORE,
        "Profit of a closed store",
        "What a closed store would have earned with the shelf of its last evening, while its slot was empty.",
        paid=False,
    ),
    Cause(STORAGE, "Storage", "What the warehouse charged that morning.", paid=True),
    Cause(NO_STORE, "Charge for having no store", "What the platform charges a merchant without a store.", paid=True),
)
"""In the order of a merchant's work: buying, selling, shipping, running the business."""

CAUSE_BY_KEY: Final = {cause.key: cause for cause in CAUSES}
