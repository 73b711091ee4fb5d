"""A bad day at each provider: what passes is asked for again, what stays ends the year so that it can go on later."""

import json
import re
from typing import Any

import anyio
import pytest
from tests.harness.protocols.playing import WAIT, Played, once, settings, years
from tests.harness.servers.anthropic_messages import AnthropicMessages
from tests.harness.servers.conversation import Fault, Say, Script, Think, Trouble, Turn, Use, turn
from tests.harness.servers.google_generate import GoogleGenerate
from tests.harness.servers.openai_chat import OpenAIChat
from tests.harness.servers.openai_responses import OpenAIResponses
from tests.harness.servers.wire import Dialect, serve

import ecbench
from ecbench.harness import retry
from ecbench.harness.checkup import Diagnosis, check_before_run
from ecbench.harness.context import ContextPolicy
from ecbench.harness.messages import ModelFailure
from ecbench.harness.models import open_model
from ecbench.harness.settings import ModelSettings


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorter backoff."""
    monkeypatch.setattr(retry, "FIRST_BACKOFF", 0.001)


PASSING: list[Trouble] = ["rate_limit", "server_error", "unavailable", "drop", "cut", "error_body", "no_json"]


def test_a_passing_fault_is_retried_and_leaves_no_trace(run: Played) -> None:
    """One on the way to every second turn."""
    days = 2 * len(PASSING)
    outcome, diary, server = run(
        once(*(said for trouble in PASSING for said in (WAIT, Fault(trouble), WAIT))), days=days
    )
    assert (outcome.ending, outcome.turns, outcome.reason) == ("year_end", days, "")
    assert len(diary.answers) == days
    asked = years(server)
    assert [asked[index] == asked[index + 1] for index in range(1, len(asked), 3)] == [True] * len(PASSING)
    assert len(asked) == days + len(PASSING)


def test_an_answer_that_never_comes_is_given_up_and_asked_for_again(run: Played) -> None:
    outcome, diary, server = run(once(Fault("hang")), days=1, attempt_seconds=3)
    assert (outcome.ending, outcome.turns) == ("year_end", 1)
    assert [retry.cause for retry in diary.answers[0].retries] == ["no answer in time"]
    assert len(years(server)) == 2


@pytest.mark.parametrize("trouble", ["server_error", "bad_request", "overflow", "filtered"])
def test_a_fault_that_stays_ends_the_year_as_a_model_error(run: Played, trouble: Trouble) -> None:
    outcome, diary, server = run(once(WAIT, then=Fault(trouble)), give_up_seconds=0)
    assert (outcome.ending, outcome.turns) == ("model_error", 1)
    assert outcome.reason and "\n" not in outcome.reason
    assert len(diary.answers) == 1 and not diary.reminders
    assert len(years(server)) <= 4


@pytest.mark.parametrize("trouble", ["endless", "compressed"])
def test_an_answer_without_end_is_cut_at_the_stated_size(run: Played, trouble: Trouble) -> None:
    outcome, _, server = run(once(WAIT, then=Fault(trouble)), give_up_seconds=60, attempt_seconds=20)
    assert (outcome.ending, outcome.turns) == ("model_error", 1)
    assert ("more than 16,777,216 bytes" if trouble == "endless" else "compressed") in outcome.reason
    assert len(years(server)) == 2 + retry.REFUSAL_RETRIES


def test_a_filter_that_stops_the_model_is_a_model_error_and_no_idle_turn(run: Played) -> None:
    outcome, diary, server = run(once(WAIT, then=Turn((Say("I cann"),), stop="refusal")))
    assert (outcome.ending, outcome.turns, len(years(server))) == ("model_error", 1, 2 + retry.REFUSAL_RETRIES)
    assert "filter" in outcome.reason and "retries: 2" in outcome.reason and "\n" not in outcome.reason
    assert len(diary.answers) == 1 and not diary.reminders


GARBLED = ('{"amount": 2', "all of it", '{"amount": 2}"', "[1, 2]", "12", '{"amount": 2} or 3')


@pytest.mark.parametrize(
    "dialect", [AnthropicMessages(), OpenAIResponses(), OpenAIChat()], ids=lambda each: type(each).__name__
)
def test_arguments_that_are_no_json_object_fail_their_call_alone(run: Played) -> None:
    calls = [Use("withdraw", arguments) for arguments in GARBLED]
    outcome, diary, _ = run(once(turn(*calls, Use("check_balance", {}))), days=1)
    *broken, balance = map(json.loads, diary.replies[0])
    for reply in broken:
        assert list(reply) == ["error"] and "withdraw" in reply["error"] and "JSON" in reply["error"]
    assert balance["current_time"] == "2026-01-01 08:10"
    assert outcome.ending == "year_end"


@pytest.mark.parametrize("dialect", [GoogleGenerate()], ids=lambda each: type(each).__name__)
def test_a_turn_whose_arguments_no_client_can_read_is_asked_for_again(run: Played) -> None:
    outcome, diary, _ = run(once(turn(Use("withdraw", "all of it"), Use("check_balance", {}))), days=1)
    assert (outcome.ending, outcome.turns, outcome.reason) == ("year_end", 1, "")
    assert [call.name for call in diary.answers[0].message.calls] == ["wait_for_next_day"]


@pytest.mark.parametrize(
    "dialect", [AnthropicMessages(), OpenAIResponses(), OpenAIChat()], ids=lambda each: type(each).__name__
)
def test_a_call_cut_at_the_length_limit_of_an_answer_is_not_made(run: Played) -> None:
    cut = Turn((Say("I will"), Use("check_balance", {}), Use("withdraw", '{"amount": 5')), stop="length")
    outcome, diary, _ = run(once(cut), days=1)
    balance, broken = map(json.loads, diary.replies[0])
    assert balance["bank_balance"] == 100_000
    assert list(broken) == ["error"] and "withdraw" in broken["error"]
    assert outcome.ending == "year_end"


def test_a_lone_surrogate_is_replaced(run: Played) -> None:
    letter = {"uid": "sales@hillfarm.example", "content": "tea \ud83c please", "history_count": 2}
    outcome, _, _ = run(once(turn(Think("\ud83c"), Say("Half a leaf: \ud83c"), Use("chatbox", letter))), days=2)
    assert (outcome.ending, outcome.reason) == ("year_end", "")


def check(chosen: ModelSettings) -> Diagnosis:
    async def checked() -> Diagnosis:
        model = open_model(chosen, ecbench.tool_schemas())
        try:
            return await check_before_run(model, ContextPolicy())
        finally:
            await model.close()

    return anyio.run(checked)


def refusal(dialect: Dialect, **change: Any) -> str:
    """The one line of a check that fails at once."""
    with serve(dialect, once()) as server, pytest.raises(ModelFailure) as told:
        check(settings(dialect, server.url, **change))
    assert "\n" not in str(told.value)
    assert len(server.refusals) <= 2  # some clients first ask what they may ask for
    return str(told.value)


def test_a_wrong_key_is_told_with_the_variable_to_set(dialect: Dialect) -> None:
    assert f"set {dialect.key_variable}" in refusal(dialect, model_args={"api_key": "wrong"})


def test_an_unknown_model_is_told_with_what_to_check(dialect: Dialect) -> None:
    told = refusal(dialect, name=f"{dialect.agent}-unheard-of")
    assert f"{dialect.agent}-unheard-of: " in told and "check the model's name" in told


def test_a_missing_key_is_told_with_the_variable_to_set(dialect: Dialect, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in (dialect.key_variable, "GEMINI_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(ModelFailure, match=dialect.key_variable) as told:
        open_model(settings(dialect, "http://192.0.2.1:9", model_args={}), [])
    assert "\n" not in str(told.value)
    open_model(settings(dialect, "http://127.0.0.1:9", model_args={}), [])  # a server on this machine may need none


def test_the_check_passes_a_model_that_answers_is_busy_or_slow(dialect: Dialect) -> None:
    for said in (WAIT, Fault("rate_limit"), Fault("unavailable"), Fault("hang")):
        with serve(dialect, once_asked(said)) as server:
            found = check(settings(dialect, server.url, attempt_seconds=600 if said == WAIT else 1))
        assert found.fit and sum(each.verdict != "ok" and each.remedy != "" for each in found.checks) == (said != WAIT)


def once_asked(said: Turn | Fault) -> Script:
    return lambda _: said


def test_the_check_finds_that_no_server_listens(dialect: Dialect) -> None:
    with serve(dialect, once()) as server:
        gone = server.url
    with pytest.raises(ModelFailure, match=f"no connection to {re.escape(gone)}"):
        check(settings(dialect, gone))
