"""Suppliers whose words cannot be computed again are quoted from the record."""

from collections.abc import Iterator
from itertools import count

import pytest
from tests.runs.conftest import Diary, NewRun, Play, files_of, replayed_files

from ecbench.runs.play.episodes import read_episode
from ecbench.suppliers.voices import Scene, TemplateVoice, register_voice
from ecbench.world.model import World


class Chatterbox:
    """Never words a letter the same way twice, not even in another process' life."""

    name = "chatterbox"
    letters = count()

    def reply(self, scene: Scene) -> str:
        return f"Letter number {next(self.letters)} of my life. {TemplateVoice().reply(scene)}"

    def hears_membership(self, scene: Scene) -> bool:
        return TemplateVoice().hears_membership(scene)


@pytest.fixture
def _chatterbox() -> Iterator[None]:
    register_voice("chatterbox", Chatterbox)
    yield


@pytest.mark.usefixtures("_chatterbox")
def test_a_year_with_unrepeatable_letters_is_resumed_and_verified(new_run: NewRun, play: Play, world: World) -> None:
    run = new_run(voice="chatterbox", days=80)
    play(run, diary=Diary(stop_on_day=20))
    stopped_at = run.events_path(0).read_bytes()
    spoken = next(Chatterbox.letters)
    play(run)
    recording = read_episode(run, 0)
    letters = [line["said"] for turn in recording.turns for line in turn.voices if line["kind"] == "letter"]
    assert len(letters) == len(set(letters)) > 10
    assert run.events_path(0).read_bytes().startswith(stopped_at.rsplit(b'{"event":"end"', 1)[0])
    assert any(f"number {spoken + 1} of" in letter for letter in letters)
    assert replayed_files(run).items() <= files_of(run).items()


def test_an_unknown_voice_is_refused_with_the_known_ones(new_run: NewRun, play: Play) -> None:
    assert "unknown voice 'opera'; the voices are: " in play(new_run(voice="opera")).problem
