"""Runs and terms as values, for tests that need no folder."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from ecbench.runs.folder import Run
from ecbench.runs.manifest import Manifest
from ecbench.runs.terms import SeatTerms, SharedTerms, Terms, WorldRef

OF_SEAT = ("agent", "model", "transport")


def year_terms(world: str, *agents: str, days: int = 365, stake: float = 1e5, **terms: Any) -> Terms:
    """On a world that does not exist."""
    seats = tuple(map(SeatTerms, agents))
    return Terms(world=WorldRef(world, world, 1), seats=seats, days=days, stake=stake, **terms)


def changed(terms: Terms, **changes: Any) -> Terms:
    """The terms with other values; `agent`, `model` and `transport` are those of the first seat."""
    own = {name: changes.pop(name) for name in OF_SEAT if name in changes}
    return replace(terms.with_seat(0, **own), **changes)


def run_of(folder: str, terms: Terms, episodes: int, worlds: tuple[WorldRef, ...]) -> Run:
    """A run that no folder holds."""
    return Run(Path(folder), Manifest.of(terms, episodes=episodes, worlds=worlds))


def with_terms(run: Run, terms: Terms) -> Run:
    """The same run under other terms."""
    return run.stating(**{name: getattr(terms, name) for name in SharedTerms.__struct_fields__})
