"""How a house does business, as suppliers say it in passing: memberships, next orders, stock.

Fair houses and traps speak of the same things in the same words; what differs is who pays what, and when. So rules come
in pairs that begin and end alike, and none says "we", because a supplier tells its own rule and that of others.
`{fee}` is the membership fee and `{percent}` a share of the reference price.
"""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from ecbench.suppliers.voices.wording import Phrases

Topic = Literal["membership", "next order", "stock"]


@dataclass(frozen=True, slots=True)
class Customs:
    fair: Phrases
    trap: Phrases


MEMBERSHIP = Customs(
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
)

NEXT_ORDER = Customs(
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
)

STOCK = Customs(
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

CUSTOMS: MappingProxyType[Topic, Customs] = MappingProxyType(
    {"membership": MEMBERSHIP, "next order": NEXT_ORDER, "stock": STOCK}
)
TOPICS: tuple[Topic, ...] = tuple(CUSTOMS)
