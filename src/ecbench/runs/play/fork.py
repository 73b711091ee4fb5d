"""A year continued from one of its days by another agent, in a run of its own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ecbench.runs.errors import RunError
from ecbench.runs.folder import Run, create_run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.record.events import Fork, Terms, Writer
from ecbench.runs.record.reader import Recording


@dataclass(frozen=True, slots=True)
class Takeover:
    """A year that another agent goes on with: under which terms, and the events it begins with."""

    run: Run
    episode: int
    terms: Terms
    inherited: bytes

    def began(self, run: Run) -> bool:
        """Whether a run is this one, however far it has come since."""
        return begins_with(run, self.terms, self.inherited)

    def create_in(self, folder: Path, provenance: Mapping[str, Any] | None = None) -> Run:
        source = self.run.site(self.episode).source
        return create_run(
            folder, self.terms, episodes=1, world_source=source, provenance=provenance, inherited=self.inherited
        )


def take_over(run: Run, *, episode: int, day: int, agent: str, model: Mapping[str, Any], door: str = "") -> Takeover:
    """The recorded turns up to the first one that reached `day`, under terms that name the other agent.

    Damage behind that turn does not matter; the agent that goes on sees nothing of what came before but the books.
    """
    recording = read_episode(run, episode)
    turns = _turns_until(run, recording, episode, day)
    fork = Fork(run.folder.absolute().name, episode, day, turns)
    terms = replace(run.terms_of(episode), agent=agent, model=model, fork=fork, door=door)
    return Takeover(run, episode, terms, inherited_events(terms, recording, turns))


def _turns_until(run: Run, recording: Recording, episode: int, day: int) -> int:
    if day == 0:
        return 0
    for number, state in enumerate(recording.states, start=1):
        if state.day >= day:
            if number == len(recording.states) and recording.finished:
                break
            return number
    last = recording.states[-1].day if recording.states else 0
    reach = last - 1 if recording.finished else last
    cause = f"; {recording.damage}" if recording.damage else ""
    raise RunError(f"{run.folder}, episode {episode} can be forked at days 0 to {max(0, reach)}, not {day}{cause}")


def inherited_events(terms: Terms, recording: Recording, turns: int) -> bytes:
    """The first turns of a year as the events of another one."""
    writer = Writer()
    lines = [writer.start(terms, 0)]
    lines += [writer.turn(*each) for each in zip(recording.turns[:turns], recording.states[:turns], strict=True)]
    return b"".join(lines)


def begins_with(run: Run, terms: Terms, inherited: bytes) -> bool:
    """Whether a run has these terms, and these events before all others."""
    if run.episodes != 1 or run.terms.to_json() != terms.to_json():
        return False
    try:
        with run.events_path(0).open("rb") as file:
            return file.read(len(inherited)) == inherited
    except OSError:
        return False
