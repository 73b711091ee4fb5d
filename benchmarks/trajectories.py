"""A set of scripted years as training data: every merchant that trades and reads no hidden state, on fresh worlds.

    python benchmarks/trajectories.py DIR --years 1000                       DIR/export/MERCHANT/openai.jsonl
    python benchmarks/trajectories.py DIR --years 8 --days 20 --format atif --credit

The years of a merchant are a run in DIR/runs, played by the worker pool; the same command goes on where it was stopped.
Worlds begin at seed 1,000,000.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from ecbench.errors import RunError
from ecbench.players.merchants.registry import merchant_names
from ecbench.review.turn_credit import turn_credits
from ecbench.runs.folder import MANIFEST, Run, open_run
from ecbench.runs.play.agents import is_insider
from ecbench.runs.results.training_samples import TRAINING_FORMATS, export_training, no_credits

FIRST_SEED = 1_000_000
IDLE = "idle"  # waits all year, which teaches nothing


def shares(years: int) -> dict[str, range]:
    """The seeds that each merchant plays on; the first ones get what does not divide evenly."""
    merchants = [name for name in merchant_names() if name != IDLE and not is_insider(name)]
    found, seed = {}, FIRST_SEED
    for place, name in enumerate(merchants):
        count = years // len(merchants) + (place < years % len(merchants))
        found[name] = range(seed, seed + count)
        seed += count
    return {name: seeds for name, seeds in found.items() if seeds}


def played(folder: Path, merchant: str, seeds: range, days: int | None, jobs: int) -> Run:
    """The merchant's run, played to its end. Raises RunError for one of another set."""
    if (folder / MANIFEST).exists():
        run = open_run(folder)
        if [site.seed for site in run.worlds] != list(seeds) or days not in (None, run.terms.days):
            raise RunError(f"{folder} has other years; give the --years and --days that it was begun with")
        command = ["resume", str(folder)]
    else:
        worlds = f"{seeds[0]}-{seeds[-1]}"
        command = ["run", "--agent", merchant, "--worlds", worlds, "--out", str(folder)]
        command += ["--days", str(days)] if days else []
    command = [sys.executable, "-m", "ecbench", *command, "--jobs", str(jobs)]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise RunError(f"{merchant}: {folder} was not played to its end; give the same command again")
    return open_run(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--years", type=int, required=True)
    parser.add_argument("--days", type=int, help="in a year [default: the world's]")
    parser.add_argument("--format", choices=[*TRAINING_FORMATS], default="openai")
    parser.add_argument("--credit", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    if min(given.years, given.jobs, given.days or 1) < 1:
        parser.error("--years, --days and --jobs are 1 or more")
    try:
        runs = {
            name: played(given.folder / "runs" / name, name, seeds, given.days, given.jobs)
            for name, seeds in shares(given.years).items()
        }
        credits = turn_credits if given.credit else no_credits
        files = export_training(runs, given.folder / "export", given.format, credits=credits)
    except RunError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit("stopped; give the same command again to go on")
    print(f"{given.years:,} years of {len(runs)} merchants: {len(files):,} files in {given.folder / 'export'}")


if __name__ == "__main__":
    main()
