"""A recorded turn made once more, and what it is answered now beside what it was answered then."""

from collections.abc import Sequence

from ecbench.episode import Episode
from ecbench.runs.errors import Divergence
from ecbench.runs.record.recorded_voice import QuotedVoice
from ecbench.seat import Turn, answered, readable


def made_again(year: Episode, turn: Turn) -> list[str]:
    """What a turn is answered by a year alone; suppliers who are quoted say what they said in that turn."""
    voice = year.voice
    if not isinstance(voice, QuotedVoice):
        return answered(turn.calls, year.act(readable(turn.calls)))
    voice.expect(turn.voices)
    replies = answered(turn.calls, year.act(readable(turn.calls)))
    voice.collect()  # what was said is on record
    return replies


def refuse_other(replies: Sequence[str], turn: Turn, number: int, whose: str = "") -> None:
    """Raises Divergence where a turn, counted from 1, is answered otherwise than it was."""
    if list(replies) != list(turn.replies):
        raise Divergence(f"turn {number}{whose} comes out otherwise than it is recorded; see ecbench replay --verify")
