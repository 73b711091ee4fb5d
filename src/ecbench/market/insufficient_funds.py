"""What is told where the bank does not hold enough, and how that is recognized in a reply.

Wording and pattern stand together, so that whoever changes one sees the other.
"""

import re

from ecbench.number_words import amount

_YUAN = r"-?\d(?:[\d,.]*\d)?"
_BANK = "the bank holds ¥"
_SHORT = (
    re.compile(rf"{_BANK}(?P<bank>{_YUAN}) and the order costs ¥(?P<price>{_YUAN})"),
    re.compile(rf"opening a store costs ¥(?P<price>{_YUAN}) and {_BANK}(?P<bank>{_YUAN})"),
)


def order_too_dear(bank: float, price: float) -> str:
    return f"{_BANK}{bank:,.2f} and the order costs ¥{price:,.2f}; withdraw from the wallet or order less"


def store_too_dear(fee: float, bank: float) -> str:
    return f"opening a store costs ¥{amount(fee)} and {_BANK}{bank:,.2f}; withdraw from the wallet first"


def missing_in(reply: str) -> float:
    """What the bank lacked for what was asked, at most; 0 where it lacked nothing."""
    if _BANK not in reply:
        return 0.0
    told = [found for pattern in _SHORT for found in pattern.finditer(reply)]
    return max((_yuan(found["price"]) - _yuan(found["bank"]) for found in told), default=0.0)


def _yuan(text: str) -> float:
    return float(text.replace(",", ""))
