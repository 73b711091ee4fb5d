"""Write the paper's tables as text, CSV, LaTeX, Markdown or JSON."""

from collections.abc import Iterable, Iterator, Sequence
from textwrap import fill
from typing import Any

from ecbench.cli.terminal import aligned
from ecbench.csv_text import sheet
from ecbench.metrics.paper_tables import PaperTable, cell_text

WIDTH = 80  # characters of a line of text; a wider table continues below, with its rows named again
COLUMNS = ("table", "label", "row", "published", "measure", "unit", "value", "std", "episodes", "text")
_LATEX = {"\\": r"\textbackslash{}", "¥": r"\textyen{}", "±": r"$\pm$", "–": "--", "†": r"\dag{}", "‡": r"\ddag{}"} | {
    c: f"\\{c}" for c in "&%$#_{}"
}

Cells = list[list[str]]  # of a table with its heading


def as_text(tables: Sequence[PaperTable]) -> str:
    """Aligned columns, in parts that fit the width of a page."""
    return _paragraphs(
        part
        for table in tables
        for part in (table.heading, *map(_ruled, _panels(_cells(table))), fill(table.note, WIDTH))
    )


def as_markdown(tables: Sequence[PaperTable]) -> str:
    """A heading and a pipe table for each."""
    return _paragraphs(
        part for table in tables for part in (f"### {table.heading}", _markdown(_cells(table)), table.note)
    )


def as_latex(tables: Sequence[PaperTable]) -> str:
    """One `table` with booktabs rules for each; needs the packages booktabs and textcomp."""
    return _paragraphs(map(_latex, tables))


def as_csv(tables: Sequence[PaperTable]) -> str:
    """A line for each figure."""
    lines = [
        [table.key, table.label, *(figure[name] for name in COLUMNS[2:])]
        for table in tables
        for figure in _figures(table)
    ]
    return sheet(COLUMNS, lines).rstrip("\n")


def to_json(tables: Sequence[PaperTable]) -> list[dict[str, Any]]:
    """The same figures as `as_csv`, grouped by table."""
    return [
        {"table": table.key, "label": table.label, "title": table.title, "figures": list(_figures(table))}
        for table in tables
    ]


def _figures(table: PaperTable) -> Iterator[dict[str, Any]]:
    for row in table.rows:
        for column in table.columns:
            if figure := row.figures.get(column.name):
                yield {
                    "row": row.name,
                    "published": row.published,
                    "measure": column.name,
                    "unit": column.unit,
                    "value": figure.value,
                    "std": figure.spread,
                    "episodes": figure.episodes,
                    "text": cell_text(column, row),
                }


def _paragraphs(parts: Iterable[str]) -> str:
    return "\n\n".join(filter(None, parts))


def _cells(table: PaperTable) -> Cells:
    """The heading and the rows. A table with more columns than rows is transposed, so that each measure has a line."""
    heading = ["", *(f"{column.name}" for column in table.columns)]
    lines = [[row.name + row.mark, *(cell_text(column, row) for column in table.columns)] for row in table.rows]
    cells = [heading, *lines]
    wide = len(table.columns) > len(table.rows)
    return [list(line) for line in zip(*cells, strict=True)] if wide else cells


def _panels(cells: Cells) -> Iterator[Cells]:
    """The columns of a table in parts that fit the width of a page, each with the names of the rows."""
    widths = [max(map(len, column)) + 2 for column in zip(*cells, strict=True)]
    part: list[int] = []
    for index in range(1, len(widths)):
        if part and widths[0] + sum(widths[p] for p in part) + widths[index] > WIDTH:
            yield [[line[p] for p in (0, *part)] for line in cells]
            part = []
        part.append(index)
    yield [[line[p] for p in (0, *part)] for line in cells]


def _ruled(cells: Cells) -> str:
    heading, *lines = aligned(cells, [False, *[True] * (len(cells[0]) - 1)])
    return "\n".join([heading, "-" * max(map(len, (heading, *lines))), *lines])


def _markdown(cells: Cells) -> str:
    heading, *lines = [[cell.replace("|", "\\|") for cell in line] for line in cells]
    rule = ["---", *["---:"] * (len(heading) - 1)]
    return "\n".join(f"| {' | '.join(line)} |" for line in (heading, rule, *lines))


def _latex(table: PaperTable) -> str:
    heading, *lines = [f"{' & '.join(map(_escaped, line))} \\\\" for line in _cells(table)]
    columns = f"l{'r' * heading.count(' & ')}"
    label = f"{table.label}_further" if table.further else table.label
    return "\n".join(
        (
            r"\begin{table}[t]",
            r"\centering",
            f"\\caption{{{_escaped(table.heading)}}}",
            f"\\label{{{label}}}",
            f"\\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            heading,
            r"\midrule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
            *([f"\\par {_escaped(table.note)}"] if table.note else []),
            r"\end{table}",
        )
    )


def _escaped(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in text)
