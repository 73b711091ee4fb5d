"""The public names of the package with their signatures and docstrings."""

import inspect
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from types import FunctionType
from typing import Any

PUBLIC: dict[str, tuple[str, ...]] = {
    "ecbench": (
        "evaluate", "load_run", "load_world", "Episode", "Arena", "call", "tool_schemas", "open_kernel", "Rules",
    ),
    "ecbench.runs.evaluate": ("EvaluatedRun",),
    "ecbench.runs.results.frames": ("RunFrames",),
    "ecbench.rl": ("YearEnvironment", "Setting", "Opening", "Step"),
}  # fmt: skip
"""What the page describes, in its order. A test names what is missing of `ecbench` itself."""
LONGEST_LINE = 100
LONGEST_SIGNATURE = 400  # characters; what has more arguments, the rules, has a page of its own


def python_block() -> str:
    return "\n\n".join(_entry(module, name) for module, names in PUBLIC.items() for name in names)


def _entry(module: str, name: str) -> str:
    found = getattr(import_module(module), name)
    parts = [f"## {name}", _code(f"from {module} import {name}\n\n{_signature(name, found)}"), _docstring(found)]
    if inspect.isclass(found):
        members = [_member(member, value) for member, value in _members(found)]
        if members:
            parts.append("\n".join(["| member | meaning |", "| --- | --- |", *members]))
    return "\n\n".join(part for part in parts if part)


def _members(kind: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties with a docstring; a base class is described where it is listed itself."""
    for name, value in vars(kind).items():
        plain = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        if not name.startswith("_") and isinstance(plain, FunctionType | property | cached_property):
            yield name, plain


def _member(name: str, value: Any) -> str:
    shown = f"{name}{_arguments(value)}" if isinstance(value, FunctionType) else name
    return f"| `{shown}` | {' '.join((inspect.getdoc(value) or '').split())} |".replace(" | None", " \\| None")


def _signature(name: str, found: Any) -> str:
    text = f"{name}{_arguments(found)}"
    if len(text) > LONGEST_SIGNATURE:
        return f"{name}(...)"
    return text if len(text) <= LONGEST_LINE else text.replace("(", "(\n    ", 1).replace(", ", ",\n    ")


def _arguments(found: Any) -> str:
    """The names and defaults of the arguments; types are left to the editor."""
    given = [each for each in inspect.signature(found).parameters.values() if each.name not in ("self", "cls")]
    bare = [each.replace(annotation=inspect.Parameter.empty) for each in given if not each.name.startswith("_")]
    return str(inspect.Signature(bare))


def _docstring(found: Any) -> str:
    return (inspect.getdoc(found) or "").replace("<", "&lt;")


def _code(text: str) -> str:
    return f"```python\n{text}\n```"
