"""The kinds of suppliers that a roster may contain, and how many of each the generator deals."""

from typing import Literal

Template = Literal["expressive", "candid", "stochastic", "taciturn", "strategic", "adversarial"]
Scam = Literal["", "vip_fee", "future_discount", "fake_urgency", "qty_bait", "quality_downgrade"]  # "": honest

# Counts of the published roster, which the default world has. The roster of a fresh world keeps the proportions: a scam
# that is added here changes the ids of fresh worlds, never that of the default world.
HONEST: dict[Template, int] = {
    "expressive": 102,
    "candid": 106,
    "stochastic": 58,
    "taciturn": 56,
    "strategic": 54,
    "adversarial": 48,
}
FRESH_FRAUDULENT: dict[Scam, int] = {
    "vip_fee": 31,
    "future_discount": 31,
    "qty_bait": 30,
    "quality_downgrade": 30,
    "fake_urgency": 30,
}
