"""Figures as a page shows them and as files."""

from dataclasses import dataclass

from markupsafe import Markup

from ecbench.pages.report.colours import LIGHT
from ecbench.pages.report.figure import ReportFigure
from ecbench.pages.report.svg import alone, drawn, inline
from ecbench.runs.results.export import sheet


@dataclass(frozen=True, slots=True)
class DrawnFigure:
    """`svg` and `apart` are drawings for the page, the latter without the paper's models; `file` and `table` files."""

    key: str
    id: str  # on the page
    title: str
    caption: str
    paper: str  # labels of figures of the paper
    layered: bool
    svg: Markup
    apart: Markup | None
    file: str
    table: str


def draw(figure: ReportFigure, prefix: str) -> DrawnFigure:
    label, place = f"{figure.title}. {figure.caption}", f"{prefix}-{figure.key}"
    svg = drawn(figure.spec)
    return DrawnFigure(
        key=figure.key,
        id=place,
        title=figure.title,
        caption=figure.caption,
        paper=figure.paper,
        layered=figure.layered,
        svg=_fitted(svg, place, label),
        apart=None if figure.apart is None else _fitted(drawn(figure.apart), f"{place}-apart", label),
        file=alone(svg, LIGHT),
        table=_csv(figure),
    )


def _fitted(svg: str, key: str, label: str) -> Markup:
    """Without inline styles, which the content security policy of the page forbids."""
    return Markup(inline(svg, key, label))


def _csv(figure: ReportFigure) -> str:
    names = list(dict.fromkeys(name for row in figure.rows for name in row))
    return sheet(names, ([row.get(name) for name in names] for row in figure.rows))
