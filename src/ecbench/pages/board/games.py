"""The games that a person can choose: the challenge of the day, a quarter, a year."""

from collections.abc import Sequence
from dataclasses import dataclass

from ecbench.adapters.serving.asgi import RequestRefused
from ecbench.pages.board.run_index import RunSummary
from ecbench.rules import DEFAULT_RULES, DEFAULT_SET, SEASON_SET, versioned_set
from ecbench.runs.folder import Run
from ecbench.runs.terms import PERSONS_BOARD
from ecbench.world.load import FRESH, is_named

CONDUCT_SET = "conduct"
CHALLENGE_DAYS = 30
DATE_DIGITS = 8
CODE_PARTS = 3
PLAYED_SETS = {  # rule sets that a page offers, as a player would want to know them
    DEFAULT_SET: "As in the published benchmark.",
    SEASON_SET: "Harder: suppliers sell a limited number a week, demand shifts, and dear goods come back more often.",
    CONDUCT_SET: "The harder rules, with claims in bargaining, crossed-out prices and an owner who wants letters.",
}


@dataclass(frozen=True, slots=True)
class Attempt:
    """A person's attempt at the challenge of a date."""

    id: str
    date: str  # YYYYMMDD
    number: int  # the first one counts
    final_assets: float | None  # None while it is being played
    ending: str | None

    @property
    def iso_date(self) -> str:
        return f"{self.date[:4]}-{self.date[4:6]}-{self.date[6:]}"


def challenge_world(date: str) -> str:
    """The fresh world of a date, which is written as YYYYMMDD."""
    return f"{FRESH}{date}"


def challenge_code(world: str, days: int, rules: str) -> str:
    """What opens the same game on any installation; the stake is the usual one."""
    return f"{world}/{days}/{rules}"


def code_of(run: Run, episode: int) -> str:
    """The code of a recorded game; empty where a code cannot state its terms."""
    terms, world = run.terms_of(episode), run.world_of(episode)
    special = terms.shared or terms.fork or terms.rules or terms.policy or terms.stake != DEFAULT_RULES.stake
    if special or world.year or world.source != world.name or not is_named(world.source):
        return ""
    return challenge_code(world.name, terms.days, terms.rule_set)


def game_of_code(code: str) -> dict[str, str | int]:
    """The terms that a code states. Raises RequestRefused for a text that is not a code."""
    parts = code.strip().split("/")
    if len(parts) != CODE_PARTS or not parts[1].isascii() or not parts[1].isdecimal():
        example = challenge_code("seed-20260101", CHALLENGE_DAYS, SEASON_SET)
        raise RequestRefused(400, f"a code is WORLD/DAYS/RULES, such as {example}")
    return {"world": parts[0], "days": int(parts[1]), "rules": parts[2]}


def attempt_at(summaries: Sequence[RunSummary], run: str) -> Attempt | None:
    """None if the year is not an attempt at a challenge."""
    date = next((each.world.removeprefix(FRESH) for each in summaries if each.id == run), "")
    if len(date) != DATE_DIGITS or not date.isdecimal():
        return None
    return next((attempt for attempt in attempts(summaries, date) if attempt.id == run), None)


def attempts(summaries: Sequence[RunSummary], date: str) -> list[Attempt]:
    """The attempts of this folder at the challenge of a date, in the order in which they were begun."""
    world, rules = challenge_world(date), versioned_set(SEASON_SET)
    found = [
        each
        for each in summaries
        if (each.transport, each.world, each.days, each.rules) == (PERSONS_BOARD, world, CHALLENGE_DAYS, rules)
        and not each.fork
    ]
    ordered = sorted(found, key=lambda each: each.created)
    return [Attempt(each.id, date, at, each.final_assets, each.ending) for at, each in enumerate(ordered, start=1)]
