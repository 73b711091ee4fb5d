"""Replays recorded entries on a table and compares what comes of them with the record."""

from collections.abc import Sequence

from ecbench.errors import Divergence
from ecbench.players.turn import Leave, Turn
from ecbench.runs.record.reader import RecordEntry
from ecbench.runs.record.recorded_voice import QuotedVoice
from ecbench.table import Table
from ecbench.tools.outcome import Outcome


def replay_entry(table: Table, entry: RecordEntry, *, compare: bool = True) -> None:
    """Run one recorded entry on a table that stands before it. Raises Divergence where its outcomes differ."""
    if isinstance(entry.what, Leave):
        table.finish(entry.seat, entry.what.ending)
        return
    outcomes: Sequence[Outcome] | None
    if entry.kind == "morning":
        outcomes = table.outcomes(entry.seat)
    else:
        outcomes = _replay_turn(table, entry.turn)
        if entry.kind == "handed":
            outcomes = None  # compared when it completes
    if compare and outcomes is not None and [each.text for each in outcomes] != entry.turn.replies:
        raise Divergence(
            f"the replay of a turn of seat {entry.seat} on day {entry.day} differs from the record; see ecbench replay "
            "--verify"
        )


def _replay_turn(table: Table, turn: Turn) -> list[Outcome] | None:
    """Suppliers who are quoted say what they said in that turn."""
    voice = table.offices[turn.seat].voice
    if not isinstance(voice, QuotedVoice):
        return table.act(turn.seat, turn.calls)
    voice.expect(turn.voices)
    outcomes = table.act(turn.seat, turn.calls)
    voice.collect()  # what was said is on record
    return outcomes
