"""The closing tables of an arena: who stands where, and who beat whom."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from ecbench.cli.plain_table import plain_table
from ecbench.formatting import MISSING, yuan
from ecbench.metrics.ratings import Interval, Standing, different, head_to_head
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import Result
from ecbench.runs.results.summary import SharedRound, finished_rounds, run_standings

MOST_IN_A_MATRIX = 11  # entries, which 80 columns have room for


def print_standings(console: Console, run: Run, results: Sequence[Result]) -> None:
    rounds = finished_rounds(run, results)
    found = run_standings(run, results)
    if not found:
        console.print("No episode is over yet, so there are no standings.")
        return
    console.print(_standings_table(found))
    if len(found) <= MOST_IN_A_MATRIX:
        console.print(_meetings_table(run.terms.labels, head_to_head(rounds), found))
    else:
        console.print("Who ended richer than whom: --json has it.")
    for standing in found:
        if standing.unranked_reason:
            console.print(f"{standing.label} is not ranked: {standing.unranked_reason}.")
    console.print(_reading(rounds), style="dim")


def _standings_table(found: Sequence[Standing]) -> Table:
    """The table of standings, with columns of intervals if there are any."""
    spans = any(standing.assets.low is not None for standing in found)
    money, rating = ((">95%, in ¥1,000",), (">95%",)) if spans else ((), ())
    headings = (">#", "Entry", ">Mean assets", *money, ">Wins", ">Mean rank", ">Bankrupt", ">Rating", *rating)
    table = plain_table(*headings, no_wrap=True)
    table.columns[1].no_wrap, table.columns[1].overflow = False, "fold"  # a long name breaks, and no figure is cut
    for number, standing in enumerate(found, start=1):
        table.add_row(
            MISSING if standing.rank is None else str(number),
            standing.label,
            yuan(standing.assets.value),
            *([_span(standing.assets, 1_000)] if spans else []),
            f"{standing.wins:g}",
            MISSING if standing.rank is None else f"{standing.rank:.2f}",
            str(standing.bankruptcies),
            f"{standing.rating.value:,.0f}",
            *([_span(standing.rating)] if spans else []),
        )
    return table


def _meetings_table(
    labels: Sequence[str], meetings: Sequence[Sequence[float | None]], found: Sequence[Standing]
) -> Table:
    """Columns have the numbers of the rows, since names may be long."""
    order = [labels.index(standing.label) for standing in found]
    numbers = [str(number) for number in range(1, len(order) + 1)]
    table = plain_table("Richer than", *(f">{number}" for number in numbers), title="Share of rounds, by row")
    table.columns[0].overflow = "fold"
    for column in table.columns[1:]:
        column.no_wrap = True
    for number, one in zip(numbers, order, strict=True):
        cells = [meetings[one][other] for other in order]
        table.add_row(f"{number} {labels[one]}", *("" if share is None else f"{share:.0%}" for share in cells))
    return table


def _span(interval: Interval, unit: float = 1.0) -> str:
    if interval.low is None or interval.high is None:
        return MISSING
    return f"{interval.low / unit:,.0f}..{interval.high / unit:,.0f}"


def _reading(rounds: Sequence[SharedRound]) -> str:
    return (
        f"From {describe_rounds(rounds)}. Ratings are Bradley-Terry on the scale of chess, 1,000 on average: 400 "
        "points are odds of ten to one. Results of an arena are not comparable with those of a single agent, nor with "
        "those of the paper's models."
    )


def describe_rounds(rounds: Sequence[SharedRound]) -> str:
    """How many rounds there are, and how many of them differ: scripts repeat theirs."""
    if len(rounds) == 1:
        return "one round, which gives no interval"
    observed = len(different(rounds))
    if observed == 1:
        return f"{len(rounds):,} rounds that are equal to the yuan: one observation, which gives no interval"
    if observed < len(rounds):
        return f"{len(rounds):,} rounds, of which {observed:,} differ; rounds equal to the yuan count once"
    return f"{len(rounds):,} rounds"
