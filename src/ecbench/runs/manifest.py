"""What `run.json` states, validated when it is read and used as it is."""

import json
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct, to_builtins
from msgspec.structs import replace

from ecbench import __version__
from ecbench.agent_text import hidden_character
from ecbench.errors import OtherVersion, RunError
from ecbench.extras import is_compiled
from ecbench.players.turn import Count, Money
from ecbench.ranges import EPISODES, WORLDS
from ecbench.redaction import named_secrets, redacted_json
from ecbench.runs.budget_limits import BudgetLimits
from ecbench.runs.record.lines import SCHEMA
from ecbench.runs.signatures.keys import SignedBy
from ecbench.runs.terms import SharedTerms, Terms, WorldRef, within


class WorldScore(Struct, frozen=True):
    """A run's years on one world, as a comparison takes them."""

    score: Money | None  # mean logarithm of final assets, or skill, of the years that are not ruined; None without any
    ruined: Annotated[int, Meta(ge=0)]  # years
    years: Annotated[int, Meta(ge=0)]

    @property
    def ruined_share(self) -> float:
        return self.ruined / max(1, self.years)


class StoppingPlan(Struct, frozen=True):
    """The finished run that the interim analyses compare with; the order of worlds follows from the worlds."""

    against: str  # the agent of the finished run
    scores: dict[str, WorldScore]  # by the id of a fresh world


_STATED_IF_NONE = ("turn_seconds", "fork")
BEHAVIOUR = 1
"""Rises once between two releases if a reply, a letter, a world or a derived figure changes.

A change after a release raises it; further changes before the next release share the new number, of which no run has
been published. `tests/runs/test_behaviour.py` fails where anything changes, and keeps a digest for each number.
"""


class Manifest(SharedTerms, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A run: the terms and worlds of its episodes, and where it came from, which no result depends on."""

    schema: int = SCHEMA
    ecbench: Annotated[str, Meta(pattern=r"\A[0-9A-Za-z.+-]{1,40}\Z")]
    behaviour: Count
    python: str = ""
    compiled: bool = False
    created: Annotated[str, Meta(max_length=40)] = ""
    git_commit: Annotated[str, Meta(pattern=r"\A[0-9a-f]{7,64}\Z")] | None = None
    packages: dict[str, str] | None = None
    protocol: str | None = None
    preset: str | None = None
    engine: str | None = None  # of reviews, that plays a branch
    episodes: Annotated[int, within(EPISODES)]
    worlds: Annotated[tuple[WorldRef, ...], Meta(min_length=1, max_length=int(WORLDS.most))]
    signed: SignedBy | None = None
    resumed_window: dict[str, Count] | None = None  # a context policy that a resume gave in place of that of the terms
    stopping: StoppingPlan | None = None  # of a season that stops when it is clear
    budget: BudgetLimits | None = None  # of dollars and tokens

    def __post_init__(self) -> None:
        super().__post_init__()
        plan, worlds = self.stopping, len(self.worlds)
        if not all(world.source for world in self.worlds):
            raise ValueError("worlds: each needs a source")
        if plan is not None and (self.episodes % worlds or len(self.seats) > 1):
            raise ValueError("a stopping plan is of one agent that plays each world of the run equally often")

    @classmethod
    def of(cls, terms: Terms, *, episodes: int, worlds: Sequence[WorldRef], **stated: Any) -> "Manifest":
        """The manifest of a new run of this version."""
        return cls(
            ecbench=__version__,
            behaviour=BEHAVIOUR,
            python=platform.python_version(),
            compiled=is_compiled(),
            episodes=episodes,
            worlds=tuple(worlds),
            **{name: getattr(terms, name) for name in SharedTerms.__struct_fields__},
            **stated,
        )

    @property
    def terms(self) -> Terms:
        """The terms of the first episode; a record does not state where its world is found."""
        shared = {name: getattr(self, name) for name in SharedTerms.__struct_fields__}
        return Terms(world=replace(self.worlds[0], source=""), **shared)

    def text(self) -> bytes:
        """A path may contain bytes that are not UTF-8, which Python has as half surrogate pairs: they are escaped."""
        fields = {name: getattr(self, name) for name in self.__struct_fields__}
        stated: Mapping[str, Any] = {
            name: to_builtins(fields[name])
            for name in sorted(fields, key=lambda name: name in SharedTerms.__struct_fields__)
            if fields[name] is not None or name in _STATED_IF_NONE
        }
        try:
            return json.dumps(stated, ensure_ascii=False, indent=2).encode() + b"\n"
        except UnicodeEncodeError:
            return json.dumps(stated, indent=2).encode() + b"\n"


def refuse_secrets(options: Mapping[str, Any]) -> None:
    """Raise RunError if options of a model contain a key: they are recorded with the run."""
    for name, _ in named_secrets(options):
        raise RunError(f"{name} would be written into the run folder; give it in the provider's environment variable")
    if redacted_json(options) != options:
        raise RunError(
            "the options of the model contain the value of a key of the environment, which the run folder would "
            "record; leave it out"
        )


def refuse_hidden_names(manifest: Manifest, folder: str = "") -> None:
    """Raise RunError if a name would look like another one, wherever it is shown, or begins another line of output."""
    if not all(seat.agent.strip() for seat in manifest.seats):
        raise RunError("the agent has no name; give it one")
    named = [
        ("its name", folder),
        *(("the agent's name", seat.agent) for seat in manifest.seats),
        *(("its transport", seat.transport) for seat in manifest.seats),
        ("the voice's name", manifest.voice),
        ("the parent run's name", manifest.fork.run if manifest.fork else ""),
        *(("the world's name", world.name) for world in manifest.worlds),
    ]
    for what, name in named:
        if hidden := hidden_character(name) or next((f"U+{ord(mark):04X}" for mark in name if mark in "\t\n"), ""):
            shown = " ".join(name.split())[:60]
            raise RunError(f"{shown}: {what} contains the character {hidden}, which is not shown; leave it out")


def refuse_other_behaviour(folder: Path, manifest: Manifest) -> None:
    """Raises OtherVersion, with the version that recorded a run, where this one answers differently."""
    if manifest.behaviour == BEHAVIOUR:
        return
    version = manifest.ecbench
    source, program = f"ecbench {version}", f"that version: pip install ecbench=={version}"
    if version == __version__:
        source, program = f"another state of ecbench {version}", "the source that recorded it"
    commit = f" at commit {manifest.git_commit[:12]}" if manifest.git_commit else ""
    raise OtherVersion(f"{folder} was recorded by {source}{commit}, which answers differently; read it with {program}")
