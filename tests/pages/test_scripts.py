"""The scripts of the board and the components, as files: what a linter and types cannot see is seen in a browser."""

from pathlib import Path

import ecbench.pages

PAGES = Path(ecbench.pages.__file__).parent
VENDORED = ("preact.js", "uplot.js")
LONGEST_LINE = 120


def test_no_line_of_a_script_is_longer_than_one_of_python() -> None:
    scripts = [path for folder in ("board", "components") for path in (PAGES / folder).rglob("*.js")]
    ours = [path for path in scripts if path.name not in VENDORED]
    long = [
        f"{path.name}:{number}"
        for path in ours
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > LONGEST_LINE
    ]
    assert len(ours) > 20 and long == []
