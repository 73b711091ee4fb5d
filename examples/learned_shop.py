"""A small policy that learns on the numeric environment, without a GPU, and plays held-out worlds beside `haggler`.

    python examples/learned_shop.py --out learned

Evolution strategies: every generation plays pairs of opposite changes to the weights on the same few fresh worlds, and
moves the weights along the pairs' differences in rank. A year pays the logarithm of its growth. All years of a
generation are rows of one numeric environment, in one process. Guesses of all generations then play worlds that the
search never saw, and the last one plays whole years there, beside `haggler`, which plays them as texts. Writes
`weights.json`, `result.json` and `curve.svg` into the folder.
"""

import argparse
import json
import sys
import time
from dataclasses import replace
from math import exp
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from ecbench.analysis.compare.verdict import from_gaps, paired_verdict, sentence
from ecbench.players.merchants.haggler import Haggler
from ecbench.rl import HELD_OUT, TRAINING, Setting, YearEnvironment
from ecbench.rl.array_layout import AT_GOODS, AT_SHOP, AT_STORE, AT_SUPPLIER
from ecbench.rl.arrays import ArrayYears

Floats = NDArray[np.float64]
Arrays = dict[str, NDArray[Any]]

WHOLE = 365  # days
AVERAGED = 20  # generations
HIDDEN = 8
FEATURES = 14
HEADS = ("price", "cover", "first")
STORE_TYPES = 12
# Numbers beside the network, and where they start.
NUMBERS = {
    "bid": 0.2,
    "raise": 0.05,
    "fair": 0.75,
    "rounds": 2.0,
    "known": 0.5,  # what a supplier that has quoted is preferred by
    "dear": 5.0,  # what its last quote, over the reference price, counts against it
    "fall": 1.0,  # what the fall of its quotes counts for it
    "bad": 1.0,  # what letters without an order count against it
    "trigger": 0.4,  # of the cover, below which goods are bought
    "share": 0.5,  # of the bank to spend in a day
    "reserve": 0.06,  # of the stake, never spent
    "discount": 0.0,
    "patience": 0.0,  # what each open store counts against opening another
    "wealth": 0.0,  # what the logarithm of the bank counts for it
}
SCALE = {"dear": 5.0, "rounds": 2.0}  # steps of learning, 0.3 of a unit otherwise
SIZE = STORE_TYPES + (FEATURES + 1) * HIDDEN + (HIDDEN + 1) * len(HEADS) + len(NUMBERS)


def first_guess(draws: np.random.Generator) -> Floats:
    """Weights before any learning: random features, heads at zero, numbers where they start."""
    guess = np.zeros(SIZE)
    guess[STORE_TYPES : STORE_TYPES + (FEATURES + 1) * HIDDEN] = draws.normal(0, 1.5, (FEATURES + 1) * HIDDEN)
    return guess


def shipped_weights() -> Floats:
    """Those that lie beside this file."""
    return np.array(json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))["weights"])


def features(seen: Arrays) -> Floats:
    """What the network sees of each slot of goods, by seat and slot."""
    goods, shop, stores = seen["goods"], seen["shop"], seen["stores"]
    rows = len(goods)

    def of(name: str) -> Floats:
        found: Floats = goods[..., AT_GOODS[name]].reshape(rows, -1)
        return found

    def shared(values: Floats) -> Floats:
        return np.broadcast_to(values[:, None], (rows, slots))

    slots = of("shelf").shape[1]
    stock = of("shelf") + of("free") + of("coming")
    by_store = slots // stores.shape[1]
    reputation = np.repeat(stores[..., AT_STORE["reputation"]], by_store, axis=1)
    kind = stores[..., AT_STORE["store_type"]].astype(int)
    season = np.take_along_axis(
        np.pad(seen["store_types"][..., 1:3], ((0, 0), (1, 0), (0, 0))), kind[..., None], axis=1
    )
    return np.stack(
        [
            np.log1p(of("shelf")) / 3,
            np.log1p(stock) / 3,
            np.log1p(of("pace")),
            np.minimum(of("listed"), 14) / 14,
            np.minimum(stock / (of("pace") + 0.2), 60) / 30,
            of("returned"),
            of("quote"),
            of("paid"),
            np.log1p(of("reference")) / 5 - 1,
            shared(np.minimum(shop[:, AT_SHOP["days_left"]], 60) / 60),
            shared(np.log10(np.maximum(shop[:, AT_SHOP["bank"]], 1e3)) - 5),
            reputation,
            np.repeat(season[..., 0], by_store, axis=1) - 1,
            np.repeat(season[..., 1], by_store, axis=1) - 1,
        ],
        axis=-1,
    )


