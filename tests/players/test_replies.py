"""Reading a field of many rows at once comes to the same as reading it row by row, however odd the rows are."""

import json
from typing import Any

import pytest

from ecbench.players.merchants.replies import count, counts, figures, number, rows, share, shares, tables, text, words
from ecbench.players.merchants.steady.haggling import Clause, letter

COLUMNS: list[list[Any]] = [
    [],
    [3, 0, 12],
    [3, -4, 12],
    [1.5, 2.0],
    [1.5, 2, -7],
    [0.25, 1.0, 0.0],
    [0.25, -1.0, 1.5],
    [[{"a": 1}, {}], [], [{"b": 2}]],
    [[{"a": 1}, None], 3, [{"b": 2}]],
    ["a", "b"],
    ["a", None, 4, True, False, 2.5, [], {}],
]


@pytest.mark.parametrize("entries", COLUMNS)
@pytest.mark.parametrize("whole", [True, False])
def test_a_column_reads_as_its_rows_do(entries: list[Any], whole: bool) -> None:
    found = [{"field": entry} for entry in entries]
    if not whole:
        found.append({})
    assert counts(found, "field") == [count(row, "field") for row in found]
    assert words(found, "field") == [text(row, "field") for row in found]
    assert shares(found, "field") == [share(row, "field") for row in found]
    assert tables(found, "field") == [rows(row, "field") for row in found]
    read = figures(found, "field")
    assert read == [number(row, "field") for row in found]
    assert all(type(figure) is float for figure in read)


def test_every_block_of_a_letter_is_an_object_of_its_own() -> None:
    clauses = [Clause("offer", 'odd "sku" \u00e9', 12.5, 3), Clause("accept", "B-2", 1e-05, 1)]
    blocks = letter(clauses).split("```negotiate\n")[1].removesuffix("\n```").splitlines()
    assert [tuple(json.loads(block).values()) for block in blocks] == [tuple(clause) for clause in clauses]
    assert [list(json.loads(block)) for block in blocks] == [["action", "sku_id", "price", "quantity"]] * 2
