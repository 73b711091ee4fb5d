"""The closing tables of a run: its ladder and its axes beside the paper's models, or who stands where in an arena."""

from collections.abc import Iterator, Sequence
from functools import partial
from shlex import quote
from textwrap import wrap

from rich.table import Table
from rich.text import Text

from ecbench.cli.model_costs import bill
from ecbench.cli.progress import outcome
from ecbench.cli.table_printing import OWN, Cell, Columns, rows_table, words
from ecbench.formatting import MISSING, counted, yuan
from ecbench.metrics.anchors import UPPER_BOUND
from ecbench.metrics.arena_standings import Standing, different
from ecbench.metrics.measures import ASSETS, SKILL, axes_beside, legend
from ecbench.metrics.ranks import Entrant, paper_entrants, ranked_by
from ecbench.players.merchants.registry import merchant_names
from ecbench.runs.folder import Run
from ecbench.runs.play.agents import short_name
from ecbench.runs.play.episodes import Result
from ecbench.runs.results.anchors_file import NO_SKILL, bound_of
from ecbench.runs.results.ranking import FULL_YEAR, AnchorLadder, shown_alone_reason
from ecbench.runs.results.summary import Summary, finished_rounds, run_standings
from ecbench.runs.terms import WorldRef

NARROW = 5  # characters of a heading
LEAST_NAME = 8
ANCHORS = {
    UPPER_BOUND: "limit on average (docs/bound.md)",
    "insider": "reads hidden state",
    "steady": "learns by trading",
    "haggler": "bargains over every purchase",
    "first-quote": "accepts opening quotes",
    "idle": "only waits",
}
LADDER: Columns = {
    "": "name",
    "Final assets": "final_assets:yuan",
    "Times stake": "multiplier:times",
    ">Skill": lambda rung: SKILL.text(rung.skill),
    " ": lambda rung: f"  {'this run' if rung.kind == 'run' else ANCHORS.get(rung.name, '')}",
}


def summary_parts(summary: Summary, *, endings_printed: bool = False) -> Iterator[str | Table | Text]:
    """`endings_printed`: progress has shown how each episode ended."""
    if not endings_printed and (len(summary.results) > 1 or not summary.measures):
        for result in summary.results:
            yield f"{summary.run.called(result.episode).capitalize()}: {outcome(result)}"
    if summary.measures:
        if summary.ladder is not None:
            yield from ladder_parts(summary.run, summary.ladder, summary.run.worlds)
        yield _axes_table(summary)
        yield words(_reading(summary), "dim")
        bound = bound_of(summary.run, 0) if len(summary.run.worlds) == 1 else None
        primary = ". It is the primary score under these rules." if summary.primary is SKILL else ""
        yield words(skill_text(summary.value(SKILL.name), bound, NO_SKILL) + primary)
    elif summary.results:
        why = shown_alone_reason(summary.run, [result.end for result in summary.results])
        yield words(f"No result: {why}.", "dim")
    yield from map(words, bill(summary.spent))


def ladder_parts(
    run: Run, ladder: AnchorLadder, worlds: Sequence[WorldRef], option: str = ""
) -> Iterator[Table | Text]:
    """The run among the anchors of its world and rules, or alone with the reason."""
    terms = run.terms
    where = worlds[0].name if len(worlds) == 1 else f"{len(worlds):,} worlds"
    played = f"{where}, {counted(terms.days, 'day', ',')}, stake {yuan(terms.stake)}, rules {terms.rule_set}"
    changed = ", changed" if terms.rules else ""
    own = next((rung for rung in ladder.rungs if rung.kind == "run"), None)
    yield rows_table(ladder.rungs, LADDER, f"Ladder: {played}{changed}", own=own)
    if ladder.alone:
        yield words(f"Shown alone: {ladder.alone}.")
    elif not ladder.measured:
        names = ", ".join(name for name in merchant_names() if name != run.player.agent)
        yield words(f"ecbench show {quote(str(run.folder))}{option} --ladder plays the other anchors: {names}.", "dim")


def skill_text(skill: float | None, bound: float | None, why_none: str) -> str:
    """Skill in one line, with the upper bound that it is measured by if there is a single one."""
    if skill is None:
        return f"Skill: none, because {why_none}"
    towards = "the upper bound of each world" if bound is None else f"the upper bound, {yuan(bound)}"
    scale = f"on a logarithmic scale where -1 is ruin, 0 the stake and 1 {towards} (docs/bound.md)"
    return f"Skill: {SKILL.shown(skill)}, {scale}"


