"""What measurements share: their options, work in processes, and tables that they write into pages.

<!-- begin worlds -->
... rewritten by the measurement ...
<!-- end worlds -->
"""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TypeVar

Found = TypeVar("Found")


def options_of(about: str | None, **numbers: int) -> Namespace:
    """Pages to write into, and whole numbers with their usual values."""
    parser = ArgumentParser(description=about, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*")
    for name, usual in numbers.items():
        parser.add_argument(f"--{name}", type=int, default=usual)
    return parser.parse_args()


def in_processes(work: Callable[..., Found], tasks: Sequence[tuple[object, ...]], jobs: int) -> list[Found]:
    """What the work finds for each task."""
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(work, *zip(*tasks, strict=True)))


def publish(name: str, block: str, pages: Sequence[str]) -> None:
    """Print a block, and write it into these pages."""
    print(block, flush=True)
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


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The first column to the left, the others, which hold numbers, to the right."""
    marks = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (head, marks, *rows))
