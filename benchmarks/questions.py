"""Questions about a year, each answered by one command, with what it prints.

    python benchmarks/questions.py docs/understand.md            renew all answers, each between its marks
    python benchmarks/questions.py docs/understand.md stores     only this one

The merchant `haggler` plays a year on the world `default`; the commands ask about that run. It takes some seconds.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from doc_tables import write_block

WIDTH = 80  # characters of a line
QUESTIONS: Mapping[str, str] = {
    "stores": "ecbench show haggler --by store",
    "negotiations": "ecbench show haggler --by negotiation --limit 5",
    "cheats": "ecbench show haggler --by cheat",
}


def answer(command: str, folder: Path) -> str:
    """The command and what it prints, as a block of a page."""
    lines = [line.rstrip() for line in _printed(command, folder).rstrip().splitlines()]
    return "\n".join(["```console", f"$ {command}", *lines, "```"])


def _printed(command: str, folder: Path) -> str:
    start = [sys.executable, "-m", *command.split()]
    settings = os.environ | {"COLUMNS": str(WIDTH)}
    done = subprocess.run(start, cwd=folder, env=settings, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{command}: exit code {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def main(arguments: Sequence[str]) -> None:
    page, asked = Path(arguments[0]) if arguments else None, arguments[1:] or list(QUESTIONS)
    if page is None or not set(asked) <= set(QUESTIONS):
        raise SystemExit(f"usage: python benchmarks/questions.py docs/understand.md [{'|'.join(QUESTIONS)} ...]")
    with tempfile.TemporaryDirectory() as made:
        _printed("ecbench run --agent haggler --out haggler --quiet", Path(made))
        for name in asked:
            write_block(page, name, answer(QUESTIONS[name], Path(made)))


if __name__ == "__main__":
    main(sys.argv[1:])
