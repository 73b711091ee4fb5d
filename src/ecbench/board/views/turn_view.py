"""What an agent did in one of its turns, shortened to what a page is sent at once."""

import json
from dataclasses import dataclass
from typing import Any

from ecbench.board.snapshots import SeatSnapshots
from ecbench.players.turn import shortened
from ecbench.tools.outcome import Outcome

LONGEST_NAME = 60  # characters of a tool's
FIRST_ROWS = 12  # of a list in a reply that is too long to be sent
LONGEST_TEXT = 20_000  # characters of one reply or letter that a page is sent; the rest is one request away


@dataclass(frozen=True, slots=True)
class Card:
    """One call and what came back."""

    tool: str
    minutes: int
    arguments: Any
    reply: str
    error: str  # empty: the tool did what it was asked
    shortened: bool  # there is more of it than a page is sent at once


@dataclass(frozen=True, slots=True)
class TurnView:
    number: int
    text: str
    reasoning: str
    cards: list[Card]
    evicted: int  # tokens that left the model's context before it


def turn_view(snapshots: SeatSnapshots, number: int) -> TurnView:
    """What the agent thought, said and called in a turn (counted from 1), and what came back."""
    turn = snapshots.turn(number)
    evicted = sum(eviction["freed"] for eviction in turn.evictions)
    text, reasoning = (shortened(str(turn.said.get(name, "")), LONGEST_TEXT) for name in ("text", "reasoning"))
    return TurnView(number, text, reasoning, [_card(outcome) for outcome in turn.outcomes], evicted)


def _card(outcome: Outcome) -> Card:
    given, reply = outcome.call.get("arguments"), outcome.text
    long_call, long_reply = len(str(given)) > LONGEST_TEXT, len(reply) > LONGEST_TEXT
    if long_reply:
        reply = json.dumps(_abridged(outcome.reply), ensure_ascii=False)[:LONGEST_TEXT]
    return Card(
        str(outcome.call.get("name"))[:LONGEST_NAME],
        outcome.minutes,
        shortened(str(given), LONGEST_TEXT) if long_call else given,
        reply,
        outcome.error.message if outcome.error else "",
        long_call or long_reply,
    )


def _abridged(value: Any) -> Any:
    """A reply with the first rows of its lists, and how many are left out."""
    if isinstance(value, dict):
        return {name: _abridged(part) for name, part in value.items()}
    if isinstance(value, list) and len(value) > FIRST_ROWS:
        rows = [_abridged(part) for part in value[:FIRST_ROWS]]
        return [*rows, {"left_out": len(value) - FIRST_ROWS}]
    return shortened(value, LONGEST_TEXT // FIRST_ROWS) if isinstance(value, str) else value
