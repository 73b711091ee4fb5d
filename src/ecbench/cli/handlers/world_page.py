"""The page of a world, with pictures."""

from pathlib import Path

from ecbench.cli.plain_text import say
from ecbench.report.world_page import write_world_page
from ecbench.report.world_summary import WorldSummary


def write_page(summary: WorldSummary, out: Path, *, as_json: bool) -> None:
    write_world_page(summary, out)
    say(f"Page with pictures: {out}", err=as_json)
