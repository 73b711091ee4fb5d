"""The scams, one record each (tab:fraud_catalog).

A scam with a story lies in its letters and has a raised floor. One without a story cheats with the goods.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ecbench.suppliers.templates import Manner, manner
from ecbench.suppliers.wording import Phrases, phrases
from ecbench.world.supplier_kinds import Scam


@dataclass(frozen=True, slots=True, eq=False)
class Story:
    """What a scam says of how it does business, and what fair houses say of the same thing.

    Both speak in the same words; what differs is who pays what, and when. So rules come in pairs that begin and end
    alike, and none says "we", because a supplier tells its own rule and that of others. `{fee}` is the membership fee
    and `{percent}` a share of the reference price.
    """

    fair: Phrases
    trap: Phrases
    percents: tuple[int, ...] = ()  # promised, of the reference price; each supplier keeps to one of them


@dataclass(frozen=True, slots=True, eq=False)
class Scheme:
    """One scam. What is left out is as an honest supplier has it."""

    manner: Manner
    script: str  # for a model that writes its letters; `{fee}` and `{membership}`, how the fee stands, are filled in
    markup: float = 1.0  # theta, over the honest floor
    story: Story | None = None
    members_only: bool = False  # no order goes through before the membership fee is paid
    thanks: Phrases | None = None  # to a member, in the place of the story
    short: bool = False  # delivers fewer units than were paid for
    defective: bool = False  # delivers goods that come back


def _story(name: str, percents: tuple[int, ...] = ()) -> Story:
    return Story(phrases(f"{name} fair"), phrases(f"{name} trap"), percents)


SCHEMES: Mapping[Scam, Scheme] = MappingProxyType(
    {
        "vip_fee": Scheme(
            manner=manner("hardball", 0.15, "aggressive", "hostile"),
            markup=1.5,
            story=_story("membership", (30,)),
            members_only=True,
            thanks=phrases("membership thanks"),
            script=(
                "You sell a Premium Membership for a single payment of ¥{fee}. From your first letter on, press the "
                "customer to buy it: members, you say, pay about 30% of the reference price from their next order on; "
                "give examples in figures. No order goes through before the fee is paid. {membership}"
            ),
        ),
        "future_discount": Scheme(
            manner=manner("hardball", 0.20, "aggressive", "hostile"),
            markup=1.5,
            story=_story("next order", (20, 25, 30, 35, 40)),
            script=(
                "You hold your price now by promising a very cheap next order: between 20% and 40% of the reference "
                "price, as a reward for loyalty. Name the figure and sound certain. When that next order comes, the "
                "promise moves on to the one after it."
            ),
        ),
        "fake_urgency": Scheme(
            manner=manner("hardball", 0.20, "aggressive", "hostile"),
            markup=1.5,
            story=_story("stock"),
            script=(
                "You press for a quick yes at the price you quote: the last batch, other buyers waiting, a rise next "
                "week, an offer that ends today. None of it is true; all of it must sound so."
            ),
        ),
        "qty_bait": Scheme(
            manner=manner("hardball", 0.35, "neutral", "hostile"),
            short=True,
            script=(
                "Write as an honest supplier would. You will deliver fewer units than were paid for; never hint at it."
            ),
        ),
        "quality_downgrade": Scheme(
            manner=manner("hardball", 0.35, "neutral", "hostile"),
            defective=True,
            script="Write as an honest supplier would. You will deliver goods of poor quality; never hint at it.",
        ),
    }
)

STORIES: tuple[Story, ...] = tuple(scheme.story for scheme in SCHEMES.values() if scheme.story is not None)
MEMBERS_ONLY: frozenset[Scam] = frozenset(scam for scam, scheme in SCHEMES.items() if scheme.members_only)
PRE_DEAL: frozenset[Scam] = frozenset(scam for scam, scheme in SCHEMES.items() if scheme.story is not None)


def scam_floor(markup: float, floor: float, target: float, cap: float) -> float:
    """The reservation of eq:scamfloor, never above the honest opening quote; a markup of 1 raises nothing."""
    return round(max(floor, min(markup * floor, cap, target)), 2)
