"""How many days a second the numeric environment plays, beside plain calls and the published release.

    python benchmarks/numeric.py [docs/studies.md]

A step is one day of one seat. The learned policy of `examples/` plays a year once; then the same actions, which are the
same tool calls, are played both ways, and the quickest round of each counts, in processor time:

- all years as rows of one `ArrayYears`;
- the calls through `Episode.act`, whose replies nobody reads.

The release's cost of a call is that of its own recordings, in the unit of plain Python that is timed here too. A page
that is named gets the table.
"""

from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
from doc_tables import markdown_table, options_of, publish
from replay import ROUNDS, seconds, unit

from ecbench import Episode, load_world
from ecbench.players.merchants.protocol import Call
from ecbench.rl import Setting
from ecbench.rl.arrays import ArrayYears

DAYS, YEARS = 90, 16
EXAMPLE = Path(__file__).parents[1] / "examples" / "learned_shop.py"
# Units of plain Python that the release takes for the calls of two recorded years: 1,966 and 2,558 of them.
RELEASE_UNITS_A_CALL = (9.14 + 13.02) / (1_966 + 2_558)


def played(setting: Setting) -> tuple[list[dict[str, Any]], list[Call]]:
    """The actions of the learned policy's year, day by day, and the tool calls to which they amount."""
    shop = run_path(str(EXAMPLE))
    weights = shop["Weights"](shop["shipped_weights"]()[None])
    years, actions = ArrayYears(1, setting=setting, log=True), []
    seen, masks = years.reset([None])
    while not years.over.all():
        actions.append(shop["act"](seen, masks, weights))
        masks = years.step(actions[-1]).masks
    return actions, years.calls()


def numeric(setting: Setting, actions: list[dict[str, Any]], count: int) -> float:
    years = ArrayYears(count, setting=setting)
    years.reset([None] * count)
    return seconds(lambda: [years.step(action) for action in actions]) / count


def by_calls(setting: Setting, calls: list[Call]) -> float:
    """Through `Episode.act`, call by call; the replies are not read."""
    episode = Episode(load_world(setting.world), days=setting.days)
    return seconds(lambda: [episode.act([call]) for call in calls])


def main() -> None:
    pages, setting = options_of(__doc__).pages, Setting(days=DAYS, max_turns=1_000_000)
    actions, calls = played(setting)
    repeated = [{name: np.repeat(array, YEARS, axis=0) for name, array in action.items()} for action in actions]
    rounds = [(numeric(setting, repeated, YEARS), by_calls(setting, calls), seconds(unit)) for _ in range(ROUNDS)]
    best = [min(column) for column in zip(*rounds, strict=True)]
    (base, called, plain), days = best, len(actions)
    release = RELEASE_UNITS_A_CALL * len(calls) * plain
    rows = [
        (f"`ArrayYears.step`, {YEARS} years side by side", "1.0"),
        ("`Episode.act` with the same calls, replies not read", f"{called / base:.1f}"),
        ("the published release, by its cost of a call", f"{release / base:.1f}"),
    ]
    table = markdown_table(("a day of one seat", "processor time, numeric is 1"), rows)
    print(f"numeric: {days / base:,.0f} days a second")
    about = f"{days} days of the learned policy on the default world, {len(calls) / days:.0f} calls a day."
    publish("numeric", f"{about}\n\n{table}", pages)


if __name__ == "__main__":
    main()
