"""The paper's tables of results with runs beside its models.

These are the leaderboard, `tab:res_d1` to `tab:res_d6`, the measured columns of `tab:presets`, and `tab:failure_modes`.

A table has the paper's columns, filled for runs and models alike. Measures of a dimension that the paper does not print
follow as `further`, for runs alone.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ecbench.formatting import MISSING
from ecbench.metrics.estimators import Figure, Measure, Report
from ecbench.metrics.labels import SCAMS
from ecbench.metrics.losses.failure_modes import incidence
from ecbench.metrics.measures import DIMENSIONS, MEASURES, measured, value_text
from ecbench.metrics.negotiation import pooled
from ecbench.metrics.published import (
    NAMING,
    PAPER_TABLES,
    RESULTS,
    PublishedModel,
    TableTerms,
    leading_number,
    published_cells,
    published_models,
    published_modes,
    read_table,
)
from ecbench.world.supplier_kinds import HONEST

*_, PRESETS, FAILURES = PAPER_TABLES


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
    """The leaderboard and the tables of the six dimensions."""
    for terms in RESULTS:
        rows = read_table(terms.file)
        printed = [name for name in rows[0] if name not in NAMING]
        columns = [_column(MEASURES[name]) for name in printed]
        models = [_published(terms.file, *each) for each in zip(published_models(), rows, strict=True)]
        own = [PaperRow(label, False, figures) for label, figures in runs.items()]
        rest = DIMENSIONS["primary" if terms.key == "leaderboard" else terms.file]
        others = [_column(measure) for measure in rest if measure.name not in printed]
        yield PaperTable(terms, columns, [*own, *models])
        if others and own:
            yield PaperTable(terms, others, own, further=True)


def _published(file: str, model: PublishedModel, row: Mapping[str, str]) -> PaperRow:
    cells = published_cells(file)[model.name]
    figures = {name: Figure(cell.value, cell.spread, model.episodes) for name, cell in cells.items()}
    texts = {name: cell.text for name, cell in cells.items()}
    return PaperRow(model.name, True, figures, texts, row["model"].removeprefix(model.name))


_COUNT = "{:,.0f}".format


def _presets(runs: Runs) -> PaperTable:
    """A row for each kind of supplier, three columns for each run, and the paper's own over all its models."""
    names = {
        "sessions": ("sessions", _COUNT),
        "surplus": ("share of the range", "{:.3f}".format),
        "turns": ("turns", "{:.2f}".format),
    }
    columns = [
        PaperColumn(f"{name} ({who})", unit, text) for who in (*runs, "paper") for name, (unit, text) in names.items()
    ]
    dealings = {label: pooled(reports) for label, reports in runs.items()}
    published = {row["kind"]: row for row in read_table("presets")}
    paper_years = sum(model.episodes for model in published_models())
    rows = []
    for honesty, kind in (*(("honest", kind) for kind in HONEST), *(("fraudulent", kind) for kind in SCAMS)):
        figures = {
            f"{name} ({label})": Figure(getattr(found[honesty][kind], name), None, len(runs[label]))
            for label, found in dealings.items()
            for name in names
        }
        printed = {f"{name} (paper)": published[kind][name] for name in names}
        figures |= {name: Figure(leading_number(cell), None, paper_years) for name, cell in printed.items()}
        rows.append(PaperRow(kind, False, figures, printed))
    return PaperTable(PRESETS, columns, rows)


def _failures(runs: Runs) -> PaperTable:
    """A row for each failure mode, and for each run how many of its years have it."""
    found = {label: incidence(reports) for label, reports in runs.items()}
    counted = [(who, name) for who in (*runs, "paper") for name in ("years", "tested")]
    columns = [PaperColumn(f"{name} ({who})", "years", _COUNT) for who, name in counted]
    columns.insert(-2, PaperColumn("models (paper)", "models", _COUNT))
    rows = []
    for mode, published in published_modes().items():
        counts = {label: found[label][mode] for label in runs}
        figures = {f"years ({label})": _count(count.flagged) for label, count in counts.items()}
        figures |= {f"tested ({label})": _count(count.tested) for label, count in counts.items()}
        figures["models (paper)"] = _count(published.models)
        figures |= {"years (paper)": _count(published.episodes), "tested (paper)": _count(published.episodes_tested)}
        rows.append(PaperRow(mode, False, figures))
    return PaperTable(FAILURES, columns, rows)


def _count(value: int) -> Figure:
    return Figure(value, None, 1)
