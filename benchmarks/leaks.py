"""What gives a cheat away before its goods arrive: how well suppliers' labels can be learned from what they show.

    python benchmarks/leaks.py                               print the tables under `paper`
    python benchmarks/leaks.py --rules fair docs/studies.md  under `fair`, and put them into the page

Two strangers write to every supplier. One asks what there is and makes no offer. One bids a tenth of the reference
price for three goods, three times: no supplier accepts that or walks away so early. Gradient boosting learns from six
fresh worlds who is honest, and judges the suppliers of six others.
The area under the ROC curve is how often a cheat is ranked above an honest supplier: 0.5 is a coin, 1.0 is certainty.
Needs scikit-learn, of the dev extra. It takes a few minutes.
"""

import json
import re
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np
from doc_tables import markdown_table, publish
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import SelectKBest, chi2
from sklearn.metrics import roc_auc_score
from threadpoolctl import threadpool_limits

from ecbench import Episode
from ecbench.market.marketplace import Account
from ecbench.players.merchants.protocol import call
from ecbench.players.merchants.supplier_letters import clause
from ecbench.quantiles import mean_interval
from ecbench.rules import DEFAULT_SET
from ecbench.suppliers.conversation import converse
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.kernel import terms_of
from ecbench.suppliers.scams import PRE_DEAL
from ecbench.suppliers.supplier_traits import traits_of
from ecbench.suppliers.voices import Scene, TemplateVoice
from ecbench.suppliers.voices.letters import tone_of
from ecbench.world.generate import generate_world
from ecbench.world.model import Product, Supplier, World

TRAINING = range(8801, 8807)
TESTED = range(8807, 8813)
ASKED, BARGAINED = slice(0, 1), slice(1, 4)  # of a supplier's letters
BID = 0.1  # of the reference price
GOODS = 3
ROUNDS = 3
SEARCHES = 3
ASKING = "Hello, we run several online stores. What do you have, and on what terms?"
BIDDING = "Here is what we would pay."
RAREST = 10  # suppliers of the training worlds that must use a phrase before it counts
LONGEST = 4  # words of a phrase
JOINED_PHRASES = 300  # that are looked at beside numbers
MOST_PHRASES = 2_000  # that are looked at alone: those that differ most between the two kinds in the training worlds
_FIGURE = re.compile(r"¥?\d[\d,]*(?:\.\d+)?%?")
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)*|#")
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Letters = Sequence[Sequence[str]]
"""Letters of one supplier, each a sequence of words."""
Signs = Floats | Sequence[Letters]
"""What is seen of every supplier: a row of numbers, or letters."""
Both = tuple[Floats, Sequence[Letters]]


class Seen(NamedTuple):
    """One supplier, as far as a merchant can see it before any goods arrive, and what it hides."""

    world: int  # its seed
    supplier: Supplier
    positions: Sequence[float]  # in three searches for suppliers of its category, from 0 to 1
    catalog_size: int
    opening_quote: float  # over reference, on average
    weekly_supply: int  # units; 0 if there is no limit
    first_letter: Sequence[str]  # words
    letters: Sequence[Sequence[str]]  # words of the bargaining letters
    lengths: Sequence[int]  # characters of the first letter, without the catalog, and of the bargaining letters
    tones: Sequence[str]  # in which the counter-offers are worded
    references: Sequence[float]  # in yuan, of the goods that were bargained for
    openings: Sequence[float]  # of the catalog over reference, one for each of these goods
    quotes: Sequence[Sequence[float]]  # of each round over reference, one for each of these goods


class Overheard(TemplateVoice):
    """Speaks as ever, and keeps the tone of every counter-offer."""

    def __init__(self) -> None:
        self.tones: list[str] = []

    def reply(self, scene: Scene) -> str:
        self.tones += [tone_of(scene, answer) for answer in scene.answers if answer.verdict == "Offer"]
        return super().reply(scene)


def look_at(world: World, rules: str) -> list[Seen]:
    year = Episode(world, rules=rules)
    positions = positions_in(year)
    return [look_at_one(year.account, supplier, positions[supplier.name]) for supplier in world.suppliers]


def positions_in(year: Episode) -> dict[str, list[float]]:
    """Where each supplier stands among those of its category."""
    found: dict[str, list[float]] = {}
    for category in year.world.category_by_name:
        for _ in range(SEARCHES):
            [reply] = year.act([call("supplier_search", category=category)])
            rows = json.loads(reply)["results"]
            for index, row in enumerate(rows):
                found.setdefault(row["supplier_name"], []).append(index / len(rows))
    return found


