"""The two learners of the leak study: a linear model and gradient boosting, over numbers or over words.

Both are trained on some worlds and score the suppliers of others. The linear model adds up what single signs say.
Boosting combines signs, so it finds what only shows in a combination, such as a quote beside the quote before it.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import SelectKBest, chi2
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from threadpoolctl import threadpool_limits

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Letters = Sequence[Sequence[str]]
"""Letters of one supplier, each a sequence of words."""
Signs = Floats | Sequence[Letters]
"""What is seen of every supplier: a row of numbers, or letters."""
Both = tuple[Floats, Sequence[Letters]]
Learner = Literal["linear", "boosting"]
LEARNERS: tuple[Learner, ...] = ("linear", "boosting")

RAREST = 10  # suppliers of the training worlds that must use a phrase before it counts
LONGEST = {"linear": 2, "boosting": 4}  # words of a phrase
JOINED_PHRASES = 300  # that are looked at beside numbers
MOST_PHRASES = 2_000  # that boosting looks at: those that differ most between the two kinds in the training worlds


def scores(learner: Learner, signs: Signs | Both, labels: Flags, training: Flags) -> Floats:
    """Every supplier's score by a model that has seen only the training ones."""
    if isinstance(signs, tuple):
        numbers, letters = signs
        signs = _joined(numbers, letters, labels, training)
    numeric = isinstance(signs, np.ndarray)
    model = make_pipeline(*(_numeric_steps(learner) if numeric else _word_steps(learner)))
    chosen = signs[training] if isinstance(signs, np.ndarray) else [signs[i] for i in np.flatnonzero(training).tolist()]
    with threadpool_limits(1):  # threads that wait for a busy core take many times as long as one thread
        model.fit(chosen, labels[training])
    return np.asarray(model.predict_proba(signs)[:, 1], np.float64)


def _joined(numbers: Floats, letters: Sequence[Letters], labels: Flags, training: Flags) -> Floats:
    """The numbers beside the phrases that differ most between the two kinds in the training worlds."""
    counted = CountVectorizer(analyzer=phrases(LONGEST["linear"]), min_df=RAREST, binary=True)
    counted.fit([letters[i] for i in np.flatnonzero(training).tolist()])
    columns = counted.transform(letters)
    chosen = _FewerColumns(chi2, k=JOINED_PHRASES).fit(columns[training], labels[training])
    return np.hstack([numbers, _dense(chosen.transform(columns))])


def _numeric_steps(learner: Learner) -> list[Any]:
    if learner == "linear":
        return [StandardScaler(), LogisticRegression(class_weight="balanced", max_iter=1_000)]
    return [HistGradientBoostingClassifier(max_iter=200, learning_rate=0.06, max_leaf_nodes=15, random_state=0)]


def _word_steps(learner: Learner) -> list[Any]:
    counted = CountVectorizer(analyzer=phrases(LONGEST[learner]), min_df=RAREST, binary=True)
    if learner == "linear":
        return [counted, LogisticRegression(class_weight="balanced", max_iter=1_000)]
    # A phrase is there or not: two bins a column keep the histograms small.
    boosting = HistGradientBoostingClassifier(
        max_iter=80, learning_rate=0.2, max_leaf_nodes=8, max_bins=2, random_state=0
    )
    return [counted, _FewerColumns(chi2, k=MOST_PHRASES), FunctionTransformer(_dense), boosting]


class _FewerColumns(SelectKBest):  # type: ignore[misc]  # of a package without types
    """The best columns, or all where there are fewer."""

    k: int

    def fit(self, columns: Any, labels: Flags) -> "_FewerColumns":
        self.k = min(self.k, columns.shape[1])
        super().fit(columns, labels)
        return self


def _dense(columns: Any) -> Any:
    return columns.toarray()


def phrases(longest: int) -> Callable[[Letters], Iterator[str]]:
    """Splits letters into all runs of 1 to `longest` words, each within one letter."""

    def split(letters: Letters) -> Iterator[str]:
        for letter in letters:
            for length in range(1, longest + 1):
                for start in range(len(letter) - length + 1):
                    yield " ".join(letter[start : start + length])

    return split


def area(found: Floats, labels: Flags) -> float:
    """How often a cheat scores above an honest supplier, a tie counting half: the area under the ROC curve."""
    return float(roc_auc_score(labels, found))
