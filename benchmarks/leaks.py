"""What gives a cheat away before its goods arrive: how well suppliers' labels can be learned from what they show.

    python benchmarks/leaks.py                    print the tables
    python benchmarks/leaks.py docs/validity.md   put them into the page too

Eleven worlds, ten fresh ones and default. A logistic regression over tokens learns from ten of them who is honest and
judges the suppliers of the eleventh, each world in turn. The area under the ROC curve is how often it ranks a cheat
above an honest supplier: 0.5 is a coin, 1.0 is certainty. It takes a few minutes.
"""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import fmean, pstdev

import numpy as np
from doc_tables import markdown_table, publish
from leak_letters import Seen, look_at
from numpy.typing import NDArray
from word_model import Tokens, auc, auc_interval, classes, held_out_scores, with_pairs

from ecbench import load_world
from ecbench.suppliers.scams import PRE_DEAL
from ecbench.world.generate import generate_world
from ecbench.world.model import World
from ecbench.world.supplier_kinds import Scam

SEEDS = range(1, 11)
Roster = Sequence[Seen]
View = Callable[[Roster], Sequence[Tokens]]
"""What is looked at: the tokens of every supplier."""
Cheats = Callable[[Seen], bool]
"""Whom to tell from the honest ones."""


def names(roster: Roster) -> list[Tokens]:
    return [[*seen.supplier.name.lower().split(), *_pieces(seen.supplier.email.lower())] for seen in roster]


def _pieces(address: str) -> Iterator[str]:
    """Words of an address, runs of digits as such, and how it ends."""
    user = address.partition("@")[0]
    yield from (f"@{piece}" for piece in re.findall(r"[a-z]+|\d+", address))
    yield f"ends {user[-1:]}"


def catalogs(roster: Roster) -> list[Tokens]:
    return _figures(
        {
            "goods": [seen.catalog_size for seen in roster],
            "lead": [seen.lead_days for seen in roster],
            "opening": [seen.opening_quote for seen in roster],
        }
    )


def first_letters(roster: Roster) -> list[Tokens]:
    return [with_pairs(seen.first_letter) for seen in roster]


def bargaining_letters(roster: Roster, count: int) -> list[Tokens]:
    return [[token for letter in seen.letters[:count] for token in with_pairs(letter)] for seen in roster]


def tones(roster: Roster) -> list[Tokens]:
    """How many of the nine counter-offers were made in each tone."""
    return [[f"{tone} {seen.tones.count(tone)}" for tone in ("positive", "neutral", "negative")] for seen in roster]


def first_quotes(roster: Roster) -> list[Tokens]:
    return _figures({"first": [_mean(seen, 0) / seen.opening_quote for seen in roster]})


def concessions(roster: Roster) -> list[Tokens]:
    """How far quotes fall in three rounds, how steadily, and how much that differs between goods."""
    falls = [[1 - _mean(seen, step + 1) / _mean(seen, step) for step in range(2)] for seen in roster]
    return _figures(
        {
            "first": [_mean(seen, 0) / seen.opening_quote for seen in roster],
            "one": [fall[0] for fall in falls],
            "two": [fall[1] for fall in falls],
            "steady": [fall[1] / (fall[0] + 1e-4) for fall in falls],
            "apart": [pstdev(last / first for first, last in zip(seen.quotes[0], seen.quotes[-1])) for seen in roster],
        }
    )


def _mean(seen: Seen, step: int) -> float:
    return fmean(seen.quotes[step])


def _figures(columns: dict[str, Sequence[float]]) -> list[Tokens]:
    """Figures sorted into classes, and every two of them together, since it is often the pair that tells."""
    named = [list(classes(name, values)) for name, values in columns.items()]
    return [[*row, *(f"{a} {b}" for i, a in enumerate(row) for b in row[:i])] for row in zip(*named)]


def together(*views: View) -> View:
    return lambda roster: [[token for part in parts for token in part] for parts in zip(*(v(roster) for v in views))]


VIEWS: dict[str, View] = {
    "name and address": names,
    "catalog: goods, lead times, opening quotes": catalogs,
    "words of the first letter": first_letters,
    "words of three bargaining letters": partial(bargaining_letters, count=3),
    "tone of three bargaining letters": tones,
    "first counter-offer": first_quotes,
    "concessions over three rounds": concessions,
    "concessions and tone": together(concessions, tones),
}
CHEATS: dict[str, Cheats] = {
    "before the deal": lambda seen: seen.supplier.scam in PRE_DEAL,
    "in the goods": lambda seen: not seen.supplier.honest and seen.supplier.scam not in PRE_DEAL,
    "all five scams": lambda seen: not seen.supplier.honest,
}
FIRST_LETTER_SCAMS: dict[Scam, str] = {
    "vip_fee": "membership fee",
    "future_discount": "discount on the next order",
    "fake_urgency": "false urgency",
}


class Study:
    """Suppliers of several worlds, and how well a view tells some of the cheats among them from the honest ones."""

    def __init__(self, worlds: Sequence[World]) -> None:
        seen = [look_at(world) for world in worlds]
        self.roster = [one for roster in seen for one in roster]
        self.world = np.repeat(np.arange(len(worlds)), [len(roster) for roster in seen])

    def judge(self, view: View, cheats: Cheats) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """A score for each of these cheats and each honest supplier, and which of them cheat."""
        chosen = [place for place, one in enumerate(self.roster) if one.supplier.honest or cheats(one)]
        roster = [self.roster[place] for place in chosen]
        labels = np.array([cheats(one) for one in roster])
        return held_out_scores(view(roster), labels, self.world[chosen]), labels

    def auc(self, view: View, cheats: Cheats) -> float:
        return auc(*self.judge(view, cheats))


def report(study: Study) -> str:
    by_view = [[name, *(shown(study, view, cheats) for cheats in CHEATS.values())] for name, view in VIEWS.items()]
    one_by_one = [[name, shown(study, first_letters, partial(runs, scam))] for scam, name in FIRST_LETTER_SCAMS.items()]
    return (
        f"{markdown_table(['What is seen', *CHEATS], by_view)}\n\n"
        "One scam at a time, which is easier, since two thirds of the honest letters speak of something else:\n\n"
        f"{markdown_table(['Scam before the deal', 'words of the first letter'], one_by_one)}"
    )


def runs(scam: Scam, seen: Seen) -> bool:
    return seen.supplier.scam == scam


def shown(study: Study, view: View, cheats: Cheats) -> str:
    scores, labels = study.judge(view, cheats)
    low, high = auc_interval(scores, labels)
    return f"{auc(scores, labels):.2f} ({low:.2f} to {high:.2f})"


def main() -> None:
    worlds = [generate_world(seed=seed, name=f"seed {seed}") for seed in SEEDS]
    publish("leaks", report(Study([*worlds, load_world("default")])), sys.argv[1:])


if __name__ == "__main__":
    main()
