"""Tables as CSV: as the csv module writes them, with no text that a spreadsheet runs."""

import csv
import io
from collections.abc import Sequence
from datetime import date, datetime
from math import inf, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecbench.runs.results.export import sheet

SIGNS = st.characters(codec="utf-8") | st.sampled_from(list("\",\n\r\t '|;"))
TEXTS = st.text(SIGNS, max_size=8)
NUMBERS = st.floats() | st.integers() | st.integers(-(2**70), 2**70)
# Where exponents begin and end, and where Python and others write them differently.
EDGES = st.sampled_from([1e-3, 1e-4, 9.9e-5, 1e-5, 1e15, 9999999999999998.0, 1e16, 1e17, -1e-5, -1e16, -0.0, 5e-324])
CELLS = TEXTS | NUMBERS | EDGES | st.booleans() | st.none() | st.dates() | st.datetimes() | st.just([1, 2])
TUPLES = st.lists(NUMBERS | TEXTS, max_size=3).map(tuple)
PRICES = st.lists(NUMBERS | EDGES, max_size=3).map(tuple)
MOMENTS = st.dates() | st.datetimes() | st.booleans() | st.none()
FORMULA_SIGNS = "=+-@\t\r\uff0b\uff0d\uff1d\uff20"  # that begin a formula


def columns_of(kind: st.SearchStrategy[object]) -> st.SearchStrategy[list[list[object]]]:
    """Three columns, so that no row is one empty cell alone, which CSV cannot tell from an empty line."""
    return st.integers(0, 5).flatmap(
        lambda rows: st.lists(st.lists(kind, min_size=rows, max_size=rows), min_size=3, max_size=3)
    )


def as_csv_writes(names: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    return "".join(_line(row) for row in (names, *rows))


def _line(row: Sequence[object]) -> str:
    """Python 3.11 quotes a carriage return only if it is part of the end of a line."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerow([_harmless(cell) for cell in row])
    return text.getvalue().removesuffix("\r\n") + "\n"


def _harmless(cell: object) -> object:
    """As a spreadsheet may read it: a text that begins like a formula has an apostrophe in front."""
    if isinstance(cell, int | float | None | date):
        return cell
    text = " ".join(map(str, cell)) if isinstance(cell, tuple) else str(cell)
    if isinstance(cell, tuple) and not any(isinstance(each, str) for each in cell):
        return text
    return f"'{text}" if text.lstrip("'")[:1] in tuple(FORMULA_SIGNS) else text


@pytest.mark.parametrize(
    "kind",
    [TEXTS, NUMBERS, EDGES | st.floats(-1e3, 1e3), st.floats(-1e-3, 1e-3), PRICES, TUPLES, MOMENTS, CELLS | TUPLES],
)
def test_a_sheet_is_what_the_csv_module_writes_cell_by_cell(kind: st.SearchStrategy[object]) -> None:
    @given(columns_of(kind))
    def holds(columns: list[list[object]]) -> None:
        rows = list(zip(*columns, strict=True))
        names = ["a", 'b "c"', "d,e"]
        assert sheet(names, rows) == as_csv_writes(names, rows)

    holds()


ODD: list[object] = [nan, inf, -inf, -0.0, 0.0, 1, 1.0, True, None, "", (), np.float64(0.1), 2**64, "1", "True", "None"]


@pytest.mark.parametrize("number", [nan, inf, -inf, -0.0, 2**64, -(2**64), np.float64(0.1)])
def test_a_number_that_json_has_no_form_for_is_written_as_python_shows_it(number: float) -> None:
    assert sheet("ab", [(number, 0.5), (1.5, 2)]) == f"a,b\n{number!s},0.5\n1.5,2\n"


def test_numbers_that_are_equal_keep_their_own_form_in_one_column() -> None:
    rows = [(cell, other, date(2026, 1, 2)) for cell in ODD for other in (0.5, datetime(2026, 1, 2, 8))]
    assert sheet("xyz", rows) == as_csv_writes("xyz", rows)


@given(st.text(st.sampled_from(f"{FORMULA_SIGNS}' a1\"\n"), max_size=5) | TEXTS)
def test_no_text_is_a_formula_and_nothing_but_an_apostrophe_is_added(text: str) -> None:
    _, (cell, number, _) = csv.reader(io.StringIO(sheet("abc", [(text, -5, text)]), newline=""))
    assert cell[:1] not in tuple(FORMULA_SIGNS) and cell in (text, f"'{text}")
    assert number == "-5"


def test_half_of_a_surrogate_pair_is_written_escaped() -> None:
    assert sheet("ab", [("\ud800, and more", 1)]) == 'a,b\n"\\ud800, and more",1\n'
