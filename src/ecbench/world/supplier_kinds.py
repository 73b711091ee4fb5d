"""The kinds of suppliers: what a roster may hold, and how many of each the published one does.

How a template bargains stands in `suppliers/templates.py`, and all that makes a scam what it is in
`suppliers/scams.py`. A new scam is a name here and a record there.
"""

from typing import Literal

Template = Literal["expressive", "candid", "stochastic", "taciturn", "strategic", "adversarial"]
Scam = Literal["", "vip_fee", "future_discount", "fake_urgency", "qty_bait", "quality_downgrade"]  # "": honest

# A roster of another length keeps the proportions. A kind that is missing here is drawn for no fresh world.
HONEST: dict[Template, int] = {
    "expressive": 102,
    "candid": 106,
    "stochastic": 58,
    "taciturn": 56,
    "strategic": 54,
    "adversarial": 48,
}
FRAUDULENT: dict[Scam, int] = {
    "vip_fee": 31,
    "future_discount": 31,
    "qty_bait": 30,
    "quality_downgrade": 30,
    "fake_urgency": 30,
}
