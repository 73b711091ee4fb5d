"""The closing table of a run: its seven axes among the paper's eighteen models."""

from collections.abc import Sequence
from statistics import fmean

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from ecbench.cli.plain_table import plain_table
from ecbench.cli.progress import outcome, times_stake
from ecbench.cli.usage_text import bill
from ecbench.metrics.axes import ASSETS, AXES, SKILL, AxisFigures
from ecbench.metrics.places import Entrant, paper_entrants, places, ranked_by
from ecbench.number_words import MISSING, yuan
from ecbench.rules import DEFAULT_RULES
from ecbench.runs.play.agents import short_name
from ecbench.runs.record.events import is_over
from ecbench.runs.results.bounds_file import bound_of, why_no_bound
from ecbench.runs.results.summary import Summary, place_remarks

PAPERS_STAKE = DEFAULT_RULES.stake  # the paper's rows give assets alone
MULTIPLE = "Times stake"
COLUMNS = (ASSETS.title, MULTIPLE, *(axis.title for axis in AXES[1:]))
FEWER_COLUMNS = tuple(title for title in COLUMNS if title != MULTIPLE)


def print_summary(console: Console, summary: Summary, *, endings_printed: bool = False) -> None:
    """`endings_printed`: progress has shown how each episode ended; a single one is not repeated."""
    if len(summary.results) > 1 or (summary.axes is None and not endings_printed):
        for result in summary.results:
            console.print(f"{summary.run.called(result.episode).capitalize()}: {outcome(result)}")
    if len(summary.run.sites) > 1 and summary.axes is not None:
        console.print(_worlds_table(summary))
    if summary.axes is not None:
        console.print(_axes_table(summary, console.width))
        console.print(_reading(summary, summary.axes), style="dim")
        console.print(_skill(summary, summary.axes))
    elif summary.results:
        console.print(f"No place: {summary.no_place}.", style="dim")
    for line in bill(summary.spent):
        console.print(line)


def skill_text(skill: float | None, bound: float | None, why_none: str) -> str:
    """Skill in one line, with the bound that it is measured by where there is a single one."""
    if skill is None:
        return f"Skill: none, because {why_none}"
    towards = "the bound of each world" if bound is None else f"the bound on average, {yuan(bound)}"
    return f"Skill: {SKILL.shown(skill)}, where 0 is the stake and 1 is {towards} (docs/bound.md)"


def _skill(summary: Summary, axes: AxisFigures) -> str:
    run, one_world = summary.run, len(summary.run.sites) == 1
    why_none = why_no_bound(run, 0) if axes.skill is None else ""
    found = skill_text(axes.skill, bound_of(run, 0) if one_world else None, why_none)
    return f"{found}. It is the primary score under these rules." if summary.primary is SKILL else found


def _worlds_table(summary: Summary) -> Table:
    """The final assets of finished years, by world."""
    table = plain_table("World", ">Years", ">Mean", ">Lowest", ">Highest", ">Bankrupt", no_wrap=True)
    ends = [(result.episode, result.end) for result in summary.results if is_over(result.end)]
    for number, site in enumerate(summary.run.sites):
        own = [end for episode, end in ends if episode % len(summary.run.sites) == number]
        assets = [end.assets for end in own]
        shown = [yuan(amount) for amount in (fmean(assets), min(assets), max(assets))] if own else [MISSING] * 3
        bankrupt = sum(end.ending == "bankruptcy" for end in own)
        table.add_row(site.name, str(len(own)), *shown, str(bankrupt))
    return table


