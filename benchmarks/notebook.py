"""Run the notebook of the examples, and keep what its cells print in it.

    python benchmarks/notebook.py examples/three_questions.ipynb

A test runs it too and compares. The cells print with `print` alone, so that neither needs Jupyter.
"""

import json
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any


def run_notebook(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the printed output of each code cell, all run in order in one namespace."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    for cell in notebook["cells"]:
        ran = {}
        if cell["cell_type"] == "code":
            count += 1
            ran = {"execution_count": count, "outputs": _outputs("".join(cell["source"]), namespace)}
        cells.append({**cell, **ran})
    return {**notebook, "cells": cells}


def _outputs(source: str, namespace: dict[str, Any]) -> list[dict[str, Any]]:
    printed = StringIO()
    with redirect_stdout(printed):
        exec(source, namespace)
    text = printed.getvalue().splitlines(keepends=True)
    return [{"name": "stdout", "output_type": "stream", "text": text}] if text else []


def main(place: Path) -> None:
    done = run_notebook(json.loads(place.read_text(encoding="utf-8")))
    place.write_text(json.dumps(done, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
