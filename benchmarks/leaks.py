"""What gives a cheat away before its goods arrive: how well suppliers' labels can be learned from what they show.

    python benchmarks/leaks.py                               print the table under `paper`
    python benchmarks/leaks.py --rules fair docs/studies.md  under `fair`, and put it into the page

A linear model and gradient boosting learn from six fresh worlds who is honest, and judge the suppliers of six others.
The area under the ROC curve is how often a cheat is ranked above an honest supplier: 0.5 is a coin, 1.0 is certainty.
Needs scikit-learn, of the dev extra. It takes a few minutes.
"""

import re
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from statistics import fmean

import numpy as np
from doc_tables import markdown_table, publish
from leak_learners import LEARNERS, Both, Floats, Learner, Signs, area, scores
from leak_letters import Bargain, Seen, look_at

from ecbench.quantiles import mean_interval
from ecbench.rules import DEFAULT_SET, rule_set
from ecbench.suppliers.scams import PRE_DEAL
from ecbench.world.generate import generate_world
from ecbench.world.model import World

TRAINING = range(8801, 8807)
TESTED = range(8807, 8813)
Roster = Sequence[Seen]
View = Callable[[Roster], Signs | Both]
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
    return np.array([[seen.catalog_size, seen.opening_quote] for seen in roster])


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
    room = np.maximum(opening - floor, 1e-3)
    for quote in map(np.array, bargain.quotes[:letters]):
        step = (before - quote) / np.maximum(before - floor, 1e-3)
        row += [*_summary((opening - quote) / room), *_summary(step)]
        steps.append(step)
        before = quote
    later = np.array(steps[1:])
    return [*row, *((later.mean(), later.std(), np.median(later), (later == 0).mean()) if len(later) else ())]


def all_numbers(roster: Roster, letters: int) -> Floats:
    """Everything that a catalog and the letters state in figures, and how it differs from the rest of the category.

    Of three goods: reference prices, openings, quotes and steps, in order; then the means, and those less the median of
    the suppliers of the same category in the same world.
    """
    rows = [_stated(seen, letters) for seen in roster]
    means = np.array([[np.mean(part) for part in _parts(seen.bargain, letters)] for seen in roster])
    groups: dict[tuple[int, str], list[int]] = {}
    for place, seen in enumerate(roster):
        groups.setdefault((seen.world, seen.supplier.category), []).append(place)
    relative = np.empty_like(means)
    for places_of in groups.values():
        relative[places_of] = means[places_of] - np.median(means[places_of], axis=0)
    return np.hstack([np.array(rows), means, relative])


def _stated(seen: Seen, letters: int) -> list[float]:
    parts = np.concatenate(_parts(seen.bargain, letters))
    return [*seen.bargain.references, seen.opening_quote, seen.weekly_supply, *parts.tolist()]


def _parts(bargain: Bargain, letters: int) -> list[Floats]:
    """Openings, quotes, steps of the quotes, and each step over the one before."""
    opening, quotes_of = np.array(bargain.openings), [np.array(quote) for quote in bargain.quotes[:letters]]
    steps = [before - quote for before, quote in pairwise([opening, *quotes_of])]
    speeds = [after / np.maximum(before, 1e-3) for before, after in pairwise(steps)]
    return [opening, *quotes_of, *steps, *speeds]


def numbers_and_words(roster: Roster, letters: int) -> Both:
    spoken = [[seen.first_letter, *seen.letters[:letters]] for seen in roster]
    return all_numbers(roster, letters), spoken


def _summary(values: Floats) -> list[float]:
    ordered = np.sort(values)
    return [float(values.mean()), float(values.std()), *ordered[:3].tolist(), *ordered[-3:].tolist()]


VIEWS: dict[str, View] = {
    "name and address": names,
    "place in the list of suppliers": places,
    "catalog: goods, opening quotes": catalogs,
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
OWN_FLOORS: dict[str, View] = {name: view for name, view in VIEWS.items() if "quotes of" not in name} | {
    "all numbers after one bargaining letter": partial(all_numbers, letters=1),
    "all numbers after two": partial(all_numbers, letters=2),
    "all numbers after three": partial(all_numbers, letters=3),
    "all numbers and words after one": partial(numbers_and_words, letters=1),
    "all numbers and words after two": partial(numbers_and_words, letters=2),
    "all numbers and words after three": partial(numbers_and_words, letters=3),
}
CHEATS: dict[str, Cheats] = {
    "before the deal": lambda seen: seen.supplier.scam in PRE_DEAL,
    "in the goods": lambda seen: not seen.supplier.honest and seen.supplier.scam not in PRE_DEAL,
}


class Study:
    """Suppliers of several worlds, and how well a view tells some of the cheats among them from the honest ones."""

    def __init__(self, training: Sequence[World], tested: Sequence[World], rules: str) -> None:
        seen = [look_at(world, rules) for world in (*training, *tested)]
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


def report(study: Study, views: Mapping[str, View]) -> str:
    head = ["What is seen", *(f"{cheats}, {learner}" for cheats in CHEATS for learner in LEARNERS)]
    rows = [
        [name, *(shown(study.areas(view, cheats, learner)) for cheats in CHEATS.values() for learner in LEARNERS)]
        for name, view in views.items()
    ]
    return markdown_table(head, rows)


def shown(areas: Sequence[float]) -> str:
    interval = mean_interval(areas)
    return f"{fmean(areas):.3f}" + (f" ({interval[0]:.3f} to {min(interval[1], 1.0):.3f})" if interval else "")


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("--rules", default=DEFAULT_SET, help="a set of rules [default: %(default)s]")
    parser.add_argument("pages", nargs="*", help="pages to put the table into")
    given = parser.parse_args()
    training, tested = (
        [generate_world(seed=seed, name=f"seed {seed}") for seed in part] for part in (TRAINING, TESTED)
    )
    views = OWN_FLOORS if rule_set(given.rules).floor_spread else VIEWS  # whose quotes suppose the published floors
    publish(
        "leaks-fair" if given.rules == "fair" else "leaks",
        report(Study(training, tested, given.rules), views),
        given.pages,
    )


if __name__ == "__main__":
    main()
