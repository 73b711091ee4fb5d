"""The worked example of the page on comparisons, and how often its intervals and tests are right.

    python benchmarks/compare_example.py docs/compare.md   put them into the page, between its marks

Two merchants play ten fresh worlds twice each, by the same commands that the page shows, and `ecbench compare` prints
what it makes of them. Intervals and tests are then tried on samples whose truth is known. It takes some minutes.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from math import exp
from pathlib import Path

import numpy as np
from doc_tables import markdown_table, write_block

from ecbench.compare.chance import Floats, bootstrap_interval, resamples, sign_flip
from ecbench.quantiles import LEVEL

MERCHANTS = ("haggler", "first-quote")
WORLDS = "1-10"
ROUNDS = 2_000
SEED = 1
WIDTH = 96  # characters of a line of the example

Draw = Callable[[np.random.Generator, int], Floats]


def command(*arguments: str, place: Path) -> str:
    """What a command of the program prints."""
    settings = os.environ | {"COLUMNS": str(WIDTH)}
    made = subprocess.run(
        [sys.executable, "-m", "ecbench", *arguments],
        cwd=place,
        env=settings,
        capture_output=True,
        text=True,
        check=True,
    )
    return "\n".join(line.rstrip() for line in made.stdout.splitlines())


def example(place: Path) -> str:
    commands = []
    for merchant in MERCHANTS:
        arguments = ["run", "--agent", merchant, "--worlds", WORLDS, "--episodes", "2", "--out", merchant]
        command(*arguments, "--quiet", place=place)
        commands.append(" ".join(["$ ecbench", *arguments]))
    told = command("compare", *MERCHANTS, place=place)
    facts = json.loads(command("compare", *MERCHANTS, "--json", place=place))["pairs"][0]["axes"][0]
    rows = [[world, f"{met['a']:,.2f}", f"{met['b']:,.2f}"] for world, met in facts["by_world"].items()]
    shown = "\n".join([*commands, f"$ ecbench compare {' '.join(MERCHANTS)}", told])
    table = markdown_table(["World", *MERCHANTS], rows)
    return f"```console\n{shown}\n```\n\nThe final assets behind its first line, mean of two years, in yuan:\n\n{table}"


def coverage(draw: Draw, mean: float, worlds: int) -> tuple[float, float]:
    """How often the interval holds the mean of the law, and how often the test finds a difference from it."""
    draws = np.random.default_rng(SEED)
    held = found = 0
    for _ in range(ROUNDS):
        sample = draw(draws, worlds)
        interval = bootstrap_interval(sample[resamples(worlds)].mean(axis=1), worlds)
        assert interval is not None
        held += interval[0] <= mean <= interval[1]
        found += sign_flip((sample - mean).tolist()) <= LEVEL
    return held / ROUNDS, found / ROUNDS


def trials() -> str:
    laws: dict[str, tuple[Draw, float]] = {
        "normal": (lambda draws, worlds: draws.normal(0, 1, worlds), 0.0),
        "skewed, log-normal with spread 0.5": (lambda draws, worlds: draws.lognormal(0, 0.5, worlds), exp(0.125)),
        "very skewed, log-normal with spread 1": (lambda draws, worlds: draws.lognormal(0, 1, worlds), exp(0.5)),
    }
    rows = []
    for name, (draw, mean) in laws.items():
        for worlds in (6, 10, 20):
            held, found = coverage(draw, mean, worlds)
            rows.append([name, str(worlds), f"{held:.1%}", f"{found:.1%}"])
    head = ["Differences between two agents are", "Worlds", "Interval holds the truth", "False alarms at 5%"]
    return markdown_table(head, rows)


def main(arguments: list[str]) -> None:
    if len(arguments) != 1:
        raise SystemExit("usage: python benchmarks/compare_example.py docs/compare.md")
    page = Path(arguments[0])
    with tempfile.TemporaryDirectory() as place:
        write_block(page, "example", example(Path(place)))
    write_block(page, "trials", trials())


if __name__ == "__main__":
    main(sys.argv[1:])
