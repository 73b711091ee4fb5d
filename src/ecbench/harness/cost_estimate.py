"""What a year of a model may take, before it is played: tokens by the play of other models, dollars by its price.

The paper reports for four of its models how many turns their years had and how many tokens a turn. The context editor
itself says what requests of such turns hold. The estimate is therefore a range, from the smallest of the four to the
largest.
"""

from dataclasses import dataclass, field, replace
from typing import Any

from msgspec import structs

from ecbench.harness.context import SCHEMAS, ContextPolicy
from ecbench.harness.messages import Usage
from ecbench.harness.prices import known_price, writes_to_cache
from ecbench.harness.settings import ModelSettings

FULL_YEAR = 365

OPENING = 1_610  # tokens of the system message and the first user message
WRITTEN_SHARE = 1 / 3  # of the tokens of a turn; the rest are replies


@dataclass(frozen=True, slots=True)
class Play:
    """How much a model plays in a full year."""

    turns: int
    turn_tokens: int


PLAYS = (Play(430, 1_060), Play(1_020, 430), Play(1_310, 2_760), Play(2_630, 925))
"""Four models of the paper, by the turns and the tokens a turn that it reports for them."""


@dataclass(frozen=True, slots=True)
class Letters:
    """How much a model writes for the suppliers in a full year."""

    letters: int
    read: int  # tokens of a letter's request, most of them the contract with the supplier; none are cached
    written: int


LETTERS = (Letters(85, 7_800, 120), Letters(900, 12_900, 120), Letters(1_675, 9_700, 120))
"""To the merchants first-quote, steady and haggler (docs/studies.md); the length is assumed."""


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """A range of usage, with its cost where the price is known, and the models without a price."""

    least: Usage = field(default_factory=Usage)
    most: Usage = field(default_factory=Usage)
    turns: tuple[int, int] = (0, 0)  # of agents' models
    unpriced: tuple[str, ...] = ()

    def __add__(self, other: "CostEstimate") -> "CostEstimate":
        return CostEstimate(
            self.least + other.least,
            self.most + other.most,
            (self.turns[0] + other.turns[0], self.turns[1] + other.turns[1]),
            tuple(dict.fromkeys((*self.unpriced, *other.unpriced))),
        )

    def times(self, count: int) -> "CostEstimate":
        return sum([self] * count, CostEstimate())

    @property
    def dollars(self) -> tuple[float, float] | None:
        """None unless every price is known."""
        return None if self.unpriced else (self.least.cost or 0.0, self.most.cost or 0.0)

    def hours(self, seconds_a_turn: float) -> tuple[float, float]:
        """For episodes one after another."""
        return self.turns[0] * seconds_a_turn / 3_600, self.turns[1] * seconds_a_turn / 3_600

    def to_json(self) -> dict[str, Any]:
        return {
            "turns": list(self.turns),
            "least": structs.asdict(self.least),
            "most": structs.asdict(self.most),
            "dollars": list(self.dollars) if self.dollars else None,
            "no_price": list(self.unpriced),
        }


def estimate_year(settings: ModelSettings, policy: ContextPolicy | None = None, days: int = FULL_YEAR) -> CostEstimate:
    """What a model may take for an episode of this many days with this context window."""
    share, policy = days / FULL_YEAR, policy or ContextPolicy()
    plays = [replace(play, turns=max(1, round(play.turns * share))) for play in PLAYS]
    cached = writes_to_cache(settings.name)
    turns = [play.turns for play in plays]
    return _range(settings, [conversation_usage(play, policy, cached=cached) for play in plays], turns)


def estimate_letters(settings: ModelSettings, days: int = FULL_YEAR) -> CostEstimate:
    """What a model may take for the suppliers' letters of an episode of this many days."""
    counts = [max(1, round(each.letters * days / FULL_YEAR)) for each in LETTERS]
    used = [Usage(n * each.read, n * each.written) for n, each in zip(counts, LETTERS, strict=True)]
    return _range(settings, used, [0])


def conversation_usage(play: Play, policy: ContextPolicy, *, cached: bool = False) -> Usage:
    """What the requests of these turns hold: what a cache has already, and what is new to it.

    A conversation grows up to the trigger, and then lies between that and what an eviction leaves, behind which all but
    the opening is new. `cached`: the provider bills new tokens as cache writes.
    """
    total = play.turns * play.turn_tokens
    growth = min(total, policy.trigger - OPENING)  # before the first eviction
    later = total - growth
    means = OPENING + (growth - play.turn_tokens) / 2, policy.trigger - policy.release / 2
    sent = (growth * means[0] + later * means[1]) / play.turn_tokens + play.turns * SCHEMAS
    evictions = later // policy.release + bool(later)
    new = SCHEMAS + OPENING + total + evictions * (policy.trigger - policy.release - OPENING)
    written = round(total * WRITTEN_SHARE)
    return Usage(0 if cached else new, written, round(sent) - new, new if cached else 0)


def _range(settings: ModelSettings, used: list[Usage], turns: list[int]) -> CostEstimate:
    """From the cheapest to the dearest; without a price from the fewest tokens to the most."""
    price = known_price(settings)
    if price is None:
        ordered = sorted(used, key=lambda usage: usage.tokens)
    else:
        priced = [structs.replace(usage, cost=price.of(usage)) for usage in used]
        ordered = sorted(priced, key=price.of)
    unpriced = () if price else (settings.name,)
    return CostEstimate(ordered[0], ordered[-1], (min(turns), max(turns)), unpriced)