def _axes_table(summary: Summary, width: int) -> Table:
    own = summary.entrant
    rows = ranked_by(ASSETS, [*paper_entrants(), own])
    titles, cells = _figures(rows, width)
    table = Table(box=SIMPLE_HEAD, show_edge=False, padding=0)
    table.add_column("#", justify="right", no_wrap=True, min_width=2)
    table.add_column("Model or merchant", max_width=_room(titles, cells, width))
    for title in titles:
        table.add_column("\n".join(_on_two_lines(title)), justify="right", no_wrap=True)
    ranked = [row for row in rows if row is not own or not summary.no_place]
    numbers = dict(zip(map(id, ranked), places(ranked, ASSETS), strict=True))  # equal assets share a place
    for row, figures in zip(rows, cells, strict=True):
        style = "bold green" if row is own else None
        table.add_row(str(numbers.get(id(row)) or MISSING), row.name, *figures, style=style)
    if not summary.no_place:
        reached = zip(AXES, summary.places.values(), strict=True)
        shown = {axis.title: MISSING if place.place is None else f"#{place.place}" for axis, place in reached}
        table.add_section()
        places_row = [shown.get(title, "") for title in titles]
        table.add_row("", f"place among {len(ranked)}", *places_row, style="green")
    return table


def _on_two_lines(title: str) -> tuple[str, str]:
    """Broken at its last space or slash, so that its column is narrow."""
    first, space, last = title.replace("/", "/ ").rpartition(" ")
    return (first, last) if space else (last, "")


def _figures(rows: Sequence[Entrant], width: int) -> tuple[Sequence[str], list[list[str]]]:
    """Titles and cells; the multiple of the stake is left out where it would cost a name its room."""
    longest = max(len(row.name) for row in rows)
    for titles in (COLUMNS, FEWER_COLUMNS):
        cells = [[figures[title] for title in titles] for figures in map(_cells, rows)]
        if _room(titles, cells, width) >= longest:
            break
    return titles, cells


def _room(titles: Sequence[str], cells: Sequence[Sequence[str]], width: int) -> int:
    """The width that the figures leave for names, with a space after each: figures take one line."""
    headings = [max(map(len, _on_two_lines(title))) for title in titles]
    figures = [max(map(len, column)) for column in zip(*cells, strict=True)]
    taken = sum(map(max, zip(headings, figures, strict=True))) + len(titles) + len("10 ")
    return max(8, width - taken)


def _cells(row: Entrant) -> dict[str, str]:
    """By the title of the column."""
    values, assets = row.values, row.assets or 0.0
    stake_multiple = values["multiplier"] if "multiplier" in values else assets / PAPERS_STAKE
    return {
        ASSETS.title: row.printed.get(ASSETS.name) or yuan(assets),
        MULTIPLE: MISSING if stake_multiple is None else times_stake(stake_multiple),
        **{axis.title: row.printed.get(axis.name) or axis.text(values[axis.name]) for axis in AXES[1:]},
    }


def _reading(summary: Summary, axes: AxisFigures) -> str:
    """The note below the table: what it compares, and what it does not."""
    terms, sites = summary.run.terms, summary.run.sites
    where = f"world {sites[0].name}" if len(sites) == 1 else f"{len(sites):,} worlds"
    sentences = [
        f"{short_name(terms.agent)}: {_played(summary, axes)} on {where}, suppliers' voice {terms.voice}.",
        "The eighteen models' figures are the paper's own, means of five years (‡: three) on the paper's catalog.",
        *place_remarks(summary),
    ]
    return (
        f"{' '.join(sentences)}\n"
        "Higher is better for assets, CSE+ (share of the bargaining range won) and ¥ per call. Lower for bad spend "
        "(paid to cheats), fall/peak (deepest fall of total assets over their peak), return pp (returns caused "
        "by high prices, in percentage points) and anchor ratio (overpaid on repeat orders; 1 is chance)."
    )


def _played(summary: Summary, axes: AxisFigures) -> str:
    if axes.episodes == 1:
        return "one year"
    if summary.distinct_years == 1:
        return f"{axes.episodes:,} years that are equal to the yuan, which are one observation,"
    if summary.distinct_years < axes.episodes:
        differ = f"of which {summary.distinct_years:,} differ (equal years are one observation)"
        return f"mean of {axes.episodes:,} years, {differ},"
    return f"mean of {axes.episodes:,} years"
