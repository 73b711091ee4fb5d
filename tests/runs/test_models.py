"""Years that a model plays, behind a real server on loopback: recorded, broken off and gone on with."""

import json
from collections.abc import Callable
from statistics import fmean
from typing import Any

import pytest
from tests.harness.provider import KEY, MODEL, Fault, Turn, quoting, serve
from tests.runs.conftest import Diary, NewRun, Play, files_of, replayed_files, without

from ecbench.harness import retry
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import EpisodeOpening, Message, read_episode
from ecbench.runs.play.fork import take_over
from ecbench.runs.play.recorded_table import replay_episode
from ecbench.world.model import World

NAME = f"openai-api/loopback/{MODEL}"
DAYS = 12


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOPBACK_API_KEY", KEY)


def diligent(request: dict[str, Any]) -> Turn:
    """Now and then talks without a call or garbles its arguments; else reads its balance and waits."""
    turns = sum(message["role"] == "assistant" for message in request["messages"])
    if turns % 7 == 3:
        return Turn(text="Let me think.")
    if turns % 7 == 5:
        return Turn(calls=(("withdraw", '{"amount": 1'), ("check_balance", {})))
    return Turn(text="On with it.", calls=(("check_balance", {}), ("wait_for_next_day", {})), reasoning="Because.")


def failing_at(number: int) -> Callable[[dict[str, Any]], Turn | Fault]:
    """Diligent until its answer number so-and-so is due; then its provider is out."""

    def script(request: dict[str, Any]) -> Turn | Fault:
        turns = sum(message["role"] == "assistant" for message in request["messages"])
        return Fault(status=400) if turns == number else diligent(request)

    return script


def without_seconds(run: Run) -> list[dict[str, Any]]:
    """The record without what a server and a digest change."""
    records = [json.loads(line) for line in run.events_path(0).read_text().splitlines()]
    return [without(record, "seconds", "sha256", "model", "id", "native") for record in records]


def test_a_models_year_is_recorded_and_recomputed_without_the_model(new_run: NewRun, play: Play, world: World) -> None:
    with serve(diligent) as provider:
        run = new_run(NAME, days=DAYS, model={"base_url": provider.url})
        result = play(run)
    assert result.end is not None and result.end.ending == "year_end", result
    recording = read_episode(run, 0)
    assert recording.turns[0].message["text"] == "On with it."
    assert recording.turns[0].message["reasoning"] == "Because."
    assert recording.turns[3].calls == [] and recording.turns[3].message["text"] == "Let me think."
    assert "error" in json.loads(recording.turns[5].replies[0])
    assert replayed_files(run).items() <= files_of(run).items()
    told = json.loads(files_of(run)["metrics.json"])["seats"][0]["run"]
    assert told["turns"] == len(recording.turns)
    assert told["usage"]["output_tokens"] == 50 * len(recording.turns)
    context = [turn.message["context"] for turn in recording.turns]
    assert context == sorted(context) and context[0] > 100  # nothing was evicted, so every turn adds to it
    assert told["context_tokens"] == {"mean": round(fmean(context), 1), "peak": context[-1]}


def test_a_year_broken_off_by_its_model_ends_like_one_never_broken_off_and_asks_nothing_twice(
    new_run: NewRun, play: Play
) -> None:
    healthy = [True]

    def script(request: dict[str, Any]) -> Turn | Fault:
        return diligent(request) if healthy[0] else failing_at(8)(request)

    with serve(script) as provider:
        terms = {"days": DAYS, "model": {"base_url": provider.url}}
        whole, broken = new_run(NAME, name="whole", **terms), new_run(NAME, name="broken", **terms)
        play(whole)
        asked_for_a_year = provider.answered
        healthy[0] = False
        failed = play(broken)
        assert failed.end is not None
        assert (failed.end.ending, failed.end.turns, failed.end.resumable) == ("model_error", 8, True)
        assert "HTTP 400" in failed.end.reason
        healthy[0] = True
        result = play(broken)
        assert result.end is not None and result.end.ending == "year_end"
        assert provider.answered == 2 * asked_for_a_year
    assert without_seconds(broken) == without_seconds(whole)


def test_a_resumed_year_remembers_that_its_server_takes_no_tools(new_run: NewRun, play: Play) -> None:
    def script(request: dict[str, Any]) -> Turn | Fault:
        if request.get("tools"):
            return Fault(status=400, body={"error": {"message": "scripted does not support tools"}})
        return Turn('{"name": "wait_for_next_day", "arguments": {}}')

    with serve(script) as provider:
        run = new_run(NAME, days=4, model={"base_url": provider.url, "calls": "auto"})
        assert play(run, diary=Diary(stop_on_day=2)).end is not None
        asked = len(provider.requests)
        result = play(run)
    assert result.end is not None and result.end.ending == "year_end"
    assert [bool(request.get("tools")) for request in provider.requests] == [True] + [False] * (asked - 1 + 2)


