"""The worked example of the page on comparisons.

    python benchmarks/compare_example.py docs/compare.md   put it into the page, between its marks

Two merchants play ten fresh worlds twice each, by the same commands that the page shows, and `ecbench compare` prints
what it makes of them. It takes about a minute. How often verdicts are right: `coverage.py`.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from doc_tables import markdown_table, write_block

MERCHANTS = ("haggler", "first-quote")
WORLDS = "1-10"
WIDTH = 80  # characters of a line of the example


def command(*arguments: str, place: Path) -> str:
    """What a command of the program prints."""
    settings = os.environ | {"COLUMNS": str(WIDTH)}
    made = subprocess.run(
        [sys.executable, "-m", "ecbench", *arguments],
        cwd=place,
        env=settings,
        capture_output=True,
        text=True,
        check=True,
    )
    return "\n".join(line.rstrip() for line in made.stdout.splitlines())


def example(place: Path) -> str:
    commands = []
    for merchant in MERCHANTS:
        arguments = ["run", "--agent", merchant, "--worlds", WORLDS, "--episodes", "2", "--out", merchant]
        command(*arguments, "--quiet", place=place)
        commands.append(" ".join(["$ ecbench", *arguments]))
    told = command("compare", *MERCHANTS, place=place)
    facts = json.loads(command("compare", *MERCHANTS, "--json", place=place))["pairs"][0]["axes"][0]
    rows = [[world, f"{met['a']:,.2f}", f"{met['b']:,.2f}"] for world, met in facts["by_world"].items()]
    shown = "\n".join([*commands, f"$ ecbench compare {' '.join(MERCHANTS)}", told])
    table = markdown_table(["World", *MERCHANTS], rows)
    return f"```console\n{shown}\n```\n\nThe final assets behind its verdict, in yuan:\n\n{table}"


def main(arguments: list[str]) -> None:
    if len(arguments) != 1:
        raise SystemExit("usage: python benchmarks/compare_example.py docs/compare.md")
    page = Path(arguments[0])
    with tempfile.TemporaryDirectory() as place:
        write_block(page, "example", example(Path(place)))


if __name__ == "__main__":
    main(sys.argv[1:])
