"""Learn the haggler's numbers on fresh worlds, without a GPU, and draw how it went.

    python examples/tune_haggler.py --out tuned

A cross-entropy search: every generation draws candidates around the best guess so far, lets each play the same few
worlds that nobody has seen before, and moves the guess to the best quarter of them. A year pays the logarithm of its
growth. The guesses of all generations then play worlds that the search never saw, beside the haggler as it ships, and
the last one plays whole years there. Writes `curve.svg` and `result.json` into the folder.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from math import exp, log
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import altair as alt
import numpy as np
from numpy.typing import NDArray

from ecbench.players.merchants.haggler import FAIR, Haggler
from ecbench.rl import HELD_OUT, TRAINING, Setting, YearEnvironment

Point = NDArray[np.float64]  # one number per knob, each between 0 and 1

ELITE = 0.25  # of the candidates
MOVE = 0.7  # of the way to the elite's mean and spread
LEAST_SPREAD = 0.03
OFFER_STEP = 0.02  # from one offer to the next


@dataclass(frozen=True, slots=True)
class Knob:
    """A number of the haggler's: where it may go, and where it stands."""

    name: str
    least: float
    most: float
    usual: float
    whole: bool = False

    def value(self, place: float) -> float:
        """From 0 to 1 along the logarithm: all of these are rates, counts or shares."""
        found = exp(log(self.least) + place * (log(self.most) - log(self.least)))
        return round(found) if self.whole else found

    @property
    def start(self) -> float:
        return log(self.usual / self.least) / log(self.most / self.least)


KNOBS = (
    Knob("price", 0.8, 1.6, 1.05),
    Knob("goods", 1, 12, 3, whole=True),
    Knob("restocked_a_day", 0.8, 8, 1.7),
    Knob("spare_days", 1, 40, 8),
    Knob("first_pace", 0.05, 3, 4 / 14),
    Knob("fair", 0.4, 1.2, FAIR),
    Knob("first_offer", 0.02, 0.6, 0.10),
    Knob("rounds", 1, 4, 3, whole=True),
)
USUAL: Point = np.array([knob.start for knob in KNOBS])


def numbers(point: Point) -> dict[str, float]:
    return {knob.name: knob.value(float(place)) for knob, place in zip(KNOBS, np.clip(point, 0, 1), strict=True)}


def haggler(days: int, point: Point) -> Haggler:
    given: dict[str, Any] = numbers(point)
    first, rounds = given.pop("first_offer"), given.pop("rounds")
    return Haggler(days, offers=[first + OFFER_STEP * n for n in range(rounds)], **given)


def growth(days: int, seed: int, points: Sequence[Point]) -> list[float]:
    """What each point is paid for a year on one world: ln(final assets / stake)."""
    year = YearEnvironment(Setting(days=days, reward="growth", max_turns=100_000))
    paid = []
    for point in points:
        opening = year.reset(world_seed=seed)
        play = haggler(days, point).play(opening.tools)
        step = year.step(next(play))
        while step.ending is None:
            step = year.step(play.send([json.loads(reply) for reply in step.replies]))
        paid.append(step.reward)
    return paid


def on_worlds(pool: ProcessPoolExecutor, days: int, seeds: Iterable[int], points: Sequence[Point]) -> Point:
    """Growth by world and point. Each worker generates the worlds that it plays on, once."""
    return np.array(list(pool.map(partial(growth, days), seeds, repeat(points))))


def search(pool: ProcessPoolExecutor, given: argparse.Namespace) -> list[Point]:
    """The guess before the first generation and after each."""
    draws = np.random.default_rng(given.seed)
    guess, spread, guesses = USUAL.copy(), np.full(len(KNOBS), 0.2), [USUAL]
    for generation in range(given.generations):
        seeds = [TRAINING[generation * given.worlds + world] for world in range(given.worlds)]
        points = np.clip(draws.normal(guess, spread, (given.candidates, len(KNOBS))), 0, 1)
        paid = on_worlds(pool, given.days, seeds, list(points)).mean(axis=0)
        elite = points[np.argsort(-paid)[: max(2, round(ELITE * given.candidates))]]
        guess = guess + MOVE * (elite.mean(axis=0) - guess)
        spread = np.maximum(LEAST_SPREAD, spread + MOVE * (elite.std(axis=0) - spread))
        guesses.append(guess)
        print(
            f"generation {generation + 1}: candidates {exp(paid.mean()):.2f}x, best {exp(paid.max()):.2f}x", flush=True
        )
    return guesses


