"""The parts of docs/tools.md and docs/rules.md that follow from the code.

    python benchmarks/reference.py            print which blocks of docs/ are out of date
    python benchmarks/reference.py --write    write them

A test compares the pages with what this gives. It takes about a second.
"""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from doc_tables import with_block, write_block
from tool_samples import Sample, demonstrate, overslept

from ecbench.rules import DEFAULT_RULES
from ecbench.tools.catalog import TOOLS
from ecbench.tools.office import Tool

DOCS = Path(__file__).parents[1] / "docs"
LONGEST_TEXT = 220  # characters of a text within a reply that is shown
LONGEST_CELL = 300
SHAPES = {
    "bare": "**1**",
    "refused": "**2**",
    "inside": "**3**",
}


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
    failures = [sample for sample in samples if sample.shape is not None]
    rows = [[sample.when, SHAPES[sample.shape or "bare"], f"`{_cell(_failing(sample.reply))}`"] for sample in failures]
    parts.append(_table(["It fails when", "shape", "and answers"], rows))
    return "\n\n".join(parts)


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())


def _arguments(parameters: Mapping[str, Any]) -> str:
    known, required = parameters["properties"], parameters.get("required", [])
    if not known:
        return "It takes no arguments."
    rows = []
    for name, about in known.items():
        needed = "yes" if name in required else ""
        rows.append([f"`{name}`", _kind(about), needed, about.get("description", "")])
    return _table(["argument", "type", "required", "meaning"], rows)


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
        plain = all(isinstance(part, int | float | str) for part in value)
        rest = len(value) - len(shown)
        return value if plain and len(value) <= 12 else shown + ([f"... and {rest} more"] if rest else [])
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return f"{value[:LONGEST_TEXT]}... ({len(value)} characters)"
    return value


def _failing(reply: Any) -> Any:
    """The part of a reply that says what failed."""
    told = {name: part for name, part in reply.items() if name not in ("supplier_reply", "store_id")}
    for answer in told.get("negotiation_responses", []):
        answer["price"] = None if answer["price"] is None else round(answer["price"], 2)
    return told


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


def _cell(value: Any) -> str:
    text = _text(value).replace("|", "\\|")
    return text if len(text) <= LONGEST_CELL else f"{text[:LONGEST_CELL]}..."


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *rows))


def rollover_block() -> str:
    """One turn with many letters, on a shelf that sells."""
    found = overslept()
    told = {
        name: found.last_reply[name] for name in ("current_time", "system_notifications") if name in found.last_reply
    }
    return (
        f"The merchant `haggler` has kept four stores for two months and sends {found.letters} letters in one turn, "
        f"on {found.began}. Each takes 30 minutes, so {found.days} mornings pass. Customers place {found.sold} orders "
        f"meanwhile; {found.cancelled} are cancelled, some older ones among them, because nobody ships. The stores' "
        f"reputation falls from "
        f"{found.reputation_before:.2f} to {found.reputation:.2f} on average. Only the last reply tells of it:\n\n"
        f"```json5\n{_indented(_shortened(told))}\n```"
    )


BLOCKS: Mapping[str, Mapping[str, Callable[[], str]]] = {
    "tools.md": {"tools": tools_block},
    "rules.md": {"rollover": rollover_block},
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
