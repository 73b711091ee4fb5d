"""Letters are read as they are written."""

import json

from ecbench.players.merchants.steady.haggling import Clause, letter


def test_every_block_of_a_letter_is_an_object_of_its_own() -> None:
    clauses = [Clause("offer", 'odd "sku" \u00e9', 12.5, 3), Clause("accept", "B-2", 1e-05, 1)]
    blocks = letter(clauses).split("```negotiate\n")[1].removesuffix("\n```").splitlines()
    assert [tuple(json.loads(block).values()) for block in blocks] == [tuple(clause) for clause in clauses]
    assert [list(json.loads(block)) for block in blocks] == [["action", "sku_id", "price", "quantity"]] * 2
