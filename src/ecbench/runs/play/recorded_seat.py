"""A seat whose turns are on record: those that the recording holds are compared, later ones are written."""

from dataclasses import dataclass

from ecbench.episode import Episode
from ecbench.market.journal import Journal
from ecbench.runs.errors import RunError
from ecbench.runs.record.events import End, Terms
from ecbench.runs.record.reader import Recording
from ecbench.runs.record.recorded_voice import recorded_voice
from ecbench.runs.record.recorder import Append, Recorder
from ecbench.runs.record.schema import parse
from ecbench.runs.results.checksums import METRICS, Report
from ecbench.runs.results.derived_files import derived_files
from ecbench.runs.rule_overrides import rules_of
from ecbench.seat import Seat
from ecbench.suppliers.voices import Voice
from ecbench.world.model import World


@dataclass(frozen=True, slots=True)
class Played:
    """How a year ended, the checksum of that end in its record, and the text of each file that derives from it."""

    end: End
    check: str
    files: dict[str, str]
    stack: str = ""  # of a merchant's failure, for its author; no file holds it

    @property
    def report(self) -> Report:
        report: Report = parse(self.files[METRICS].encode())
        return report


class RecordedSeat(Seat):
    """A year under the terms of a run. Without `append` it can only be played again."""

    __slots__ = ("recording", "terms")
    recorder: Recorder

    def __init__(
        self,
        terms: Terms,
        episode: int,
        world: World,
        recording: Recording,
        voice: Voice,
        append: Append | None = None,
        *,
        year: Episode | None = None,  # one of several in a market; by default a year of its own
    ) -> None:
        self.terms = terms
        self.recording = recording
        year = year or Episode(world, days=terms.days, stake=terms.stake, voice=voice, rules=rules_of(terms))
        year.account.journal = Journal()
        super().__init__(year, Recorder(recording, terms, episode, append), max_turns=terms.max_turns)

    def inherit(self) -> None:
        """Play again what a fork took over: the turns of another agent."""
        self.repeat(self.recording.turns[: self.terms.fork.turns if self.terms.fork else 0])

    def catch_up(self) -> None:
        """Play again all that is recorded, for somebody who goes on from there knowing what has happened."""
        self.repeat(self.recording.turns[self.turns :])

    def close(self, ending: str, reason: str = "") -> Played:
        """The year is over, or stops here; raises Divergence when the recording says otherwise."""
        return self.derive(*self.end(ending, reason))

    def end(self, ending: str, reason: str = "") -> tuple[End, str]:
        """The first half of closing: how the year ended is recorded. Gives the checksum of that line with it."""
        self.year.finish(ending)
        return self.recorder.end(self.year, ending, reason)

    def derive(self, end: End, check: str) -> Played:
        """The second half, which takes about a third as long as the year took to simulate, and can be made up later."""
        return Played(end, check, derived_files(self.year, end, check, self.recorder.tally, self.recorder.voice))

    def leave(self) -> None:
        """For whoever is done with the year: nobody can play or read it any more.

        Market and account hold one another: apart, their memory is free before Python looks for such circles.
        """
        self.year.account.market.accounts.clear()


def refuse_alone(terms: Terms) -> None:
    """Raises RunError for a seat of an arena: what it was answered follows from what the others did as well."""
    if terms.arena is not None:
        raise RunError(
            f"this is seat {terms.arena.seat} of {terms.arena.seats} in one market; play and replay their arena, three "
            "folders up"
        )


def replay_year(terms: Terms, episode: int, world: World, recording: Recording) -> Played:
    """Recompute a recorded year and compare every reply and state with it; raises Divergence at the first difference.

    A year without an end, whose process was killed, is closed as one that was stopped.
    """
    refuse_alone(terms)
    seat = RecordedSeat(terms, episode, world, recording, recorded_voice(terms, recording.turns))
    seat.catch_up()
    ending, reason = ("stopped", "") if recording.end is None else (recording.end.ending, recording.end.reason)
    played = seat.close(ending, reason)
    seat.leave()
    return played
