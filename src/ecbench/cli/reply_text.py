"""The blocks of a shown reply as lines of text."""

from collections.abc import Iterable, Iterator

from ecbench.pages.reply_blocks import Block


def block_lines(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        if block.title:
            yield f"{block.title}:"
        yield from _LINES[block.kind](block)
        if block.left_out:
            yield f"  and {block.left_out:,} more"


def _facts(block: Block) -> Iterator[str]:
    yield "  " + "; ".join([f"{label}: {value}" for label, value in block.rows])


def _notes(block: Block) -> Iterator[str]:
    for (text,) in block.rows:
        yield f"  - {text}"


def _letter(block: Block) -> Iterator[str]:
    (words, *_), *actions = block.rows
    for line in words.splitlines():
        yield f"  | {line}"
    for action, *_ in actions:
        yield f"  | - {action}"


def _table(block: Block) -> Iterator[str]:
    rows = [[heading.removeprefix(">") for heading in block.columns], *block.rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            text.rjust(width) if heading.startswith(">") else text.ljust(width)
            for heading, width, text in zip(block.columns, widths, row, strict=True)
        ]
        yield f"  {'  '.join(cells).rstrip()}"


_LINES = {"facts": _facts, "notes": _notes, "letter": _letter, "table": _table}