class Weights:
    """Weights of one policy per row, named."""

    def __init__(self, flat: Floats) -> None:
        rows = len(flat)
        self.store_types, rest = flat[:, :STORE_TYPES], flat[:, STORE_TYPES:]
        cut = (FEATURES + 1) * HIDDEN
        self.hidden, rest = 0.3 * rest[:, :cut].reshape(rows, FEATURES + 1, HIDDEN), rest[:, cut:]
        cut = (HIDDEN + 1) * len(HEADS)
        self.heads, rest = 0.5 * rest[:, :cut].reshape(rows, HIDDEN + 1, len(HEADS)), rest[:, cut:]
        self.numbers = {
            name: start + SCALE.get(name, 0.3) * rest[:, place] for place, (name, start) in enumerate(NUMBERS.items())
        }


def affine(inputs: Floats, weights: Floats) -> Floats:
    found: Floats = inputs @ weights[:, :-1] + weights[:, -1:]
    return found


def act(seen: Arrays, masks: Arrays, weights: Weights) -> Arrays:
    """The action of every row, each by its own weights."""
    goods, shop = seen["goods"], seen["shop"]
    shape = goods.shape[:-1]
    numbers = weights.numbers
    heads = affine(np.tanh(affine(features(seen), weights.hidden)), weights.heads)
    price = 1.1 * np.exp(0.4 * np.tanh(heads[..., 0]))
    cover = 14 * np.exp(np.tanh(heads[..., 1]) * 1.5)
    first = 0.3 * np.exp(np.tanh(heads[..., 2]) * 2.5)
    units = wanted(goods, shop, numbers, cover.reshape(shape), first.reshape(shape))
    value = (units * goods[..., AT_GOODS["reference"]]).sum(axis=-1)
    opening, best = masks["open"][:, 1:], weights.store_types + 0.0
    best = np.where(opening, best, -np.inf)
    open_count = (seen["stores"][..., AT_STORE["store_type"]] > 0).sum(axis=1)
    bank = np.maximum(shop[:, AT_SHOP["bank"]], 1.0)
    eager = best.max(axis=1) - numbers["patience"] * open_count + numbers["wealth"] * np.log10(bank / 1e5)
    by_category = np.ones(value.shape)
    return {
        "ship": np.full(len(goods), 2),
        "withdraw": np.ones(len(goods), int),
        "open": np.where(eager > -1.0, best.argmax(axis=1) + 1, 0),
        "close": np.zeros(len(goods), int),
        "discount": np.repeat(np.clip(numbers["discount"], 0, 0.5)[:, None], seen["stores"].shape[1], axis=1),
        "price": price.reshape(shape),
        "supplier": chosen_suppliers(seen["suppliers"], masks["supplier"][..., 1:], numbers),
        "priority": value,
        "units": units,
        "bid": by_category * numbers["bid"][:, None, None],
        "raise": by_category * np.maximum(numbers["raise"], 0)[:, None, None],
        "rounds": np.broadcast_to(np.round(numbers["rounds"])[:, None, None], value.shape),
        "fair": by_category * numbers["fair"][:, None, None],
    }


def wanted(goods: Floats, shop: Floats, numbers: dict[str, Floats], cover: Floats, first: Floats) -> NDArray[np.int64]:
    """Units to buy: up to the cover of what sells, within the day's budget, while there is time to sell them."""

    def of(name: str) -> Floats:
        found: Floats = goods[..., AT_GOODS[name]]
        return found

    def shared(values: Floats) -> Floats:
        return values[:, None, None, None]

    pace = np.where(of("listed") > 0, of("pace"), first)
    target = pace * np.minimum(cover, np.maximum(shared(shop[:, AT_SHOP["days_left"]]) - 10, 0)) + 0.5
    stock = of("shelf") + of("free") + of("coming")
    known = of("reference") > 0
    low = (stock < shared(numbers["trigger"]) * target) & known
    missing = np.where(known & low.any(axis=-1, keepdims=True), np.maximum(target - stock, 0), 0)
    cost = missing * of("reference") * np.where(of("quote") > 0, of("quote"), 0.7)
    budget = np.maximum(shop[:, AT_SHOP["bank"]] - 1e5 * numbers["reserve"], 0) * np.clip(numbers["share"], 0.05, 1)
    scale = np.minimum(1.0, budget / np.maximum(cost.sum(axis=(1, 2, 3)), 1.0))
    return np.round(missing * shared(scale)).astype(np.int64)


