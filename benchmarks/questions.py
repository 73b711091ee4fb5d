"""The researcher's questions, each answered by one command, with what it prints.

    python benchmarks/questions.py docs/questions.md            make all answers anew, each between its marks
    python benchmarks/questions.py docs/questions.md week fork  only these

A merchant plays a year and a short one on world `default`, and two merchants play short years on six fresh worlds; the
commands of the page ask about these runs. It takes about two minutes.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from doc_tables import write_block

WIDTH = 80  # characters of a line
PLOT = """\
import altair
import ecbench

days = ecbench.load_run("haggler", library="polars").days
altair.Chart(days).mark_line().encode(x="day", y="total").properties(width=560, height=180).save("questions.svg")
"""
PLAYED: Mapping[str, Sequence[str]] = {
    "haggler": (),
    "haggler-120": ("--days", "120"),
    "haggler-6": ("--worlds", "1-6", "--days", "60"),
    "steady-6": ("--worlds", "1-6", "--days", "60"),
}
"""The runs that the questions are about: the folder, which begins with the merchant's name, and options of `run`."""


@dataclass(frozen=True, slots=True)
class Question:
    """A command and the runs it needs; of a long answer only the first lines are shown."""

    command: str
    needs: Sequence[str] = ("haggler",)
    lines: int = 40


QUESTIONS: Mapping[str, Question] = {
    "stores": Question("ecbench show haggler --by store"),
    "skus": Question("ecbench show haggler --by sku --limit 5"),
    "negotiations": Question("ecbench show haggler --by negotiation --limit 5"),
    "cheats": Question("ecbench show haggler --by cheat"),
    "better": Question("ecbench compare steady-6 haggler-6", ("haggler-6", "steady-6"), lines=22),
    "week": Question("ecbench review haggler-120 --quick --quiet", ("haggler-120",)),
    "fork": Question("ecbench fork haggler --day 120 --agent steady --out from-120 --quiet", lines=12),
    "plot": Question("python plot.py"),
}


def answer(question: Question, place: Path) -> str:
    """The command and what it prints, as a block of a page."""
    printed = _printed(question.command, place).rstrip().splitlines()
    lines = [line.rstrip() for line in printed]
    if len(lines) > question.lines:
        lines = [*lines[: question.lines], "..."]
    return "\n".join(["```console", f"$ {question.command}", *lines, "```"])


def _printed(command: str, place: Path) -> str:
    program, *arguments = command.split()
    start = [sys.executable] if program == "python" else [sys.executable, "-m", program]
    settings = os.environ | {"COLUMNS": str(WIDTH)}
    done = subprocess.run([*start, *arguments], cwd=place, env=settings, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{command}: exit code {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def play(runs: Sequence[str], place: Path) -> None:
    for folder in runs:
        agent = folder.partition("-")[0]
        _printed(" ".join(["ecbench run --agent", agent, *PLAYED[folder], "--out", folder, "--quiet"]), place)


def main(arguments: Sequence[str]) -> None:
    page, asked = Path(arguments[0]) if arguments else None, arguments[1:] or list(QUESTIONS)
    if page is None or not set(asked) <= set(QUESTIONS):
        raise SystemExit(f"usage: python benchmarks/questions.py docs/questions.md [{'|'.join(QUESTIONS)} ...]")
    with tempfile.TemporaryDirectory() as made:
        place = Path(made)
        play(list(dict.fromkeys(run for name in asked for run in QUESTIONS[name].needs)), place)
        (place / "plot.py").write_text(PLOT, encoding="utf-8")
        for name in asked:
            block = answer(QUESTIONS[name], place)
            if name == "plot":
                (page.parent / "questions.svg").write_bytes((place / "questions.svg").read_bytes())
                block = f"```python\n{PLOT}```\n\n{block}\n\n![Total assets by day](questions.svg)"
            write_block(page, name, block)


if __name__ == "__main__":
    main(sys.argv[1:])
