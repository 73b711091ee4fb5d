"""What an agent did in one of its turns, shortened to what a page is sent at once."""

import json
from dataclasses import dataclass

from ecbench.pages.board.snapshots import Moment, SeatSnapshots
from ecbench.pages.reply_blocks import KnownNames, shortened_blocks
from ecbench.pages.reply_view import ReplyView, reply_view
from ecbench.pages.report.templates_env import board_part
from ecbench.players.turn import shortened
from ecbench.tools.outcome import Outcome

LONGEST_NAME = 60  # characters of a tool's
LONGEST_TEXT = 20_000  # characters of one call with its reply, or of a letter; the rest is one request away
LONGEST_RAW = 4_000  # characters of the JSON of a call, or of a reply


@dataclass(frozen=True, slots=True)
class Card:
    """One call and what it did."""

    tool: str
    minutes: int
    view: ReplyView
    raw: tuple[str, str]  # the call and the reply as JSON


@dataclass(frozen=True, slots=True)
class TurnView:
    number: int
    text: str
    reasoning: str
    cards: list[Card]
    evicted: int  # tokens that left the model's context before it


def turn_section(moment: Moment) -> str:
    """The turn that led to a moment, and the notes of the agent, as a part of a page."""
    return board_part(
        "turn",
        turn=turn_view(moment.years, moment.turn) if moment.turn else None,
        who=moment.who,
        notes=moment.account.books.memory,
    )


def turn_view(snapshots: SeatSnapshots, number: int) -> TurnView:
    """What the agent thought, said and called in a turn (counted from 1), and what came back."""
    turn = snapshots.turn(number)
    evicted = sum(eviction["freed"] for eviction in turn.evictions)
    text, reasoning = (shortened(str(turn.message.get(name, "")), LONGEST_TEXT) for name in ("text", "reasoning"))
    stores = snapshots.at(number).account.books.stores.values()
    names = KnownNames(snapshots.world, {store.id: store.name for store in stores})
    return TurnView(number, text, reasoning, [_card(outcome, names) for outcome in turn.outcomes], evicted)


def _card(outcome: Outcome, names: KnownNames) -> Card:
    view = reply_view(outcome, names)
    view = view._replace(blocks=shortened_blocks(view.blocks, LONGEST_TEXT))
    arguments = json.dumps(outcome.call.get("arguments"), ensure_ascii=False)
    raw = shortened(arguments, LONGEST_RAW), shortened(outcome.text, LONGEST_RAW)
    return Card(str(outcome.call.get("name"))[:LONGEST_NAME], outcome.minutes, view, raw)
