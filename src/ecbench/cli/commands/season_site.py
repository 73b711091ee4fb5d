"""ecbench season site: a leaderboard as static pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ecbench.cli.declare import argument, option
from ecbench.cli.options import NewFolderOption, Output, SeasonArgument, TrustOption
from ecbench.cli.terminal import FAILED, leave, say, say_json
from ecbench.extras import require_extra
from ecbench.formatting import MISSING, counted
from ecbench.ranges import CHECK_SECONDS, JOBS

if TYPE_CHECKING:
    from ecbench.season.site.build import BuiltSite, Checked


def site(
    *,
    submissions: Annotated[
        Path, argument(metavar="SUBMISSIONS", help="A folder of run folders and ZIP files of them.")
    ],
    out: NewFolderOption,
    season: SeasonArgument = None,
    trust: TrustOption = None,
    jobs: Annotated[int, option("--jobs", "-j", within=JOBS, help="How many to check in parallel.")] = 1,
    seconds: Annotated[
        float,
        option("--seconds", within=CHECK_SECONDS, help="How long the check of one submission may take."),
    ] = 3_600,
    output: Output,
) -> None:
    """Write a season's leaderboard as static pages.

    Every submission is re-executed as `ecbench verify --season` does it. Those that hold are ranked, with the ranks
    that chance leaves open, a report, a transcript and a page for each pair. Those that do not, such as broken, forged
    or unfinished ones, are listed as refused with the reason. Nothing of a submission is run. The same folder
    gives the same bytes. docs/season.md describes the pages.

    Exit codes: 0 written, 1 nothing could be listed and nothing was written, 2 bad input.
    """
    require_extra("charts")
    from ecbench.runs.signatures.keys import read_public_key
    from ecbench.season.seasons import season_named
    from ecbench.season.site.build import build_site
    from ecbench.season.site.submissions import RefusedSubmission

    trusted, chosen = [read_public_key(given) for given in trust or ()], season_named(season)

    def progress(checked: Checked, done: int, total: int) -> None:
        if not output.silent:
            how = "refused" if isinstance(checked, RefusedSubmission) else "holds"
            say(f"{done:,} of {total:,}: {checked.name} {how}", err=True)

    built = build_site(submissions, out, chosen, trusted=trusted, jobs=jobs, seconds=seconds, progress=progress)
    if output.as_json:
        refused = [{"name": each.name, "reason": each.reason} for each in built.refused]
        nothing = {"season": chosen.name, "entries": [], "refused": refused}
        say_json({**(built.facts or nothing), "out": str(out) if built.pages else None, "pages": built.pages})
    else:
        _print(built, out, chosen.label)
    if not built.pages:
        say(f"ecbench: no submission in {submissions} holds, so nothing was written", err=True)
        leave(FAILED)


def _print(built: BuiltSite, out: Path, season: str) -> None:
    for entry in built.facts.get("entries", ()):
        rank = entry["rank"] or MISSING
        possible = " to ".join(map(str, dict.fromkeys(entry["possible_ranks"] or ())))
        say(f"{rank:>4}  {entry['name']} ({entry['agent']})" + (f", possible ranks {possible}" if possible else ""))
    for each in built.refused:
        say(f"refused: {each.name}: {each.reason}")
    if built.pages:
        say(f"Site of season {season}: {out / 'index.html'}, {counted(built.pages, 'page', ',')}")
