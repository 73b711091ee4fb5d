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


def bundled(modules: Sequence[str]) -> str:
    """The modules as constants of one script, each named after its file. A module must follow those it imports."""
    return "".join(_constant(name) for name in modules)


def _constant(name: str) -> str:
    text = asset(f"{name}.js")
    exported = ", ".join(found[2] for found in _EXPORT.finditer(text))
    body = _EXPORT.sub(r"\1", _IMPORT.sub(r"const \1 = \2;", text))
    return f"const {name} = (() => {{\n{body}return {{ {exported} }};\n}})();\n"
