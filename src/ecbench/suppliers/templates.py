"""How a supplier bargains: presets and honest templates as tables (tab:presets)."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from ecbench.world.supplier_kinds import Template

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

    preset: str
    urgency: float  # kappa
    stance_sign: int  # +1 aggressive, -1 conciliatory, 0 neutral
    rho: float
    xi: float
    lambda2: float
    sigma_p: float
    cues: Cues
    cue_temperature: float  # T_f
    cue_spread: float  # sigma_f


def manner(preset: str, urgency: float, stance: Stance, cues: Cues, *, erratic: bool = False) -> Manner:
    """A preset at a stance."""
    column = STANCES.index(stance)
    row = PRESETS[preset]
    return Manner(
        preset=preset,
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
        "expressive": manner("high-reactivity", 0.70, "conciliatory", "drawn"),
        "candid": manner("type-instrumental", 0.65, "neutral", "drawn"),
        "stochastic": manner("moderate-stochastic", 0.60, "neutral", "drawn", erratic=True),
        "taciturn": manner("type-instrumental", 0.60, "aggressive", "silent"),
        "strategic": manner("high-reactivity", 0.55, "aggressive", "silent"),
        "adversarial": manner("hardball", 0.50, "aggressive", "hostile"),
    }
)