def _axes_table(summary: Summary) -> Table:
    """The run first, then the models as a scale. A run that is ranked stands among them, with its ranks below."""
    own, ranked, axes = summary.entrant, summary.rank.rank is not None, (ASSETS, *axes_beside(summary.primary))
    rows = ranked_by(ASSETS, [own, *paper_entrants()]) if ranked else [own, *_scale(summary)]
    models = "ranked among the paper's models" if ranked else "and the paper's models as a scale from another catalog"
    columns: dict[str, Cell] = {"Model or merchant": "name"}
    for axis in axes:
        heading = wrap(axis.title, max(NARROW, *map(len, axis.title.split())))  # as narrow as its longest word
        columns[">" + "\n".join(heading)] = partial(Entrant.text, axis=axis)
    title = f"The seven axes, {models}" if len(rows) > 1 else "The seven axes"
    table = rows_table(rows, columns, title, own=own)
    table.columns[0].min_width = LEAST_NAME
    if ranked:
        shown = [MISSING if found.rank is None else f"#{found.rank}" for found in summary.ranks.values()]
        table.add_section()
        table.add_row(f"rank among {len(rows)}", *shown, style=OWN)
    return table


def _scale(summary: Summary) -> Sequence[Entrant]:
    """None beside an episode shorter than the models' years; the paper prints nothing of the abilities of `fair`."""
    shorter = summary.run.terms.days < FULL_YEAR
    alone = shorter or summary.primary is SKILL or (summary.ladder and summary.ladder.alone)
    return () if alone else paper_entrants()


def _reading(summary: Summary) -> str:
    terms, refs = summary.run.terms, summary.run.worlds
    where = f"world {refs[0].name}" if len(refs) == 1 else f"{len(refs):,} worlds"
    models = (
        " The models' figures are the paper's own, means of five episodes (‡: three) on its catalog."
        if _scale(summary)
        else ""
    )
    played = _results(summary.episodes, summary.distinct_years, "episode")
    return (
        f"{short_name(summary.run.player.agent)}: {played} on {where}, suppliers' voice {terms.voice}.{models}\n"
        f"{legend((ASSETS, *axes_beside(summary.primary)))}"
    )


def _results(count: int, distinct: int, thing: str) -> str:
    """How many there are, and how many of them differ: scripts repeat theirs."""
    differ = f", {distinct:,} distinct (results equal to the yuan count once)" if distinct < count else ""
    return f"{counted(count, thing, ',')}{differ}"


def standings_parts(run: Run, results: Sequence[Result]) -> Iterator[str | Table | Text]:
    """Who stands where, and how to read it."""
    rounds = finished_rounds(run, results)
    found = run_standings(run, results)
    if not found:
        yield "No episode is over yet, so there are no standings."
        return
    yield _standings_table(found)
    yield "With --json the result also has who ended richer than whom."
    for standing in found:
        if standing.unranked_reason:
            yield words(f"{standing.label} is not ranked: {standing.unranked_reason}.")
    yield words(
        f"From {_results(len(rounds), len(different(rounds)), 'round')}. Ratings are Bradley-Terry on the scale of "
        "chess, 1,000 on average: 400 points are odds of ten to one. Results of an arena are not comparable with "
        "those of a single agent, nor with those of the paper's models.",
        "dim",
    )


def _standings_table(found: Sequence[Standing]) -> Table:
    columns: dict[str, Cell] = {
        ">#": lambda each: MISSING if each.rank is None else str(1 + found.index(each)),
        "Entry": "label",
        ">Mean assets": lambda each: yuan(each.assets),
        ">95%, in ¥1,000": lambda each: _span(each.interval),
        ">Wins": lambda each: f"{each.wins:g}",
        "Mean rank": "rank:hundredths",
        "Bankrupt": "bankruptcies:count",
        ">Rating": lambda each: f"{each.rating.value:,.0f}",
        ">± 95%": lambda each: MISSING if each.rating.error is None else f"{each.rating.error:,.0f}",
    }
    intervals = any(standing.interval for standing in found)
    return rows_table(found, {name: cell for name, cell in columns.items() if intervals or "95%" not in name})


def _span(interval: tuple[float, float] | None) -> str:
    return "..".join(f"{end / 1_000:,.0f}" for end in interval) if interval else MISSING
