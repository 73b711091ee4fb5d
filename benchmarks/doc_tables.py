"""Tables that measurements write into the pages: each stands between two marks that carry its name.

<!-- begin worlds -->
... rewritten by the measurement ...
<!-- end worlds -->
"""

from collections.abc import Iterable, Sequence
from pathlib import Path


def publish(name: str, block: str, pages: Sequence[str]) -> None:
    """Print a block, and write it into these pages."""
    print(block)
    for page in pages:
        write_block(Path(page), name, block)


def write_block(page: Path, name: str, block: str) -> None:
    """Replace what stands between the page's marks of this name; stops with one line if there is no such page."""
    try:
        page.write_text(with_block(page.read_text(encoding="utf-8"), name, block), encoding="utf-8")
    except (OSError, ValueError) as error:
        raise SystemExit(f"{page}: {error}") from None


def with_block(text: str, name: str, block: str) -> str:
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    before, found, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"no place for the tables; the page needs the lines {begin} and {end}")
    return f"{before}{begin}\n\n{block.strip()}\n\n{end}{after}"


def table_rows(page: Path, name: str) -> list[dict[str, str]]:
    """The rows of the first table between the page's marks of this name, by the names of its columns."""
    block = page.read_text(encoding="utf-8").partition(f"<!-- begin {name} -->")[2].partition(f"<!-- end {name} -->")[0]
    lines = [line for line in block.splitlines() if line.startswith("|")]
    head, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    return [dict(zip(head, row, strict=True)) for row in rows]


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The first column to the left, the others, which hold numbers, to the right."""
    marks = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, marks, *rows))
