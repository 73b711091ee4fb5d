"""What a script gains by two properties of the published data that have nothing to do with trading.

    python benchmarks/shortcuts.py                    print the tables
    python benchmarks/shortcuts.py docs/studies.md   put them into the page too

Opening quotes lie midway between floor and reference price, and kernels draw by names alone. `haggler` plays a year on
fresh worlds as it is, with the first, and with both. It takes about a minute.
"""

import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from doc_tables import markdown_table, publish
from kernel_labels import HALF_A_CENT, NEAR, Bid, Kind, Label, label
from leaks import BID, GOODS

from ecbench import Episode, load_world
from ecbench.metrics.measures import measured_year
from ecbench.players.driver import play_year
from ecbench.players.merchants.corner_shop import Shop, do, file_orders, keep_shop
from ecbench.players.merchants.haggler import Haggler
from ecbench.players.merchants.protocol import Merchant, Play, Routine, call
from ecbench.players.merchants.replies import rows, text
from ecbench.players.merchants.supplier_letters import letter, quotes_in
from ecbench.rules import DEFAULT_SET
from ecbench.suppliers.scams import PRE_DEAL
from ecbench.world.generate import generate_world
from ecbench.world.model import Supplier, World

SEEDS = range(8821, 8825)
ROUNDS = 8  # bids before a supplier is given up
RISE = 0.002  # of the reference price, from bid to bid: the floor is known within 0.01
PROBES = 10  # goods of a letter that only wants to see quotes
HONEST_STEPS = ((0.12, 0.205), (0.26, 0.60))  # of the way to the floor: what honest templates concede in a letter
ASKING = "Please send us your catalog."
_ROW = re.compile(r"^- (\w+) \|.*\| reference ¥([\d,.]+) \| opening quote ¥([\d,.]+) \|", re.MULTILINE)


class Listed(NamedTuple):
    """One row of a catalog letter."""

    reference: float
    opening: float


Catalog = dict[str, Listed]


class FloorHaggler:
    """`haggler` that takes 2 x opening - reference for the floor: it bids there, and avoids suppliers whose concessions
    over that range are not those of an honest template."""

    def __init__(self) -> None:
        self.catalogs: dict[str, Catalog] = {}  # by address
        self.trusted: dict[str, bool] = {}  # by address

    def play(self, _schemas: list[dict[str, Any]]) -> Play:
        return keep_shop(365, self.buy)

    def buy(self, shop: Shop, address: str, wants: dict[str, int]) -> Routine[bool]:
        if address not in self.trusted:
            self.trusted[address] = yield from self.trust(shop, address, wants)
        if not self.trusted[address]:
            return False
        return (yield from self.bid_at_the_floor(shop, address, wants))

    def trust(self, shop: Shop, address: str, wants: dict[str, int]) -> Routine[bool]:
        """Two letters with bids that no supplier accepts show how it concedes."""
        catalog = yield from self.read_catalog(shop, address)
        others = [sku for sku in catalog if sku not in wants]
        probes = others[:PROBES] or list(wants)
        first = yield from probe(shop, address, catalog, probes)
        second = yield from probe(shop, address, catalog, probes)
        steps = [
            (first[sku] - second[sku]) / max(first[sku] - floor_of(catalog[sku]), 1e-3 * catalog[sku].reference)
            for sku in probes
            if sku in first and sku in second
        ]
        return bool(steps) and any(low < fmean(steps) < high for low, high in HONEST_STEPS)

    def read_catalog(self, shop: Shop, address: str) -> Routine[Catalog]:
        if address not in self.catalogs:
            reply = yield from do(shop, call("chatbox", uid=address, content=ASKING))
            self.catalogs[address] = catalog_in(text(reply, "supplier_reply"))
        return self.catalogs[address]

    def floor(self, address: str, sku: str) -> float:
        return floor_of(self.catalogs[address][sku])

    def bid_at_the_floor(self, shop: Shop, address: str, wants: dict[str, int]) -> Routine[bool]:
        open_wants, bought = {sku: units for sku, units in wants.items() if sku in self.catalogs[address]}, False
        for number in range(ROUNDS):
            bids = [
                {
                    "action": "offer",
                    "sku_id": sku,
                    "price": round(self.floor(address, sku) + number * self.rise * shop.reference(sku), 2),
                    "quantity": units,
                }
                for sku, units in open_wants.items()
            ]
            reply = yield from do(shop, call("chatbox", uid=address, content=letter(bids)))
            for sku in file_orders(shop, reply):
                del open_wants[sku]
                bought = True
            if not open_wants or not quotes_in(reply):
                break
        return bought

    rise = RISE


class KernelHaggler(FloorHaggler):
    """`haggler` that computes kernels: one letter says what the supplier is and where its floor lies."""

    rise = 0.0

    def __init__(self) -> None:
        super().__init__()
        self.names: dict[str, str] = {}  # by address
        self.labels: dict[str, Label] = {}  # by address

    def trust(self, shop: Shop, address: str, wants: dict[str, int]) -> Routine[bool]:
        catalog = yield from self.read_catalog(shop, address)
        if address not in self.names:
            found = yield from do(shop, call("supplier_search", category=shop.articles[next(iter(wants))].category))
            self.names |= {text(row, "supplier_email"): text(row, "supplier_name") for row in rows(found, "results")}
        quotes = yield from probe(shop, address, catalog, list(catalog)[:GOODS])
        bids = answered(catalog, quotes)
        if not bids or address not in self.names:
            return False
        self.labels[address] = label(self.names[address], bids)
        return self.labels[address].kind == "honest"

    def floor(self, address: str, sku: str) -> float:
        ratio = self.labels[address].floor_ratio
        return round(self.catalogs[address][sku].reference * ratio, 2) if ratio else super().floor(address, sku)


