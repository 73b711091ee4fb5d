"""Runs as one page: figures, tables and the transcript in a single file that asks the network for nothing."""

import base64
import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ecbench import __version__
from ecbench.report.colours import DARK, LIGHT, variables
from ecbench.report.figure import ReportFigure, yuan
from ecbench.report.pictures import drawn, inline
from ecbench.report.played import PlayedRun, PlayedYear, with_tables, world_of
from ecbench.report.single import figures_of
from ecbench.report.standings import standings, warnings
from ecbench.report.suppliers import PaidSupplier, supplier_lines
from ecbench.report.transcript import ladders, transcript
from ecbench.runs.problems import RunError
from ecbench.runs.reader import Recording
from ecbench.runs.session import read_episode

LARGEST = 3_000_000  # bytes of a page
CUTS = (4_000, 1_200, 500, 240, 120, 60)  # characters of a text in the transcript, as many as there is room for
SUPPLIERS_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Detail:
    """What a page tells of one run: a year of it."""

    number: int
    run: PlayedRun
    year: PlayedYear
    figures: Sequence[ReportFigure]
    suppliers: Sequence[PaidSupplier]
    recording: Recording | None


@dataclass(frozen=True, slots=True)
class Drawn:
    """A figure as the page shows it, with and without the paper's models."""

    figure: ReportFigure
    key: str
    svg: Markup
    apart: Markup | None


def detail_of(number: int, run: PlayedRun) -> Detail | None:
    """None for a run of which nothing can be shown."""
    year = run.shown
    if year is None:
        return None
    year = with_tables(year)
    try:
        recording: Recording | None = read_episode(run.run, year.episode)
    except RunError:
        recording = None
    return Detail(number, run, year, figures_of(year, recording), supplier_lines(year), recording)


def render_report(runs: Sequence[PlayedRun], across: Sequence[ReportFigure], details: Sequence[Detail]) -> str:
    """The page, with as much of the transcripts as fits."""
    pages = _templates()
    sections = [_section(pages, detail) for detail in details]
    whole = len(details) == 1  # a single run stands in the page as it is; several are opened one by one
    packed = [] if whole else [_packed(section.encode()) for section in sections]
    data = [_packed(_json(ladders(detail.year))) for detail in details]
    parts = {
        "runs": runs,
        "details": details,
        "figures": [_drawn(figure, f"all-{figure.key}") for figure in across],
        "standings": standings(runs),
        "warnings": warnings(runs),
        "sections": [Markup(section) for section in sections] if whole else [],
        "packed": packed,
        "ladders": data,
        "version": __version__,
    }
    page = ""
    for longest in (*CUTS, 0):
        told = _transcripts(details, longest)
        if told is None:
            continue
        page = _page(pages, {**parts, "transcripts": told})
        if len(page.encode()) <= LARGEST:
            return page
    raise RunError(
        f"a report of these {len(runs):,} runs would have {len(page.encode()):,} bytes, and more than {LARGEST:,} are "
        "too many for a page; report fewer runs at once"
    )


def _templates() -> Environment:
    pages = Environment(
        loader=PackageLoader("ecbench.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    pages.filters["yuan"] = yuan
    return pages


def _page(pages: Environment, parts: dict[str, Any]) -> str:
    style, script = _style(), _asset("report.js")
    allowed = f"script-src '{_hash(script)}'; style-src '{_hash(style)}'"
    policy = f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"
    return pages.get_template("report.html.j2").render(
        **parts, policy=policy, style=Markup(style), script=Markup(script)
    )


def _section(pages: Environment, detail: Detail) -> str:
    pictures = [_drawn(figure, f"r{detail.number}-{figure.key}") for figure in detail.figures]
    hits = [
        {"mode": mode.replace("_", " "), **found}
        for mode, found in ((detail.year.report or {}).get("failure_modes") or {}).items()
    ]
    return pages.get_template("report_run.html.j2").render(
        detail=detail,
        figures=pictures,
        modes=hits,
        suppliers=detail.suppliers[:SUPPLIERS_SHOWN],
        more_suppliers=max(len(detail.suppliers) - SUPPLIERS_SHOWN, 0),
    )


def _drawn(figure: ReportFigure, key: str) -> Drawn:
    label = f"{figure.title}. {figure.caption}"
    apart = Markup(_fitted(drawn(figure.apart), f"{key}-apart", label)) if figure.apart is not None else None
    return Drawn(figure, key, Markup(_fitted(drawn(figure.spec), key, label)), apart)


def _fitted(svg: str, key: str, label: str) -> str:
    """Without styles of its own: the policy of the page lets its style sheet alone speak."""
    return inline(svg, key, label, styled=False)


def _transcripts(details: Sequence[Detail], longest: int) -> list[str] | None:
    """None as soon as they alone are too large for a page, or so large that the others hardly make up for it."""
    told: list[str] = []
    for detail in details:
        told.append(_transcript(detail, longest))
        size = sum(map(len, told))
        if size > LARGEST or size * len(details) > 2 * LARGEST * len(told):
            return None
    return told


def _transcript(detail: Detail, longest: int) -> str:
    if detail.recording is None or not longest:
        return ""
    return _packed(_json(transcript(detail.recording, world_of(detail.year), longest)))


def _json(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def _packed(content: bytes) -> str:
    """The same bytes for the same content: no clock goes into the header."""
    return base64.b64encode(gzip.compress(content, 6, mtime=0)).decode()


def _style() -> str:
    colours = (
        f":root {{ {variables(LIGHT)} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {variables(DARK)} }} }}\n"
    )
    # Paper is white whatever the screen is.
    return f"\n{colours}@media print {{ :root {{ {variables(LIGHT)} }} }}\n{_asset('report.css')}"


def _asset(name: str) -> str:
    return (files("ecbench.report") / "templates" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}"
