"""Episodes on the default world give the numbers they gave when they were recorded.

After a number has changed on purpose: `python -m tests.recordings.record`.
"""

from itertools import islice

import pytest
from tests.recordings.tape import FOLDER, NAMES, Recording, default_world, differences, read, replay

SHOWN = 12
TOOLS = 18


def recording(name: str) -> Recording:
    return read(FOLDER / f"{name}.json.gz")


@pytest.mark.parametrize("name", NAMES)
def test_an_episode_is_repeated_as_it_was_recorded(name: str) -> None:
    tape = recording(name)
    assert tape["world"] == default_world().id, "the default world has changed: record again"
    assert list(islice(differences(tape, replay(tape)), SHOWN)) == []


def test_the_recordings_cover_every_tool_and_every_way_a_year_ends() -> None:
    tapes = [recording(name) for name in NAMES]
    tools = {call["name"] for tape in tapes for turn in tape["turns"] for call in turn["calls"]}
    assert len(tools - {"chat"}) == TOOLS  # "chat" is no tool
    assert {tape["final"]["state"][-1] for tape in tapes} == {"year_end", "bankruptcy"}


def test_the_recordings_are_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.glob("*.json.gz")) < 200_000


def test_a_changed_cent_is_a_difference() -> None:
    tape = recording("slow-freight")
    spoilt = {**tape, "final": {**tape["final"], "state": list(tape["final"]["state"])}}
    spoilt["final"]["state"][2] += 0.01
    [difference] = differences(tape, spoilt)
    assert difference.startswith(".final.state[2]")
