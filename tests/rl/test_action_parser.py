"""Whatever a policy sends is read, and what cannot be read is said."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecbench.gate import MOST_CALLS
from ecbench.rl import read_action

WAIT = {"name": "wait_for_next_day", "arguments": {}}
LOOK = {"name": "market_search", "arguments": {"store_type": "tea"}}


@pytest.mark.parametrize(
    "action",
    [
        [LOOK, WAIT],
        (LOOK, WAIT),
        {"tool_calls": [LOOK, WAIT]},
        {"calls": [LOOK, WAIT]},
        json.dumps([LOOK, WAIT]),
        json.dumps({"tool_calls": [LOOK, WAIT]}).encode(),
        f"I will look and wait.\n```json\n{json.dumps([LOOK, WAIT])}\n```\n",
        [{"type": "function", "id": "1", "function": {**LOOK, "arguments": json.dumps(LOOK["arguments"])}}, WAIT],
        [LOOK, {"name": "wait_for_next_day"}],
        [LOOK, {"name": "wait_for_next_day", "arguments": ""}],
    ],
)
def test_a_turn_may_be_written_in_any_of_the_usual_forms(action: object) -> None:
    assert read_action(action) == ([LOOK, WAIT], "")
    assert read_action(LOOK).calls == [LOOK]


@pytest.mark.parametrize(
    "action", [None, "", "  \n", "[]", [], "let me think", "[NaN]", "7", 7, "{", b"\xff", object()]
)
def test_an_action_without_a_call_says_so(action: object) -> None:
    read = read_action(action)
    assert read.calls == []
    assert "call" in read.problem


def test_a_turn_has_a_largest_number_of_calls() -> None:
    assert len(read_action([WAIT] * MOST_CALLS).calls) == MOST_CALLS
    assert read_action([WAIT] * (MOST_CALLS + 1)) == ([], "a turn has at most 1,000 calls, not 1,001")


class Hostile(dict[str, Any]):
    def get(self, key: str, default: object = None) -> object:
        raise OSError("no")


def test_an_object_whose_own_methods_fail_is_read_as_no_call() -> None:
    assert read_action(Hostile()).problem.startswith("the action could not be read (OSError)")
    assert read_action([Hostile()]).calls == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)
CALLS = st.lists(st.fixed_dictionaries({}, optional={"name": JSON, "arguments": JSON, "function": JSON}) | JSON)


@settings(max_examples=150)
@given(JSON | st.binary() | st.text() | CALLS | CALLS.map(json.dumps) | st.tuples(CALLS).map(lambda c: {"calls": c[0]}))
def test_no_action_raises_and_all_that_is_read_can_be_recorded(action: object) -> None:
    calls, problem = read_action(action)
    assert bool(calls) != bool(problem)
    for call in calls:
        assert set(call) <= {"name", "arguments", "problem"}
        assert json.loads(json.dumps(call, allow_nan=False)) == call
