"""The turns of a year as a page that needs no script: what the agent said, its calls, and the replies."""

from itertools import groupby

from ecbench.report.page_transcript import transcript
from ecbench.report.run_data import PlayedRun, PlayedYear, world_of
from ecbench.runs.play.episodes import read_episode
from ecbench.site.page_frame import BELOW, render_page

TRANSCRIPT = "transcript.html"
LARGEST = 3_000_000  # characters of a page's texts
CUTS = (2_000, 1_000, 500, 250, 120, 60)  # characters of a text, the most that fit


def render_transcript(name: str, played: PlayedRun, year: PlayedYear) -> str:
    """The page on a year of an entry; long texts are cut so that it stays small."""
    recording = read_episode(played.run, year.episode)
    world = world_of(year)
    for longest in CUTS:
        found = transcript(recording, world, longest)
        size = sum(len(turn[3]) + sum(len(call[2]) + len(call[3]) for call in turn[4]) for turn in found["turns"])
        if size <= LARGEST:
            break
    return render_page(
        "transcript.html.j2",
        BELOW,
        f"{name}: transcript",
        label=played.label,
        year=year,
        called=played.run.called(year.episode),
        days=[(day, list(turns)) for day, turns in groupby(found["turns"], key=lambda turn: turn[1])],
        tools=found["tools"],
        longest=longest,
    )
