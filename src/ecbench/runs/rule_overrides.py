"""Rules by name and changed, from the words of a command line and from a recorded run."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ecbench.errors import RunError
from ecbench.ranges import quoted
from ecbench.rules import DEFAULT_SET, Rules, rule_set


def read_overrides(settings: Sequence[str], set_name: str = DEFAULT_SET) -> dict[str, Any]:
    """`key=value` each, the value as JSON, to come on top of the rule set of that name.

    A table may be given in part: `freight_factor={"fast": 3}`.
    """
    overrides: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise RunError(f"--set {setting}: write it as key=value, such as --set commission=0.05")
        try:
            overrides[name.strip()] = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise RunError(f"--set {name}: {quoted(text)} is neither a number nor a JSON table") from error
    rules_with(overrides, set_name)
    return overrides


def rules_with(overrides: Mapping[str, Any], set_name: str = DEFAULT_SET) -> Rules:
    """The rules of that name, changed."""
    try:
        rules = rule_set(set_name)
        return rules.with_overrides(overrides) if overrides else rules
    except ValueError as problem:
        raise RunError(str(problem)) from problem
