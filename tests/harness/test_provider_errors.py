"""Answers that are the provider's: none becomes the model's words or an idle turn, and what may pass is asked again."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from tests.harness.provider import KEY, MODEL, Fault, Provider, Script, Turn, completion, serve, settings
from tests.harness.scripts import Diary, YearPlayed, converse_with
from tests.harness.servers.listening import Exchange, Reply, json_reply, listen

import ecbench
from ecbench.harness.brief import Brief
from ecbench.harness.messages import Message, ModelFailure, Usage
from ecbench.harness.models import open_model
from ecbench.harness.settings import ModelSettings

WAIT = Turn("On with it.", (("wait_for_next_day", {"current_day": 0}),))
FILTERED = Turn("I cann", finish="content_filter")

Played = Callable[..., tuple[YearPlayed, Diary, Provider, list[str]]]


@pytest.fixture
def run(small_world: Path) -> Played:
    world = ecbench.load_world(str(small_world))

    def played(script: Script, **more: Any) -> tuple[YearPlayed, Diary, Provider, list[str]]:
        episode, diary, told = ecbench.Episode(world, days=3), Diary(), list[str]()
        with serve(script) as provider:
            chosen = settings(provider, **more)
            return anyio.run(converse_with, chosen, episode, Brief(), diary, told.append), diary, provider, told

    return played


def once(*first: Turn | Fault) -> Script:
    """These in order, then a wait for ever after."""
    said = list(first)
    return lambda _: said.pop(0) if said else WAIT


def test_a_filter_that_lets_the_second_answer_pass_costs_a_retry_that_is_billed(run: Played) -> None:
    outcome, diary, _, _ = run(once(FILTERED))
    assert outcome.ending == "year_end"
    retries = diary.answers[0].retries
    assert [retry.cause for retry in retries] == ["filter"]
    assert retries[0].usage == Usage(600, 50, 400, 0, 20)
    assert [answer.retries for answer in diary.answers[1:]] == [(), ()]


ANSWER = completion(WAIT, 1)


@pytest.mark.parametrize(
    ("body", "reason", "asked"),
    [
        ({"error": {"message": "upstream broke", "code": 502}}, "HTTP 502: upstream broke", 4),
        ({"error": {"message": "slow down", "code": "429"}}, "HTTP 429: slow down", 4),
        ({"error": {"message": "try later", "type": "overloaded_error"}}, "HTTP 503: try later", 4),
        ({"error": {"code": "server_error"}}, "HTTP 503: no reason given", 4),
        ({"error": "the server is busy"}, "HTTP 503: the server is busy", 4),
        ({}, "could not be read", 4),
        ({"model": MODEL, "choices": []}, "there is no answer in it", 4),
        ({"error": {"message": "no credit left", "code": 402}}, "HTTP 402: no credit left", 1),
        (
            {"error": {"message": "wrong key", "code": "invalid_api_key"}},
            "the key was refused (HTTP 400)",
            1,
        ),
        ({"error": True}, "HTTP 400: no reason given", 1),
        ({"error": {"message": "maximum context length is 9,000 tokens", "code": 400}}, "window of 9,000 tokens", 1),
    ],
)
def test_an_error_in_a_successful_response_is_asked_again_where_it_may_pass(
    run: Played, body: dict[str, Any], reason: str, asked: int
) -> None:
    outcome, _, provider, told = run(once(Fault(body=body)))
    assert outcome.ending == ("model_error" if asked == 1 else "year_end") and len(provider.requests) == asked
    [line] = [outcome.reason] if asked == 1 else told
    assert reason in line and "\n" not in line


COUNTS = {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14}


@pytest.mark.parametrize(
    "usage",
    ["many", [], 7, None, {**COUNTS, "prompt_tokens": "9"}, {**COUNTS, "prompt_tokens_details": {"cached_tokens": ""}}],
)
def test_usage_with_a_count_that_is_no_number_is_unknown_and_its_answer_stands(run: Played, usage: object) -> None:
    outcome, diary, provider, _ = run(once(Fault(body=ANSWER | {"usage": usage})))
    assert (outcome.ending, outcome.reason, len(provider.requests)) == ("year_end", "", 3)
    assert diary.answers[0].usage == Usage()


@pytest.mark.parametrize("ids", [("a b", "a b"), ("", ""), (None, None), ("same", "same")])
def test_ids_that_are_missing_illegal_or_used_twice_are_replaced(run: Played, ids: tuple[str | None, ...]) -> None:
    body = completion(Turn("Two.", (("check_balance", {}), ("check_warehouse", {}))), 1)
    for call, given in zip(body["choices"][0]["message"]["tool_calls"], ids, strict=True):
        call["id"] = given
    outcome, _, provider, _ = run(once(Fault(body=body), Fault(body=body)))
    assert (outcome.ending, outcome.reason) == ("year_end", "")
    sent = [call["id"] for each in provider.requests[2]["messages"] for call in each.get("tool_calls") or ()]
    answered = [each["tool_call_id"] for each in provider.requests[2]["messages"] if each["role"] == "tool"]
    assert sent == answered and len(set(sent)) == 4
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]+", each) for each in sent)


@pytest.mark.parametrize("name", ["functions.wait_for_next_day", "wait_for_next_day ", "", "w" * 80, "wait\nfor"])
def test_a_server_gets_legal_names_back_and_the_record_keeps_what_the_model_wrote(run: Played, name: str) -> None:
    outcome, diary, provider, _ = run(once(Turn("", ((name, {}), ("check_balance", {})))))
    assert (outcome.ending, outcome.reason) == ("year_end", "")
    assert [call.name for call in diary.answers[0].message.calls] == [name, "check_balance"]
    [assistant] = [each for each in provider.requests[1]["messages"] if each["role"] == "assistant"]
    sent = [call["function"]["name"] for call in assistant["tool_calls"]]
    assert len(sent) == 2 and all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", each) for each in sent)


def test_a_rejected_request_says_that_a_resume_sends_it_again(run: Played) -> None:
    outcome, _, provider, _ = run(once(WAIT, Fault(status=422, body={"error": {"message": "bad field"}})))
    assert outcome.ending == "model_error" and len(provider.requests) == 2
    assert "HTTP 422: bad field" in outcome.reason and "resume would send the same request again" in outcome.reason


def test_retries_are_reported_while_they_happen_with_reason_and_backoff(run: Played) -> None:
    outcome, diary, _, told = run(once(WAIT, Fault(status=503), Fault(status=429, retry_after=3)))
    assert outcome.ending == "year_end"
    first, second = told
    assert "HTTP 503" in first and "asked again in 1 s (retry 1, 0 s waited so far)" in first
    assert "HTTP 429" in second and "asked again in 3 s (retry 2, 1 s" in second  # as long as the provider asks for
    retries = diary.answers[1].retries
    assert [retry.cause for retry in retries] == ["HTTP 503", "HTTP 429"]
    assert 1 <= retries[0].seconds < 3 <= retries[1].seconds


def test_a_turn_is_given_up_when_its_time_is_over(run: Played) -> None:
    outcome, _, provider, told = run(lambda _: Fault(status=503), give_up_seconds=3)  # two backoffs take longer
    assert outcome.ending == "model_error"
    assert "HTTP 503" in outcome.reason and "given up after 1 s, retries: 1" in outcome.reason
    assert len(provider.requests) == 2 and len(told) == 1


def test_a_provider_that_asks_for_more_patience_than_there_is_is_given_up_at_once(run: Played) -> None:
    outcome, _, provider, told = run(lambda _: Fault(status=429, retry_after=90), give_up_seconds=60)
    assert outcome.ending == "model_error"
    assert "HTTP 429" in outcome.reason and "asks for 90 s of patience" in outcome.reason
    assert len(provider.requests) == 1 and told == []


def failure_of(name: str, reply: Reply) -> ModelFailure | None:
    """What a model's one request fails with, if this is all that the server sends."""

    def send(exchange: Exchange) -> None:
        exchange.asked()
        exchange.send(reply)

    async def ask(url: str) -> None:
        model = open_model(ModelSettings(name, url, {"api_key": KEY}), [])
        try:
            await model.attempt([Message("user", "Go.")])
        finally:
            await model.close()

    with listen(send) as address:
        try:
            anyio.run(ask, address)
        except ModelFailure as failure:
            return failure
    return None


def candidate(finish: str, *parts: dict[str, Any]) -> dict[str, Any]:
    return {"candidates": [{"finishReason": finish, "content": {"role": "model", "parts": list(parts)}}]}


STOPPED = ("SAFETY", "RECITATION", "PROHIBITED_CONTENT", "MALFORMED_FUNCTION_CALL", "OTHER")


@pytest.mark.parametrize(
    ("body", "kind", "reason"),
    [
        *((candidate(finish, {"text": "As an"}), "refused", finish) for finish in STOPPED),
        ({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}, "refused", "PROHIBITED_CONTENT"),
        ({}, "busy", ""),
        *((candidate(finish, {"text": "Prices first."}), "", "") for finish in ("STOP", "MAX_TOKENS")),
        *((candidate(finish), "", "") for finish in ("STOP", "MAX_TOKENS")),  # an empty turn is the model's own too
    ],
    ids=str,
)
def test_an_answer_that_google_stops_is_a_refusal_and_any_other_stands(
    body: dict[str, Any], kind: str, reason: str
) -> None:
    failure = failure_of("google/gemini-2.5-pro", json_reply(200, body))
    assert (failure.kind if failure else "") == kind
    assert reason in str(failure)
