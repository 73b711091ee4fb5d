"""The words a report uses for templates and labels, so that scripts written for published results read ours."""

from ecbench.suppliers.scams import SCHEMES
from ecbench.world.model import Supplier
from ecbench.world.supplier_kinds import Scam, Template

FAMILIES: dict[Template, str] = {
    "expressive": "Expressive",
    "candid": "Candid",
    "stochastic": "Stochastic",
    "taciturn": "Taciturn",
    "strategic": "Strategic",
    "adversarial": "Adversarial",
}
PERSONALITIES: dict[Template, str] = {
    "expressive": "Enthusiastic",
    "stochastic": "Unpredictable",
    "candid": "Friendly",
    "strategic": "Strategic",
    "adversarial": "Tough",
    "taciturn": "Professional",
}
_PUBLISHED: tuple[Scam, ...] = ("vip_fee", "qty_bait", "quality_downgrade", "fake_urgency", "future_discount")
SCAMS: tuple[Scam, ...] = (*_PUBLISHED, *(scam for scam in SCHEMES if scam not in _PUBLISHED))


def family(template: Template, *, honest: bool) -> str:
    """Every scam bargains the adversarial way, whatever template its supplier is written down under."""
    return FAMILIES[template] if honest else FAMILIES["adversarial"]


def honesty(honest: bool) -> str:
    return "good" if honest else "bad"


def personality(supplier: Supplier) -> str:
    return PERSONALITIES[supplier.template]