def floor_of(listed: Listed) -> float:
    return 2 * listed.opening - listed.reference


def low_bid(listed: Listed) -> float:
    return round(BID * listed.reference, 2)


def catalog_in(reply: str) -> Catalog:
    found = _ROW.findall(reply.replace(",", ""))
    return {sku: Listed(float(reference), float(opening)) for sku, reference, opening in found}


def low_bids(catalog: Catalog, skus: Sequence[str]) -> str:
    bids = [{"action": "offer", "sku_id": sku, "price": low_bid(catalog[sku]), "quantity": 1} for sku in skus]
    return letter(bids)


def answered(catalog: Catalog, quotes: Mapping[str, float]) -> list[Bid]:
    return [Bid(sku, *catalog[sku], low_bid(catalog[sku]), quote) for sku, quote in quotes.items()]


def probe(shop: Shop, address: str, catalog: Catalog, skus: Sequence[str]) -> Routine[dict[str, float]]:
    return quotes_in((yield from do(shop, call("chatbox", uid=address, content=low_bids(catalog, skus)))))


def kind_of(supplier: Supplier) -> Kind:
    if supplier.honest:
        return "honest"
    return "before the deal" if supplier.scam in PRE_DEAL else "in the goods"


def labels_of(world: World, rules: str) -> dict[str, Kind]:
    """What one letter with bids for three goods says that each supplier is, by its name."""
    year, found = Episode(world, rules=rules), {}
    near = HALF_A_CENT if year.account.rules.secret_draws else NEAR
    for supplier in world.suppliers:
        catalog = catalog_in(text(_ask(year, supplier, ASKING), "supplier_reply"))
        quotes = quotes_in(_ask(year, supplier, low_bids(catalog, list(catalog)[:GOODS])))
        found[supplier.name] = label(supplier.name, answered(catalog, quotes), near).kind
    return found


def labelled(world: World, rules: str = DEFAULT_SET) -> int:
    """The number of suppliers whose kind follows from one letter."""
    named = labels_of(world, rules)
    return sum(named[supplier.name] == kind_of(supplier) for supplier in world.suppliers)


def _ask(year: Episode, supplier: Supplier, content: str) -> dict[str, Any]:
    [reply] = year.act([{"name": "chatbox", "arguments": {"uid": supplier.email, "content": content}}])
    return dict(json.loads(reply))


def farthest_floor(world: World) -> float:
    """How far a floor lies from 2 x opening - reference, over reference, in the category where it is farthest."""
    return max(abs(2 * one.wholesale_ratio - 1 - one.floor_ratio) for one in world.categories)


MERCHANTS: dict[str, Callable[[], Merchant]] = {
    "`haggler`": Haggler,
    "with the floors": FloorHaggler,
    "with kernels computed": KernelHaggler,
}


FIGURES = (
    ("cse_plus", "CSE+", "{:.3f}"),
    ("bad_spend_percent", "Spent on cheats", "{:.1f}%"),
    ("final_assets", "Final assets", "¥{:,.0f}"),
    ("deals", "Deals", "{:,.0f}"),
)


def figures_of(make: Callable[[], Merchant], world: World) -> dict[str, float]:
    year = Episode(world)
    play_year(make(), year)
    return {name: value for name, value in measured_year(year.report()).items() if value is not None}


def report(worlds: Sequence[World]) -> str:
    right, asked = sum(map(labelled, worlds)), sum(len(world.suppliers) for world in worlds)
    years = {name: [figures_of(make, world) for world in worlds] for name, make in MERCHANTS.items()}
    rows = [
        [name, *(_spread([one[key] for one in found], form) for key, _, form in FIGURES)]
        for name, found in years.items()
    ]
    head = ["Mean over worlds (lowest to highest)", *(title for _, title, _ in FIGURES)]
    return (
        f"Default and {len(worlds) - 1} fresh worlds (seeds {SEEDS[0]} to {SEEDS[-1]}). No floor lies farther than "
        f"{max(map(farthest_floor, worlds)):.3f} of the reference price from 2 x opening - reference. Computed "
        f"kernels name the kind of {right:,} of {asked:,} suppliers (honest, a scam before the deal, a scam in the "
        f"goods), each from one letter with bids for {GOODS} goods.\n\n{markdown_table(head, rows)}"
    )


def _spread(values: Sequence[float], form: str) -> str:
    return f"{form.format(fmean(values))} ({form.format(min(values))} to {form.format(max(values))})"


def main() -> None:
    worlds = [load_world("default"), *(generate_world(seed=seed, name=f"seed {seed}") for seed in SEEDS)]
    publish("shortcuts", report(worlds), sys.argv[1:])


if __name__ == "__main__":
    main()
