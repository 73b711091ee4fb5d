"""Measurements rewrite their own part of a page and nothing else."""

from pathlib import Path

import pytest
from doc_tables import with_block, write_block

PAGE = "# Title\n\n<!-- begin a -->\nold\n<!-- end a -->\n\nKept.\n\n<!-- begin b -->\n<!-- end b -->\n"


def test_only_the_named_block_is_replaced() -> None:
    page = with_block(PAGE, "a", "new")
    assert page == PAGE.replace("<!-- begin a -->\nold\n", "<!-- begin a -->\n\nnew\n\n")
    assert with_block(page, "a", "new") == page


def test_a_page_without_the_marks_is_left_alone_and_says_which_are_missing(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    with pytest.raises(SystemExit, match="<!-- begin c --> and <!-- end c -->"):
        write_block(page, "c", "new")
    assert page.read_text() == PAGE
    with pytest.raises(SystemExit, match=r"missing\.md"):
        write_block(tmp_path / "missing.md", "a", "new")
