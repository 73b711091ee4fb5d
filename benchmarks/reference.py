"""The parts of docs/tools.md and docs/understand.md that follow from the code.

    python benchmarks/reference.py            print which blocks of docs/ are out of date
    python benchmarks/reference.py --write    write them

Questions about a year are answered by one command each, with what it prints about a year of `haggler` on the world
`default`. A test compares the pages with what this gives. It takes some seconds.
"""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from doc_tables import with_block, write_block
from tool_samples import Sample, demonstrate

from ecbench.rules import DEFAULT_RULES
from ecbench.tools.catalog import TOOLS
from ecbench.tools.office import Tool

DOCS = Path(__file__).parents[1] / "docs"
LONGEST_TEXT = 70  # characters of a text within a reply that is shown
LONGEST_CELL = 140
WIDTH = 80  # characters of a printed line
QUESTIONS = {
    "stores": "ecbench show haggler --by store",
    "negotiations": 'ecbench show haggler --sql "select day, supplier, title, units, loss from by_negotiation limit 5"',
    "cheats": "ecbench show haggler --by cheat",
}
SHOWN_SHAPES = ("refused", "inside")  # bare errors are alike for all tools: the page says them once


def tools_block() -> str:
    samples = demonstrate()
    return "\n\n".join(_tool_section(tool, samples[tool.name]) for tool in TOOLS)


def _tool_section(tool: Tool, samples: Sequence[Sample]) -> str:
    schema = tool.schema(DEFAULT_RULES)["function"]
    takes = f"{tool.minutes} minutes of the working day." if tool.minutes else "No minutes: the rest of the day goes."
    parts = [f"### {tool.name}", takes + " What an agent reads of it:", _quoted(schema["description"])]
    parts.append(_arguments(schema["parameters"]))
    for sample in samples:
        if sample.shape is None:
            parts.append(f"{sample.when[:1].upper()}{sample.when[1:]}:")
            parts.append(_fenced(f"{tool.name} {_text(sample.arguments)}", _shortened(sample.reply)))
    failures = [sample for sample in samples if sample.shape in SHOWN_SHAPES]
    if failures:
        parts.append("It fails when:")
        parts.append("\n".join(f"- {each.when} ({each.shape}): {_cell(_failing(each.reply))}" for each in failures))
    return "\n\n".join(parts)


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _arguments(parameters: Mapping[str, Any]) -> str:
    known, required = parameters["properties"], parameters.get("required", [])
    if not known:
        return "It takes no arguments."
    return "\n".join(
        f"- `{name}` ({_kind(about)}{', required' if name in required else ''}): {about.get('description', '')}"
        for name, about in known.items()
    )


def _kind(about: Mapping[str, Any]) -> str:
    if about["type"] != "array":
        return str(about["type"])
    items = about["items"]
    fields = ", ".join(f"`{name}`" for name in items.get("properties", {}))
    return f"array of {{{fields}}}" if fields else f"array of {items['type']}"


def _shortened(value: Any) -> Any:
    """Long lists and texts show their beginning, and how much is left out."""
    if isinstance(value, dict):
        return {key: _shortened(part) for key, part in value.items()}
    if isinstance(value, list):
        shown = [_shortened(part) for part in value[:1]]
        numbers = all(isinstance(part, int | float) for part in value)
        rest = len(value) - len(shown)
        return value if numbers and len(value) <= 12 else shown + ([f"... and {rest} more"] if rest else [])
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return f"{value[:LONGEST_TEXT]}... ({len(value)} characters)"
    return value


def _failing(reply: Any) -> str:
    """The part of a reply that says what failed: its error, or that of the first entry that has one."""
    if "error" in reply:
        return str(reply["error"])
    for name in ("negotiation_responses", "results"):
        for entry in reply.get(name, []):
            for key in ("error", "order_error"):
                if entry.get(key):
                    return str(entry[key])
    kept = ("message", "note", "results")
    return ", ".join(f"`{name}`: {_text(reply[name])}" for name in kept if name in reply) or _text(reply)


def _fenced(call: str, reply: Any) -> str:
    return f"```json5\n// {call}\n{_indented(reply)}\n```"


def _indented(value: Any, depth: int = 0) -> str:
    """JSON with a line per entry, but short ones on one line."""
    line = _text(value)
    if len(line) + 2 * depth <= 110 or not isinstance(value, dict | list):
        return line
    inner, outer = "  " * (depth + 1), "  " * depth
    if isinstance(value, dict):
        entries = [f"{_text(key)}: {_indented(part, depth + 1)}" for key, part in value.items()]
    else:
        entries = [_indented(part, depth + 1) for part in value]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return opening + "\n" + ",\n".join(inner + entry for entry in entries) + f"\n{outer}{closing}"


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _cell(text: str) -> str:
    shown = text if len(text) <= LONGEST_CELL else f"{text[:LONGEST_CELL]}..."
    return shown.replace("|", "\\|")


@cache
def answers() -> dict[str, str]:
    """The questions' commands and what they print, as blocks of a page."""
    with TemporaryDirectory() as folder:
        _printed("ecbench run --agent haggler --out haggler --quiet", folder)
        return {name: _answer(command, folder) for name, command in QUESTIONS.items()}


def _answer(command: str, folder: str) -> str:
    lines = [line.rstrip() for line in _printed(command, folder).rstrip().splitlines()]
    return "\n".join(["```console", f"$ {command}", *lines, "```"])


def _printed(command: str, folder: str) -> str:
    start, settings = [sys.executable, "-m", *shlex.split(command)], os.environ | {"COLUMNS": str(WIDTH)}
    return subprocess.run(start, cwd=folder, env=settings, stdout=subprocess.PIPE, text=True, check=True).stdout


BLOCKS: Mapping[str, Mapping[str, Callable[[], str]]] = {
    "tools.md": {"tools": tools_block},
    "understand.md": {name: partial(lambda name: answers()[name], name) for name in QUESTIONS},
}


def outdated() -> list[str]:
    """Pages and blocks that say something else than the code."""
    found = []
    for page, blocks in BLOCKS.items():
        text = (DOCS / page).read_text(encoding="utf-8")
        found += [f"{page}: {name}" for name, block in blocks.items() if with_block(text, name, block()) != text]
    return found


def main() -> None:
    if "--write" in sys.argv[1:]:
        for page, blocks in BLOCKS.items():
            for name, block in blocks.items():
                write_block(DOCS / page, name, block())
    for place in outdated():
        print(f"docs/{place} is out of date; python benchmarks/reference.py --write mends it")


if __name__ == "__main__":
    main()