def look_at_one(account: Account, supplier: Supplier, positions: Sequence[float]) -> Seen:
    voice, products = Overheard(), account.world.products_by_category[supplier.category]
    goods = products[:: max(1, len(products) // GOODS)][:GOODS]
    opening = {product.sku: opening_ratio(account, supplier, product) for product in products}
    asked = converse(SupplierDesk(), account, voice, supplier, ASKING)
    bids = [clause("offer", product.sku, round(BID * product.reference_price, 2), 10) for product in goods]
    desk, content = SupplierDesk(), f"{BIDDING}\n```negotiate\n{json.dumps(bids)}\n```"
    answers = [converse(desk, account, voice, supplier, content) for _ in range(ROUNDS)]
    return Seen(
        world=account.world.seed,
        supplier=supplier,
        positions=positions,
        catalog_size=len(products),
        opening_quote=sum(opening.values()) / len(products),
        weekly_supply=traits_of(account.economy, supplier).weekly_supply,
        first_letter=words(asked.reply, supplier, products),
        letters=[words(response.reply, supplier, goods) for response in answers],
        lengths=[len(prose(response.reply)) for response in (asked, *answers)],
        tones=tuple(voice.tones),
        references=[product.reference_price for product in goods],
        openings=[opening[product.sku] for product in goods],
        quotes=[
            [
                answer.price / answer.product.reference_price
                for answer in response.answers
                if answer.price is not None and answer.product is not None
            ]
            for response in answers
        ],
    )


def opening_ratio(account: Account, supplier: Supplier, product: Product) -> float:
    return terms_of(account.economy, supplier, product).opening_target / product.reference_price


def prose(letter: str) -> str:
    """A letter without its catalog rows."""
    return "\n".join(line for line in letter.split("\n") if not line.startswith("- "))


def words(letter: str, supplier: Supplier, goods: Sequence[Product]) -> list[str]:
    """The words of a letter, small. Catalog rows and the supplier's name are left out, goods and category are called
    just that, and every figure is a `#`: what is sold and quoted is another matter than how it is said."""
    said = prose(letter).replace(supplier.name, "").replace(supplier.category, "category")
    for item in goods:
        if item.title in said:
            said = said.replace(f"({item.sku})", "").replace(item.title, "goods")
    return _WORD.findall(_FIGURE.sub(" # ", said.lower()))


Roster = Sequence[Seen]
View = Callable[[Roster], Signs | Both]
"""What is looked at, of every supplier."""
Cheats = Callable[[Seen], bool]
"""Whom to tell from the honest ones."""


def names(roster: Roster) -> Signs:
    """Words of names and addresses, runs of digits as such, and how an address ends."""
    found = []
    for seen in roster:
        address = seen.supplier.email.lower()
        pieces = [f"@{piece}" for piece in re.findall(r"[a-z]+|\d+", address)]
        found.append([[*seen.supplier.name.lower().split(), *pieces, f"ends {address.partition('@')[0][-1:]}"]])
    return found


def positions(roster: Roster) -> Signs:
    return np.array([seen.positions for seen in roster])


def catalogs(roster: Roster) -> Signs:
    return np.array([[seen.catalog_size, seen.opening_quote] for seen in roster])


def lengths(roster: Roster, letters: slice) -> Signs:
    return np.array([seen.lengths[letters] for seen in roster], np.float64)


def wording(roster: Roster, letters: slice) -> Signs:
    return [[seen.first_letter, *seen.letters][letters] for seen in roster]


def tones(roster: Roster) -> Signs:
    """How many of the nine counter-offers were made in each tone."""
    counts = [[seen.tones.count(tone) for tone in ("positive", "neutral", "negative")] for seen in roster]
    return np.array(counts, np.float64)


def all_numbers(roster: Roster, letters: int) -> Floats:
    """Everything that a catalog and the letters state in figures, and how it differs from the rest of the category.

    Of three goods: reference prices, openings, quotes and steps, in order; then the means, and those less the median of
    the suppliers of the same category in the same world.
    """
    parts = [_parts(seen, letters) for seen in roster]
    rows = [
        [*seen.references, seen.opening_quote, seen.weekly_supply, *np.concatenate(own).tolist()]
        for seen, own in zip(roster, parts, strict=True)
    ]
    means = np.array([[np.mean(part) for part in own] for own in parts])
    groups: dict[tuple[int, str], list[int]] = {}
    for index, seen in enumerate(roster):
        groups.setdefault((seen.world, seen.supplier.category), []).append(index)
    relative = np.empty_like(means)
    for group in groups.values():
        relative[group] = means[group] - np.median(means[group], axis=0)
    return np.hstack([np.array(rows), means, relative])


def _parts(seen: Seen, letters: int) -> list[Floats]:
    """Openings, quotes, steps of the quotes, and each step over the one before."""
    opening, quotes_of = np.array(seen.openings), [np.array(quote) for quote in seen.quotes[:letters]]
    steps = [before - quote for before, quote in pairwise([opening, *quotes_of])]
    speeds = [after / np.maximum(before, 1e-3) for before, after in pairwise(steps)]
    return [opening, *quotes_of, *steps, *speeds]


def numbers_and_words(roster: Roster, letters: int) -> Both:
    spoken = [[seen.first_letter, *seen.letters[:letters]] for seen in roster]
    return all_numbers(roster, letters), spoken


VIEWS: dict[str, View] = {
    "name and address": names,
    "position in the list of suppliers": positions,
    "catalog: goods, opening quotes": catalogs,
    "length of an inquiry's answer": partial(lengths, letters=ASKED),
    "words of an inquiry's answer": partial(wording, letters=ASKED),
    "words of one bargaining letter": partial(wording, letters=slice(1, 2)),
    "words of three": partial(wording, letters=BARGAINED),
    "tone of three": tones,
    "length of three": partial(lengths, letters=BARGAINED),
    "all numbers after one bargaining letter": partial(all_numbers, letters=1),
    "all numbers after three": partial(all_numbers, letters=3),
    "all numbers and words after three": partial(numbers_and_words, letters=3),
}
CHEATS: dict[str, Cheats] = {
    "before the deal": lambda seen: seen.supplier.scam in PRE_DEAL,
    "in the goods": lambda seen: not seen.supplier.honest and seen.supplier.scam not in PRE_DEAL,
}


def scores(signs: Signs | Both, labels: Flags, training: Flags) -> Floats:
    """Every supplier's score by a model that has seen only the training ones.

    Letters count by the phrases that differ most between the two kinds in the training worlds. A phrase is there or
    not: two bins a column keep the histograms small.
    """
    if isinstance(signs, np.ndarray):
        columns = signs
    elif isinstance(signs, tuple):
        numbers, letters = signs
        columns = np.hstack([numbers, _phrase_columns(letters, JOINED_PHRASES, labels, training)])
    else:
        columns = _phrase_columns(signs, MOST_PHRASES, labels, training)
    of_words = not isinstance(signs, np.ndarray | tuple)
    habits = {"max_iter": 80, "learning_rate": 0.2, "max_leaf_nodes": 8, "max_bins": 2} if of_words else {
        "max_iter": 200, "learning_rate": 0.06, "max_leaf_nodes": 15}  # fmt: skip
    model = HistGradientBoostingClassifier(random_state=0, **habits)
    with threadpool_limits(1):  # threads that wait for a busy core take many times as long as one thread
        model.fit(columns[training], labels[training])
    return np.asarray(model.predict_proba(columns)[:, 1], np.float64)


def _phrase_columns(letters: Sequence[Letters], most: int, labels: Flags, training: Flags) -> Any:
    counted = CountVectorizer(analyzer=phrases, min_df=RAREST, binary=True)
    counted.fit([letters[i] for i in np.flatnonzero(training).tolist()])
    columns = counted.transform(letters)
    chosen = SelectKBest(chi2, k=min(most, columns.shape[1])).fit(columns[training], labels[training])
    return chosen.transform(columns).toarray()


def phrases(letters: Letters) -> Iterator[str]:
    """All runs of 1 to 4 words, each within one letter."""
    for letter in letters:
        for length in range(1, LONGEST + 1):
            for start in range(len(letter) - length + 1):
                yield " ".join(letter[start : start + length])


class Study:
    """Suppliers of several worlds, and how well a view tells some of the cheats among them from the honest ones."""

    def __init__(self, training: Sequence[World], tested: Sequence[World], rules: str) -> None:
        seen = [look_at(world, rules) for world in (*training, *tested)]
        self.roster = [one for roster in seen for one in roster]
        self.world = np.repeat(np.arange(len(seen)), [len(roster) for roster in seen])
        self.training = self.world < len(training)

    def areas(self, view: View, cheats: Cheats) -> list[float]:
        """One for each of the tested worlds."""
        chosen = [index for index, one in enumerate(self.roster) if one.supplier.honest or cheats(one)]
        roster = [self.roster[index] for index in chosen]
        labels, world = np.array([cheats(one) for one in roster]), self.world[chosen]
        found = scores(view(roster), labels, self.training[chosen])
        return [
            float(roc_auc_score(labels[world == one], found[world == one]))
            for one in np.unique(self.world[~self.training])
        ]


def report(study: Study) -> str:
    rows = [[name, *(shown(study.areas(view, cheats)) for cheats in CHEATS.values())] for name, view in VIEWS.items()]
    return markdown_table(["What is seen", *CHEATS], rows)


def shown(areas: Sequence[float]) -> str:
    interval = mean_interval(areas)
    return f"{fmean(areas):.3f}" + (f" ({interval[0]:.3f} to {min(interval[1], 1.0):.3f})" if interval else "")


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--rules", default=DEFAULT_SET, help="a set of rules [default: %(default)s]")
    parser.add_argument("pages", nargs="*", help="pages to put the tables into")
    given = parser.parse_args()
    training, tested = (
        [generate_world(seed=seed, name=f"seed {seed}") for seed in part] for part in (TRAINING, TESTED)
    )
    publish("leaks", report(Study(training, tested, given.rules)), given.pages)


if __name__ == "__main__":
    main()
