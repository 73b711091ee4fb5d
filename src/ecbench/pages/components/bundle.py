"""The scripts and styles of the components: as files for a server, and as one text for a page without one."""

import re
from collections.abc import Sequence
from pathlib import Path

STATIC = Path(__file__).parent / "static"
CHART_LIBRARY = "uplot.js"  # a classic script that defines `uPlot`

_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const) (\w+))", re.MULTILINE)


def asset(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def bundled(script: str, modules: Sequence[str]) -> str:
    """A module and those that it needs as one classic script. Each module must follow those that it imports."""
    return f'(() => {{\n"use strict";\n{"".join(map(_constant, modules))}{_resolved(script)}}})();\n'


def _constant(name: str) -> str:
    text = asset(f"{name}.js")
    exported = ", ".join(found[2] for found in _EXPORT.finditer(text))
    body = _EXPORT.sub(r"\1", _resolved(text))
    return f"const ${name} = (() => {{\n{body}return {{ {exported} }};\n}})();\n"


def _resolved(script: str) -> str:
    """With imports as constants: the dollar keeps the names of modules apart from those in their scripts."""
    return _IMPORT.sub(r"const \1 = $\2;", script)
