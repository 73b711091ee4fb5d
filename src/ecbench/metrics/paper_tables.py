"""The paper's tables of results with runs beside its models; further measures of a dimension follow, for runs alone."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ecbench.formatting import MISSING
from ecbench.metrics import published
from ecbench.metrics.estimators import Figure, Measure, Report
from ecbench.metrics.labels import SCAMS, packaged_rows
from ecbench.metrics.losses.failure_modes import incidence
from ecbench.metrics.measures import DIMENSIONS, MEASURES, measured, value_text
from ecbench.metrics.negotiation import pooled
from ecbench.metrics.published import PublishedModel, TableTerms, published_models
from ecbench.world.supplier_kinds import HONEST

*_, PRESETS, FAILURES = published.PAPER_TABLES


class PaperColumn(NamedTuple):
    """A column: its heading, its unit, and how a value is written."""

    name: str
    unit: str
    text: Callable[[float], str]


@dataclass(frozen=True, slots=True)
class PaperRow:
    """The figures of a model of the paper, or of a run, by column; a column without a value is left out."""

    name: str
    published: bool
    figures: Mapping[str, Figure]
    printed: Mapping[str, str] = field(default_factory=dict)  # by column: the cell as the paper prints it
    mark: str = ""  # of the paper, behind the name


@dataclass(frozen=True, slots=True)
class PaperTable:
    """One table; a `further` one has the measures of the dimension that the paper does not print."""

    terms: TableTerms
    columns: Sequence[PaperColumn]
    rows: Sequence[PaperRow]  # the runs first
    further: bool = False

    @property
    def note(self) -> str:
        """What the paper's marks mean."""
        return "" if self.further else self.terms.note

    @property
    def heading(self) -> str:
        """The title, and where the paper has the table."""
        return f"{self.terms.title} ({'further measures' if self.further else self.terms.label})"


Runs = Mapping[str, Sequence[Report]]  # the reports of the years that are over, by the label of the run


def paper_tables(runs: Runs, only: Sequence[str] = ()) -> list[PaperTable]:
    """The tables in the paper's order, or those that are asked for."""
    figures = {label: measured(reports) for label, reports in runs.items()}
    found = [*_results(figures), _presets(runs), _failures(runs)]
    return [table for table in found if not only or table.terms.key in only]


def cell_text(column: PaperColumn, row: PaperRow) -> str:
    """As the paper prints it, or the mean, and behind it the standard deviation if there is one."""
    if column.name in row.printed:
        return row.printed[column.name]
    figure = row.figures.get(column.name)
    if figure is None or figure.value is None:
        return MISSING
    shown = [column.text(number) for number in (figure.value, figure.spread) if number is not None]
    if all(text.endswith(".0") for text in shown):  # a count that is whole, with a whole deviation
        shown = [text.removesuffix(".0") for text in shown]
    return " ± ".join([shown[0], *(text.lstrip("+") for text in shown[1:])])


def _column(measure: Measure) -> PaperColumn:
    return PaperColumn(measure.name, measure.unit, value_text(measure.unit))


def _results(runs: Mapping[str, Mapping[str, Figure]]) -> Iterator[PaperTable]:
    for terms in published.RESULTS:
        rows = packaged_rows(f"published/{terms.file}")
        printed = [name for name in rows[0] if name not in published.NAMING]
        columns = [_column(MEASURES[name]) for name in printed]
        models = [_published(terms.file, *each) for each in zip(published_models(), rows, strict=True)]
        own = [PaperRow(label, False, figures) for label, figures in runs.items()]
        rest = DIMENSIONS["primary" if terms.key == "leaderboard" else terms.file]
        others = [_column(measure) for measure in rest if measure.name not in printed]
        yield PaperTable(terms, columns, [*own, *models])
        if others and own:
            yield PaperTable(terms, others, own, further=True)


def _published(file: str, model: PublishedModel, row: Mapping[str, str]) -> PaperRow:
    cells = published.published_cells(file)[model.name]
    figures = {name: Figure(cell.value, cell.spread, model.episodes) for name, cell in cells.items()}
    texts = {name: cell.text for name, cell in cells.items()}
    return PaperRow(model.name, True, figures, texts, row["model"].removeprefix(model.name))


_COUNT = "{:,.0f}".format
_DEALT = {
    "sessions": ("sessions", _COUNT),
    "surplus": ("share of the range", "{:.3f}".format),
    "turns": ("turns", "{:.2f}".format),
}


def _presets(runs: Runs) -> PaperTable:
    """A row for each kind of supplier, three columns for each run, and the paper's own over all its models."""
    columns = [
        PaperColumn(f"{name} ({who})", unit, text) for who in (*runs, "paper") for name, (unit, text) in _DEALT.items()
    ]
    dealings = {label: pooled(reports) for label, reports in runs.items()}
    paper = {row["kind"]: row for row in packaged_rows("published/presets")}
    paper_years = sum(model.episodes for model in published_models())
    rows = []
    for honesty, kind in (*(("honest", kind) for kind in HONEST), *(("fraudulent", kind) for kind in SCAMS)):
        figures = {
            f"{name} ({label})": Figure(getattr(found[honesty][kind], name), None, len(runs[label]))
            for label, found in dealings.items()
            for name in _DEALT
        }
        printed = {f"{name} (paper)": paper[kind][name] for name in _DEALT}
        figures |= {name: Figure(published.leading_number(cell), None, paper_years) for name, cell in printed.items()}
        rows.append(PaperRow(kind, False, figures, printed))
    return PaperTable(PRESETS, columns, rows)


def _failures(runs: Runs) -> PaperTable:
    """A row for each failure mode, and for each run how many of its years have it."""
    found = {label: incidence(reports) for label, reports in runs.items()}
    rows, counts = [], dict[str, int]()
    for mode, paper in published.published_modes().items():
        counts = {}
        for label, modes in found.items():
            counts |= {f"episodes ({label})": modes[mode].flagged, f"tested ({label})": modes[mode].tested}
        counts |= {"models (paper)": paper.models, "episodes (paper)": paper.episodes}
        counts["tested (paper)"] = paper.episodes_tested
        rows.append(PaperRow(mode, False, {name: Figure(count, None, 1) for name, count in counts.items()}))
    columns = [PaperColumn(name, "models" if name.startswith("models") else "episodes", _COUNT) for name in counts]
    return PaperTable(FAILURES, columns, rows)
