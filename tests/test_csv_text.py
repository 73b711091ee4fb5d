"""Tables as CSV: as the csv module writes them, with no text that a spreadsheet runs."""

import csv
import io
from datetime import date, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecbench.csv_text import sheet

SIGNS = st.characters(codec="utf-8") | st.sampled_from(list("\",\n\r\t '|;"))
TEXTS = st.text(SIGNS, max_size=8)
FORMULA_SIGNS = "=+-@\t\r\uff0b\uff0d\uff1d\uff20"  # that begin a formula


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


@given(st.lists(st.tuples(st.text(st.sampled_from(f"{FORMULA_SIGNS}' a1\"\n"), max_size=5) | TEXTS, TEXTS, TEXTS)))
def test_every_text_is_read_back_and_an_apostrophe_in_front_keeps_it_from_being_a_formula(
    rows: list[tuple[str, str, str]],
) -> None:
    heading, *found = read(sheet(["a", 'b "c"', "d,e"], [(*row, -5) for row in rows]))
    assert heading == ["a", 'b "c"', "d,e"]
    for row, (*cells, number) in zip(rows, found, strict=True):
        assert number == "-5"
        for text, cell in zip(row, cells, strict=True):
            assert cell[:1] not in tuple(FORMULA_SIGNS) and cell in (text, f"'{text}")


@given(st.floats() | st.integers(-(2**70), 2**70) | st.sampled_from([-0.0, 1e-5, 1e16, 5e-324, np.float64(0.1)]))
def test_a_number_is_written_as_python_shows_it(number: float) -> None:
    assert sheet("ab", [(number, 0.5), (1.5, 2)]) == f"a,b\n{number!s},0.5\n1.5,2\n"


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        *((None, ""), (True, "True"), (1, "1"), (1.0, "1.0"), ("", ""), ((), "")),
        *((date(2026, 1, 2), "2026-01-02"), (datetime(2026, 1, 2, 8), "2026-01-02 08:00:00")),
        *(((-1.5, 2), "-1.5 2"), (("-a", "b"), "'-a b"), ("\ud800, and more", '"\\ud800, and more"')),
    ],
)
def test_other_cells_are_written_for_a_spreadsheet(cell: object, text: str) -> None:
    assert sheet("ab", [(cell, 0.5)]) == f"a,b\n{text},0.5\n"
