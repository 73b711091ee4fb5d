"""Every table of docs/studies.md is written by a script that its section names."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"<!-- begin (\S+) -->", PAGE)


def section_of(block: str) -> str:
    """The text of the section before the block."""
    before = PAGE.partition(f"<!-- begin {block} -->")[0]
    return before[before.rindex("\n## ") :]


def test_every_block_has_both_marks_and_a_name_of_its_own() -> None:
    assert len(set(BLOCKS)) == len(BLOCKS)
    assert re.findall(r"<!-- end (\S+) -->", PAGE) == BLOCKS


@pytest.mark.parametrize("block", BLOCKS)
def test_the_section_names_a_script_that_exists_and_writes_the_block(block: str) -> None:
    scripts = re.findall(r"python (benchmarks/\w+\.py) [^`]*docs/studies\.md", section_of(block).replace("\n", " "))
    assert scripts, f"no `python benchmarks/... docs/validity.md` above the block {block}"
    source = (ROOT / scripts[-1]).read_text(encoding="utf-8")
    assert re.search(r"\b(?:publish|write_block)\(", source), scripts[-1]
    assert f'"{block}"' in source, f"{scripts[-1]} does not write {block}"
