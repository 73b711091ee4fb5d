"""Changed rules, from the words of a command line and from a recorded run."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from math import inf
from typing import Any

from ecbench.rules import DEFAULT_RULES, Rules
from ecbench.runs.problems import RunError

_NAMES = tuple(sorted(each.name for each in fields(Rules)))


def read_overrides(settings: Sequence[str]) -> dict[str, Any]:
    """`key=value` each, the value as JSON. A table may be given in part: `freight_factor={"fast": 3}`."""
    overrides: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise RunError(f"--set {setting}: write it as key=value, such as --set commission=0.05")
        try:
            value = json.loads(text)
        except ValueError as error:
            raise RunError(f"--set {setting}: {text!r} is neither a number nor a JSON table") from error
        overrides[name.strip()] = value
    rules_with(overrides)
    return overrides


def rules_with(overrides: Mapping[str, Any]) -> Rules:
    """The default rules, changed. Each value must be of the kind that it replaces."""
    changed = {}
    for name, value in overrides.items():
        if name not in _NAMES:
            raise RunError(f"there is no rule {name!r}; the rules are: {', '.join(_NAMES)}")
        changed[name] = _like(vars(DEFAULT_RULES)[name], value, name)
    return DEFAULT_RULES.with_overrides(changed) if changed else DEFAULT_RULES


def _like(default: Any, value: Any, place: str) -> Any:
    match default:
        case Mapping():
            return _table(default, value, place)
        case tuple():
            return _row(default, value, place)
        case int() if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        case float() if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < inf:
            return float(value)
    wanted = "a whole number of 0 or more" if isinstance(default, int) else "a number of 0 or more"
    raise RunError(f"rule {place}: {value!r} is not {wanted}; the default is {default}")


def _table(default: Mapping[Any, Any], value: Any, place: str) -> dict[Any, Any]:
    names = {str(key): key for key in default}
    if not isinstance(value, dict) or not set(value) <= set(names):
        raise RunError(f"rule {place}: {value!r} is not a table with keys out of {', '.join(names)}")
    given = {names[key]: _like(default[names[key]], part, f"{place}.{key}") for key, part in value.items()}
    return {**default, **given}


def _row(default: tuple[Any, ...], value: Any, place: str) -> tuple[Any, ...]:
    """Pairs stay pairs; a list of steps may be longer or shorter than the default."""
    steps = isinstance(default[0], tuple)
    if not isinstance(value, list) or not value or (not steps and len(value) != len(default)):
        raise RunError(f"rule {place}: {value!r} is not a list like {json.dumps(default)}")
    return tuple(_like(default[0] if steps else default[i], part, f"{place}[{i}]") for i, part in enumerate(value))
