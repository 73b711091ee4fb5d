"""How the steady merchant buys: where suppliers stop, what it pays, and how seldom it lets a letter bring an order."""

import json
import re
from typing import Any

import pytest

from ecbench.players.merchants.steady.haggling import PATIENCE, PlannedOrder, detect_floor, haggle
from ecbench.players.merchants.steady.state import LineGoods, MerchantState, ShelfLine, Source
from ecbench.players.merchants.supplier_letters import clause, letter
from ecbench.suppliers.grammar import read_message

REFERENCES = {"a": 100.0, "b": 50.0, "c": 20.0}


def line_and_state(bid: float = 0.5) -> tuple[ShelfLine, MerchantState]:
    goods = [LineGoods(sku, "Lamps", reference, index) for index, (sku, reference) in enumerate(REFERENCES.items())]
    source = Source("Lamp Makers", "sales@lamps.example", checked=True)
    line = ShelfLine("Lamps", goods, cost=bid, bid=bid, sources=[source])
    return line, MerchantState(365, lines={"Lamps": line}, goods={item.sku: item for item in goods}, bank=1e5)


def actions_in(call: dict[str, Any]) -> list[dict[str, Any]]:
    return [json.loads(block) for block in re.findall(r"^\{.*\}$", call["arguments"]["content"], re.MULTILINE)]


def quoted(**ratios: float) -> dict[str, Any]:
    rows = [{"sku_id": sku, "decision": "Offer", "price": ratio * REFERENCES[sku]} for sku, ratio in ratios.items()]
    return {"negotiation_responses": rows}


def test_quotes_that_are_alike_have_stopped_and_the_lowest_stop_counts() -> None:
    line, state = line_and_state()
    detect_floor(state, line, {"a": 61.0, "b": 29.0, "c": 11.9})
    assert not line.bid_is_floor
    assert line.bid == 0.5
    detect_floor(state, line, {"a": 56.0, "b": 28.0, "c": 11.9})
    assert line.bid_is_floor
    assert line.bid == pytest.approx(0.56)
    detect_floor(state, line, {"a": 60.0, "b": 30.0, "c": 12.0})
    assert line.bid == pytest.approx(0.56)
    detect_floor(state, line, {"a": 52.0, "b": 26.0, "c": 11.9})
    assert line.bid == pytest.approx(0.52)


def test_bids_stay_too_low_to_be_taken_until_the_letter_that_closes_the_deal() -> None:
    line, state = line_and_state(bid=0.5)
    talk = haggle(state, PlannedOrder(line, line.sources[0], {"a": 3, "b": 3, "c": 3}, rounds=2))
    letters = [actions_in(next(talk))]
    letters.append(actions_in(talk.send(quoted(a=0.7, b=0.72, c=0.75))))
    letters.append(actions_in(talk.send(quoted(a=0.5, b=0.5, c=0.6))))
    for patient in letters[:2]:
        assert {action["action"] for action in patient} == {"offer"}
        for action in patient:
            assert action["price"] == pytest.approx(0.5 * PATIENCE * REFERENCES[action["sku_id"]])
    assert {action["sku_id"]: action["action"] for action in letters[2]} == {"a": "accept", "b": "accept", "c": "offer"}


def test_suppliers_read_each_clause_of_a_letter_as_it_was_written() -> None:
    clauses = [clause("offer", 'odd "sku" \u00e9', 12.5, 3), clause("accept", "b-2", 1e-05, 1)]
    read = read_message(letter(clauses)).actions
    assert [(each.kind, each.sku, each.price, each.quantity) for each in read] == [tuple(c.values()) for c in clauses]
