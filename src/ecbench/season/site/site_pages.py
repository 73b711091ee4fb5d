"""The pages of a site: leaderboard with its picture, entries with their comparisons, and how to submit."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from ecbench import __version__
from ecbench.analysis.compare.comparison import RunPair
from ecbench.analysis.compare.tables import verdict_line
from ecbench.analysis.compare.verdict import times
from ecbench.formatting import MISSING, counted, yuan
from ecbench.metrics.measures import ASSETS, CONDUCT_AXES, SKILL, Axis, axes_beside, legend
from ecbench.pages.components.bundle import asset, bundle
from ecbench.pages.report.templates_env import content_policy, page_asset, page_style, page_templates
from ecbench.pages.report.vega import Rows, drawn, inline, spec_of
from ecbench.redaction import redacted
from ecbench.rules import rule_set
from ecbench.runs.play.agents import short_name
from ecbench.season.seasons import Season
from ecbench.season.site.leaderboard import Leaderboard, RankedEntry
from ecbench.season.site.submissions import RefusedSubmission

OWN_LOOP = "ecbench"  # the scaffold of a model that the package's turn loop asks
FOREST_WIDTH = 260  # the drawing area; with its labels it can be read on a phone
PACKAGE = "ecbench.season.site"
SCRIPT = Path(__file__).parent / "static" / "site.js"
TOP, BELOW = "", "../../"  # from a page to the first one
READ = ("input_tokens", "cache_read_tokens", "cache_write_tokens")


@dataclass(frozen=True, slots=True)
class SiteContent:
    """All that the pages show."""

    season: Season
    board: Leaderboard
    refused: Sequence[RefusedSubmission]
    keys: Sequence[str]  # that the organiser trusts

    @property
    def pairs(self) -> Sequence[RunPair]:
        return self.board.comparison.pairs


def pages_of(site: SiteContent) -> Iterator[tuple[str, str]]:
    """Each page with its path, in the order in which they are written; reports come from the checks."""
    yield "index.html", _leaderboard(site)
    yield "submit.html", _submit(site)
    for line in site.board.lines:
        yield f"entries/{line.entry.name}/index.html", _entry(site, line)


def _names(pair: RunPair) -> tuple[str, str]:
    return pair.first.run.folder.name, pair.second.run.folder.name


def forest(site: SiteContent) -> str:
    """The picture of the leaderboard: the score of every ranked entry with its 95% interval, as SVG."""
    axis, rows = site.board.axis, Rows()
    for line in site.board.lines:
        if line.rank is not None:
            low, high = line.interval or (None, None)
            rows.append({"name": f"{line.rank}  {line.entry.name}", "score": line.score, "low": low, "high": high,
                         "shown": axis.text(line.score)})  # fmt: skip
    numbers = {"scale": {"zero": False}} if axis is SKILL else {"as": "yuan log"}
    chart = {
        "width": FOREST_WIDTH,
        "rows": "name",
        "row": 22,
        "channels": {"x": {"title": f"{_score_title(axis)}, and its 95% interval over fresh worlds", **numbers}},
        "layers": [
            {"mark": "whisker", "y": "name", "color": "accent"},
            {"mark": "point", "y": "name", "x": "score", "filled": True, "size": 80, "opacity": 1, "color": "accent"},
            {"mark": "text", "y": "name", "x": f"={FOREST_WIDTH}", "text": "shown", "align": "left", "dx": 10},
        ],
    }
    return drawn(spec_of(chart, rows))


def _score_title(axis: Axis) -> str:
    return "Score" if axis is SKILL else "Typical assets"


def _leaderboard(site: SiteContent) -> str:
    season, axis, lines = site.season, site.board.axis, site.board.lines
    practice = "A practice season: its seeds follow from its name, so anybody could compute its worlds before."
    short = season.kind.note and f"This is {season.kind.note}."
    score = "mean skill" if axis is SKILL else "the geometric mean of final assets"
    return _rendered(
        "leaderboard.html.j2",
        TOP,
        f"Season {season.name}: leaderboard",
        sortable=True,
        season=season,
        counts=f"{len(lines):,} listed, {len(site.refused):,} refused.",
        notes=[note for note in (season.practice and practice, short) if note],
        rows=[_row(site, line) for line in lines],
        picture=Markup(inline(forest(site), "forest", f"{_score_title(axis)} of every entry, with 95% intervals")),
        axes=[*_conduct_axes(site), *axes_beside(axis)],
        legend=legend(axes_beside(axis)),
        score_title=_score_title(axis),
        score_words=f"{score} over fresh worlds",
        pairs=len(site.pairs),
        ranked=sum(line.rank is not None for line in lines),
        matrix=_matrix(site),
        matrix_words=(
            "Skill that the entry of the row has more than that of the column."
            if axis is SKILL
            else "How many times the final assets of the column's entry that of the row has, over fresh worlds."
        ),
        refused=site.refused,
        version=__version__,
    )


def _conduct_axes(site: SiteContent) -> Sequence[Axis]:
    """Skill without what falsehood gained beside skill, and how much was false, where the rules count conduct."""
    return CONDUCT_AXES[:3] if rule_set(site.season.rules).conduct else ()


def _row(site: SiteContent, line: RankedEntry) -> dict[str, Any]:
    """The cells of an entry, as the leaderboard and its own page show them."""
    entry, proof = line.entry, line.entry.proof
    labels = ["stopped early"] if proof.stopped_early else []
    if entry.compared.signs:
        labels.append(counted(len(entry.compared.signs), "warning", ","))
    possible = f"{line.best}–{line.worst}" if line.best != line.worst else f"{line.best}"
    figures, axis, player = [text for _, text in _figures(site, line)], site.board.axis, entry.compared.run.player
    ends = line.interval
    return {
        "name": entry.name,
        "model": short_name(player.agent) if player.names_model else MISSING,
        "scaffold": OWN_LOOP if player.names_model else entry.compared.run.label,
        "rank": MISSING if line.rank is None else line.rank,
        "possible": MISSING if line.rank is None else possible,
        "groups": line.groups,
        "score": figures[0],
        "interval": f"{axis.text(ends[0])} to {axis.text(ends[1])}" if ends else MISSING,
        "assets": figures[1],
        "skill": figures[3],
        "details": figures[4:],
        "bankrupt": entry.bankrupt,
        "signature": "trusted" if proof.trusted else "signed" if proof.key else "none",
        "labels": labels,
    }


def _figures(site: SiteContent, line: RankedEntry) -> list[tuple[str, str]]:
    """Titles and texts: money and skill, the six other axes, calls, tokens and dollars."""
    entry, axis = line.entry, site.board.axis
    values, ends, usage = entry.values, entry.assets_interval, entry.spent.usage
    read = sum(usage.get(name, 0) for name in READ)
    tokens = [f"{amount:,.0f}" if usage else MISSING for amount in (read, usage.get("output_tokens", 0))]
    return [
        (_score_title(axis), axis.text(line.score)),
        (ASSETS.title, ASSETS.text(values.get(ASSETS.name))),
        ("95% interval", f"{yuan(ends[0])} to {yuan(ends[1])}" if ends else MISSING),
        (SKILL.title, SKILL.text(values.get(SKILL.name))),
        *((each.title, each.text(values.get(each.name))) for each in (*_conduct_axes(site), *axes_beside(axis))),
        ("Calls of a year", f"{values.get('tool_calls') or 0:,.0f}"),
        ("Tokens read", tokens[0]),
        ("Tokens written", tokens[1]),
        ("Dollars", f"${usage['cost']:,.2f}" if "cost" in usage else MISSING),
    ]


def _matrix(site: SiteContent) -> list[dict[str, Any]]:
    ranked = [line for line in site.board.lines if line.rank is not None]
    pairs = {_names(pair): pair for pair in site.pairs}
    names = [line.entry.name for line in ranked]
    cells = {name: [_cell(pairs, name, other) for other in names] for name in names}
    return [{"rank": line.rank, "name": line.entry.name, "cells": cells[line.entry.name]} for line in ranked]


def _cell(pairs: Mapping[tuple[str, str], RunPair], own: str, other: str) -> str:
    if own == other:
        return ""
    turned = (own, other) not in pairs
    pair = pairs[other, own] if turned else pairs[own, other]
    verdict = pair.verdict
    if verdict.decided_by == "ruin":
        text = "ruined more" if verdict.first_is_better == turned else "ruined less"
    elif verdict.ratio is not None:
        (text,) = times(1 / verdict.ratio if turned else verdict.ratio)
    elif verdict.axis is SKILL and verdict.effect is not None:
        text = f"{-verdict.effect if turned else verdict.effect:+.3f}"
    else:
        text = MISSING
    return f"{text}*" if verdict.shown else text


def _entry(site: SiteContent, line: RankedEntry) -> str:
    entry = line.entry
    pairs = [
        {"other": other, "sentence": verdict_line(pair, len(site.pairs))}
        for pair in site.pairs
        for own, other in (_names(pair), _names(pair)[::-1])
        if own == entry.name
    ]
    return _rendered(
        "entry.html.j2",
        BELOW,
        f"{entry.name}: season {site.season.name}",
        sortable=True,
        season=site.season,
        row=_row(site, line),
        figures=_figures(site, line),
        warnings=entry.compared.signs,
        worlds=[
            [world.name, f"{len(years)}", *(axis.text(axis.of_run(years).value) for axis in (ASSETS, SKILL))]
            for world in entry.compared.run.worlds
            if (years := entry.compared.years.get(world.id, ()))
        ],
        pairs=pairs,
        proof=entry.proof,
    )


def _submit(site: SiteContent) -> str:
    season = site.season
    given = season.name if season.practice else f"{season.name}.season.json"
    heading, address = f"How to submit to season {season.name}", season.submit_to
    link = address if address.startswith("https://") else f"mailto:{address}" if "@" in address else ""
    return _rendered("submit.html.j2", TOP, heading, season=season, given=given, keys=site.keys, link=link)


def _rendered(template: str, root: str, title: str, *, sortable: bool = False, **parts: Any) -> str:
    """A page from a template. `sortable` adds the script that sorts tables; without it a page has none."""
    style = page_style("report.css", asset("components.css") if sortable else "") + page_asset("site.css", PACKAGE)
    script = f"\n{bundle(SCRIPT)}" if sortable else ""
    frame = {"policy": content_policy(style, script), "style": Markup(style), "script": Markup(script)}
    return redacted(page_templates(PACKAGE).get_template(template).render(title=title, root=root, **frame, **parts))
