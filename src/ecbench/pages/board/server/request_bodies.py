"""What the body of a request may contain. Each field is read here, and refused with what would be right."""

from typing import Any

from ecbench.adapters.serving.asgi import RequestRefused
from ecbench.gate import Call, TurnRefused, admit, whole_text
from ecbench.ranges import DAYS, STAKE, quoted
from ecbench.rules import DEFAULT_RULES, DEFAULT_SET, RULE_SETS, rule_set

MOST_CALLS = 200  # of a person's turn
CALL = {"name", "arguments"}
LONGEST_NAME = 200  # characters
LONGEST_RIVALS = 2_000
LONGEST_TEXT = 10_000  # of a person's words that are recorded

Asked = dict[str, Any]


def refuse_strays(asked: Asked, *fields: str) -> None:
    """A field that is not read would be ignored silently."""
    if strays := [name for name in asked if name not in fields]:
        known = f"the body may have {', '.join(fields)}" if fields else "the body is an empty object, {}"
        raise RequestRefused(400, f"there is no field {quoted(strays[0])}; {known}")


def name_in(asked: Asked, field: str, default: str) -> str:
    value = asked.get(field, default)
    if not isinstance(value, str) or not value or len(value) > LONGEST_NAME or value.startswith("-"):
        raise RequestRefused(400, f"{field} is a name of 1 to {LONGEST_NAME} characters, not {quoted(value)}")
    if field == "world" and (value in (".", "..") or any(mark in value for mark in "/\\\0")):
        raise RequestRefused(400, "world is the name of a shipped world, or seed-N")
    return value


def days_in(asked: Asked, field: str, default: int, least: int = int(DAYS.least)) -> int:
    value = asked.get(field, default)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= DAYS.most:
        raise RequestRefused(400, f"{field} is a whole number from {least} to {DAYS.most:,.0f}, not {quoted(value)}")
    return value


def stake_in(asked: Asked) -> float:
    value = asked.get("stake", DEFAULT_RULES.stake)
    if value not in STAKE:
        raise RequestRefused(400, f"stake is {STAKE}, not {quoted(value)}")
    return float(value)


def rules_in(asked: Asked) -> str:
    """The name of a rule set."""
    name = asked.get("rules", DEFAULT_SET)
    try:
        rule_set(name)
    except (ValueError, TypeError) as problem:
        raise RequestRefused(
            400, f"rules is the name of a rule set: {', '.join(RULE_SETS)}, not {quoted(name)}"
        ) from problem
    return str(name)


def yes_in(asked: Asked, field: str, *, default: bool) -> bool:
    value = asked.get(field, default)
    if not isinstance(value, bool):
        raise RequestRefused(400, f"{field} is true or false, not {quoted(value)}")
    return value


def rivals_in(asked: Asked) -> list[str]:
    """Names with commas between; none for a year alone."""
    names = asked.get("rivals", "")
    if not isinstance(names, str) or len(names) > LONGEST_RIVALS:
        raise RequestRefused(400, f"rivals is a text of names with commas between, not {quoted(names)}")
    return [name.strip() for name in names.split(",") if name.strip()]


def turns_seen_in(asked: Asked) -> int | None:
    """After how many turns a page makes its own; None if it does not say."""
    value = asked.get("after")
    if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
        raise RequestRefused(400, f"after is the number of turns that the page has seen, not {quoted(value)}")
    return value


def words_in(asked: Asked) -> str:
    """What a person says with a turn."""
    text = asked.get("text", "")
    if not isinstance(text, str):
        raise RequestRefused(400, f"text is a text, not {quoted(text)}")
    return whole_text(text[:LONGEST_TEXT])


def calls_in(asked: Asked) -> list[Call]:
    """The calls of a person's turn, through the gate. A page sends only calls that can be read."""
    calls = asked.get("calls")
    if not isinstance(calls, list) or not 1 <= len(calls) <= MOST_CALLS:
        raise RequestRefused(400, f"calls is a list of 1 to {MOST_CALLS} calls")
    for call in calls:
        _check(call)
    try:
        admitted = admit(calls)
    except TurnRefused as problem:
        raise RequestRefused(400, str(problem)) from problem
    if problems := [call["problem"] for call in admitted if "problem" in call]:
        raise RequestRefused(400, problems[0])
    return admitted


def _check(call: Any) -> None:
    """The fields of a call, of which pages may send no others than these."""
    if not isinstance(call, dict) or not call.keys() <= CALL or not isinstance(call.get("name"), str):
        raise RequestRefused(400, f'a call is {{"name": TOOL, "arguments": {{...}}}}, not {quoted(call)}')
    if not isinstance(call.get("arguments", {}), dict):
        wrong = quoted(call["arguments"])
        raise RequestRefused(400, f"the arguments of {quoted(call['name'])} are an object, not {wrong}")
