"""What is found about a model behind each kind of server, and what is to be changed there."""

import json
from collections.abc import Mapping
from typing import Any

import anyio
import pytest
from tests.harness.doctor.fake_servers import (
    LLAMA,
    LM_STUDIO,
    NAME,
    OLLAMA,
    ROUTER,
    VLLM,
    json_error,
    obedient,
    one_call,
    serving,
    words,
)
from tests.harness.provider import KEY, Fault, Provider, Script, Turn, listed

import ecbench
from ecbench.harness import checkup
from ecbench.harness.brief import FIRST_USER_MESSAGE, Brief, system_message
from ecbench.harness.checkup import CheckResult, Diagnosis, examine, judge_call
from ecbench.harness.messages import Answer, Message
from ecbench.harness.models import open_model
from ecbench.harness.servers import Server
from ecbench.harness.settings import ModelSettings


def diagnosis(url: str, **options: Any) -> Diagnosis:
    async def examined() -> Diagnosis:
        model = open_model(ModelSettings(NAME, url, {"api_key": KEY}, **options), ecbench.tool_schemas())
        try:
            return await examine(model, Brief())
        finally:
            await model.close()

    return anyio.run(examined)


def found(*server: Any, attempt_seconds: int = 600, **given: Any) -> tuple[Diagnosis, Provider]:
    with serving(*server, **given) as provider:
        return diagnosis(provider.url, attempt_seconds=attempt_seconds), provider


def result_of(diagnosed: Diagnosis, check: str) -> CheckResult:
    return next(result for result in diagnosed.checks if result.check == check)


@pytest.mark.parametrize(
    ("pages", "kind", "window", "fits"),
    [
        (LLAMA, "llama.cpp", 32_768, 23_000),
        (VLLM, "vLLM", 131_072, 128_000),
        (OLLAMA, "Ollama", 40_960, 30_000),
        ({**OLLAMA, "/api/ps": {}}, "Ollama", None, 128_000),
        (LM_STUDIO, "LM Studio", 65_536, 54_000),
        (ROUTER, "", 64_000, 53_000),
        (listed(context_window=8_192_000_000), "", 8_192_000_000, 128_000),
        ({}, "", None, 128_000),
    ],
    ids=str,
)
def test_the_window_is_the_one_that_the_server_runs_with(
    pages: Mapping[str, Any], kind: str, window: int | None, fits: int
) -> None:
    diagnosed, _ = found(obedient, pages)
    assert diagnosed.fit and diagnosed.policy
    assert (diagnosed.server, diagnosed.window, diagnosed.policy.window) == (kind, window, fits)
    if kind == "Ollama":
        assert "Ollama cuts a longer conversation without an error" in str(result_of(diagnosed, "window"))


@pytest.mark.parametrize(
    ("pages", "remedy"),
    [
        (LLAMA, "start llama-server with --jinja"),
        (VLLM, "--enable-auto-tool-choice --tool-call-parser NAME"),
        (OLLAMA, "take a model whose template supports tools"),
        (LM_STUDIO, "LM Studio marks for tool use"),
        ({}, "switch tool calling on at the server"),
    ],
    ids=["llama.cpp", "vLLM", "Ollama", "LM Studio", "unknown"],
)
def test_words_in_place_of_a_call_name_what_to_change_on_that_server(pages: Mapping[str, Any], remedy: str) -> None:
    diagnosed, _ = found(words, pages)
    result = result_of(diagnosed, "tool call")
    assert not diagnosed.fit and 'in words instead: "I would look at the tea first."' in result.text
    assert remedy in result.remedy and diagnosed.requests == 3  # the last with calls as text
    assert "also with calls as text" in result.text and "-M calls=text" not in result.remedy


@pytest.mark.parametrize("takes_tools", [True, False])
def test_a_model_that_writes_calls_as_text_can_play_so(takes_tools: bool) -> None:
    def fenced(request: dict[str, Any]) -> Turn | Fault:
        if request.get("tools") and not takes_tools:
            return json_error(400, "it does not support tools")(request)
        names = (
            ("check_balance", "check_warehouse") if "both of" in str(request["messages"][-1]) else ("list_products",)
        )
        calls = [json.dumps({"name": name, "arguments": {"category": "tea"}}) for name in names]
        return Turn("\n".join(f"```json\n{call}\n```" for call in calls))

    diagnosed, _ = found(fenced, LLAMA)
    assert diagnosed.fit and diagnosed.calls == "text"
    assert "-M calls=text" in result_of(diagnosed, "calls").remedy
    assert result_of(diagnosed, "tool call").verdict == result_of(diagnosed, "parallel calls").verdict == "ok"


def raw(body: bytes) -> Script:
    return lambda _request: Fault(body=body)


