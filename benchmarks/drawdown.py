"""What the drawdown of a year would be with all the rows that the paper's formula names.

    python benchmarks/drawdown.py                   print the table
    python benchmarks/drawdown.py docs/metrics.md   put it into the page too

The release measures the fall over the mornings as they were recorded. Equation e3_drawdown also counts the opening row
and takes the last row after the final settlement. One year of each merchant on the default world, in some seconds.
"""

import sys

from doc_tables import markdown_table, publish

from ecbench import Episode, load_world
from ecbench.metrics.solvency import peak_drawdown
from ecbench.players.driver import play_year
from ecbench.players.merchants.registry import get_merchant

MERCHANTS = ("idle", "first-quote", "haggler", "steady")
HEAD = ("Year on `default`", "`drawdown`", "all rows", "`drawdown_over_peak`", "all rows")


def row(name: str) -> list[str]:
    year = Episode(load_world("default"))
    play_year(get_merchant(name), year)
    purse, days = year.account.books.purse, year.account.books.days
    fall = peak_drawdown(day.total for day in days)
    totals = [purse.stake, *(day.total for day in days[:-1]), purse.total]
    whole = peak_drawdown(totals)
    ratios = (year.report()["score"]["drawdown_over_peak"], whole / max(totals))
    return [f"`{name}`", f"¥{fall:,.0f}", f"¥{whole:,.0f}", *(f"{ratio:.3f}" for ratio in ratios)]


def main() -> None:
    publish("drawdown", markdown_table(HEAD, map(row, MERCHANTS)), sys.argv[1:])


if __name__ == "__main__":
    main()
