"""Write the paper's tables as text, LaTeX or JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from ecbench.cli.table_printing import plain_table, words
from ecbench.metrics.paper_tables import PaperTable, cell_text

WIDTH = 80  # characters of a line of text; a wider table continues below, with its rows named again
_LATEX = {"\\": r"\textbackslash{}", "¥": r"\textyen{}", "±": r"$\pm$", "–": "--", "†": r"\dag{}", "‡": r"\ddag{}"} | {
    c: f"\\{c}" for c in "&%$#_{}"
}

Cells = list[list[str]]  # of a table with its heading


def text_parts(tables: Sequence[PaperTable]) -> Iterator[Table | Text]:
    """Tables in parts that fit the width of a page."""
    for table in tables:
        yield words(f"\n{table.heading}", "bold")
        for (rows, *figures), *lines in _panels(_cells(table)):
            yield plain_table(rows, *(f">{name}" for name in figures), rows=lines)
        if table.note:
            yield words(table.note)


def as_latex(tables: Sequence[PaperTable]) -> str:
    """One `table` with booktabs rules for each; needs the packages booktabs and textcomp."""
    return "\n\n".join(map(_latex, tables))


def to_json(tables: Sequence[PaperTable]) -> list[dict[str, Any]]:
    """Every figure of every table."""
    named = ((table.terms, list(_figures(table))) for table in tables)
    return [{"table": of.key, "label": of.label, "title": of.title, "figures": figures} for of, figures in named]


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


def _cells(table: PaperTable) -> Cells:
    """The heading and the rows. A table with more columns than rows is transposed, so that each measure has a line."""
    heading = ["", *(f"{column.name}" for column in table.columns)]
    lines = [[row.name + row.mark, *(cell_text(column, row) for column in table.columns)] for row in table.rows]
    cells = [heading, *lines]
    wide = len(table.columns) > len(table.rows)
    return [list(line) for line in zip(*cells, strict=True)] if wide else cells


def _panels(cells: Cells) -> Iterator[Cells]:
    """The columns of a table in parts that fit the width of a page, each with the names of the rows."""
    widths = [max(map(len, column)) + 1 for column in zip(*cells, strict=True)]
    part = [0]
    for index in range(1, len(widths)):
        if len(part) > 1 and sum(widths[each] for each in (*part, index)) > WIDTH:
            yield [[line[each] for each in part] for line in cells]
            part = [0]
        part.append(index)
    yield [[line[each] for each in part] for line in cells]


def _latex(table: PaperTable) -> str:
    heading, *lines = [f"{' & '.join(map(_escaped, line))} \\\\" for line in _cells(table)]
    columns = f"l{'r' * heading.count(' & ')}"
    label = f"{table.terms.label}_further" if table.further else table.terms.label
    note = [f"\\par {_escaped(table.note)}"] if table.note else []
    opening = [r"\begin{table}[t]", r"\centering", f"\\caption{{{_escaped(table.heading)}}}", f"\\label{{{label}}}"]
    rows = [f"\\begin{{tabular}}{{{columns}}}", r"\toprule", heading, r"\midrule", *lines, r"\bottomrule"]
    return "\n".join([*opening, *rows, r"\end{tabular}", *note, r"\end{table}"])


def _escaped(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in text)