def chosen_suppliers(suppliers: Floats, usable: NDArray[np.bool_], numbers: dict[str, Floats]) -> NDArray[np.int64]:
    """The number of the best supplier of each category; 0: there is none."""

    def of(name: str) -> Floats:
        found: Floats = suppliers[..., AT_SUPPLIER[name]]
        return found

    def by(name: str) -> Floats:
        return numbers[name][:, None, None, None]

    quoted = of("last_quote") > 0
    fall = of("first_quote") - of("last_quote")
    idle = np.maximum(of("letters") - 5 * of("orders"), 0)
    score = np.where(quoted, by("known") - by("dear") * (of("last_quote") - 0.6) + 10 * by("fall") * fall, 0.0)
    score = np.where(usable, score - by("bad") * idle / 5, -np.inf)
    found: NDArray[np.int64] = np.where(usable.any(axis=-1), score.argmax(axis=-1) + 1, 0)
    return found


def play(days: int, seeds: list[int], weights: Floats) -> Floats:
    """ln(final assets / stake) of one year per row of weights, each on the world of its seed."""
    years, policy = ArrayYears(len(seeds), setting=Setting(days=days, reward="growth")), Weights(weights)
    seen, masks = years.reset(seeds)
    paid = np.zeros(len(seeds))
    while not years.over.all():
        step = years.step(act(seen, masks, policy))
        masks = step.masks
        paid += step.reward
    return paid


def averaged(guesses: list[Floats]) -> list[Floats]:
    """The mean of each guess and those shortly before it, which the noise of single generations moves less."""
    means = [np.mean(guesses[max(0, last + 1 - AVERAGED) : last + 1], axis=0) for last in range(len(guesses))]
    return [np.round(mean, 4) for mean in means]


def ranks(paid: Floats) -> Floats:
    """From -0.5 for the lowest to 0.5 for the highest."""
    found: Floats = paid.argsort().argsort() / (len(paid) - 1) - 0.5
    return found


def search(given: argparse.Namespace) -> list[Floats]:
    """The guess before the first generation and after each."""
    draws = np.random.default_rng(given.seed)
    guess = first_guess(draws)
    momentum, spread = np.zeros(SIZE), np.zeros(SIZE)
    guesses = [guess]
    for generation in range(given.generations):
        changes = draws.normal(0, given.sigma, (given.pairs, SIZE))
        candidates = guess + np.concatenate((changes, -changes))
        paid = np.zeros(len(candidates))
        for world in range(given.worlds):
            seed = TRAINING[generation * given.worlds + world]
            paid += play(given.days, [seed] * len(candidates), candidates) / given.worlds
        shaped = ranks(paid)
        slope = (shaped[: given.pairs] - shaped[given.pairs :]) @ changes / (given.pairs * given.sigma**2)
        momentum = 0.9 * momentum + 0.1 * slope
        spread = 0.99 * spread + 0.01 * slope**2
        number = generation + 1
        step = momentum / (1 - 0.9**number) / (np.sqrt(spread / (1 - 0.99**number)) + 1e-8)
        guess = guess + given.rate * step
        guesses.append(guess)
        np.save(given.out / "guesses.npy", np.array(guesses))
        print(
            f"generation {number}: mean {exp(paid.mean()):.2f}x, best {exp(paid.max()):.2f}x, "
            f"{time.process_time():.0f} s of processor time",
            flush=True,
        )
    return guesses


def haggled(days: int, seed: int) -> float:
    """ln(final assets / stake) of the haggler as it ships, through the textual environment."""
    year = YearEnvironment(Setting(days=days, reward="growth", max_turns=1_000_000))
    opening = year.reset(world_seed=seed)
    calls = Haggler(days).play(opening.tools)
    step = year.step(next(calls))
    while step.ending is None:
        step = year.step(calls.send([json.loads(reply) for reply in step.replies]))
    return step.reward


def summary(paid: Floats) -> dict[str, float]:
    """Growth over worlds as a factor: the geometric mean, and a 95% interval of it."""
    mean, error = float(paid.mean()), 1.96 * float(paid.std(ddof=1)) / len(paid) ** 0.5
    return {"multiple": exp(mean), "low": exp(mean - error), "high": exp(mean + error)}


