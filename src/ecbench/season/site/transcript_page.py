"""The turns of a year as a page that needs no script: what the agent said, its calls, and the replies."""

import json
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from ecbench.pages.report.page_transcript import cut
from ecbench.pages.report.run_data import PlayedRun, PlayedYear
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.record.reader import Recording
from ecbench.runs.results.counters import tool_name
from ecbench.season.site.page_frame import BELOW, render_page

TRANSCRIPT = "transcript.html"
LARGEST = 3_000_000  # characters of a page's texts
CUTS = (2_000, 1_000, 500, 250, 120, 60)  # characters of a text, the most that fit


class TranscriptCall(NamedTuple):
    tool: str
    asked: str
    answered: str


class TranscriptTurn(NamedTuple):
    """A turn with its texts cut."""

    number: int
    day: int  # on which it began
    said: str
    calls: Sequence[TranscriptCall]

    @property
    def size(self) -> int:
        return len(self.said) + sum(len(call.asked) + len(call.answered) for call in self.calls)


def render_transcript(name: str, played: PlayedRun, year: PlayedYear) -> str:
    """The page on a year of an entry; long texts are cut so that it stays small."""
    recording = read_episode(played.run, year.episode)
    for longest in CUTS:
        turns = _turns(recording, longest)
        if sum(turn.size for turn in turns) <= LARGEST:
            break
    return render_page(
        "transcript.html.j2",
        BELOW,
        f"{name}: transcript",
        label=played.label,
        year=year,
        called=played.run.called(year.episode),
        days=[(day, list(own)) for day, own in groupby(turns, key=lambda turn: turn.day)],
        longest=longest,
    )


def _turns(recording: Recording, longest: int) -> list[TranscriptTurn]:
    turns, day = list[TranscriptTurn](), 0
    for number, (turn, state) in enumerate(zip(recording.turns, recording.states, strict=True), start=1):
        said = turn.message.get("text") or ""
        calls = [
            TranscriptCall(
                tool_name(outcome.call["name"]),
                cut(json.dumps(outcome.call["arguments"], ensure_ascii=False), longest),
                cut(outcome.text, longest),
            )
            for outcome in turn.outcomes
        ]
        turns.append(TranscriptTurn(number, day, cut(said if isinstance(said, str) else "", longest), calls))
        day = state.day
    return turns
