"""What a reader who does not know the program is told instead of its keys."""

from collections.abc import Mapping

from ecbench.metrics.labels import PERSONALITIES
from ecbench.world.supplier_kinds import Scam

SCAM_NAMES: Mapping[Scam, str] = {
    "vip_fee": "membership fee",
    "future_discount": "promised discount",
    "fake_urgency": "false urgency",
    "qty_bait": "short delivery",
    "quality_downgrade": "defective goods",
}
FRAUDULENT = "fraudulent"


def kind_name(kind: str) -> str:
    """How a supplier bargains, or how it cheats."""
    known: dict[str, str] = {scam: f"cheat: {name}" for scam, name in SCAM_NAMES.items()}
    known |= {template: name.lower() for template, name in PERSONALITIES.items()}
    return known.get(kind, spaced(kind))


def spaced(key: str) -> str:
    return key.replace("_", " ")
