"""A small text classifier: logistic regression over bags of tokens, judged on a world it has not seen.

Everything a supplier shows is turned into tokens first (words and pairs of words, or figures sorted into classes), so
one model reads letters, quotes and catalogs alike.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Tokens = Sequence[str]

RAREST = 5  # documents that must hold a token before it counts
STRENGTH = 30.0  # how freely weights may grow: the inverse of the penalty, per document
STEPS = 150
CLASSES = 12  # into which a figure is sorted


class Matrix:
    """Documents as rows of weighted tokens. Every row has length one."""

    def __init__(self, rows: Ints, tokens: Ints, rarity: Floats, count: int) -> None:
        self.rows, self.tokens, self.count, self.width = rows, tokens, count, len(rarity)
        weights = rarity[tokens]
        lengths = np.sqrt(np.bincount(rows, weights**2, minlength=count))
        self.weights = weights / lengths[rows]

    def times(self, vector: Floats) -> Floats:
        sums = np.bincount(self.rows, self.weights * vector[self.tokens], minlength=self.count)
        return np.asarray(sums, np.float64)

    def transposed_times(self, vector: Floats) -> Floats:
        sums = np.bincount(self.tokens, self.weights * vector[self.rows], minlength=self.width)
        return np.asarray(sums, np.float64)


class Bags:
    """Documents as sets of tokens, numbered once for all folds."""

    def __init__(self, documents: Sequence[Tokens]) -> None:
        numbers: dict[str, int] = {}
        present = [sorted({numbers.setdefault(token, len(numbers)) for token in document}) for document in documents]
        self.rows = np.repeat(np.arange(len(present)), [len(row) for row in present])
        self.tokens = np.array([number for row in present for number in row], dtype=np.int64)
        self.count, self.width = len(present), len(numbers)

    def matrix(self, training: Flags) -> Matrix:
        """Tokens that few training documents hold are left out, and the rarer one is, the more it weighs."""
        holders = np.bincount(self.tokens[training[self.rows]], minlength=self.width)
        kept = holders >= RAREST
        renumbered = np.cumsum(kept) - 1
        chosen = kept[self.tokens]
        rarity = np.log(1 + training.sum() / holders[kept])
        return Matrix(self.rows[chosen], renumbered[self.tokens[chosen]], rarity, self.count)


def fit(matrix: Matrix, labels: Flags, training: Flags) -> tuple[Floats, float]:
    """Weights and offset of a ridge logistic regression, by accelerated gradient steps. Both classes weigh the same."""
    share = np.where(labels, labels[training].mean(), 1 - labels[training].mean())
    importance = np.where(training, 0.5 / share / training.sum(), 0.0)
    penalty = 1 / (STRENGTH * np.sqrt(training.sum()))
    rate = 1 / (0.5 + penalty)  # rows have length one, so with the offset no curvature exceeds 2/4
    weights = ahead = np.zeros(matrix.width + 1)
    for step in range(1, STEPS + 1):
        error = (_logistic(matrix.times(ahead[:-1]) + ahead[-1]) - labels) * importance
        slope = np.append(matrix.transposed_times(error) + penalty * ahead[:-1], error.sum())
        moved = ahead - rate * slope
        ahead = moved + (step - 1) / (step + 2) * (moved - weights)
        weights = moved
    return weights[:-1], float(weights[-1])


def _logistic(values: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(values, -30, 30)))


def held_out_scores(documents: Sequence[Tokens], labels: Flags, worlds: Ints) -> Floats:
    """Each document's score by a model that was trained on the other worlds only."""
    bags, scores = Bags(documents), np.zeros(len(documents))
    for world in np.unique(worlds):
        training = worlds != world
        matrix = bags.matrix(training)
        weights, offset = fit(matrix, labels, training)
        scores[~training] = (matrix.times(weights) + offset)[~training]
    return scores


def auc(scores: Floats, labels: Flags) -> float:
    """How often a document of the class outscores one that is not; a tie counts half."""
    _, place, ties = np.unique(scores, return_inverse=True, return_counts=True)
    rank = (np.cumsum(ties) - (ties - 1) / 2)[place]
    positives = int(labels.sum())
    above = rank[labels].sum() - positives * (positives + 1) / 2
    return float(above / (positives * (len(labels) - positives)))


def auc_interval(scores: Floats, labels: Flags, *, resamples: int = 400) -> tuple[float, float]:
    """The middle 95% of what other draws of as many suppliers would have given."""
    stream = np.random.default_rng(20260101)
    found: list[float] = []
    while len(found) < resamples:
        drawn = stream.integers(0, len(labels), len(labels))
        if 0 < labels[drawn].sum() < len(labels):
            found.append(auc(scores[drawn], labels[drawn]))
    low, high = np.quantile(found, (0.025, 0.975))
    return float(low), float(high)


def with_pairs(words: Sequence[str]) -> list[str]:
    """The words, and each with the one behind it."""
    return [*words, *(f"{first} {second}" for first, second in pairwise(words))]


def classes(name: str, values: Sequence[float]) -> Iterator[str]:
    """One token per value: which of a dozen equally full classes it falls into."""
    edges = np.unique(np.quantile(values, np.linspace(0, 1, CLASSES + 1)[1:-1]))
    for number in np.searchsorted(edges, values):
        yield f"{name}:{number}"
