"""Completes the entry for the register of Inspect Evals and checks it with the register's own code.

    python integrations/inspect-evals/entry.py --url ADDRESS [--commit SHA] >eval.yaml

ADDRESS is where the repository is public. The commit is that of the clone unless one is given. Writes the entry to
standard output; leaves with 1 where the register would refuse it. Needs inspect-evals 0.26.
"""

import argparse
import subprocess
import sys
from pathlib import Path

import yaml
from inspect_evals.metadata import ExternalEvalMetadata
from pydantic import ValidationError
from register_tooling.task_resolver import TaskResolutionError, resolve_task

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
IDENTITY = "ecbench"  # the folder of the entry in the register


class RefusedEntry(Exception):
    """The register would refuse the entry; the message says why."""


def completed(url: str, commit: str) -> str:
    """The entry as the register stores it."""
    entry = (HERE / "eval.yaml").read_text(encoding="utf-8")
    body = "".join(line for line in entry.splitlines(keepends=True) if not line.startswith("#"))
    return body + yaml.safe_dump({"source": {"repository_url": url, "repository_commit": commit}}, sort_keys=False)


def check(entry: str) -> None:
    """Raise `RefusedEntry` unless the schema accepts the entry and its file has exactly the task that it names."""
    try:
        evaluation = ExternalEvalMetadata(**yaml.safe_load(entry), id=IDENTITY)
    except ValidationError as problem:
        raise RefusedEntry(f"the schema of the register refuses the entry: {problem}") from problem
    if len(evaluation.tasks) != 1:
        raise RefusedEntry(f"an entry has one task, and this has {len(evaluation.tasks)}")
    (task,) = evaluation.tasks
    try:
        found = resolve_task((ROOT / task.task_path).read_text(encoding="utf-8"), line_anchor=None)
    except (OSError, TaskResolutionError) as problem:
        raise RefusedEntry(f"{task.task_path}: {problem}") from problem
    if found.name != task.name:
        raise RefusedEntry(f"{task.task_path} has the task {found.name}, and the entry names {task.name}")


def head() -> str:
    return subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description="Complete and check the entry for the register of Inspect Evals.")
    parser.add_argument("--url", required=True, help="where the repository is public")
    parser.add_argument("--commit", help="the commit of the entry; by default that of the clone")
    given = parser.parse_args()
    entry = completed(given.url, given.commit or head())
    try:
        check(entry)
    except RefusedEntry as problem:
        sys.exit(f"{problem}")
    print(entry, end="")


if __name__ == "__main__":
    main()
