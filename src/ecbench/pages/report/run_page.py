"""Runs as one page: figures, tables and transcripts in a single file that asks the network for nothing."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from ecbench import __version__
from ecbench.errors import RunError
from ecbench.metrics.measures import ASSETS, legend
from ecbench.pages.components.bundle import CHART_LIBRARY, asset, bundle
from ecbench.pages.report.figure import DrawnFigure
from ecbench.pages.report.run_data import PlayedRun, beside_models
from ecbench.pages.report.standings import axes_of_runs, pair_sentences, standings, warnings
from ecbench.pages.report.templates_env import content_policy, page_style, page_templates
from ecbench.pages.report.year_section import Chapter, packed, packed_transcript
from ecbench.pages.run_verdict import result_sentence

LARGEST = 3_000_000  # bytes of a page
SCRIPT = Path(__file__).parent / "static" / "report.js"


class TooLarge(RunError):
    """A report that no page holds."""


def render_report(
    runs: Sequence[PlayedRun],
    across: Sequence[DrawnFigure],
    chapters: Sequence[Chapter],
) -> str:
    """The page, with as much of each transcript as fits; raises TooLarge where it would not fit without them."""
    whole = len(chapters) == 1  # a single year stands in the page as it is; several are opened one by one
    sections = [{"answers": Markup(each.answers), "evidence": Markup(each.evidence)} for each in chapters if whole]
    papers = beside_models(runs)
    parts = {
        "runs": runs,
        "chapters": chapters,
        "chapters_title": "Run by run" if len(runs) > 1 else "Episode by episode",
        "verdicts": _verdicts(runs, chapters),
        "pairs": pair_sentences(runs),
        "papers": papers,
        "figures": across,
        "across_title": "Across runs" if len(runs) > 1 else "Beside the paper's models" if papers else "All episodes",
        "axes": (ASSETS, *axes_of_runs(runs)),
        "legend": legend(axes_of_runs(runs)),
        "standings": standings(runs),
        "links": _links(chapters),
        "warnings": warnings(runs),
        "sections": sections,
        "packed": [] if whole else [packed(f"{chapter.answers}{chapter.evidence}") for chapter in chapters],
        "version": __version__,
    }
    bare = len(_page({**parts, "transcripts": [""] * len(chapters)}).encode())
    if bare > LARGEST:
        raise TooLarge(
            f"a report of these {len(runs):,} runs would have {bare:,} bytes, and more than {LARGEST:,} are too many "
            "for a page; report fewer runs at once, or one year of each with --episode"
        )
    room = (LARGEST - bare) // max(len(chapters), 1)
    return _page({**parts, "transcripts": [packed_transcript(chapter.plan, room) for chapter in chapters]})


def _verdicts(runs: Sequence[PlayedRun], chapters: Sequence[Chapter]) -> list[dict[str, str]]:
    """The result of each run, and its cause in the year that stands for it."""
    shown = {number: chapters[index] for number, index in _links(chapters).items()}
    return [
        {
            "name": run.label,
            "result": result_sentence(run.summary),
            "cause": shown[number].cause if number in shown and run.over else "",
        }
        for number, run in enumerate(runs)
    ]


def _links(chapters: Sequence[Chapter]) -> dict[int, int]:
    """By the number of a run the chapter that stands for it."""
    plans = [chapter.plan for chapter in chapters]
    first = {plan.run: plan.number for plan in reversed(plans)}
    return first | {plan.run: plan.number for plan in plans if plan.stands_for_run}


def _page(parts: dict[str, Any]) -> str:
    style = page_style("report.css", asset("components.css"))
    script = f"\n{asset(CHART_LIBRARY)}\n{bundle(SCRIPT)}"
    template = page_templates().get_template("report.html.j2")
    policy = content_policy(style, script)
    return template.render(**parts, policy=policy, style=Markup(style), script=Markup(script))
