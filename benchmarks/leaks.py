"""What gives a cheat away before its goods arrive: how well suppliers' labels can be learned from what they show.

    python benchmarks/leaks.py                    print the table
    python benchmarks/leaks.py docs/validity.md   put it into the page too

A linear model and gradient boosting learn from six fresh worlds who is honest, and judge the suppliers of six others.
The area under the ROC curve is how often a cheat is ranked above an honest supplier: 0.5 is a coin, 1.0 is certainty.
Needs scikit-learn, of the dev extra. It takes a few minutes.
"""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import fmean

import numpy as np
from doc_tables import markdown_table, publish
from leak_learners import LEARNERS, Floats, Learner, Signs, area, scores
from leak_letters import Bargain, Seen, look_at

from ecbench.quantiles import mean_interval
from ecbench.suppliers.scams import PRE_DEAL
from ecbench.world.generate import generate_world
from ecbench.world.model import World

TRAINING = range(8801, 8807)
TESTED = range(8807, 8813)
Roster = Sequence[Seen]
View = Callable[[Roster], Signs]
"""What is looked at, of every supplier."""
Cheats = Callable[[Seen], bool]
"""Whom to tell from the honest ones."""


def names(roster: Roster) -> Signs:
    return [[[*seen.supplier.name.lower().split(), *_pieces(seen.supplier.email.lower())]] for seen in roster]


def _pieces(address: str) -> Iterator[str]:
    """Words of an address, runs of digits as such, and how it ends."""
    user = address.partition("@")[0]
    yield from (f"@{piece}" for piece in re.findall(r"[a-z]+|\d+", address))
    yield f"ends {user[-1:]}"


def places(roster: Roster) -> Signs:
    return np.array([seen.places for seen in roster])


def catalogs(roster: Roster) -> Signs:
    return np.array([[seen.catalog_size, seen.lead_days, seen.opening_quote] for seen in roster])


def first_lengths(roster: Roster) -> Signs:
    return np.array([seen.lengths[:1] for seen in roster], np.float64)


def bargaining_lengths(roster: Roster) -> Signs:
    return np.array([seen.lengths[1:] for seen in roster], np.float64)


def first_letters(roster: Roster) -> Signs:
    return [[seen.first_letter] for seen in roster]


def bargaining_letters(roster: Roster, count: int) -> Signs:
    return [seen.letters[:count] for seen in roster]


def tones(roster: Roster) -> Signs:
    """How many of the nine counter-offers were made in each tone."""
    counts = [[seen.tones.count(tone) for tone in ("positive", "neutral", "negative")] for seen in roster]
    return np.array(counts, np.float64)


def quotes(roster: Roster, letters: int) -> Signs:
    return np.array([_conceded(seen.bargain, letters) for seen in roster])


def wide_quotes(roster: Roster) -> Signs:
    return np.array([_conceded(seen.wide_bargain, 1) for seen in roster])


def _conceded(bargain: Bargain, letters: int) -> list[float]:
    """How far the quotes have come from the opening to the floor, of which a customer knows that the opening lies
    midway between it and the reference price; by round, and by good in ascending order."""
    opening = np.array(bargain.openings)
    floor = 2 * opening - 1
    row, before, steps = [float(opening.mean())], opening, []
    for quote in map(np.array, bargain.quotes[:letters]):
        step = (before - quote) / np.maximum(before - floor, 1e-3)
        row += [*_summary((opening - quote) / (opening - floor)), *_summary(step)]
        steps.append(step)
        before = quote
    later = np.array(steps[1:])
    return [*row, *((later.mean(), later.std(), np.median(later), (later == 0).mean()) if len(later) else ())]


def _summary(values: Floats) -> list[float]:
    ordered = np.sort(values)
    return [float(values.mean()), float(values.std()), *ordered[:3].tolist(), *ordered[-3:].tolist()]


VIEWS: dict[str, View] = {
    "name and address": names,
    "place in the list of suppliers": places,
    "catalog: goods, lead times, opening quotes": catalogs,
    "length of an inquiry's answer": first_lengths,
    "words of an inquiry's answer": first_letters,
    "words of one bargaining letter": partial(bargaining_letters, count=1),
    "words of two": partial(bargaining_letters, count=2),
    "words of three": partial(bargaining_letters, count=3),
    "tone of three": tones,
    "length of three": bargaining_lengths,
    "quotes of one bargaining letter, three goods": partial(quotes, letters=1),
    "quotes of two": partial(quotes, letters=2),
    "quotes of three": partial(quotes, letters=3),
    "quotes of one bargaining letter, ten goods": wide_quotes,
}
CHEATS: dict[str, Cheats] = {
    "before the deal": lambda seen: seen.supplier.scam in PRE_DEAL,
    "in the goods": lambda seen: not seen.supplier.honest and seen.supplier.scam not in PRE_DEAL,
}


class Study:
    """Suppliers of several worlds, and how well a view tells some of the cheats among them from the honest ones."""

    def __init__(self, training: Sequence[World], tested: Sequence[World]) -> None:
        seen = [look_at(world) for world in (*training, *tested)]
        self.roster = [one for roster in seen for one in roster]
        self.world = np.repeat(np.arange(len(seen)), [len(roster) for roster in seen])
        self.training = self.world < len(training)

    def areas(self, view: View, cheats: Cheats, learner: Learner = "boosting") -> list[float]:
        """One for each of the tested worlds."""
        chosen = [place for place, one in enumerate(self.roster) if one.supplier.honest or cheats(one)]
        roster = [self.roster[place] for place in chosen]
        labels, world = np.array([cheats(one) for one in roster]), self.world[chosen]
        found = scores(learner, view(roster), labels, self.training[chosen])
        return [area(found[world == one], labels[world == one]) for one in np.unique(self.world[~self.training])]


def report(study: Study) -> str:
    head = ["What is seen", *(f"{cheats}, {learner}" for cheats in CHEATS for learner in LEARNERS)]
    rows = [
        [name, *(shown(study.areas(view, cheats, learner)) for cheats in CHEATS.values() for learner in LEARNERS)]
        for name, view in VIEWS.items()
    ]
    return markdown_table(head, rows)


def shown(areas: Sequence[float]) -> str:
    interval = mean_interval(areas)
    return f"{fmean(areas):.3f}" + (f" ({interval[0]:.3f} to {min(interval[1], 1.0):.3f})" if interval else "")


def main() -> None:
    training, tested = (
        [generate_world(seed=seed, name=f"seed {seed}") for seed in part] for part in (TRAINING, TESTED)
    )
    publish("leaks", report(Study(training, tested)), sys.argv[1:])


if __name__ == "__main__":
    main()
