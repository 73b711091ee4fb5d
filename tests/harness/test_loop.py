"""The turn loop, played on a real episode by scripted models."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.harness.scripts import WAIT, Diary, ScriptedModel, YearPlayed, converse, turn

import ecbench
from ecbench.cancellation import StopFlag
from ecbench.harness.brief import Brief
from ecbench.harness.context import ContextPolicy
from ecbench.harness.messages import Answer
from ecbench.harness.model_player import gauge
from ecbench.harness.tokens import count_message
from ecbench.players.turn import LONGEST_RESULT

BALANCE: tuple[str, dict[str, Any]] = ("check_balance", {})


@pytest.fixture
def new_episode(small_world: Path) -> Callable[[int], ecbench.Episode]:
    world = ecbench.load_world(str(small_world))
    return lambda days: ecbench.Episode(world, days=days)


Episodes = Callable[[int], ecbench.Episode]


def run(
    episode: ecbench.Episode, script: Callable[[int], Answer], brief: Brief | None = None
) -> tuple[YearPlayed, ScriptedModel, Diary]:
    model, diary = ScriptedModel(script), Diary()
    outcome = anyio.run(converse, episode, model, brief or Brief(), diary)
    assert episode.done
    return outcome, model, diary


def test_a_turn_is_told_how_many_tokens_it_was_asked_with(new_episode: Episodes) -> None:
    _, model, diary = run(new_episode(3), lambda _: turn(BALANCE, WAIT))
    for shown, answer in zip(model.shown, diary.answers, strict=True):
        assert answer.context == sum(map(count_message, shown))


def test_the_third_turn_in_a_row_without_a_call_ends_the_episode(new_episode: Episodes) -> None:
    episode = new_episode(5)
    talk = {1: turn(text="Hm."), 2: turn(text="Well."), 3: turn(BALANCE)}
    outcome, model, diary = run(episode, lambda number: talk.get(number, turn(text="I rest.")))
    assert (outcome.ending, outcome.turns) == ("idle", 6)
    assert [text[text.index("(") :][:7] for text in diary.reminders] == ["(1 of 3", "(2 of 3"] * 2
    assert model.shown[1][-1].text == diary.reminders[0]
    assert episode.ending == "idle"


def test_a_stop_gives_up_the_request_in_flight(new_episode: Episodes) -> None:
    class Slow:
        async def answer(self, messages: object) -> Answer:
            await anyio.sleep(60)
            return turn(WAIT)

    async def stopped() -> YearPlayed:
        stop = StopFlag()
        asyncio.get_running_loop().call_later(0.05, stop.request)
        return await converse(new_episode(5), Slow(), Brief(), Diary(), stop=stop)

    outcome = asyncio.run(stopped())
    assert (outcome.ending, outcome.turns) == ("stopped", 0)


def test_every_result_goes_back_to_its_call_with_a_gauge(new_episode: Episodes) -> None:
    script = {1: turn(BALANCE, ("check_warehouse", {}), text="Two looks."), 2: turn(WAIT)}
    _, model, diary = run(new_episode(1), script.__getitem__)
    seen = model.shown[1]
    results = [message for message in seen if message.role == "tool"]
    assert [message.answers and message.answers.id for message in results] == ["call_0", "call_1"]
    for position, (message, reply) in enumerate(zip(results, diary.replies[0], strict=True)):
        body, line = message.text.rsplit("\n", 1)
        assert body == reply
        used = int(line.split("usage: ")[1].split("/")[0])
        before = sum(count_message(earlier) for earlier in seen[: 3 + position])
        whole = before + count_message(message)
        assert before < used < whole
        assert line == gauge(used, 128_000)


def test_the_gauge_rounds_down_and_never_shows_less_than_nothing() -> None:
    told = "<system_warning>Token usage: {} tokens ({}%); {} remaining</system_warning>"
    assert gauge(108_593, 128_000) == told.format("108593/128000", 84, 19407)
    assert gauge(130_000, 128_000) == told.format("130000/128000", 101, 0)


def test_an_answer_with_more_calls_than_a_turn_has_interrupts_the_year_before_any_of_them(
    new_episode: Episodes,
) -> None:
    script = {1: turn(BALANCE), 2: turn(*[BALANCE] * 1_001)}
    played, _, diary = run(new_episode(1), script.__getitem__)
    assert (played.ending, played.turns, len(diary.replies)) == ("model_error", 1, 1)
    assert "a turn has at most 1,000 calls, not 1,001" in played.reason


def test_a_long_result_is_cut_with_a_mark(new_episode: Episodes) -> None:
    letter = {"uid": "sales@hillfarm.example", "content": "tea " * 20_000, "history_count": 2}
    script = {1: turn(("chatbox", letter)), 2: turn(WAIT)}
    _, model, diary = run(new_episode(1), script.__getitem__)
    reply = diary.replies[0][0]
    shown = model.shown[1][-1].text
    assert len(reply) > LONGEST_RESULT
    assert shown.startswith(
        reply[:LONGEST_RESULT] + f"\n[cut: 65,536 of {len(reply):,} characters shown]\n<system_warning>"
    )


SMALL = Brief(policy=ContextPolicy(window=4_000, trigger=3_500, release=800, keep=2))


def test_an_eviction_is_told_in_the_same_turn_on_the_last_message(new_episode: Episodes) -> None:
    _, model, diary = run(new_episode(30), lambda _: turn(BALANCE, WAIT), SMALL)
    assert len(diary.evictions) > 1
    number, eviction = diary.evictions[0]
    assert eviction["before"] >= 3_500
    assert eviction["freed"] >= 800
    before, after = model.shown[number - 2], model.shown[number - 1]
    assert f"{eviction['freed']} tokens freed" in after[-1].text
    assert not any("tokens freed" in message.text for message in before)
    assert after[:2] == before[:2]
    assert after[2] is not before[2]
    assert after[2].role == "assistant"
