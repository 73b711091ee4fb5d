"""The dollars on the page about cost are those of the estimate and the price list of today."""

import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
PAGE = Path(__file__).parents[2] / "docs" / "cost.md"


def test_the_tables_of_the_page_are_the_ones_that_the_script_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    copy = tmp_path / "cost.md"
    copy.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.delitem(sys.modules, "cost", raising=False)
    from cost import main

    main([str(copy)])
    assert copy.read_text(encoding="utf-8") == PAGE.read_text(encoding="utf-8")
