"""How long a recorded year of 4,000 turns and 100,000 lines takes to open, and what recording costs while playing.

    python benchmarks/open_run.py [WORLD]

Ratios to a plain parse of the same lines, and to the same year played without a record, hold from one machine to the
next; seconds are given for information. Opening must stay under two seconds.
"""

import json
import sys
from itertools import cycle, islice

from timing import best

from ecbench import Episode, load_world
from ecbench.players.driver import play_year
from ecbench.players.merchants.registry import get_merchant
from ecbench.players.turn import State, Turn
from ecbench.runs.play.episodes import play_episode
from ecbench.runs.play.seat_players import PlayContext
from ecbench.runs.record.lines import LineWriter
from ecbench.runs.record.reader import Recording, read_record
from ecbench.runs.terms import SeatTerms, Terms
from ecbench.world.model import World

TURNS = 4_000
CALLS = 12  # two lines each, beside the two that frame a turn
ROUNDS = 3
MERCHANT = "steady"


def recorded_year(world: World, terms: Terms) -> bytes:
    lines: list[bytes] = []

    def append(written: bytes, _state: State | None, _seat: int) -> None:
        lines.append(written)

    play_episode(terms, 0, world, Recording(), append, PlayContext())
    return b"".join(lines)


def long_record(terms: Terms, year: bytes) -> bytes:
    """The calls and replies of a real year, dealt out to as many turns as a year may have."""
    turns = read_record(year, "the year").turns
    traffic = cycle([pair for turn in turns for pair in zip(turn.calls, turn.outcomes, strict=True)])
    writer = LineWriter()
    lines = [writer.start(terms, 0)]
    for number in range(1, TURNS + 1):
        calls, outcomes = zip(*islice(traffic, CALLS), strict=True)
        state = State(number, "2026-01-01T08:00:00", 0, 1.0, 2.0, 3.0, 4, number * CALLS)
        lines.append(writer.turn(Turn(calls, outcomes, state=state)))
    return b"".join(lines)


def main() -> None:
    world = load_world(sys.argv[1] if len(sys.argv) > 1 else "default")
    terms = Terms.of_seats(world, (SeatTerms(MERCHANT),), world.days, 100_000.0)
    year = recorded_year(world, terms)
    record = long_record(terms, year)
    count = record.count(b"\n")

    opened = best(lambda: read_record(record, "the record"), ROUNDS)
    parsed = best(lambda: [json.loads(line) for line in record.splitlines()], ROUNDS)
    print(
        f"open {TURNS:,} turns, {count:,} lines, {len(record) / 1e6:.0f} MB: {opened / parsed:.2f}x a plain parse "
        f"({opened:.2f} s)"
    )
    unrecorded = best(lambda: play_year(get_merchant(MERCHANT, days=world.days), Episode(world)), ROUNDS)
    recorded = best(lambda: recorded_year(world, terms), ROUNDS)
    print(f"play a year of {MERCHANT} with its record: {recorded / unrecorded:.2f}x without ({recorded:.2f} s)")


if __name__ == "__main__":
    main()
