"""Changed rules, from the words of a command line and from a recorded run."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ecbench.ranges import quoted
from ecbench.rules import DEFAULT_RULES, Rules
from ecbench.runs.problems import RunError


def read_overrides(settings: Sequence[str]) -> dict[str, Any]:
    """`key=value` each, the value as JSON. A table may be given in part: `freight_factor={"fast": 3}`."""
    overrides: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise RunError(f"--set {setting}: write it as key=value, such as --set commission=0.05")
        try:
            overrides[name.strip()] = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise RunError(f"--set {name}: {quoted(text)} is neither a number nor a JSON table") from error
    rules_with(overrides)
    return overrides


def rules_with(overrides: Mapping[str, Any]) -> Rules:
    """The default rules, changed."""
    if not overrides:
        return DEFAULT_RULES
    try:
        return DEFAULT_RULES.with_overrides(overrides)
    except ValueError as problem:
        raise RunError(str(problem)) from problem