class Impatient(Diary):
    """Asks for a stop before the record is replayed."""

    def __call__(self, episode: int, message: Message) -> None:
        super().__call__(episode, message)
        if isinstance(message, EpisodeOpening):
            self.stop.request()


def test_a_stop_while_the_record_is_replayed_loses_no_turn(new_run: NewRun, play: Play) -> None:
    with serve(diligent) as provider:
        run = new_run(NAME, days=DAYS, model={"base_url": provider.url})
        stopped = play(run, diary=Diary(stop_on_day=4)).end
        asked = provider.answered
        again = play(run, diary=Impatient())
        assert again.end == stopped, again
        assert provider.answered == asked
        result = play(run)
    assert result.end is not None and result.end.ending == "year_end"


def test_a_model_takes_a_merchants_year_over(new_run: NewRun, play: Play) -> None:
    traded = new_run(days=DAYS, name="traded")
    play(traded)
    with serve(diligent) as provider:
        model = {"base_url": provider.url}
        takeover = take_over(traded, episode=0, day=6, agent=NAME, model=model)
        fork = takeover.create_in(traded.folder.with_name("fork"))
        result = play(fork)
    assert result.end is not None and (result.end.ending, result.end.day) == ("year_end", DAYS)
    inherited = fork.terms.fork.turns if fork.terms.fork else 0
    assert read_episode(fork, 0).turns[inherited].message["text"] == "On with it."


def test_a_model_that_cannot_be_set_up_is_told_in_one_line_and_changes_no_record(
    new_run: NewRun, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(diligent) as provider:
        run = new_run(NAME, days=DAYS, model={"base_url": provider.url})
        play(run, diary=Diary(stop_on_day=3))
    before = files_of(run)
    monkeypatch.delenv("LOOPBACK_API_KEY")
    monkeypatch.setattr("ecbench.harness.providers.LOCAL_HOSTS", ())  # a server elsewhere needs a key
    result = play(run)
    assert result.end is None
    assert "LOOPBACK_API_KEY" in result.problem and "\n" not in result.problem
    assert files_of(run) == before
    first = new_run(NAME, days=DAYS, model={"base_url": provider.url}, name="first")
    assert "LOOPBACK_API_KEY" in play(first).problem
    assert first.events_path(0).read_bytes() == b""


def test_a_model_may_speak_for_the_suppliers_and_is_quoted_afterwards(
    new_run: NewRun, play: Play, world: World
) -> None:
    with serve(quoting("My best price is in the figures below, dear customer.")) as provider:
        run = new_run(days=25, voice=NAME, model={"supplier": {"base_url": provider.url}})
        play(run, diary=Diary(stop_on_day=12))
        result = play(run)
        asked = provider.answered
    assert result.end is not None and result.end.ending == "year_end"
    recording = read_episode(run, 0)
    letters = [line for turn in recording.turns for line in turn.voices if line["kind"] == "letter"]
    assert letters and all("dear customer" in letter["said"] for letter in letters)
    assert asked == sum(len(turn.voices) for turn in recording.turns)
    assert json.loads(files_of(run)["metrics.json"])["seats"][0]["run"]["supplier_usage"]["output_tokens"] > 0
    assert replay_episode(run.terms, 0, world, recording).ends[0] == result.end


def test_retries_reach_the_listener_of_their_episode_and_are_counted_from_the_record(
    new_run: NewRun, play: Play, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retry, "FIRST_BACKOFF", 0.2)
    faults = [Fault(status=503), Fault(status=503), Fault(status=429)]

    def script(request: dict[str, Any]) -> Turn | Fault:
        turns = sum(message["role"] == "assistant" for message in request["messages"])
        return faults.pop() if turns == 2 and faults else diligent(request)

    diary = Diary()
    with serve(script) as provider:
        run = new_run(NAME, days=3, model={"base_url": provider.url})
        result = play(run, diary=diary)
    assert result.end is not None and result.end.ending == "year_end"
    assert [episode for episode, _ in diary.retry_notices] == [0] * 3
    told = json.loads(files_of(run)["metrics.json"])["seats"][0]["run"]
    assert {cause: found["count"] for cause, found in told["retries"].items()} == {"HTTP 429": 1, "HTTP 503": 2}
    assert told["retries"]["HTTP 503"]["seconds"] > told["retries"]["HTTP 429"]["seconds"]
    assert replayed_files(run)["metrics.json"] == files_of(run)["metrics.json"]
