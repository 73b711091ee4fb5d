"""Models at the seats of an arena: they think at the same time, and who answers first changes nothing."""

import random
from typing import Any

import pytest
from tests.harness.provider import KEY, MODEL, Fault, Turn, serve
from tests.runs.conftest import TRADER, NewRun, play_episode, verify
from tests.runs.shared.markets import endings
from tests.runs.test_models import diligent

from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode

NAME = f"openai-api/loopback/{MODEL}"
SEATS = 4


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOPBACK_API_KEY", KEY)


def with_models(new_arena: NewRun, url: str, *agents: str, name: str = "arena", days: int = 5) -> Run:
    return new_arena(*agents, name=name, days=days, model={"base_url": url})


def heard(run: Run) -> list[list[list[str]]]:
    """By seat, what every turn was answered."""
    recording = read_episode(run, 0)
    return [[turn.replies for turn in recording.turns_of(seat)] for seat in range(run.seats)]


def test_models_are_all_asked_before_any_of_them_has_to_answer(new_arena: NewRun) -> None:
    with serve(diligent, together=SEATS) as provider:
        run = with_models(new_arena, provider.url, *[NAME] * SEATS)
        result = play_episode(run)
    assert provider.waited_together == SEATS
    assert endings(result) == ["year_end"] * SEATS
    verify(run)


def test_it_does_not_matter_who_answers_first(new_arena: NewRun) -> None:
    markets = []
    for name in ("one", "two", "three"):
        draws = random.Random(name)

        def late(request: dict[str, Any], draws: random.Random = draws) -> Turn:
            turn = diligent(request)
            return Turn(turn.text, turn.calls, turn.reasoning, delay=draws.choice([0.0, 0.0, 0.02, 0.05]))

        with serve(late) as provider:
            run = with_models(new_arena, provider.url, NAME, TRADER, NAME, NAME, name=name)
            play_episode(run)
        markets.append(([turn.seat for turn in read_episode(run, 0).turns], heard(run)))
    assert markets[0] == markets[1] == markets[2]


def test_failed_model_stops_the_episode_and_a_resume_reaches_the_same_market(new_arena: NewRun) -> None:
    """No recorded turn is asked for again; of each rival at most the one answer that waited for its turn is."""
    seen = [0]

    def script(request: dict[str, Any]) -> Turn | Fault:
        seen[0] += 1
        return Fault(status=400, delay=0.5) if seen[0] == 5 else diligent(request)

    with serve(script) as provider:
        run = with_models(new_arena, provider.url, NAME, NAME, TRADER, NAME)
        halted = play_episode(run)
        assert sorted(map(str, endings(halted))) == ["model_error", "stopped", "stopped", "stopped"]
        assert "injected 400" in "".join(end.reason for end in halted.ends)
        assert play_episode(run).over
        answered = provider.answered
        whole = with_models(new_arena, provider.url, NAME, NAME, TRADER, NAME, name="whole")
        assert play_episode(whole).over
        assert answered <= provider.answered - answered + 2
    assert heard(run) == heard(whole)


def test_a_model_that_keeps_the_others_waiting_leaves_after_its_seconds(new_arena: NewRun) -> None:
    seen = [0]

    def script(request: dict[str, Any]) -> Turn:
        seen[0] += 1
        turn = diligent(request)
        return Turn(turn.text, turn.calls, turn.reasoning, delay=8.0 if seen[0] == 3 else 0.0)

    with serve(script) as provider:
        run = new_arena(NAME, TRADER, days=5, model={"base_url": provider.url}, turn_seconds=2.0)
        result = play_episode(run)
    assert endings(result) == ["failed", "year_end"]
    assert "no turn within 2 s, in turn 3" in result.ends[0].reason
    verify(run)
