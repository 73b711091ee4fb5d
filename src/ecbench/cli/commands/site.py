"""ecbench site: a season's leaderboard as static pages."""

from pathlib import Path
from typing import Annotated

import typer

from ecbench.cli import handlers
from ecbench.cli.options import NewFolderOption, Output, number_option
from ecbench.ranges import CHECK_SECONDS, JOBS


def site(
    *,
    submissions: Annotated[
        Path, typer.Argument(metavar="SUBMISSIONS", help="A folder of run folders and ZIP files of them.")
    ],
    out: NewFolderOption,
    suite: Annotated[
        str | None,
        typer.Option(
            "--suite",
            metavar="SEASON",
            help="The season, a name or a file. [default: the newest full practice season]",
        ),
    ] = None,
    trust: Annotated[
        list[str] | None,
        typer.Option(
            "--trust",
            metavar="PUBLIC_KEY",
            help="Say what the owner of this key vouches for in entries that it signed: the key's text or file; may be "
            "repeated.",
        ),
    ] = None,
    jobs: Annotated[int, number_option("--jobs", "-j", within=JOBS, help="How many to check in parallel.")] = 1,
    seconds: Annotated[
        float,
        number_option("--seconds", within=CHECK_SECONDS, help="How long the check of one submission may take."),
    ] = 3_600,
    output: Output,
) -> None:
    """Write a season's leaderboard as static pages.

    Every submission is re-executed as `ecbench verify --suite` does it. Those that hold are ranked, with the ranks
    that chance leaves open, a report, a transcript and a page for each pair. Those that do not, such as broken, forged
    or unfinished ones, are listed as refused with the reason. Nothing of a submission is run. The same folder
    gives the same bytes. docs/site.md describes the pages.

    Exit codes: 0 written, 1 nothing could be listed and nothing was written, 2 bad input.
    """
    handlers.site.write_site(submissions, out, suite, trust or [], jobs, seconds, output)
