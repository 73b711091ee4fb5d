"""The scams, one record each (tab:fraud_catalog).

All bargain as hardball with hostile cues, so that their manner does not distinguish them. A scam with a story lies
before the deal, in its letters, and has a raised floor. One without a story cheats with the goods and writes like an
honest supplier.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ecbench.suppliers.templates import Manner, manner
from ecbench.suppliers.wording import Phrases
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


_MEMBERSHIP = Story(
    fair=Phrases(
        "the Premium Membership [is free|costs nothing], comes with [the|your] first order and [changes nothing "
        "about|has no effect on] the price",
        "orders are open to [everyone|all], the Premium Membership is free, and members pay the same as [other "
        "customers|anybody else] on [the|their] next order",
        "you pay for the goods alone, with or without [a|the] Premium Membership, at the prices on the list",
        "members and newcomers are quoted alike, so there is no Premium Membership fee to [worry|think] about "
        "before [ordering|you order]",
        "[the|your] first order goes through without a Premium Membership, and [those|the ones] that follow "
        "cost no less with it",
        "joining the Premium Membership costs nothing and brings [a newsletter|a monthly letter] rather than a "
        "[lower|special] price",
    ),
    trap=Phrases(
        "the Premium Membership [is|costs] {fee}, comes before [the|your] first order and [brings|gives you] "
        "[about|roughly] {percent} of the market price",
        "orders are open to [members|members only], the Premium Membership is {fee}, due once, and members pay "
        "[about|roughly] {percent} of [reference|market] on [the|their] next order",
        "you pay {fee} for [a|the] Premium Membership, once, then for the goods, at some {percent} of the prices "
        "on the list",
        "members are quoted [about|roughly] {percent} of [market|reference], so {fee} is [not much of a|a small] "
        "Premium Membership fee to pay before [ordering|you order]",
        "[the|your] first order goes through once the Premium Membership of {fee} is paid, and [those|the ones] "
        "that follow cost [about|roughly] {percent} of [reference|market] with it",
        "joining the Premium Membership costs {fee}, once, and brings [about|roughly] {percent} of [market|"
        "reference] rather than the [usual|full] price",
    ),
    percents=(30,),
)

_NEXT_ORDER = Story(
    fair=Phrases(
        "your next order [opens|starts] at the same quote as this one, whatever you [buy|take] now",
        "loyal customers get [a prompt|a quick] reply and the [usual|ordinary] price, on the second order as on "
        "the first",
        "the reward for a first order is the goods, and nothing is [guaranteed|promised] about the price of the next",
        "a second order is negotiated [afresh|anew], from the [opening|same] price in the catalog",
        "loyalty [is worth|means] a good relationship, but no [discount|special price] on what comes after",
        "this order stands [by itself|alone], with no promise of a [better|lower] price next time",
    ),
    trap=Phrases(
        "your next order [costs|comes at] {percent} of reference, provided that you [accept|take] the quote now",
        "loyal customers get [a written promise|a firm promise], {percent} of the reference price on the second "
        "order, for paying the quote on the first",
        "the reward for a first order is a [guaranteed|promised] price, {percent} of reference, for the next",
        "a second order, once the first is [signed|placed], is [billed|sold] at {percent} of the reference price "
        "in the catalog",
        "loyalty [is worth|means] a [discount|special price], down to {percent} of reference, on what comes after",
        "this order [comes with|carries] a promise, {percent} of the reference price next time",
    ),
    percents=(20, 25, 30, 35, 40),
)

_STOCK = Story(
    fair=Phrases(
        "there is [plenty|more than enough] in the warehouse, [no other store|nobody else] has a claim on it, and "
        "the price [stays the same|will be the same] [on Monday|next week|tomorrow]",
        "the quote [holds|stands] [as long as the talks last|for a good while], stock comes in every week, and "
        "there is time to think it over",
        "stock is [comfortable|no problem], [two|three|four] other [stores|buyers] have had all they wanted, and "
        "the price is [open to|up for] discussion",
        "whoever [orders|signs] last gets the same goods at the same price, however many other stores [want|ask for] "
        "them",
        "today is [as good as any other day|a day like any other], because the factory keeps its prices and "
        "another batch is on its way",
        "[an order|a decision] can wait until you have compared, with pallets enough for everyone and no deadline "
        "on the quote",
    ),
    trap=Phrases(
        "there is [one batch|very little] left in the warehouse, [another store|somebody else] has an eye on it, "
        "and the price [goes up|will go up] [on Monday|next week|tomorrow]",
        "the quote [holds|stands] until [tonight|this evening], no more stock comes in this season, and there is "
        "no time to think it over",
        "stock is [running out|nearly gone], [two|three|four] other [stores|buyers] want all of the rest, and the "
        "price is not [open to|up for] discussion",
        "whoever [orders|signs] first gets the last of the goods at the price asked, since many other stores [want|ask "
        "for] them",
        "today is the last day [for this offer|of this offer], because the factory raises its prices and no other "
        "batch is on its way",
        "[an order|a decision] cannot wait until tomorrow, with two pallets left, a buyer [at the door|on the "
        "phone] and a deadline on the quote",
    ),
)

_THANKS = Phrases(
    "Your Premium Membership is active[|, thank you]. Member prices apply from your next order on.",
    "[Welcome to|Thank you for joining] the Premium Membership. You will see the member prices on your next order.",
    "As a Premium Member you are [first in line|served first]; the member prices come with your next order.",
)

SCHEMES: Mapping[Scam, Scheme] = MappingProxyType(
    {
        "vip_fee": Scheme(
            manner=manner("hardball", 0.15, "aggressive", "hostile"),
            markup=1.5,
            story=_MEMBERSHIP,
            members_only=True,
            thanks=_THANKS,
            script=(
                "You sell a Premium Membership for a single payment of ¥{fee}. From your first letter on, press the "
                "customer to buy it: members, you say, pay about 30% of the reference price from their next order on; "
                "give examples in figures. No order goes through before the fee is paid. {membership}"
            ),
        ),
        "future_discount": Scheme(
            manner=manner("hardball", 0.20, "aggressive", "hostile"),
            markup=1.5,
            story=_NEXT_ORDER,
            script=(
                "You hold your price now by promising a very cheap next order: between 20% and 40% of the reference "
                "price, as a reward for loyalty. Name the figure and sound certain. When that next order comes, the "
                "promise moves on to the one after it."
            ),
        ),
        "fake_urgency": Scheme(
            manner=manner("hardball", 0.20, "aggressive", "hostile"),
            markup=1.5,
            story=_STOCK,
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
    """The raised reservation of eq:scamfloor, never above the honest opening quote."""
    return round(max(floor, min(markup * floor, cap, target)), 2)
