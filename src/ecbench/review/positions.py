"""Positions of a recorded year: its books on the first morning of each week, found by playing the record again."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ecbench.episode import Episode
from ecbench.runs.record.checksums import Checksum
from ecbench.runs.record.reader import Recording
from ecbench.runs.record.recorded_voice import recorded_voice
from ecbench.runs.rule_overrides import rules_of
from ecbench.runs.terms import Terms
from ecbench.runs.verify.replay_turn import made_again, refuse_other
from ecbench.world.model import World

WEEK = 7  # days
OPENING = "start"  # in place of the checksum of a turn: nothing has been played yet


@dataclass(frozen=True, slots=True)
class YearPosition:
    """The year when its first so many turns were over."""

    day: int
    turns: int
    assets: float  # bank, wallet and escrow
    check: str  # of the record so far: equal checks are equal positions of years under the same terms


def positions_of(recording: Recording, stake: float, step: int = WEEK) -> list[YearPosition]:
    """One for every `step` days that the record reaches, and one where a year that goes on stands now.

    A position belongs to the first turn that reached its day. The end of a year is none: nothing can be made of it.
    """
    states, over = recording.states, recording.finished
    last = states[-1].day if states else 0
    found = [YearPosition(0, 0, stake, OPENING)]
    for day in range(step, last + 1, step):
        turns = bisect_left(states, day, key=lambda state: state.day) + 1
        if turns > found[-1].turns and not (over and turns == len(states)):
            found.append(_position(recording, turns))
    if not over and last > found[-1].day:
        found.append(_position(recording, len(states)))
    return found


def _position(recording: Recording, turns: int) -> YearPosition:
    state = recording.states[turns - 1]
    return YearPosition(state.day, turns, state.total, check_after(recording, turns))


def check_after(recording: Recording, turns: int) -> str:
    """The checksum of the record up to a turn, from 1."""
    end = recording.turn_ends[turns - 1]
    return Checksum.of(recording.content[recording.content.rfind(b"\n", 0, end - 1) + 1 : end])


def played_again(
    terms: Terms, world: World, recording: Recording, positions: Sequence[YearPosition]
) -> Iterator[tuple[YearPosition, Episode]]:
    """The year at each of the positions, in their order, to be copied and not to be changed.

    Raises Divergence where what it is answered differs from the record.
    """
    voice = recorded_voice(terms, ())
    year = Episode(world, days=terms.days, stake=terms.stake, voice=voice, rules=rules_of(terms))
    played = 0
    for position in positions:
        for number, turn in enumerate(recording.turns[played : position.turns], start=played + 1):
            refuse_other(made_again(year, turn), turn, number)
        played = position.turns
        yield position, year
