"""The gallery of the docs: figures of a report on three merchants' years, with the question that each answers.

    python benchmarks/gallery.py docs/gallery.md

Plays the years, about 20 s of processor time, and writes the SVG files into a folder beside the page.
"""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from doc_tables import write_block

from ecbench.cli import main as ecbench

AGENTS = ("steady", "haggler", "first-quote")
ACROSS = {
    "assets": "Who ends with how much, and how much do years differ?",
    "trajectories": "When is the money made?",
    "profiles": "What is an agent good at?",
    "surplus": "With which suppliers does it bargain well?",
    "fraud": "How much of its spending goes to cheats, and to which scam?",
    "efficiency": "What does a call earn, and what are calls spent on?",
    "cash-flow": "How close does it come to ruin?",
}
OF_A_YEAR = {
    "accounts": "Where is the money on each day?",
    "waterfall": "Where did it come from, and where did it go?",
    "prices": "How does it price, category by category?",
    "stock": "How old do its goods grow?",
    "stores": "What do customers think of its stores?",
    "repeat-prices": "Does it pay less the second time?",
}


def main(page: Path) -> None:
    pictures = page.with_suffix("")
    with TemporaryDirectory() as scratch:
        figures = drawn(Path(scratch))
        shutil.rmtree(pictures, ignore_errors=True)
        pictures.mkdir()
        for name in ACROSS:
            shutil.copy(figures / "across" / f"{name}.svg", pictures)
        for name in OF_A_YEAR:
            shutil.copy(figures / AGENTS[0] / f"{name}.svg", pictures)
    write_block(page, "figures", gallery_block(pictures.name))


def drawn(scratch: Path) -> Path:
    """A folder with every figure of a report on one year of each agent."""
    runs = [scratch / name for name in AGENTS]
    for name, run in zip(AGENTS, runs):
        finished(["run", "--agent", name, "--out", str(run), "--quiet"])
    figures = scratch / "figures"
    finished(["report", *map(str, runs), "--out", str(scratch / "report.html"), "--figures", str(figures)])
    return figures


def finished(arguments: Sequence[str]) -> None:
    try:
        ecbench(arguments)
    except SystemExit as ended:
        assert not ended.code, arguments


def gallery_block(folder: str) -> str:
    parts = []
    for heading, questions in (("Several runs", ACROSS), (f"One year, of `{AGENTS[0]}`", OF_A_YEAR)):
        parts.append(f"## {heading}")
        parts += [f"### {text}\n\n![{text} Figure {name}]({folder}/{name}.svg)" for name, text in questions.items()]
    return "\n\n".join(parts)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
