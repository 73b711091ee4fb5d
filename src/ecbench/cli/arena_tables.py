"""The closing tables of an arena: who stands where, and who beat whom."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from ecbench.cli.plain_table import plain_table
from ecbench.metrics.ratings import Interval, Standing, head_to_head
from ecbench.number_words import MISSING, yuan
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import Result
from ecbench.runs.results.arena_standings import SharedRound, arena_place, finished_rounds, run_standings


def print_standings(console: Console, run: Run, results: Sequence[Result]) -> None:
    rounds = finished_rounds(run, results)
    found = run_standings(run, results)
    if not found:
        console.print("No episode is over yet, so there are no standings.")
        return
    console.print(_standings_table(found))
    console.print(_meetings_table(run.base_terms.labels, head_to_head(rounds), found))
    for standing in found:
        if standing.no_place:
            console.print(f"{standing.label} has no place: {standing.no_place}.")
    console.print(f"{_reading(rounds)} No place among them: {arena_place(run).no_place}.", style="dim")


def _standings_table(found: Sequence[Standing]) -> Table:
    headings = (">Mean assets", ">95%, in ¥1,000", ">Wins", ">Place", ">Bankrupt", ">Rating", ">95%")
    table = plain_table(">#", "Entry", *headings, no_wrap=True)
    table.columns[1].no_wrap, table.columns[1].overflow = False, "fold"  # a long name breaks, and no figure is cut
    for place, standing in enumerate(found, start=1):
        table.add_row(
            MISSING if standing.place is None else str(place),
            standing.label,
            yuan(standing.assets.value),
            _span(standing.assets, 1_000),
            f"{standing.wins:g}",
            MISSING if standing.place is None else f"{standing.place:.2f}",
            str(standing.bankruptcies),
            f"{standing.rating.value:,.0f}",
            _span(standing.rating),
        )
    return table


def _meetings_table(
    labels: Sequence[str], meetings: Sequence[Sequence[float | None]], found: Sequence[Standing]
) -> Table:
    order = [labels.index(standing.label) for standing in found]
    table = plain_table("Richer than", *(f">{labels[entry]}" for entry in order), title="Share of rounds, by row")
    for one in order:
        cells = [meetings[one][other] for other in order]
        table.add_row(labels[one], *("" if share is None else f"{share:.0%}" for share in cells))
    return table


def _span(interval: Interval, unit: float = 1.0) -> str:
    if interval.low is None or interval.high is None:
        return MISSING
    return f"{interval.low / unit:,.0f}..{interval.high / unit:,.0f}"


def _reading(rounds: Sequence[SharedRound]) -> str:
    return (
        f"From {describe_rounds(rounds)}. Ratings are Bradley-Terry on the scale of chess, 1,000 on average: 400 "
        "points are odds of ten to one. Results of an arena are not comparable with those of a year alone, nor with "
        "those of the paper's models."
    )


def describe_rounds(rounds: Sequence[SharedRound]) -> str:
    """How many rounds there are, and how many of them have different results: scripts repeat theirs."""
    if len(rounds) == 1:
        return "one round, which gives a mean no interval"
    different = len({tuple(results) for results in rounds})
    if different == 1:
        return f"{len(rounds):,} rounds with the same results, so they say no more than one"
    if different < len(rounds):
        return f"{len(rounds):,} rounds, of which {different:,} have different results"
    return f"{len(rounds):,} rounds"
