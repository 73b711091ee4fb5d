"""What an episode of a model may take, before it is played: tokens by the play of other models, dollars by its price.

It is a range, from the smallest to the largest of the four models whose turns and tokens the paper reports.
"""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct, structs, to_builtins

from ecbench.harness.context import SCHEMAS, ContextPolicy
from ecbench.harness.messages import NO_USAGE, Usage
from ecbench.harness.settings import ModelSettings, known_price

FULL_YEAR = 365

OPENING = 1_610  # tokens of the system message and the first user message
WRITTEN_SHARE = 1 / 3  # of the tokens of a turn; the rest are replies

PLAYS = ((430, 1_060), (1_020, 430), (1_310, 2_760), (2_630, 925))
"""Four models of the paper: the turns of a full year and the tokens of a turn."""

LETTERS = ((85, 7_800), (900, 12_900), (1_675, 9_700))
"""Suppliers' letters in a full year to the merchants first-quote, steady and haggler (docs/studies.md), and the tokens
that a letter's request reads; none are cached."""
LETTER = 120  # tokens, an assumption


class CostEstimate(Struct, frozen=True):
    """A range of usage, with its cost where the price is known, and the models without a price."""

    least: Usage = NO_USAGE
    most: Usage = NO_USAGE
    turns: tuple[int, int] = (0, 0)  # of agents' models
    unpriced: tuple[str, ...] = ()

    def __add__(self, other: "CostEstimate") -> "CostEstimate":
        return CostEstimate(
            self.least + other.least,
            self.most + other.most,
            (self.turns[0] + other.turns[0], self.turns[1] + other.turns[1]),
            tuple(dict.fromkeys((*self.unpriced, *other.unpriced))),
        )

    @property
    def dollars(self) -> tuple[float, float] | None:
        """None unless every price is known."""
        return None if self.unpriced else (self.least.cost or 0.0, self.most.cost or 0.0)

    def hours(self, seconds_a_turn: float) -> tuple[float, float]:
        """For episodes one after another."""
        return self.turns[0] * seconds_a_turn / 3_600, self.turns[1] * seconds_a_turn / 3_600

    def to_json(self) -> dict[str, Any]:
        return to_builtins(self) | {"dollars": self.dollars}  # type: ignore[no-any-return]


def estimate_year(settings: ModelSettings, policy: ContextPolicy | None = None, days: int = FULL_YEAR) -> CostEstimate:
    """What a model may take for an episode of this many days with this context window."""
    plays, price = [(_in_days(turns, days), tokens) for turns, tokens in PLAYS], known_price(settings)
    writes = price is not None and price.write not in (None, price.input)
    used = [conversation_usage(*play, policy or ContextPolicy(), writes) for play in plays]
    turns = [turns for turns, _ in plays]
    return _range(settings, used, (min(turns), max(turns)))


def estimate_letters(settings: ModelSettings, days: int = FULL_YEAR) -> CostEstimate:
    """What a model may take for the suppliers' letters of an episode of this many days."""
    counted = [(_in_days(letters, days), read) for letters, read in LETTERS]
    return _range(settings, [Usage(letters * read, letters * LETTER) for letters, read in counted])


def conversation_usage(turns: int, turn_tokens: int, policy: ContextPolicy, writes: bool = False) -> Usage:
    """What the requests of these turns hold: what a cache has already, and what is new to it.

    A conversation grows up to the trigger, and then lies between that and what an eviction leaves, behind which all but
    the opening is new. With `writes`, the provider bills new tokens as cache writes.
    """
    total = turns * turn_tokens
    growth = min(total, policy.trigger - OPENING)  # before the first eviction
    later = total - growth
    means = OPENING + (growth - turn_tokens) / 2, policy.trigger - policy.release / 2
    sent = (growth * means[0] + later * means[1]) / turn_tokens + turns * SCHEMAS
    evictions = later // policy.release + bool(later)
    new = SCHEMAS + OPENING + total + evictions * (policy.trigger - policy.release - OPENING)
    return Usage(0 if writes else new, round(total * WRITTEN_SHARE), round(sent) - new, new if writes else 0)


def _in_days(count: int, days: int) -> int:
    return max(1, round(count * days / FULL_YEAR))


def _range(settings: ModelSettings, used: Iterable[Usage], turns: tuple[int, int] = (0, 0)) -> CostEstimate:
    """From the cheapest to the dearest; without a price from the fewest tokens to the most."""
    price = known_price(settings)
    if price is not None:
        used = [structs.replace(usage, cost=price.of(usage)) for usage in used]
    ordered = sorted(used, key=lambda usage: (usage.cost or 0.0, usage.tokens))
    return CostEstimate(ordered[0], ordered[-1], turns, () if price else (settings.name,))
