"""Runs as one page: figures, tables and transcripts in a single file that asks the network for nothing."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from ecbench import __version__
from ecbench.errors import RunError
from ecbench.metrics.axes import AXES
from ecbench.pages.components.bundle import CHART_LIBRARY, asset, bundled
from ecbench.pages.report.compression import packed
from ecbench.pages.report.rendering import DrawnFigure
from ecbench.pages.report.run_data import PlayedRun
from ecbench.pages.report.standings import standings, warnings
from ecbench.pages.report.templates_env import content_policy, page_asset, page_style, page_templates
from ecbench.pages.report.year_section import CUTS, Chapter

LARGEST = 3_000_000  # bytes of a page
# Each module after those that it imports.
COMPONENTS = ("dom", "data_table", "offer_ladder", "year_lines", "year_chart", "call_card")


class TooLarge(RunError):
    """A report that no page holds."""


def render_report(
    runs: Sequence[PlayedRun],
    across: Sequence[DrawnFigure],
    chapters: Sequence[Chapter],
) -> str:
    """The page, with as much of the transcripts as fits; raises TooLarge where it would not fit without them."""
    whole = len(chapters) == 1  # a single year stands in the page as it is; several are opened one by one
    parts = {
        "runs": runs,
        "chapters": chapters,
        "figures": across,
        "axes": AXES,
        "standings": standings(runs),
        "links": _links(chapters),
        "warnings": warnings(runs),
        "sections": [Markup(chapter.section) for chapter in chapters] if whole else [],
        "packed": [] if whole else [packed(chapter.section) for chapter in chapters],
        "curves": [chapter.curve for chapter in chapters],
        "ladders": [chapter.ladders for chapter in chapters],
        "version": __version__,
    }
    bare = len(_page({**parts, "transcripts": [""] * len(chapters)}).encode())
    if bare > LARGEST:
        raise TooLarge(
            f"a report of these {len(runs):,} runs would have {bare:,} bytes, and more than {LARGEST:,} are too many "
            "for a page; report fewer runs at once, or one year of each with --episode"
        )
    return _page({**parts, "transcripts": fitted(chapters, LARGEST - bare)})


def fitted(chapters: Sequence[Chapter], room: int) -> list[str]:
    """The transcripts, all with texts as long as there is room for; then run by run with longer ones."""
    texts = [""] * len(chapters)
    for longest in CUTS:
        for place, chapter in enumerate(chapters):
            longer = chapter.transcripts.get(longest)
            if longer is not None and sum(map(len, texts)) - len(texts[place]) + len(longer) <= room:
                texts[place] = longer
    return texts


def _links(chapters: Sequence[Chapter]) -> dict[int, int]:
    """By the number of a run the chapter that stands for it."""
    first = {chapter.run: chapter.number for chapter in reversed(chapters)}
    return first | {chapter.run: chapter.number for chapter in chapters if chapter.middle}


def _page(parts: dict[str, Any]) -> str:
    style = page_style("report.css", asset("components.css"))
    script = f"\n{asset(CHART_LIBRARY)}\n{bundled(page_asset('report.js'), COMPONENTS)}"
    template = page_templates().get_template("report.html.j2")
    policy = content_policy(style, script)
    return template.render(**parts, policy=policy, style=Markup(style), script=Markup(script))
