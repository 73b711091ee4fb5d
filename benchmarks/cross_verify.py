"""Shows that several installations of ecbench record the same bytes, and that each verifies the years of the others.

    python benchmarks/cross_verify.py .venv/bin/ecbench build/wheels/python3.12/bare/bin/ecbench

Every installation records the same years. All files are compared, except `run.json`, which names the installation. Then
each verifies those of the one before it: `ecbench verify` computes every reply, table and measure anew.
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

YEARS = (
    ("--agent", "haggler"),
    ("--agent", "haggler", "--rules", "fair", "--days", "40"),
    ("--agent", "steady", "--days", "60"),
    ("--agent", "first-quote", "--world", "seed-7", "--days", "120"),
    ("--agent", "insider", "--set", "commission=0.1", "--days", "20"),
)


def digest_of(run: Path) -> str:
    """Of the names and contents of all files but the manifest."""
    found = sha256()
    for path in sorted(path for path in run.rglob("*") if path.is_file() and path.name != "run.json"):
        found.update(f"{path.relative_to(run).as_posix()}\n".encode() + path.read_bytes())
    return found.hexdigest()


def output_of(program: str, *arguments: str) -> str:
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{program} {' '.join(arguments)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def compare(programs: list[str], year: tuple[str, ...], scratch: Path) -> None:
    runs = [scratch / f"{number}{'_'.join(year)}" for number in range(len(programs))]
    for program, run in zip(programs, runs, strict=True):
        output_of(program, "run", *year, "--out", str(run), "--quiet")
    digests = [digest_of(run) for run in runs]
    if len(set(digests)) > 1:
        sys.exit(f"{' '.join(year)}: {', '.join(f'{p} {d[:12]}' for p, d in zip(programs, digests, strict=True))}")
    for program, run in zip(programs, [runs[-1], *runs], strict=False):
        output_of(program, "verify", str(run))
    print(f"{digests[0][:12]}  {' '.join(year)}", flush=True)


def main(programs: list[str]) -> None:
    if len(programs) < 2:
        sys.exit("name the programs of at least two installations")
    for program in programs:
        print(output_of(program, "--version").strip())
    with TemporaryDirectory() as scratch, ThreadPoolExecutor(2) as pool:
        for done in [pool.submit(compare, programs, year, Path(scratch)) for year in YEARS]:
            done.result()
    print(f"{len(YEARS)} runs are the same {len(programs)} times, and each is verified by another installation")


if __name__ == "__main__":
    main(sys.argv[1:])
