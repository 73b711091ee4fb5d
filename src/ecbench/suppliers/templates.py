"""How a supplier bargains: templates, presets and scams as tables (tab:presets, tab:fraud_catalog)."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from ecbench.world.model import Scam, Template

Stance = Literal["conciliatory", "neutral", "aggressive"]
Cues = Literal["drawn", "silent", "hostile"]
STANCES: tuple[Stance, ...] = ("conciliatory", "neutral", "aggressive")


@dataclass(frozen=True, slots=True)
class Preset:
    """Reciprocity by stance, in the order of STANCES, and the noise of a quote."""

    rho: tuple[float, float, float]
    xi: tuple[float, float, float]
    lambda2: tuple[float, float, float]
    sigma_p: float


PRESETS = MappingProxyType(
    {
        "type-instrumental": Preset((0.0, -0.25, -0.75), (0.40, 0.0, -0.50), (0.30, 0.50, 1.00), 0.01),
        "high-reactivity": Preset((0.0, -0.75, -1.50), (0.40, 0.0, -0.75), (0.45, 0.90, 1.80), 0.03),
        "moderate-stochastic": Preset((0.0, -0.50, -1.10), (0.35, 0.0, -0.60), (0.35, 0.70, 1.40), 0.08),
        "hardball": Preset((-0.25, -1.25, -2.25), (0.0, -0.50, -1.20), (0.60, 1.40, 2.60), 0.01),
    }
)


@dataclass(frozen=True, slots=True)
class Manner:
    """A supplier's way of bargaining, resolved at its own stance."""

    urgency: float  # kappa
    stance_sign: int  # +1 aggressive, -1 conciliatory, 0 neutral
    rho: float
    xi: float
    lambda2: float
    sigma_p: float
    cues: Cues
    cue_temperature: float  # T_f
    cue_spread: float  # sigma_f


def _manner(preset: str, urgency: float, stance: Stance, cues: Cues, *, erratic: bool = False) -> Manner:
    column = STANCES.index(stance)
    row = PRESETS[preset]
    return Manner(
        urgency=urgency,
        stance_sign=column - 1,
        rho=row.rho[column],
        xi=row.xi[column],
        lambda2=row.lambda2[column],
        sigma_p=row.sigma_p,
        cues=cues,
        cue_temperature=2.5 if erratic else 1.0,
        cue_spread=2.0 if erratic else 0.75,
    )


HONEST_MANNERS: MappingProxyType[Template, Manner] = MappingProxyType(
    {
        "expressive": _manner("high-reactivity", 0.70, "conciliatory", "drawn"),
        "candid": _manner("type-instrumental", 0.65, "neutral", "drawn"),
        "stochastic": _manner("moderate-stochastic", 0.60, "neutral", "drawn", erratic=True),
        "taciturn": _manner("type-instrumental", 0.60, "aggressive", "silent"),
        "strategic": _manner("high-reactivity", 0.55, "aggressive", "silent"),
        "adversarial": _manner("hardball", 0.50, "aggressive", "hostile"),
    }
)

# Every scam bargains as hardball and shows the adversarial cues, so that tone never tells one from another.
SCAM_MANNERS: MappingProxyType[Scam, Manner] = MappingProxyType(
    {
        "vip_fee": _manner("hardball", 0.15, "aggressive", "hostile"),
        "future_discount": _manner("hardball", 0.20, "aggressive", "hostile"),
        "fake_urgency": _manner("hardball", 0.20, "aggressive", "hostile"),
        "qty_bait": _manner("hardball", 0.35, "neutral", "hostile"),
        "quality_downgrade": _manner("hardball", 0.35, "neutral", "hostile"),
    }
)

PRE_DEAL_SCAMS: frozenset[Scam] = frozenset({"vip_fee", "future_discount", "fake_urgency"})
PRE_DEAL_MARKUP = 1.5  # theta


def manner_of(template: Template, scam: Scam) -> Manner:
    return SCAM_MANNERS[scam] if scam else HONEST_MANNERS[template]
