"""The behaviour version: a run can be replayed only by a program that answers like the one that recorded it."""

from pathlib import Path

from ecbench import __version__
from ecbench.errors import OtherVersion

BEHAVIOUR = 1
"""Rises once between two releases if a reply, a letter, a world or a derived figure changes.

A change after a release raises it; further changes before the next release share the new number, of which no run has
been published. `tests/runs/test_behaviour.py` fails where anything changes, and keeps a digest for each number.
"""


def refuse_other_behaviour(folder: Path, behaviour: int, version: str, commit: str | None, created: str) -> None:
    """Raises OtherVersion, with the version that recorded a run, where this one answers differently."""
    if behaviour == BEHAVIOUR:
        return
    source, program = f"ecbench {version}", f"pip install ecbench=={version}"
    if version == __version__:
        day = f" of {created[:10]}" if created else ""
        source, program = f"another state of ecbench {version}", f"the source{day} that recorded it"
    commit = f" (commit {commit[:12]})" if commit else ""
    raise OtherVersion(f"{folder} was recorded by {source}, which answers differently; read it with {program}{commit}")
