"""Every cell of the paper's tables of results, compared with what is shown of its models."""

import re
from pathlib import Path

import pytest

from ecbench.cli.commands.report import table_facts
from ecbench.formatting import MISSING
from ecbench.metrics.losses.failure_modes import RULES
from ecbench.metrics.paper_tables import PaperTable, cell_text, paper_tables
from ecbench.metrics.published import RESULTS

FILES = sorted((Path(__file__).parents[3] / "shared" / "paper").glob("*.txt"))
pytestmark = pytest.mark.skipif(not FILES, reason="THE PAPER IS ABSENT: its printed tables were not compared")
SHOWN = {table.terms.label: table for table in paper_tables({})}


def printed_rows(label: str) -> list[list[str]]:
    """The cells of a table of the paper, row by row, as plain text."""
    text = FILES[0].read_text(encoding="utf-8")
    text = text[text.index(f"\\label{{{label}}}") :]
    body = text[text.index("\\midrule") : text.index("\\end{tabular")]
    body = re.sub(r"\\makecell\[l\]\{([^&]*?)\\\\ ([^&]*?)\} &", r"\1 \2 &", body)
    rows = (line.split("&") for line in re.split(r"\\\\\s*\n", body) if "&" in line)
    return [[plain(cell) for cell in row] for row in rows]


def plain(cell: str) -> str:
    """A cell without the markup of LaTeX: its digits, its signs and its marks."""
    marks = {r"$^{\dagger}$": "†", r"$^{\ddagger}$": "‡", "^{n=1}": "(n=1)", r"$\pm$": "±", "{,}": ","}
    for markup, mark in marks.items():
        cell = cell.replace(markup, mark)
    cell = re.sub(r"\\(cellcolor\{\w+\}|textbf|scriptsize|midrule|bottomrule|addlinespace(\[\w+\])?|,)", "", cell)
    return re.sub(r"[{}$\s]", "", cell)


def digits(text: str) -> str:
    """A shown cell without its unit, as the paper prints it in the unit of the column."""
    return re.sub(r"[¥k%\s]", "", text)


def shown_rows(table: PaperTable) -> list[list[str]]:
    return [
        [re.sub(r"\s", "", row.name + row.mark), *(digits(cell_text(column, row)) for column in table.columns)]
        for row in table.rows
    ]


@pytest.mark.parametrize("label", [table.label for table in RESULTS])
def test_every_cell_of_a_table_of_results_is_shown_as_printed(label: str) -> None:
    printed, shown = printed_rows(label), shown_rows(SHOWN[label])
    assert len(printed) == len(shown) == 18
    for row in printed:
        if label == "tab:leaderboard":  # which has the standard deviation in a column of its own
            row[1:3] = [f"{row[1]}±{row[2]}"]
    if label == "tab:res_d6":  # printed in thousandths a day, and shown a day
        for row in shown:
            row[8] = "±".join(thousandths(part) for part in row[8].split("±"))
    by_name = {row[0]: row for row in printed}
    assert shown == [by_name[row[0]] for row in shown]


def thousandths(text: str) -> str:
    sign, whole, decimals = re.fullmatch(r"([+-]?)(\d+)\.(\d+)", text).groups()  # type: ignore[union-attr]
    return f"{sign}{int(whole + decimals[:3])}.{decimals[3:]}"


def test_what_was_measured_by_kind_of_supplier_is_shown_as_printed() -> None:
    honest, scams = (
        {re.sub(r"\\(textsc|texttt)|\\", "", row[key]).lower(): row[-3:] for row in rows}
        for key, rows in ((0, printed_rows("tab:presets")[:6]), (1, printed_rows("tab:presets")[6:]))
    )
    shown = {kind: cells for kind, *cells in shown_rows(SHOWN["tab:presets"])}
    assert shown == honest | scams
    assert shown["vip_fee"] == ["14", "0.491(n=1)", "6.00(n=1)"]


def test_failure_modes_have_the_printed_models_and_episodes() -> None:
    printed = [row[-2:] for row in printed_rows("tab:failure_modes")]
    assert [cells[:2] for _, *cells in shown_rows(SHOWN["tab:failure_modes"])] == printed
    assert len(printed) == len(RULES) == 10


def test_every_printed_cell_is_in_the_json() -> None:
    tables = list(SHOWN.values())
    for table, facts in zip(tables, map(table_facts, tables), strict=True):
        shown = {(figure["row"], figure["measure"]): figure["text"] for figure in facts["figures"]}
        for row in table.rows:
            for column in table.columns:
                cell = cell_text(column, row)
                assert shown.get((row.name, column.name), MISSING) == cell, (table.terms.label, row.name, column.name)
