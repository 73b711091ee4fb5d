"""Parse a policy's action into the calls of a turn. Parsing never raises: a garbled call fails alone."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from ecbench.agent_text import DEEPEST_AROUND, parse_json
from ecbench.gate import TurnRefused, admit
from ecbench.players.turn import Record
from ecbench.tools.arguments import shown

LONGEST_TEXT = 1_048_576  # characters

FENCED = re.compile(r"```(?:json|tool_calls?)?[ \t]*\n(.*?)```", re.DOTALL)
FORMS = 'send [{"name": "check_balance", "arguments": {}}, ...], as a list or as JSON'


class Action(NamedTuple):
    """The calls of an action, and what was wrong with one that has none."""

    calls: list[Record]
    problem: str = ""


class _NoCall(ValueError):
    """Why an action contains no call."""


def read_action(action: object) -> Action:
    """The calls in a list of calls, one call, an object with `tool_calls` or `calls`, or the JSON text of any of them.

    A text may contain its JSON within a fence. A call may be in OpenAI's form, with a `function` that has the name and
    arguments, and arguments may be JSON text.
    """
    try:
        calls = _listed(_parsed(action))
        if not calls:
            raise _NoCall("the list is empty")
        return Action(admit([_unwrapped(call) for call in calls]))
    except _NoCall as problem:
        return Action([], f"no call: {problem}; {FORMS}")
    except TurnRefused as refusal:
        return Action([], str(refusal))
    except Exception as problem:  # an object whose own methods fail, or a list that changes while it is read
        return Action([], f"the action could not be read ({type(problem).__name__}); {FORMS}")


def _parsed(action: object) -> Any:
    if isinstance(action, (bytes, bytearray)):
        action = bytes(action).decode(errors="replace")
    if action is None or (isinstance(action, str) and not action.strip()):
        raise _NoCall("the action is empty")
    if not isinstance(action, str):
        return action
    if len(action) > LONGEST_TEXT:
        raise _NoCall(f"an action has at most {LONGEST_TEXT:,} characters, not {len(action):,}")
    try:
        return parse_json(str(action), deepest=DEEPEST_AROUND)
    except ValueError:
        fenced = FENCED.findall(action)
    if not fenced:
        raise _NoCall("the text is not valid JSON")
    try:
        return parse_json(fenced[-1], deepest=DEEPEST_AROUND)
    except ValueError:
        raise _NoCall("the content of the last fence is not valid JSON") from None


def _listed(value: object) -> list[object] | tuple[object, ...]:
    if isinstance(value, Mapping):
        inner = value.get("tool_calls", value.get("calls"))
        value = inner if isinstance(inner, (list, tuple)) else [value]
    if not isinstance(value, (list, tuple)):
        raise _NoCall(f"an action is a list of calls, not {shown(value)}")
    return value


def _unwrapped(call: object) -> object:
    """A call in OpenAI's form without the object around it. No id is kept: replies come in the order of the calls."""
    if (type(call) is dict and "function" not in call and "id" not in call) or not isinstance(call, Mapping):
        return call
    function = call.get("function")
    call = function if isinstance(function, Mapping) else call
    return {name: call[name] for name in ("name", "arguments") if name in call}