def summary(paid: Point) -> dict[str, float]:
    """Growth over worlds as a factor: the geometric mean, and a 95% interval of it."""
    mean, error = float(paid.mean()), 1.96 * float(paid.std(ddof=1)) / len(paid) ** 0.5
    return {"multiple": exp(mean), "low": exp(mean - error), "high": exp(mean + error)}


def draw(curve: list[dict[str, float]], days: int, worlds: int, place: Path) -> None:
    rows = alt.InlineData(values=[{"generation": number, **point} for number, point in enumerate(curve)])
    x = alt.X("generation:Q", title="generation", axis=alt.Axis(tickMinStep=1))
    title = f"final assets over stake, {days} days"
    y = alt.Y("multiple:Q", title=title, scale=alt.Scale(zero=False))
    band = (
        alt.Chart(rows).mark_area(opacity=0.2, color="#2a6f97").encode(x=x, y=alt.Y("low:Q", title=title), y2="high:Q")
    )
    line = alt.Chart(rows).mark_line(point=True, color="#2a6f97").encode(x=x, y=y)
    shipped = (
        alt.Chart(alt.InlineData(values=[curve[0]])).mark_rule(strokeDash=[6, 4], color="#888").encode(y="multiple:Q")
    )
    heading = alt.Title(
        "The haggler learns its numbers",
        subtitle=f"geometric mean and 95% interval over {worlds} held-out worlds; dashed: as it ships",
    )
    (band + line + shipped).properties(width=560, height=300, title=heading).save(place)


def asked_for() -> argparse.Namespace:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, usual, told in (
        ("generations", 16, "of the search"),
        ("candidates", 20, "of a generation"),
        ("worlds", 4, "fresh ones, of a generation"),
        ("held-out", 24, "worlds that the search does not see"),
        ("days", 90, "of a year in the search"),
        ("whole", 365, "days of the years that the last guess plays"),
        ("seed", 0, "of the search's draws"),
        ("jobs", os.cpu_count() or 1, "processes"),
    ):
        asked.add_argument(f"--{name}", type=int, default=usual, help=f"{told} [default: {usual}]")
    asked.add_argument("--out", type=Path, default=Path("tuned"), help="a folder [default: tuned]")
    return asked.parse_args()


def main() -> int:
    given = asked_for()
    given.out.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with ProcessPoolExecutor(given.jobs, mp_context=get_context("spawn")) as pool:
        guesses = search(pool, given)
        unseen = HELD_OUT[: given.held_out]
        held_out = on_worlds(pool, given.days, unseen, guesses)
        whole = on_worlds(pool, given.whole, unseen, [guesses[0], guesses[-1]])
    curve = [summary(paid) for paid in held_out.T]
    result = {
        "minutes": round((time.monotonic() - began) / 60, 1),
        "processor_minutes": round(sum(os.times()[:4]) / 60, 1),  # of this process and its workers
        "settings": {name: value for name, value in vars(given).items() if name != "out"},
        "shipped": numbers(guesses[0]),
        "tuned": numbers(guesses[-1]),
        "held_out": curve,
        "better_on": int((held_out[:, -1] > held_out[:, 0]).sum()),
        "whole_year": {"shipped": summary(whole[:, 0]), "tuned": summary(whole[:, 1])},
        "whole_year_better_on": int((whole[:, 1] > whole[:, 0]).sum()),
    }
    (given.out / "result.json").write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    draw(curve, given.days, given.held_out, given.out / "curve.svg")
    first, last = curve[0]["multiple"], curve[-1]["multiple"]
    print(f"{given.held_out} held-out worlds, {given.days} days: {first:.2f}x as shipped, {last:.2f}x tuned")
    return 0


if __name__ == "__main__":
    sys.exit(main())
