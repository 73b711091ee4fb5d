"""Every transport uses one gate: what it acknowledged can be read back from the record, and is the same on all."""

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.adapters.transports import Transport, last_turn, open_transport

from ecbench import load_world
from ecbench.agent_text import DEEPEST
from ecbench.gate import MOST_BYTES, MOST_CALLS, TurnRefused, admit
from ecbench.players.turn import shortened
from ecbench.table import Table
from ecbench.tools.outcome import REPLY_BUDGET

TRANSPORTS = ("http", "seat", "mcp", "rl", "inspect", "merchant", "model")
WITHOUT_NUMBERS = ("http", "seat")  # a body with NaN, an infinity or a number of 401 digits is refused
LOOK = {"name": "check_balance", "arguments": {}}

CIRCLE: list[Any] = []
CIRCLE.append(CIRCLE)


def nested(depth: int, kind: type) -> Any:
    """Brackets within brackets."""
    value: Any = kind()
    for _ in range(depth - 1):
        value = [value] if kind is list else {"a": value}
    return value


def called(arguments: object, name: object = "withdraw") -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


def check(transport: Transport, calls: list[Any], turns: int) -> int:
    """Send a turn; the number of recorded turns after it."""
    replies = transport.send(calls)
    if replies is None:
        return turns
    count, recorded, recorded_replies = last_turn(transport)
    assert count == turns + 1
    assert recorded_replies == [shortened(reply) for reply in replies]
    assert recorded == admit(calls)
    return count


EXTREMES: list[Any] = [
    *[called({"a": nested(depth, kind)}) for depth in range(4, 40) for kind in (list, dict)],
    *[called(json.dumps({"a": nested(depth, list)})) for depth in (6, 7, 8, 9, 100, 101, 500)],
    *[called({"amount": value}) for value in (2**1_024, 1e308, 5e-324, 2**63, -0.0)],
    *[called({"amount": value, "\ud800": value}) for value in ("\ud83d", "a\udfffb", "😀", "\x00", "\u2028")],
    *[called(text) for text in ("", "  ", "{}", "null", "[]", '"x"', "{", "\ud800", '{"amount": NaN}', "[" * 50_000)],
    *map(called, (None, [], [1], 7, 0.5, True, "text", {}, {"": None}, {"amount": {}})),
    *[called({}, str(name)) for name in ("", "\ud800", "oracle", "wait_for_next_day")],
    *[called({}, None), called({}, 5), called({}, [])],
    *[{}, {"arguments": {}}, 5, None, "check_balance", [], [LOOK]],
]
NUMBERS = [
    called({"amount": value})
    for value in (float("nan"), float("inf"), -float("inf"), [float("nan")], 10**400, -(10**4_000))
]


@pytest.mark.parametrize("name", TRANSPORTS)
def test_extreme_calls_fail_alone_and_alike_at_every_transport(name: str, tmp_path: Path, small_world: Path) -> None:
    turns, extremes = 0, EXTREMES + (NUMBERS if name not in WITHOUT_NUMBERS else [])
    with open_transport(name, tmp_path, small_world) as transport:
        for call in extremes:
            if name == "model" and (not isinstance(call, dict) or not isinstance(call.get("name"), str)):
                continue  # a model's call has a name
            turns = check(transport, [call], turns)
        for call in NUMBERS if name in WITHOUT_NUMBERS else []:
            assert transport.send([call]) is None
        if name != "mcp":
            turns = check(transport, extremes if name != "model" else [LOOK, *EXTREMES[:90]], turns)
    assert turns >= 115


@pytest.mark.parametrize("name", [name for name in TRANSPORTS if name != "mcp"])
def test_a_turn_has_at_most_a_thousand_calls(name: str, tmp_path: Path, small_world: Path) -> None:
    with open_transport(name, tmp_path, small_world) as transport:
        assert check(transport, [called({}, "oracle")] * MOST_CALLS, 0) == 1
        replies = transport.send([called({}, "oracle")] * (MOST_CALLS + 1))
        assert replies is None or (name == "rl" and "at most 1,000 calls" in replies[0])
        assert check(transport, [LOOK], 2 if name == "rl" else 1) == (3 if name == "rl" else 2)