@pytest.mark.parametrize(
    ("script", "check", "text"),
    [
        (lambda _: Turn("<tool_call>{...}</tool_call>"), "tool call", 'words instead: "<tool_call>{...}</tool_call>"'),
        (
            lambda _: Turn(calls=(("list_products", '{"category"'),)),
            "tool call",
            "the arguments of list_products are",
        ),
        (json_error(500, "tools param requires --jinja flag"), "server", "start llama-server with --jinja"),
        (json_error(400, '"auto" tool choice requires --enable-auto-tool-choice'), "server", "--tool-call-parser NAME"),
        (json_error(400, "it does not support tools"), "server", "take a model whose template supports tools"),
        (json_error(401, "no"), "server", "set LOOPBACK_API_KEY to a valid one"),
        (json_error(404, "no"), "server", "check the model's name and the base URL; it lists scripted"),
        (raw(b"<!doctype html>"), "server", "not in the form of its protocol)"),
        (raw(b"Be right back."), "server", "it is no JSON); check the base URL"),
        (raw(b'{"id": "chatcmpl-1", "choices": ['), "server", "its JSON broke off); see the server's log"),
    ],
)
def test_a_server_on_which_no_model_can_play_says_what_to_change(script: Script, check: str, text: str) -> None:
    diagnosed, _ = found(script, listed(owned_by="us"))
    assert not diagnosed.fit
    assert text in str(result_of(diagnosed, check)) and "\n" not in str(result_of(diagnosed, check))


def late(_request: Mapping[str, Any]) -> Turn:
    return Turn("OK", delay=2)


@pytest.mark.parametrize(
    ("url", "text"),
    [
        (
            "http://no-such-host.invalid/v1",
            "(Name or service not known); check that the server runs",
        ),
        ("http://127.0.0.1:9/v1", "(All connection attempts failed); check that the server runs"),
        ("tls", "the base URL (http or https)"),
        ("cut", "peer closed connection without sending complete message body"),
    ],
)
def test_a_server_that_cannot_be_reached_is_one_line(url: str, text: str) -> None:
    with serving(lambda _: Turn("Half of it.", cut=True)) as server:
        address = server.url.replace("http:", "https:") if url == "tls" else server.url if url.isalpha() else url
        diagnosed = diagnosis(address, attempt_seconds=20)
    assert text in str(result_of(diagnosed, "server")) and len(diagnosed.checks) == 1


def test_a_request_that_is_cut_without_an_error_shows_in_the_tokens_that_were_read() -> None:
    tiny, _ = found(obedient, OLLAMA, window=2_048)
    assert not tiny.fit and "read only 2,048 of about" in result_of(tiny, "window").text


def test_the_first_request_is_the_one_that_the_run_begins_with() -> None:
    diagnosed, server = found()
    assert diagnosed.requests == 2
    sent = [(message["role"], message["content"]) for message in server.requests[0]["messages"]]
    assert sent == [("system", system_message(Brief())), ("user", FIRST_USER_MESSAGE)]
    assert len(server.requests[0]["tools"]) == len(ecbench.tool_schemas())


def test_single_calls_caching_and_both_speeds_are_noted() -> None:
    single, _ = found(one_call, cached=3_000)
    assert single.fit and single.requests == 2
    assert result_of(single, "parallel calls").text == "one call an answer, so a year takes more turns"
    assert "read from the cache" in result_of(single, "caching").text
    assert " s cold (the first answer), " in result_of(single, "speed").text
    assert " s warm (later ones)" in result_of(single, "speed").text
    assert result_of(found()[0], "caching").verdict == "note"


@pytest.mark.parametrize(
    ("second", "verdict", "text"),
    [
        (Fault(status=400), "fault", "a tool result is not answered"),
        (Turn("Nothing more."), "note", "no call after a result"),
    ],
)
def test_what_a_model_does_with_the_result_of_its_first_call_is_told(
    second: Turn | Fault, verdict: str, text: str
) -> None:
    diagnosed, _ = found(lambda request: second if len(request["messages"]) > 2 else one_call(request))
    result = result_of(diagnosed, "parallel calls")
    assert result.verdict == verdict and result.text.startswith(text)


def test_a_server_that_still_loads_its_model_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkup, "BUSY_SECONDS", 0.05)
    loading = iter([json_error(503, "loading model")] * 3)

    def script(request: dict[str, Any]) -> Any:
        return next(loading, obedient)(request)

    diagnosed, _ = found(script)
    assert diagnosed.fit and diagnosed.requests == 5


@pytest.mark.parametrize("script", [late, json_error(503, "loading model")], ids=["late", "busy"])
def test_a_server_that_does_not_answer_in_time_is_judged_neither_way(script: Script) -> None:
    diagnosed, _ = found(script, attempt_seconds=1)
    assert (
        result_of(diagnosed, "server").verdict == "unknown" and "raise -M attempt_seconds" in diagnosed.checks[0].remedy
    )
    assert not diagnosed.fit and not diagnosed.unfit


def test_an_answer_cut_before_its_call_names_the_limit() -> None:
    cut = judge_call(Answer(Message("assistant", "First I"), stop_reason="length"), Server())
    assert "cut at its length limit" in cut.text and "max_tokens" in cut.remedy
