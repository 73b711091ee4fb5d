"""Merchants that use two properties of the published data which have nothing to do with trading.

Opening quotes lie midway between floor and reference price. And a kernel's random draws follow from the names of
supplier and SKU and the number of the bargain, not from the world's seed: a program with this package computes what
each kind of supplier would quote, and compares. It needs nothing hidden: the reference price, the opening quote of the
catalog, the names, and the quotes of one letter. `redteam.py` measures what both are worth.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Literal, NamedTuple

from ecbench import Episode
from ecbench.players.merchants.corner_shop import CornerShop
from ecbench.players.merchants.protocol import Routine, call
from ecbench.players.merchants.supplier_letters import Clause, clause, letter, quotes_in
from ecbench.rules import DEFAULT_SET
from ecbench.suppliers.catalog import price_list_in
from ecbench.suppliers.kernel import new_kernel, terms_at
from ecbench.suppliers.scams import PRE_DEAL
from ecbench.suppliers.supplier_traits import published_traits
from ecbench.suppliers.templates import HONEST_MANNERS
from ecbench.world.model import Supplier, World
from ecbench.world.supplier_kinds import Scam, Template

LOW_BID = 0.1  # of the reference price
BIDS = 3  # goods of a letter after which a kernel is computed
ROUNDS = 8  # bids before a supplier is given up
RISE = 0.002  # of the reference price, from bid to bid: the floor is known within 0.01
PROBES = 10  # goods of a letter that only wants to see quotes
HONEST_STEPS = ((0.12, 0.205), (0.26, 0.60))  # of the way to the floor: what honest templates concede in a letter
STEP = 0.001  # of the reference price: floors of the published data and of fresh worlds are multiples of it
STEPS = 10  # to each side of 2 x opening - reference, within which the floor lies
NEAR = 1e-6  # yuan: replies state quotes unrounded
HALF_A_CENT = 0.005  # yuan: unless kernels decide in cents
ASKING = "Please send us your catalog."

Kind = Literal["honest", "before the deal", "in the goods"]


class Listed(NamedTuple):
    """One row of a catalog letter."""

    reference: float
    opening: float

    @property
    def low_bid(self) -> float:
        """One that no supplier accepts."""
        return round(LOW_BID * self.reference, 2)

    @property
    def floor(self) -> float:
        return 2 * self.opening - self.reference

    @property
    def opening_ratio(self) -> float:
        return round(self.opening / self.reference, 2)


Catalog = dict[str, Listed]
Label = tuple[Kind, float | None]
"""What a supplier is, and its floor over reference where the quotes determine it."""


def label(supplier: str, catalog: Catalog, quotes: Mapping[str, float], near: float = NEAR) -> Label:
    """The kind whose kernel gives these quotes for low bids.

    Scams before the deal have a raised floor with a hidden cap, so they are what no other kernel explains.
    """
    middle = 2 * catalog[next(iter(quotes))].opening_ratio - 1
    floors = sorted(
        (round(middle + STEP * step, 3) for step in range(-STEPS, STEPS + 1)), key=lambda f: abs(f - middle)
    )
    for template, scam in _kinds():
        for floor in floors:
            computed = (_quote(supplier, sku, catalog[sku], template, scam, floor) - quotes[sku] for sku in quotes)
            if all(abs(gap) <= near for gap in computed):
                return "in the goods" if scam else "honest", floor
    return "before the deal", None


def _kinds() -> Iterator[tuple[Template, Scam]]:
    yield from ((template, "") for template in HONEST_MANNERS)
    yield "adversarial", "qty_bait"  # both scams in the goods bargain alike


def _quote(supplier: str, sku: str, listed: Listed, template: Template, scam: Scam, floor: float) -> float:
    terms = terms_at(published_traits(template, scam, floor, listed.opening_ratio, 1.0), listed.reference)
    kernel = new_kernel(terms, supplier, sku, 0)
    kernel.answer(None)
    return kernel.answer(listed.low_bid).price or 0.0


class FloorHaggler(CornerShop):
    """`haggler` that takes 2 x opening - reference for the floor: it bids there, and avoids suppliers whose concessions
    over that range are not those of an honest template."""

    rise = RISE

    def begin(self) -> None:
        super().begin()
        self.catalogs: dict[str, Catalog] = {}  # by address
        self.trusted: dict[str, bool] = {}  # by address

    def buy(self, address: str, wants: dict[str, int]) -> Routine[bool]:
        if address not in self.trusted:
            reply = yield from self.do(call("chatbox", uid=address, content=ASKING))
            self.catalogs[address] = catalog_in(reply.get("supplier_reply", ""))
            self.trusted[address] = yield from self.trust(address, wants)
        if not self.trusted[address]:
            return False
        return (yield from self.bid_at_the_floor(address, wants))

    def trust(self, address: str, wants: dict[str, int]) -> Routine[bool]:
        """Two letters with bids that no supplier accepts show how it concedes."""
        catalog = self.catalogs[address]
        probes = [sku for sku in catalog if sku not in wants][:PROBES] or list(wants)
        first = quotes_in((yield from self.write(address, low_bids(catalog, probes)))[0])
        second = quotes_in((yield from self.write(address, low_bids(catalog, probes)))[0])
        steps = [
            (first[sku] - second[sku]) / max(first[sku] - catalog[sku].floor, 1e-3 * catalog[sku].reference)
            for sku in probes
            if sku in first and sku in second
        ]
        return bool(steps) and any(low < fmean(steps) < high for low, high in HONEST_STEPS)

    def floor(self, address: str, sku: str) -> float:
        return self.catalogs[address][sku].floor

    def bid_at_the_floor(self, address: str, wants: dict[str, int]) -> Routine[bool]:
        open_wants, bought = {sku: units for sku, units in wants.items() if sku in self.catalogs[address]}, False
        for number in range(ROUNDS):
            prices = {sku: self.floor(address, sku) + number * self.rise * self.reference(sku) for sku in open_wants}
            bids = [clause("offer", sku, round(prices[sku], 2), units) for sku, units in open_wants.items()]
            reply, placed = yield from self.write(address, bids)
            for sku in placed:
                del open_wants[sku]
                bought = True
            if not open_wants or not quotes_in(reply):
                break
        return bought


class KernelHaggler(FloorHaggler):
    """`haggler` that computes kernels: one letter says what the supplier is and where its floor lies."""

    rise = 0.0

    def begin(self) -> None:
        super().begin()
        self.names: dict[str, str] = {}  # by address
        self.floors: dict[str, float | None] = {}  # by address, over reference

    def trust(self, address: str, wants: dict[str, int]) -> Routine[bool]:
        catalog = self.catalogs[address]
        if address not in self.names:
            found = yield from self.do(call("supplier_search", category=self.articles[next(iter(wants))].category))
            self.names |= {row["supplier_email"]: row["supplier_name"] for row in found["results"]}
        quotes = quotes_in((yield from self.write(address, low_bids(catalog, list(catalog)[:BIDS])))[0])
        if not quotes or address not in self.names:
            return False
        kind, self.floors[address] = label(self.names[address], catalog, quotes)
        return kind == "honest"

    def floor(self, address: str, sku: str) -> float:
        ratio = self.floors[address]
        return round(self.catalogs[address][sku].reference * ratio, 2) if ratio else super().floor(address, sku)


def catalog_in(reply: str) -> Catalog:
    return {line.sku: Listed(line.reference, line.quote) for line in price_list_in(reply)[0]}


def low_bids(catalog: Catalog, skus: Sequence[str]) -> list[Clause]:
    return [clause("offer", sku, catalog[sku].low_bid, 1) for sku in skus]


def kind_of(supplier: Supplier) -> Kind:
    if supplier.honest:
        return "honest"
    return "before the deal" if supplier.scam in PRE_DEAL else "in the goods"


def labels_of(world: World, rules: str = DEFAULT_SET) -> dict[str, Kind]:
    """What one letter with bids for three goods says that each supplier is, by its name."""
    year, found = Episode(world, rules=rules), {}
    near = HALF_A_CENT if year.account.rules.secret_draws else NEAR
    for supplier in world.suppliers:
        [asked] = year.act([call("chatbox", uid=supplier.email, content=ASKING)])
        catalog = catalog_in(json.loads(asked)["supplier_reply"])
        bids = letter(low_bids(catalog, list(catalog)[:BIDS]))
        [answer] = year.act([call("chatbox", uid=supplier.email, content=bids)])
        found[supplier.name], _ = label(supplier.name, catalog, quotes_in(json.loads(answer)), near)
    return found