@pytest.mark.parametrize("name", ["mcp", "rl", "inspect", "merchant"])
def test_a_turn_of_more_than_sixteen_mebibytes_is_refused(name: str, tmp_path: Path, small_world: Path) -> None:
    with open_transport(name, tmp_path, small_world) as transport:
        assert check(transport, [called({"amount": "x" * (MOST_BYTES - 1_000)})], 0) == 1
        replies = transport.send([called({"amount": "x" * (MOST_BYTES + 1)})])
        assert replies is None or "a turn has at most 16,777,216 bytes" in replies[0]


@pytest.mark.parametrize("kind", [list, dict])
def test_arguments_are_nested_at_most_eight_deep(kind: type) -> None:
    [deepest] = admit([called(nested(DEEPEST, dict if kind is dict else list))])
    assert "problem" not in deepest
    [deeper] = admit([called(nested(DEEPEST + 1, kind))])
    assert deeper["problem"] == "the arguments of withdraw are nested more than 8 deep"


def test_the_admitted_call_has_the_fields_of_a_call_alone() -> None:
    given = {**LOOK, "id": "a", "seat": 7, "event": "end", "type": "function"}
    assert admit([given]) == [{"id": "a", **LOOK}]
    assert admit([{**LOOK, "problem": "cut off"}]) == [{**LOOK, "problem": "cut off"}]
    assert admit([{**LOOK, "arguments": ""}]) == [LOOK]


@pytest.mark.parametrize("calls", [None, "check_balance", LOOK, 7, {}])
def test_a_turn_is_a_list_of_calls(calls: object) -> None:
    with pytest.raises(TurnRefused, match="a turn is a list of calls"):
        admit(calls)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (float("nan"), "hold a number that JSON does not have"),
        (float("inf"), "hold a number that JSON does not have"),
        (10**5_000, "hold a whole number of 16,610 bits"),
        ({1: 2}, "have a key that is no text but int"),
        ({1, 2}, "hold a value that JSON does not have"),
        (object(), "hold a value that JSON does not have"),
        (CIRCLE, "are nested more than 8 deep"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_that_json_does_not_have_fail_their_call(value: object, problem: str) -> None:
    broken, look = admit([called({"amount": value}), LOOK])
    assert broken["problem"].startswith(f"the arguments of withdraw {problem}")
    assert look == LOOK


def test_numbers_and_texts_of_numpy_are_those_of_python() -> None:
    given = {"amount": np.float32(0.5), "units": np.int64(3), "name": np.str_("x"), "some": (1, 2)}
    [call] = admit([called(given)])
    assert call["arguments"] == {"amount": 0.5, "units": 3, "name": "x", "some": [1, 2]}
    assert [type(value) for value in call["arguments"].values()] == [float, int, str, list]


def test_a_shared_list_does_not_grow_beyond_the_limit() -> None:
    wide: list[Any] = [0] * 1_000
    for _ in range(3):
        wide = [wide] * 1_000
    began = time.process_time()
    with pytest.raises(TurnRefused, match="at most 500,000 values"):
        admit([called({"a": wide})])
    assert time.process_time() - began < 5


def test_one_message_to_many_suppliers_stays_within_the_reply_budget_of_a_turn() -> None:
    world = load_world("default")
    table, everyone = Table(world), [supplier.email for supplier in world.suppliers]
    letter = {"uids": everyone, "content": "Dear all. " * 20_000}
    for arguments in (letter, {"uids": everyone, "content": "", "history_count": 9}):
        [outcome] = table.act(0, [{"name": "chatbox", "arguments": arguments}])  # type: ignore[misc]
    assert REPLY_BUDGET < len(outcome.text) < REPLY_BUDGET + 2_000_000
    assert "characters of one turn" in json.loads(outcome.text)["responses"][-1]["note"]


def test_a_thousand_catalogs_stay_within_the_reply_budget_of_a_turn() -> None:
    table = Table(load_world("default"))
    outcomes = table.act(0, [{"name": "list_products", "arguments": {}}] * MOST_CALLS)
    assert outcomes is not None and len(outcomes) == MOST_CALLS
    run = [outcome for outcome in outcomes if outcome.ok]
    rest = outcomes[len(run) :]
    assert {outcome.error.kind for outcome in rest if outcome.error} == {"over_budget"}
    assert {(outcome.minutes, outcome.failed) for outcome in rest} == {(0, True)}
    size = sum(len(outcome.text) for outcome in outcomes)
    assert REPLY_BUDGET < size < REPLY_BUDGET + 2_000_000
    assert table.act(0, [{"name": "list_products", "arguments": {}}])[0].ok  # type: ignore[index]
