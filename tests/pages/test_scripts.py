"""The scripts of all pages, as files: what a linter and types cannot see is seen in a browser."""

from pathlib import Path

import ecbench

PACKAGE = Path(ecbench.__file__).parent
VENDORED = ("preact.js", "uplot.js")
LONGEST_LINE = 120


def test_no_line_of_a_script_is_longer_than_one_of_python() -> None:
    ours = [path for path in PACKAGE.rglob("*.js") if path.name not in VENDORED]
    long = [
        f"{path.name}:{number}"
        for path in ours
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > LONGEST_LINE
    ]
    assert len(ours) > 20 and long == []
