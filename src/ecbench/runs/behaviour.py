"""The behaviour version: a run can be replayed only by a program that answers like the one that recorded it."""

from dataclasses import dataclass
from pathlib import Path

from ecbench import __version__
from ecbench.errors import OtherVersion

BEHAVIOUR = 1
"""Rises once between two releases if a reply, a letter, a world or a derived figure changes.

A change after a release raises it; further changes before the next release share the new number, of which no run has
been published. `tests/runs/test_behaviour.py` fails where anything changes, and keeps a digest for each number.
"""

UNNUMBERED = 0  # run.json of earlier versions does not state it
FIRST_SCHEMA = 1  # of ecbench 0.1: other events, and an arena is a folder of runs


@dataclass(frozen=True, slots=True)
class Origin:
    """The program that recorded a run."""

    version: str = __version__
    behaviour: int = BEHAVIOUR
    schema: int | None = None  # None: that of this version
    commit: str | None = None
    created: str = ""

    @property
    def replayable(self) -> bool:
        """Whether this program gives the same replies and figures."""
        return self.schema is None and self.behaviour == BEHAVIOUR

    def require_replayable(self, folder: Path) -> None:
        """Raises OtherVersion."""
        if not self.replayable:
            raise self.refusal(f"{folder} was")

    def refusal(self, what: str) -> OtherVersion:
        """Which version recorded it, and how to get that version; `what` begins the sentence."""
        source, way = f"ecbench {self.version}", f"pip install ecbench=={self.version}"
        if self.version == __version__:
            day = f" of {self.created[:10]}" if self.created else ""
            source, way = f"another state of ecbench {self.version}", f"the source{day} that recorded it"
        commit = f" (commit {self.commit[:12]})" if self.commit else ""
        return OtherVersion(
            f"{what} recorded by {source}, and this version may answer differently: replay and continue it with {way}"
            f"{commit}. ecbench show, export, compare, tables and report read its finished years here"
        )

    @property
    def note(self) -> str:
        """For readers of figures that are not recomputed."""
        return f"recorded by ecbench {self.version}; figures as recorded, not recomputed"


THIS_VERSION = Origin()
