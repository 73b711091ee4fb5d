"""How far a season's ranking is from the one that whole years on many worlds give, measured with scripts.

`benchmarks/short_forms.py` writes the figures (`data/rank_errors.json`). They are of scripted agents, not of models.
"""

from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from ecbench.runs.folder import Run
from ecbench.suite.season_kinds import FULL, SHORT, KindName, SeasonKind

MEASURED = Path(__file__).parent / "data" / "rank_errors.json"
EXPLAINED = "docs/suite.md"


class RankError(Struct, frozen=True, forbid_unknown_fields=True):
    """Of a kind of season under one rule set."""

    places: float  # by which an agent's place is off, on average
    swapped: float  # share of all pairs of agents in the wrong order
    calls: float  # of an agent that plays the season, on average


class RankErrors(Struct, frozen=True, forbid_unknown_fields=True):
    """What was measured."""

    scripts: int
    worlds: int  # that were played whole
    errors: dict[str, dict[KindName, RankError]]  # by rule set


@cache
def measured() -> RankErrors:
    return msgspec.json.decode(MEASURED.read_bytes(), type=RankErrors)


def rank_error(kind: SeasonKind, rules: str) -> RankError | None:
    """None under rules that were not measured."""
    return measured().errors.get(rules, {}).get(kind.name)


def calls_share(kind: SeasonKind, rules: str) -> float | None:
    """The calls of a season over those of a full one; None under rules that were not measured."""
    own, full = rank_error(kind, rules), rank_error(FULL, rules)
    return own.calls / full.calls if own and full else None


def short_season_note(kind: SeasonKind, rules: str) -> str:
    """What a result of a short season is worth, in a line; empty for a full season."""
    if kind is not SHORT:
        return ""
    own, full, share = rank_error(kind, rules), rank_error(FULL, rules), calls_share(kind, rules)
    shape = f"a short season, {kind.worlds} worlds of {kind.days} days"
    if own is None or full is None or share is None:
        return f"{shape}: it ranks only within the season; its rank error under {rules} is not measured"
    return (
        f"{shape}, about {share:.0%} of the calls of a full one. It ranks only within the season. A rank may be off by "
        f"{own.places:.1f} places of {measured().scripts} and {own.swapped:.0%} of pairs be swapped (a full season: "
        f"{full.places:.1f} and {full.swapped:.0%}), measured on scripts, not on models: {EXPLAINED}"
    )


def note_of_run(run: Run) -> str:
    """The same for a run that has the shape of a short season."""
    return short_season_note(SHORT, run.terms.rule_set) if SHORT.has_shape_of(run) else ""
