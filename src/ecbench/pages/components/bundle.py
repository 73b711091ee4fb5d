"""The scripts and styles of pages: each page gets its modules as one classic script, with a server or without one."""

import re
from pathlib import Path

STATIC = (Path(__file__).parent / "static").resolve()
CHART_LIBRARY = "uplot.js"  # a classic script that defines `uPlot`

_IMPORT = re.compile(r'^import (\{[^}]*\})\s+from\s+"(\.[^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_EXPORT_LIST = re.compile(r"export\s*\{([^}]*)\};?\s*$")


def asset(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def bundle(entry: Path) -> str:
    """A module and all that it imports."""
    found: dict[Path, str] = {}
    _collect(entry.resolve(), found)
    return f'(() => {{\n"use strict";\n{"".join(found.values())}}})();\n'


def _collect(path: Path, found: dict[Path, str]) -> None:
    """Each module as a constant, after those that it imports. Modules must not import one another in a circle."""
    if path in found:
        return
    text = path.read_text(encoding="utf-8")
    for _, imported in _IMPORT.findall(text):
        _collect((path.parent / imported).resolve(), found)
    exported = [f"{name}: {name}" for _, name in _EXPORT.findall(text)]
    if listed := _EXPORT_LIST.search(text):  # `name as exported`
        pairs = [each.split(" as ") for each in listed[1].split(",")]
        exported += [f"{names[-1].strip()}: {names[0].strip()}" for names in pairs]
    text = _EXPORT.sub(r"\1", _EXPORT_LIST.sub("\n", _resolved(text, path.parent)))
    found[path] = f"const {_name(path)} = (() => {{\n{text}return {{ {', '.join(exported)} }};\n}})();\n"


def _resolved(script: str, folder: Path) -> str:
    """With imports as constants."""

    def constant(found: re.Match[str]) -> str:
        return f"const {found[1].replace(' as ', ': ')} = {_name((folder / found[2]).resolve())};"

    return _IMPORT.sub(constant, script)


def _name(path: Path) -> str:
    """By folder and file. The dollar keeps the names of modules apart from those in their scripts."""
    return f"${path.parent.name}_{path.stem}"
