"""Years in which a model fails: each ends with its cause and a remedy that works; the record keeps what it wrote."""

import json
from pathlib import Path
from typing import Any

from tests.cli.command import WAIT, Cli, Command, agent, manifest, turns_so_far
from tests.harness.provider import Fault, Provider, Turn, serve

STEP = Turn("On with it.", WAIT)
LOOK = Turn("I look.", (("market_search", {}), ("list_products", {"store_type": "Beauty"})))
LIMIT = 24_000


def play(cli: Cli, provider: Provider, *more: str) -> Command:
    return cli("run", *agent(provider), "--days", "3", "--quiet", "--no-doctor", "--out", "out", *more)


def lines(event: str) -> list[dict[str, Any]]:
    text = Path("out/episodes/0/events.jsonl").read_text(encoding="utf-8")
    return [line for line in map(json.loads, text.splitlines()) if line["event"] == event]


def calls() -> list[dict[str, Any]]:
    return [call for line in lines("turn") for call in line["calls"]]


def outcomes() -> list[dict[str, Any]]:
    return [outcome for line in lines("turn") for outcome in line["outcomes"]]


def test_a_model_that_never_calls_a_tool_fails_with_its_cause_and_has_no_result(cli: Cli) -> None:
    with serve(lambda _: Turn("I would rather talk.")) as provider:
        code, out, err = play(cli, provider)
    assert code == 1
    assert "0 tool calls in 3 answers: is tool calling on?" in err
    assert "never called a tool" in out
    assert "Claude" not in out and "GPT" not in out  # nothing is compared with the paper's models
    assert cli("resume", "out", "--json").json["axes"] is None
    assert cli("verify", "out").code == 0


def test_a_model_that_acted_and_then_only_talks_has_a_result(cli: Cli) -> None:
    with serve(lambda request: Turn("Enough.") if turns_so_far(request) else STEP) as provider:
        code, out, _ = play(cli, provider)
    assert code == 0 and "The seven axes" in out and "Shown alone: stopped on day" in out


def test_malformed_arguments_stay_in_the_record_and_go_back_to_the_model_as_it_wrote_them(cli: Cli) -> None:
    written = '{"current_day": 0,, "note": "half'
    broken = Turn("", (("wait_for_next_day", written),))
    with serve(lambda request: STEP if turns_so_far(request) else broken) as provider:
        assert play(cli, provider).code == 0
    [call] = [call for call in calls() if "problem" in call]
    assert call["written"] == written and call["arguments"] == {}
    returned = [message["content"] for message in provider.requests[-1]["messages"] if message["role"] == "tool"]
    assert f"You wrote: {written}" in returned[0]
    assert "You wrote" not in json.dumps(outcomes()[0]["reply"])
    assert cli("verify", "out").code == 0


def overflowing(request: dict[str, Any]) -> Turn | Fault:
    """A server whose window holds about three looks around, with a tokenizer of its own."""
    sent = len(json.dumps(request)) // 3
    if sent <= LIMIT:
        return LOOK if turns_so_far(request) % 4 else STEP
    words = f"request ({sent} tokens) exceeds the available context size ({LIMIT} tokens), try increasing it"
    return Fault(status=400, body={"error": {"message": words, "type": "exceed_context_size_error", "code": 400}})


def test_an_overflow_names_a_window_with_which_resume_continues(cli: Cli) -> None:
    with serve(overflowing) as provider:
        Path("turns.toml").write_text("max_turns = 16")
        code, _, err = play(cli, provider, "turns.toml")
        assert code == 1
        assert f"does not fit the model's window of {LIMIT:,} tokens" in err
        assert "Error(" not in err and "{'" not in err
        advised = err.rpartition("or go on with resume --window ")[2].partition(",")[0]
        assert err.splitlines()[-1] == f"Continue with: ecbench resume out --window {advised}"
        code, _, err = cli("resume", "out", "--no-doctor", "--window", advised)
    assert code == 0, err
    windows = [turn["message"]["window"]["window"] for turn in lines("turn") if "window" in turn["message"]]
    assert windows == [int(advised)]
    assert cli("verify", "out").code == 0
    stated = manifest()
    assert stated.pop("resumed_window")["window"] == int(advised)
    Path("out/run.json").write_text(json.dumps(stated), encoding="utf-8")
    code, out, err = cli("verify", "out")
    assert code == 1 and "resumed_window" in out + err


def test_no_window_is_advised_where_none_would_fit(cli: Cli) -> None:
    words = "request (5000 tokens) exceeds the available context size (2048 tokens), try increasing it"
    fault = Fault(status=400, body={"error": {"message": words}})
    with serve(lambda request: fault if request["messages"][0]["role"] == "system" else STEP) as provider:
        code, _, err = play(cli, provider)
    assert code == 1
    assert "no smaller --window fits" in err and "ecbench fork" in err and "resume out --window" not in err
    assert err.splitlines()[-1] == "Once the server has a larger window: Continue with: ecbench resume out"


def test_a_small_window_shows_a_share_of_the_replies_and_the_record_keeps_them_whole(cli: Cli) -> None:
    with serve(lambda request: LOOK if turns_so_far(request) < 2 else STEP) as provider:
        Path("turns.toml").write_text("max_turns = 4")
        code, _, err = play(cli, provider, "turns.toml", "--window", "4000", "-M", "price=1,10")
    assert code == 0, err
    shown = [message["content"] for message in provider.requests[-1]["messages"] if message["role"] == "tool"]
    assert "characters shown, as your window is small" in shown[0]
    assert all(len(text) < 2_500 for text in shown)
    assert len(json.dumps(outcomes()[0]["reply"])) > 3_000
    assert lines("start")[0]["seats"][0]["model"]["window"]["replies"] == 500
    assert cli("verify", "out").code == 0
