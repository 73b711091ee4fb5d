"""Model episodes side by side on one event loop, each with its own record."""

import json
import threading
from typing import Any

import pytest
from tests.harness.provider import KEY, Turn, serve
from tests.runs.conftest import Diary, NewRun, files_of, play_on, without
from tests.runs.test_models import NAME, diligent

from ecbench.errors import RunError
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.play_here import choose_executor
from ecbench.runs.results.year_view import view_year
from ecbench.world.model import World

DAYS = 8
MANY = 20
FROM_THE_SERVER = ("seconds", "sha256", "id", "native")  # differ between two years of the same answers


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOPBACK_API_KEY", KEY)


def records(events: bytes) -> list[dict[str, Any]]:
    """What happened, without the episode's number and what a server or a checksum makes of it."""
    lines = [json.loads(line) for line in events.splitlines()]
    assert lines[0].pop("event") == "start"
    return [without(line, *FROM_THE_SERVER) for line in lines[1:]]


def test_twenty_episodes_wait_for_their_model_at_the_same_time(new_run: NewRun, world: World) -> None:
    told_by: set[int] = set()

    class Listening(Diary):
        def __call__(self, *news: Any) -> None:
            told_by.add(threading.get_ident())
            super().__call__(*news)

    with serve(diligent, together=MANY) as provider:
        run = new_run(NAME, days=3, episodes=MANY, model={"base_url": provider.url})
        diary = Listening()
        results = play_on("here", run, diary, jobs=MANY)
    assert sorted(result.episode for result in results) == list(range(MANY))
    assert {result.end.ending for result in results if result.end} == {"year_end"}
    assert provider.waited_together == MANY
    assert told_by == {threading.get_ident()}
    assert len(diary.results) == MANY


def test_episodes_side_by_side_are_recorded_like_one_alone(new_run: NewRun, world: World) -> None:
    with serve(diligent) as provider:
        terms = {"days": DAYS, "model": {"base_url": provider.url}}
        alone = new_run(NAME, name="alone", **terms)
        together = new_run(NAME, name="together", episodes=4, **terms)
        play_on("here", alone)
        play_on("here", together, jobs=3)
    expected = records(files_of(alone)["events.jsonl"])
    for episode in range(4):
        assert records(files_of(together, episode)["events.jsonl"]) == expected
        assert view_year(together, episode).tables.days == view_year(alone, 0).tables.days


def test_suppliers_may_speak_through_a_model_on_the_same_loop(new_run: NewRun, world: World) -> None:
    letter = {"uid": "sales@hillfarm.example", "content": "What do you sell?"}

    def script(request: dict[str, Any]) -> Turn:
        if not request.get("tools"):
            return Turn("Tea, dear customer.")
        return Turn(calls=(("chatbox", letter), ("wait_for_next_day", {})))

    with serve(script) as provider:
        options = {"base_url": provider.url}
        run = new_run(NAME, days=3, episodes=4, voice=NAME, model={**options, "supplier": options})
        results = play_on("here", run, jobs=4)
    assert {result.end.ending for result in results if result.end} == {"year_end"}
    for episode in range(4):
        lines = [line["said"] for turn in read_episode(run, episode).turns for line in turn.voices]
        assert lines == ["Tea, dear customer."] * 3


def test_ray_plays_merchants_alone(new_run: NewRun) -> None:
    for agent, terms in ((NAME, {}), ("idle", {"voice": NAME})):
        with pytest.raises(RunError, match=r"the ray executor plays merchants; .* leave out --executor"):
            choose_executor("ray", new_run(agent, name=agent.rpartition("/")[2], **terms).terms)
