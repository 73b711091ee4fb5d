"""ecbench season site: a leaderboard as static pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ecbench.cli.declare import CommandResult
from ecbench.cli.options import Jobs
from ecbench.cli.terminal import FAILED, say
from ecbench.extras import require_extra
from ecbench.formatting import MISSING, counted
from ecbench.ranges import CHECK_SECONDS

if TYPE_CHECKING:
    from ecbench.season.site.build import BuiltSite, Checked


def site(
    submissions: Path,
    season: str | None = None,
    *,
    folder: Path,
    trust: list[str] | None = None,
    jobs: Jobs = 1,
    seconds: Annotated[float, CHECK_SECONDS] = 3_600,
    quiet: bool = False,
) -> CommandResult:
    """Write a season's leaderboard as static pages.

    Every submission is re-executed as `ecbench verify --season` does it. Those that hold are ranked, with the ranks
    that chance leaves open, a report, a transcript and a page for each pair. Those that do not, such as broken, forged
    or unfinished ones, are listed as refused with the reason. Nothing of a submission is run. The same folder
    gives the same bytes. docs/season.md describes the pages.

    Exit codes: 0 written, 1 nothing could be listed and nothing was written, 2 bad input.

    Options:
        submissions SUBMISSIONS: A folder of run folders and ZIP files of them.
        jobs --jobs -j: How many to check in parallel.
        seconds: How long the check of one submission may take.
        quiet --quiet -q: Print only the result.
    """
    require_extra("charts")
    from ecbench.runs.signatures.keys import read_public_key
    from ecbench.season.seasons import season_named
    from ecbench.season.site.build import build_site
    from ecbench.season.site.submissions import RefusedSubmission

    trusted, chosen = [read_public_key(given) for given in trust or ()], season_named(season)

    def progress(checked: Checked, done: int, total: int) -> None:
        if not quiet:
            how = "refused" if isinstance(checked, RefusedSubmission) else "holds"
            say(f"{done:,} of {total:,}: {checked.name} {how}", err=True)

    built = build_site(submissions, folder, chosen, trusted=trusted, jobs=jobs, seconds=seconds, progress=progress)
    if not built.pages:
        say(f"ecbench: no submission in {submissions} holds, so nothing was written", err=True)
    refused = [{"name": each.name, "reason": each.reason} for each in built.refused]
    nothing = {"season": chosen.name, "entries": [], "refused": refused}
    facts = {**(built.facts or nothing), "out": str(folder) if built.pages else None, "pages": built.pages}
    return CommandResult(facts, _lines(built, folder, chosen.label), 0 if built.pages else FAILED)


def _lines(built: BuiltSite, folder: Path, season: str) -> Iterator[str]:
    for entry in built.facts.get("entries", ()):
        rank = entry["rank"] or MISSING
        possible = " to ".join(map(str, dict.fromkeys(entry["possible_ranks"] or ())))
        yield f"{rank:>4}  {entry['name']} ({entry['agent']})" + (f", possible ranks {possible}" if possible else "")
    for each in built.refused:
        yield f"refused: {each.name}: {each.reason}"
    if built.pages:
        yield f"Site of season {season}: {folder / 'index.html'}, {counted(built.pages, 'page', ',')}"
