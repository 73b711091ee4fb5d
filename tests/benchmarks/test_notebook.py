"""The notebook of the examples prints what is kept in it."""

import json
import re
from pathlib import Path
from typing import Any

import polars
from notebook import run_notebook

PLACE = Path(__file__).parents[2] / "examples" / "three_questions.ipynb"


def printed(notebook: dict[str, Any]) -> list[list[str]]:
    """The words and numbers that each cell prints; how a table is framed is its library's affair."""
    outputs = [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return [re.findall(r"[\w.,¥%-]+", "".join(part for output in cell for part in output["text"])) for cell in outputs]


def test_the_notebook_prints_what_is_kept_in_it() -> None:
    kept = json.loads(PLACE.read_text(encoding="utf-8"))
    with polars.Config():  # the notebook sets how tables are printed; afterwards that is undone
        done = run_notebook(kept)
    assert all(printed(kept)), "a cell without output: python benchmarks/notebook.py examples/three_questions.ipynb"
    assert printed(done) == printed(kept)
