"""Check submissions and write the site of a season."""

from collections.abc import Sequence
from pathlib import Path

import typer

from ecbench.cli.exit_codes import FAILED
from ecbench.cli.options import Output
from ecbench.cli.plain_text import say, say_json
from ecbench.number_words import MISSING, counted
from ecbench.runs.signatures.keys import read_public_key
from ecbench.site.build import BuiltSite, Checked, build_site
from ecbench.site.submissions import RefusedSubmission
from ecbench.suite.seasons import season_named


def write_site(
    folder: Path, out: Path, season_name: str | None, trust: Sequence[str], jobs: int, seconds: float, output: Output
) -> None:
    trusted = [read_public_key(given) for given in trust]
    season = season_named(season_name)

    def progress(checked: Checked, done: int, total: int) -> None:
        if not output.silent:
            how = "refused" if isinstance(checked, RefusedSubmission) else "holds"
            say(f"{done:,} of {total:,}: {checked.name} {how}", err=True)

    built = build_site(folder, out, season, trusted=trusted, jobs=jobs, seconds=seconds, progress=progress)
    if output.as_json:
        refused = [{"name": each.name, "reason": each.reason} for each in built.refused]
        nothing = {"season": season.name, "entries": [], "refused": refused}
        say_json({**(built.facts or nothing), "out": str(out) if built.pages else None, "pages": built.pages})
    else:
        _print(built, out, season.label)
    if not built.pages:
        say(f"ecbench: no submission in {folder} holds, so nothing was written", err=True)
        raise typer.Exit(FAILED)


def _print(built: BuiltSite, out: Path, season: str) -> None:
    for entry in built.facts.get("entries", ()):
        rank = entry["rank"] or MISSING
        possible = " to ".join(map(str, dict.fromkeys(entry["possible_ranks"] or ())))
        say(f"{rank:>4}  {entry['name']} ({entry['agent']})" + (f", possible ranks {possible}" if possible else ""))
    for each in built.refused:
        say(f"refused: {each.name}: {each.reason}")
    if built.pages:
        say(f"Site of season {season}: {out / 'index.html'}, {counted(built.pages, 'page', ',')}")
