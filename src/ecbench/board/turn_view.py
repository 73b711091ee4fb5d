"""What an agent did in one of its turns, shortened to what a page is sent at once."""

import json
from dataclasses import dataclass
from typing import Any

from ecbench.board.snapshots import YearFilm
from ecbench.players.turn import shortened
from ecbench.tools.catalog import TOOL_BY_NAME

FIRST_ROWS = 12  # of a list in a reply that is too long to be sent
LONGEST_TEXT = 20_000  # characters of one reply or letter that a page is sent; the rest is one request away


@dataclass(frozen=True, slots=True)
class Card:
    """One call and what came back."""

    tool: str
    minutes: int
    arguments: Any
    reply: str
    ok: bool
    shortened: bool  # there is more of it than a page is sent at once


@dataclass(frozen=True, slots=True)
class TurnView:
    number: int
    text: str
    reasoning: str
    cards: list[Card]
    evicted: int  # tokens that left the model's context before it


def turn_view(film: YearFilm, number: int) -> TurnView:
    """What the agent thought, said and called in a turn (counted from 1), and what came back."""
    turn = film.turn(number)
    cards = [_card(call, reply) for call, reply in zip(turn.calls, turn.replies, strict=True)]
    evicted = sum(eviction["freed"] for eviction in turn.evictions)
    text, reasoning = (shortened(str(turn.said.get(name, "")), LONGEST_TEXT) for name in ("text", "reasoning"))
    return TurnView(number, text, reasoning, cards, evicted)


def _card(call: dict[str, Any], reply: str) -> Card:
    given = call.get("arguments")
    long_call = len(str(given)) > LONGEST_TEXT
    shown = shortened(str(given), LONGEST_TEXT) if long_call else given
    is_cut = long_call or len(reply) > LONGEST_TEXT
    told = reply if len(reply) <= LONGEST_TEXT else json.dumps(_abridged(json.loads(reply)), ensure_ascii=False)
    return Card(_name(call), _minutes(call), shown, told[:LONGEST_TEXT], fault_of(reply) is None, is_cut)


def _abridged(value: Any) -> Any:
    """A reply with the first rows of its lists, and how many are left out."""
    if isinstance(value, dict):
        return {name: _abridged(part) for name, part in value.items()}
    if isinstance(value, list) and len(value) > FIRST_ROWS:
        rows = [_abridged(part) for part in value[:FIRST_ROWS]]
        return [*rows, {"left_out": len(value) - FIRST_ROWS}]
    return shortened(value, LONGEST_TEXT // FIRST_ROWS) if isinstance(value, str) else value


def _name(call: dict[str, Any]) -> str:
    return str(call.get("name"))[:60]


def _minutes(call: dict[str, Any]) -> int:
    name = call.get("name")
    tool = TOOL_BY_NAME.get(name) if isinstance(name, str) else None
    return tool.minutes if tool else 0