def held_out(given: argparse.Namespace, guesses: list[Floats]) -> dict[str, Any]:
    """What guesses, from the first to the last, and `haggler` come to on worlds that the search never saw."""
    shown = sorted({*range(0, len(guesses), given.every), len(guesses) - 1})
    curve, whole, haggler, haggler_whole = [], [], [], []
    for seed in HELD_OUT[: given.held_out]:
        curve.append(play(given.days, [seed] * len(shown), np.array([guesses[number] for number in shown])))
        whole.append(play(WHOLE, [seed], guesses[-1][None])[0])
        haggler.append(haggled(given.days, seed))
        haggler_whole.append(haggled(WHOLE, seed))
        print(f"world {seed}: learned {exp(whole[-1]):.1f}x, haggler {exp(haggler_whole[-1]):.1f}x", flush=True)
    by_guess = np.array(curve).T
    return {
        "generations": shown,
        "curve": [summary(paid) for paid in by_guess],
        "haggler": summary(np.array(haggler)),
        "better_on": int((by_guess[-1] > haggler).sum()),
        "verdict": _verdict(by_guess[-1] - haggler, given.days),
        "whole_year": summary(np.array(whole)),
        "haggler_whole_year": summary(np.array(haggler_whole)),
        "whole_year_better_on": int((np.array(whole) > haggler_whole).sum()),
        "whole_year_verdict": _verdict(np.array(whole) - haggler_whole, WHOLE),
    }


def _verdict(gaps: Floats, days: int) -> str:
    """The primary test of `ecbench compare`, in words."""
    found = replace(verdict := paired_verdict(from_gaps(gaps.tolist())), p_adjusted=verdict.p)
    return f"{days} days: " + sentence(found, "the learned policy", "haggler")


def draw(result: dict[str, Any], days: int, worlds: int, place: Path) -> None:
    """The learning curve as a picture."""
    points = [{"generation": at, **point} for at, point in zip(result["generations"], result["curve"], strict=True)]
    title = f"final assets over stake, {days} days"
    x = alt.X("generation:Q", title="generation", axis=alt.Axis(tickMinStep=1))
    chart = alt.Chart(alt.InlineData(values=points))
    band = chart.mark_area(opacity=0.2, color="#2a6f97").encode(x=x, y=alt.Y("low:Q", title=title), y2="high:Q")
    line = chart.mark_line(point=True, color="#2a6f97").encode(x=x, y=alt.Y("multiple:Q", title=title))
    rival = alt.Chart(alt.InlineData(values=[result["haggler"]]))
    rule = rival.mark_rule(strokeDash=[6, 4], color="#888").encode(y="multiple:Q")
    heading = alt.Title(
        "A small policy learns to keep shop",
        subtitle=f"geometric mean and 95% interval over {worlds} held-out worlds; dashed: haggler",
    )
    (band + line + rule).properties(width=560, height=300, title=heading).save(place)


def asked_for() -> argparse.Namespace:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options: tuple[tuple[str, Any, str], ...] = (
        ("generations", 50, "of the search"),
        ("every", 5, "generations between two guesses that play held-out worlds"),
        ("pairs", 8, "of candidates in a generation"),
        ("worlds", 2, "fresh ones, of a generation"),
        ("held-out", 24, "worlds that the search does not see"),
        ("days", 90, "of a year in the search"),
        ("seed", 0, "of the search's draws"),
        ("sigma", 0.4, "spread of the candidates"),
        ("rate", 0.15, "of learning"),
    )
    for name, usual, meaning in options:
        asked.add_argument(f"--{name}", type=type(usual), default=usual, help=f"{meaning} [default: {usual}]")
    asked.add_argument("--out", type=Path, default=Path("learned"), help="a folder [default: learned]")
    return asked.parse_args()


def main() -> int:
    given = asked_for()
    given.out.mkdir(parents=True, exist_ok=True)
    guesses = averaged(search(given))
    settings = {name: value for name, value in vars(given).items() if name != "out"}
    learned_in = round(time.process_time() / 60, 1)
    result = {"settings": settings, "processor_minutes": learned_in, **held_out(given, guesses)}
    (given.out / "result.json").write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    weights = {
        "made_by": "examples/learned_shop.py",
        "settings": settings,
        "weights": guesses[-1].tolist(),
    }
    (given.out / "weights.json").write_text(json.dumps(weights) + "\n", encoding="utf-8")
    draw(result, given.days, given.held_out, given.out / "curve.svg")
    print(result["verdict"], result["whole_year_verdict"], sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
