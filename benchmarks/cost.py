"""What an evaluation costs by its design, and what it shows, from the estimate and the price list of the package.

    python benchmarks/cost.py docs/cost.md   put the tables into the page, between its marks

Nothing is measured here: tokens follow from the play of four models of the paper (`harness/cost_estimate.py`), dollars
from `ecbench models`, the years of each design from the kinds of seasons, and error rates from what
`benchmarks/coverage.py` wrote into docs/studies.md.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from doc_tables import markdown_table, publish, table_rows

from ecbench.compare.interim import analyses_of
from ecbench.compare.power import FEWEST_WORLDS
from ecbench.harness.context import ContextPolicy
from ecbench.harness.cost_estimate import PLAYS, conversation_usage, estimate_year
from ecbench.harness.prices import WRITE_MULTIPLES, packaged_prices
from ecbench.harness.settings import ModelSettings
from ecbench.suite.season_kinds import FULL, SHORT, SeasonKind

MODELS = (
    "openai/gpt-5",
    "openai/gpt-5-mini",
    "anthropic/claude-opus-4-5",
    "anthropic/claude-sonnet-4-5",
    "google/gemini-2.5-pro",
)
PAPERS_EPISODES = 5
STUDIES_PAGE = Path(__file__).parents[1] / "docs" / "studies.md"
RATIO = "2 times"
CACHED_MULTIPLE = 0.1  # of Anthropic's input price


class Design(NamedTuple):
    """A way to evaluate a model: so many years of so many days."""

    name: str
    years: float
    days: int


def season(kind: SeasonKind) -> Design:
    return Design(f"{kind.name} season", kind.years * (kind.worlds + 1), kind.days)


def _of_full_season(**wanted: str) -> dict[str, str]:
    """The row of a table of docs/studies.md about studies on as many worlds as a full season has."""
    cells = {"Worlds": str(FULL.worlds)} | {name.replace("_", " "): value for name, value in wanted.items()}
    return next(row for row in table_rows(STUDIES_PAGE, "stopping") if cells.items() <= row.items())


DIFFERENT = _of_full_season(True_ratio=RATIO, Other_ruined="0%")
EQUAL = _of_full_season(True_ratio="1 times", Other_ruined="0%")
CLEAR_WORLDS, FIRST_LOOK = float(DIFFERENT["Played"]), analyses_of(FULL.worlds)[0]

DESIGNS = (
    Design("one year", 1, FULL.days),
    Design("`--protocol paper`", PAPERS_EPISODES, FULL.days),
    season(FULL),
    Design(f"full season, stopped when clear (on average, at {RATIO})", CLEAR_WORLDS * FULL.years, FULL.days),
    Design("full season, clear at the first look", FIRST_LOOK * FULL.years, FULL.days),
    season(SHORT),
)


def main(pages: Sequence[str]) -> None:
    listed = packaged_prices()
    head = ["Design", "Years", "Days", *(name.partition("/")[2] for name in MODELS)]
    table = markdown_table(head, map(_row, DESIGNS))
    publish("cost-designs", f"{table}\n\nDollars at the listed prices of {listed.date}.", pages)
    publish("cost-errors", _errors(), pages)
    publish("cost-tokens", markdown_table(["Turns", "Tokens a turn", "Sent", "New", "Written"], _plays()), pages)
    publish("cost-ttl", markdown_table(["Turns", "New a turn", "Sent a turn", "An hour pays from"], _hours()), pages)


def _row(design: Design) -> list[str]:
    costs = []
    for name in MODELS:
        dollars = estimate_year(ModelSettings(name), days=design.days).dollars
        assert dollars is not None, f"{name} has no listed price"
        costs.append(" to ".join(f"${design.years * amount:,.0f}" for amount in dollars))
    return [design.name, f"{design.years:g}", str(design.days), *costs]


def _errors() -> str:
    """What each design shows between two agents, by simulated studies."""
    head = ["Design", "Equal agents told apart", f"{RATIO} as much is shown"]
    rows = [
        [f"one world, or fewer than {FEWEST_WORLDS}", "no test", "no test"],
        ["full season", EQUAL["One test"], DIFFERENT["One test"]],
        ["full season, stopped when clear", EQUAL["Shown"], DIFFERENT["Shown"]],
    ]
    return markdown_table(head, rows)


def _plays() -> list[list[str]]:
    rows = []
    for play in PLAYS:
        used = conversation_usage(play, ContextPolicy())
        sent, new, written = used.tokens - used.output_tokens, used.input_tokens, used.output_tokens
        figures = [f"{sent / 1e6:.0f} million", f"{new / 1e6:.1f} million", f"{written / 1e6:.2f} million"]
        rows.append([f"{play.turns:,}", f"{play.turn_tokens:,}", *figures])
    return rows


def _hours() -> list[list[str]]:
    """The share of turns slower than five minutes from which a cache that holds for an hour is cheaper."""
    rows, short, long = [], WRITE_MULTIPLES["5m"], WRITE_MULTIPLES["1h"]
    for play in PLAYS:
        used = conversation_usage(play, ContextPolicy())
        new, sent = used.input_tokens / play.turns, (used.tokens - used.output_tokens) / play.turns
        share = (long - short) * new / ((short - CACHED_MULTIPLE) * sent)
        rows.append([f"{play.turns:,}", f"{new:,.0f}", f"{sent:,.0f}", f"{share:.1%} of the turns"])
    return rows


if __name__ == "__main__":
    main(sys.argv[1:])
