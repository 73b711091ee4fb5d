"""docs/index.md is the one list of pages: its groups are the site's navigation, and its lines those of llms.txt."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

GROUP = re.compile(r"^## (?P<name>.+)$", re.MULTILINE)
ENTRY = re.compile(r"^- \[(?P<title>[^]]+)\]\((?P<page>[\w-]+\.md)\): (?P<about>.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Entry:
    """A page, as the index announces it."""

    title: str
    page: str
    about: str


def groups_of(index: str) -> Mapping[str, list[Entry]]:
    """The entries of the index by their group, in its order."""
    _, *parts = GROUP.split(index)
    named = zip(parts[::2], parts[1::2], strict=True)
    return {name: [Entry(**found.groupdict()) for found in ENTRY.finditer(text)] for name, text in named}


def summary_of(index: str) -> tuple[str, str]:
    """The title of the index, and its quoted summary in one line."""
    title = index.partition("\n")[0].removeprefix("# ")
    quoted = [line.removeprefix(">").strip() for line in index.splitlines() if line.startswith(">")]
    return title, " ".join(quoted)


def llms_text(index: str) -> str:
    """What a language model reads of the documentation first: the pages with one line each, as Markdown files."""
    title, summary = summary_of(index)
    parts = [f"# {title}\n\n> {summary}"]
    for name, entries in groups_of(index).items():
        lines = [f"- [{entry.title}]({entry.page}): {entry.about}" for entry in entries]
        parts.append("\n".join([f"## {name}\n", *lines]))
    return "\n\n".join(parts) + "\n"


def pages_on_disk(docs: Path) -> set[str]:
    return {page.name for page in docs.glob("*.md")} - {"index.md"}
