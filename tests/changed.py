"""Which tests a change concerns: prints what pytest is to run between two edits.

    python tests/changed.py            # what differs from the last commit
    python tests/changed.py main       # what differs from another one

A module's tests lie in the folder of its package, under the same name where there is such a file. Tests that start
processes or play whole years are left to `make test`, unless the change is in them.
"""

import subprocess
import sys
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
ALWAYS = ("tests/test_layers.py", "tests/test_architecture.py")
SLOW = frozenset({"agents", "cli", "harness", "parity", "runs"})


def changed_files(since: str) -> list[PurePosixPath]:
    """Changed against a commit, and files that git does not know yet."""
    different = _git("diff", "--name-only", since)
    unknown = _git("ls-files", "--others", "--exclude-standard")
    return [PurePosixPath(name) for name in sorted({*different, *unknown}) if (ROOT / name).exists()]


def tests_of(path: PurePosixPath) -> list[str]:
    if path.parts[0] == "tests":
        return [str(path)] if path.name.startswith("test_") and path.suffix == ".py" else []
    if path.parts[:2] != ("src", "ecbench") or path.suffix != ".py":
        return []
    package = path.parts[2] if len(path.parts) > 3 else ""
    own = PurePosixPath("tests", *path.parts[2:-1], f"test_{path.stem}.py")
    if (ROOT / own).exists():
        return [str(own)]
    return [f"tests/{package}"] if package and package not in SLOW and (ROOT / "tests" / package).exists() else []


def _git(*arguments: str) -> list[str]:
    told = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return told.stdout.split("\n")[:-1]


if __name__ == "__main__":
    found = [test for path in changed_files(sys.argv[1] if len(sys.argv) > 1 else "HEAD") for test in tests_of(path)]
    print(*dict.fromkeys([*ALWAYS, *found]))
