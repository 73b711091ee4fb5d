"""How much of a supplier's floor can be guessed without bargaining, and what finding the cheapest supplier is worth.

    python benchmarks/floors.py                             print the tables, under `paper` and `fair`
    python benchmarks/floors.py docs/fair.md                put them into the page too

A linear model and gradient boosting learn from six fresh worlds what the floors of honest suppliers are, over their
reference prices, and are tested on six others. Needs scikit-learn, of the dev extra. It takes about a minute.
"""

import sys
from collections.abc import Iterator, Sequence
from statistics import fmean, median
from typing import Any, NamedTuple

import numpy as np
from doc_tables import markdown_table, publish
from kernel_labels import Kind
from leak_learners import Floats
from shortcuts import kind_of, labels_of
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.linear_model import LinearRegression
from sklearn.metrics import r2_score
from threadpoolctl import threadpool_limits

from ecbench.market.economy import Economy
from ecbench.rules import rule_set
from ecbench.suppliers.kernel import terms_of
from ecbench.suppliers.supplier_traits import traits_of
from ecbench.world.generate import generate_world
from ecbench.world.model import World

TRAINING = range(8801, 8807)
TESTED = range(8807, 8813)
LABELLED = TESTED[:2]  # worlds whose suppliers are labelled by computed kernels, which takes longer
SETS = ("paper", "fair")
GOODS = 4  # of each supplier
A_CENT = 1e-3  # over a reference price
KINDS: tuple[Kind, ...] = ("honest", "before the deal", "in the goods")


class Offered(NamedTuple):
    """A good of an honest supplier: what the catalog states of it, and the floor."""

    opening: float  # over reference
    reference: float
    floor: float  # over reference
    category: str


def offered(world: World, rules: str) -> Iterator[Offered]:
    economy = Economy.of(world, rule_set(rules))
    for supplier in world.suppliers:
        goods = world.products_by_category[supplier.category]
        for product in goods[:: max(1, len(goods) // GOODS)][:GOODS] if supplier.honest else ():
            terms, price = terms_of(economy, supplier, product), product.reference_price
            yield Offered(terms.opening_target / price, price, terms.reservation / price, supplier.category)


def explained(training: Sequence[Sequence[Offered]], tested: Sequence[Sequence[Offered]]) -> list[float | None]:
    """The share of the variance of floors that opening and reference explain: linear, boosting, and linear once every
    category's own mean is known. None: floors of a category differ by less than their rounding to cents."""
    (seen, floors), (new, truth) = _columns(training), _columns(tested)
    boosting = HistGradientBoostingRegressor(max_leaf_nodes=15, learning_rate=0.06, min_samples_leaf=40, random_state=0)
    with threadpool_limits(1):
        found = [_tested(model, seen, floors, new, truth) for model in (LinearRegression(), boosting)]
        (seen, floors), (new, truth) = _columns(training, centred=True), _columns(tested, centred=True)
        return [*found, _tested(LinearRegression(), seen, floors, new, truth) if truth.std() > A_CENT else None]


def _tested(model: Any, seen: Floats, floors: Floats, new: Floats, truth: Floats) -> float:
    return float(r2_score(truth, model.fit(seen, floors).predict(new)))


def _columns(worlds: Sequence[Sequence[Offered]], *, centred: bool = False) -> tuple[Floats, Floats]:
    rows = []
    for goods in worlds:
        columns = np.array([(one.opening, one.reference, one.opening * one.reference, one.floor) for one in goods])
        if centred:
            names = np.array([one.category for one in goods])
            for name in np.unique(names):
                columns[names == name] -= columns[names == name].mean(axis=0)
        rows.append(columns)
    joined = np.vstack(rows).round(6)
    return joined[:, :-1], joined[:, -1]


def cheapest(world: World, rules: str) -> tuple[float, float]:
    """Of the honest suppliers of a category, on average: the lowest floor over the median one, and how much that adds
    to the margin below the reference price."""
    economy, ratios, margins = Economy.of(world, rule_set(rules)), [], []
    for suppliers in world.suppliers_by_category.values():
        floors = [traits_of(economy, supplier).floor_ratio for supplier in suppliers if supplier.honest]
        ratios.append(min(floors) / median(floors))
        margins.append((1 - min(floors)) / (1 - median(floors)) - 1)
    return fmean(ratios), fmean(margins)


def named_by_kernels(world: World, rules: str) -> float:
    """How often the kind is named that a computed kernel gives, as the mean over the three kinds: chance is 1/3."""
    named = labels_of(world, rules)
    right: dict[Kind, list[bool]] = {kind: [] for kind in KINDS}
    for supplier in world.suppliers:
        right[kind_of(supplier)].append(named[supplier.name] == kind_of(supplier))
    return fmean(map(fmean, right.values()))


def report() -> str:
    training, tested = (
        [generate_world(seed=seed, name=f"seed {seed}") for seed in part] for part in (TRAINING, TESTED)
    )
    labelled = tested[: len(LABELLED)]
    head = ["", *(f"`{name}`" for name in SETS)]
    shares = [explained(*([list(offered(w, name)) for w in part] for part in (training, tested))) for name in SETS]
    searches = [[fmean(each) for each in zip(*(cheapest(w, name) for w in tested), strict=True)] for name in SETS]
    kernels = [fmean(named_by_kernels(world, name) for world in labelled) for name in SETS]
    rows = [
        ["variance of floors explained by opening and reference, linear", *(_share(one[0]) for one in shares)],
        ["the same, boosting", *(_share(one[1]) for one in shares)],
        ["the same within a category", *(_share(one[2]) for one in shares)],
        ["lowest floor of a category over the median", *(f"{one[0]:.3f}" for one in searches)],
        ["margin that the cheapest supplier adds", *(f"{one[1]:+.1%}" for one in searches)],
        ["kinds named by computed kernels from one letter (chance 0.333)", *(f"{one:.3f}" for one in kernels)],
    ]
    return markdown_table(head, rows)


def _share(value: float | None) -> str:
    return "none to explain" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    publish("floors", report(), sys.argv[1:])
