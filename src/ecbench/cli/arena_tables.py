"""The closing tables of an arena: who stands where, and who beat whom."""

from collections.abc import Iterator, Sequence

from rich.table import Table
from rich.text import Text

from ecbench.cli.table_printing import Cell, plain_table, rows_table, words
from ecbench.formatting import MISSING, yuan
from ecbench.metrics.ratings import Interval, Standing, different, head_to_head
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import Result
from ecbench.runs.results.summary import SharedRound, finished_rounds, run_standings

MOST_IN_A_MATRIX = 11  # entries, which 80 columns have room for


def standings_parts(run: Run, results: Sequence[Result]) -> Iterator[str | Table | Text]:
    """Who stands where, who beat whom, and how to read it."""
    rounds = finished_rounds(run, results)
    found = run_standings(run, results)
    if not found:
        yield "No episode is over yet, so there are no standings."
        return
    yield _standings_table(found)
    if len(found) <= MOST_IN_A_MATRIX:
        yield _meetings_table(run.terms.labels, head_to_head(rounds), found)
    else:
        yield "Who ended richer than whom: --json has it."
    for standing in found:
        if standing.unranked_reason:
            yield words(f"{standing.label} is not ranked: {standing.unranked_reason}.")
    yield words(_reading(rounds), "dim")


def _standings_table(found: Sequence[Standing]) -> Table:
    """The table of standings, with columns of intervals if there are any."""
    columns: dict[str, Cell] = {
        ">#": lambda each: MISSING if each.rank is None else str(1 + found.index(each)),
        "Entry": "label",
        ">Mean assets": lambda each: yuan(each.assets.value),
        ">95%, in ¥1,000": lambda each: _span(each.assets, 1_000),
        ">Wins": lambda each: f"{each.wins:g}",
        "Mean rank": "rank:hundredths",
        "Bankrupt": "bankruptcies:count",
        ">Rating": lambda each: f"{each.rating.value:,.0f}",
        ">95%": lambda each: _span(each.rating),
    }
    intervals = any(standing.assets.low is not None for standing in found)
    return rows_table(found, {name: cell for name, cell in columns.items() if intervals or "95%" not in name})


def _meetings_table(
    labels: Sequence[str], meetings: Sequence[Sequence[float | None]], found: Sequence[Standing]
) -> Table:
    """Columns have the numbers of the rows, since names may be long."""
    order = [labels.index(standing.label) for standing in found]
    rows = []
    for number, one in enumerate(order, 1):
        shares = [meetings[one][other] for other in order]
        rows.append([f"{number} {labels[one]}", *("" if share is None else f"{share:.0%}" for share in shares)])
    numbers = (f">{number}" for number in range(1, len(order) + 1))
    return plain_table("Richer than", *numbers, rows=rows, title="Share of rounds, by row")


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
