"""The section of a page on one year of a run: verdict, money, figures, tables, negotiations and transcript."""

import base64
import gzip
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ecbench.errors import RunError
from ecbench.formatting import counted
from ecbench.pages.report.figure import DrawnFigure, draw, fill_all
from ecbench.pages.report.names import kind_name, spaced
from ecbench.pages.report.page_transcript import ladders, transcript
from ecbench.pages.report.run_data import PlayedRun, PlayedYear, world_of
from ecbench.pages.report.templates_env import page_templates
from ecbench.pages.report.year_data import ShownYear, year_curve
from ecbench.pages.run_verdict import cause_sentence
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.results.statement import LineColumn, Statement, StatementTable, statement_tables
from ecbench.runs.terms import rules_of

CUTS = (4_000, 1_200, 500, 240, 120, 60)  # characters of a text in the transcript
MOST_SKIPPED = 1_000  # of which one is listed
SUPPLIERS_SHOWN = 60
HITS_SHOWN = 40  # of a failure mode
MOST_COLUMNS = 12  # of a table of the statement
EXCERPTS = 4  # lines of a table of the statement, times those that `ecbench show` prints
CURVES = ("accounts", "collapse", "review")  # figures that the chart of a year takes the place of on a screen
MONEY = ("waterfall", "losses", "strategy")  # figures that say where the money came from


@dataclass(frozen=True, slots=True)
class MoneyTable:
    """A table of the statement, and the lines of it that stand on the page."""

    table: StatementTable
    lines: Sequence[Any]

    @property
    def columns(self) -> list[LineColumn]:
        """All, or without the extra ones where they would be too many for a page."""
        columns = list(self.table.columns)
        return columns if len(columns) <= MOST_COLUMNS else [column for column in columns if not column.extra]

    @property
    def heads(self) -> list[tuple[str, str]]:
        return [(column.heading, "number" if column.number else "") for column in self.columns]

    @property
    def rows(self) -> list[list[str]]:
        return [[_cell(column, line) for column in self.columns] for line in self.lines]


def _cell(column: LineColumn, line: Any) -> str:
    """Keys of kinds and scams as a reader knows them."""
    text = column.text(line)
    return kind_name(text) if column.key in ("kind", "scam") else text


@dataclass(frozen=True, slots=True)
class ChapterPlan:
    """A year to be shown, and the bytes that its negotiations may take."""

    number: int  # on the page
    run: int  # its number in the report
    played: PlayedRun
    year: PlayedYear
    room: int
    alone: bool = False  # whether the page has no other: then its cause stands at the top

    @property
    def name(self) -> str:
        return f"{self.played.label}, {self.played.run.called(self.year.episode)}"

    @property
    def stands_for_run(self) -> bool:
        shown = self.played.shown
        return shown is not None and shown.episode == self.year.episode


@dataclass(frozen=True, slots=True)
class Chapter:
    """`answers` and `evidence` are HTML; `curve` and `ladders` are packed."""

    plan: ChapterPlan
    cause: str  # of its result, in a sentence
    answers: str
    evidence: str
    curve: str  # the data of its chart; empty where there is none
    ladders: str
    figures: Sequence[DrawnFigure]


def chapter_of(plan: ChapterPlan) -> Chapter:
    year = ShownYear(plan.year, world_of(plan.year))
    figures = [draw(each, f"r{plan.number}") for each in fill_all("year", year.database, seat=year.seat)]
    parts, curve = _parts(plan, year, figures), year_curve(year)
    answers, evidence = (
        page_templates().get_template(f"report_{name}.html.j2").render(**parts) for name in ("answers", "evidence")
    )
    chart = packed_data(curve) if curve else ""
    return Chapter(plan, parts["cause"], answers, evidence, chart, _ladders(year, plan.room), figures)


def packed(content: str) -> str:
    """The same text for the same content: no clock goes into the header. Half of a surrogate pair becomes a ?."""
    return base64.b64encode(gzip.compress(content.encode(errors="replace"), 6, mtime=0)).decode()


def packed_data(data: Any) -> str:
    """A part of a page that a script unpacks when it is wanted."""
    return packed(json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=asdict))


def packed_transcript(plan: ChapterPlan, room: int) -> str:
    """The turns of a year with texts as long as there is room for; empty where none fit, or no record can be read."""
    try:
        recording = read_episode(plan.played.run, plan.year.episode)
    except RunError:
        return ""
    world = world_of(plan.year)
    texts = (packed_data(transcript(recording, world, longest)) for longest in CUTS)
    return next((text for text in texts if len(text) <= room), "")


def _ladders(year: ShownYear, room: int) -> str:
    """As many negotiations as fit, evenly over the year."""
    step = 1
    while len(text := packed_data(ladders(year, step))) > room and step < MOST_SKIPPED:
        step += max(step // 2, 1)
    return text


def _parts(plan: ChapterPlan, year: ShownYear, figures: Sequence[DrawnFigure]) -> dict[str, Any]:
    report, run = year.played.report, plan.played.run
    hits = year.tables.failures if year.tables else ()
    modes = [
        {
            "mode": spaced(mode),
            "shown": counted(found["count"], "hit", ","),
            "hits": [hit for hit in hits if hit.mode == mode][:HITS_SHOWN],
            **found,
        }
        for mode, found in (report["failure_modes"] if report else {}).items()
    ]
    found = year.statement
    suppliers = found.lines("supplier") if found else []
    return {
        "plan": plan,
        "year": year.played,
        "cause": cause_sentence(year.database, year.seat, rules_of(run.terms), year.world) if found else "",
        "negotiations": bool(year.tables and year.tables.sessions),
        "curves": [each for each in figures if each.filled.figure.key in CURVES],
        "money_figures": [each for each in figures if each.filled.figure.key in MONEY],
        "figures": [each for each in figures if each.filled.figure.key not in (*CURVES, *MONEY)],
        "modes": modes,
        "all_hits": counted(len(hits), "hit", ","),
        "money": _money_tables(found) if found else [],
        "suppliers": [(line, kind_name(line.kind)) for line in suppliers[:SUPPLIERS_SHOWN]],
        "more_suppliers": max(len(suppliers) - SUPPLIERS_SHOWN, 0),
    }


def _money_tables(found: Statement) -> list[MoneyTable]:
    """The tables of the statement that have lines; suppliers have a table with more columns."""
    tables = [table for table in statement_tables(found).values() if table.lines and table.name != "supplier"]
    return [MoneyTable(table, table.excerpt(EXCERPTS)) for table in tables]
