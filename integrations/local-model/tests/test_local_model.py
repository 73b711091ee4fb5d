"""A real model plays: its tokenizer is not ours, its window overflows, and what it writes is often garbage."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("xllamacpp", reason="llama.cpp has an environment of its own: make integrations")

NAME = "openai-api/local/smollm2"
# Greedy, so that a machine repeats itself. Token 13 opens a call in chat.jinja; from there the tools' grammar holds.
GREEDY = {"temperature": 0, "seed": 1}
CALLING = {**GREEDY, "tool_choice": "required", "parallel_tool_calls": False, "logit_bias": [[13, 100]]}
SECONDS = 900  # for a command: a busy machine is no failure
ECBENCH = [sys.executable, "-m", "ecbench"]


def model(url: str, body: dict[str, Any]) -> list[str]:
    options = ["-M", f"base_url={url}", "-M", f"extra_body={json.dumps(body)}", "-M", "max_tokens=32", "--no-doctor"]
    return ["--agent", NAME, *options, "-M", "brief=@brief.txt", "--days", "3", "--quiet", "--out", "out"]


def at_most(turns: int) -> str:
    """A run file that limits the turns."""
    Path("turns.toml").write_text(f"max_turns = {turns}\n", encoding="utf-8")
    return "turns.toml"


def ecbench(*arguments: str) -> tuple[int, str]:
    done = subprocess.run([*ECBENCH, *arguments], capture_output=True, text=True, timeout=SECONDS, check=False)
    return done.returncode, done.stdout + done.stderr


def recorded_turns() -> list[dict[str, Any]]:
    records = Path("out/episodes/0/events.jsonl").read_bytes().splitlines()
    return [line for line in map(json.loads, records) if line["event"] in ("turn", "handed")]


def messages() -> list[dict[str, Any]]:
    return [turn.get("message", {}) for turn in recorded_turns()]


def recorded_calls() -> list[dict[str, Any]]:
    return [call for turn in recorded_turns() for call in turn["calls"]]


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def test_constrained_calls_play_and_what_the_length_limit_cuts_is_no_whole_call(large: str) -> None:
    code, said = ecbench("run", *model(large, CALLING), "--window", "4000", at_most(3))
    assert code == 0, said
    turns, calls = messages(), recorded_calls()
    assert len(calls) >= len(turns) == 3  # the grammar leaves no answer without a call
    for turn in turns:
        read = sum(turn["usage"].get(name, 0) for name in ("input_tokens", "cache_read_tokens"))
        assert read > 0 and read != turn["context"]  # another vocabulary, another template, and the tools
    # It writes on behind its call until the limit, so what it began last is cut: that is no call, or a call that fails.
    assert {turn["stop_reason"] for turn in turns} == {"length"}
    for call in calls:
        assert "problem" not in call or "cut at the length limit" in call["problem"] or not is_json(call["written"])
    assert ecbench("verify", "out")[0] == 0


def test_a_model_that_only_talks_makes_calls_as_text_since_the_server_holds_it_to_a_schema(large: str) -> None:
    text = ("-M", "calls=text", "-M", "max_tokens=700")
    code, said = ecbench("run", *model(large, GREEDY), *text, "--window", "4000", at_most(2))
    assert code == 0, said
    assert recorded_calls() and all(call["id"].startswith("text_call_") for call in recorded_calls())
    assert all(is_json(message["text"]) for message in messages())


def test_a_model_that_only_talks_fails_with_the_cause(large: str) -> None:
    code, said = ecbench("run", *model(large, GREEDY), "--window", "4000")
    assert code == 1
    assert "0 tool calls in 3 answers: is tool calling on?" in said
    assert len(recorded_turns()) == 3 and not recorded_calls()


def test_an_overflow_is_the_servers_own_and_no_advice_leads_into_it_again(small: str) -> None:
    Path("brief.txt").write_text("Sell tea. " * 800, encoding="utf-8")
    code, said = ecbench("run", *model(small, CALLING), "--window", "4000", at_most(2))
    assert code == 1
    assert "does not fit the model's window of 2,048 tokens" in said
    assert "no smaller --window fits" in said
    assert "Error(" not in said and "{'" not in said and "Traceback" not in said


def test_a_killed_year_goes_on_where_its_record_ends(large: str) -> None:
    command = [*ECBENCH, "run", *model(large, CALLING), "--window", "4000", at_most(3)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        record, deadline = Path("out/episodes/0/events.jsonl"), time.monotonic() + SECONDS
        while time.monotonic() < deadline and not (record.exists() and b'"event":"turn"' in record.read_bytes()):
            time.sleep(0.1)
        os.kill(process.pid, signal.SIGKILL)
    before = record.read_bytes()
    assert b'"event":"turn"' in before
    code, said = ecbench("resume", "out", "--no-doctor", "--window", "8000")
    assert code == 0, said
    assert len(recorded_turns()) == 3
    assert [turn["window"]["window"] for turn in messages() if "window" in turn] == [8_000]
    assert ecbench("verify", "out")[0] == 0


def test_it_words_a_letter_and_the_template_words_one_whose_catalog_does_not_fit(large: str) -> None:
    voice = ["--supplier-model", NAME, "--supplier-M", f"base_url={large}", "--supplier-M", "max_tokens=16"]
    writer = f"{Path(__file__).with_name('letter_writer.py')}:LetterWriter"
    code, said = ecbench("run", "--agent", writer, *voice, "--no-doctor", "--days", "1", "--quiet", "--out", "out")
    assert code == 0, said
    first, catalog = [letter for turn in recorded_turns() for letter in turn.get("voices", ())]
    assert first["usage"]["output_tokens"] > 0
    assert "does not fit the model's window of 8,192 tokens" in catalog["fallback"] and catalog["said"]


def test_it_sits_in_an_arena(large: str) -> None:
    body = f"extra_body={json.dumps(CALLING)}"
    options = ["-M", f"base_url={large}", "-M", body, "-M", "max_tokens=32", "-M", "brief=@brief.txt"]
    short = ["--window", "4000", "--no-doctor", "--days", "1", at_most(2), "--quiet", "--out", "out"]
    code, said = ecbench("arena", "--seats", f"idle,{NAME}", *options, *short)
    assert code == 0, said
    assert {turn["seat"] for turn in recorded_turns()} == {0, 1}


def test_in_an_evaluation_of_inspect_it_only_talks_which_is_reported(large: str) -> None:
    task = ["-T", "days=1", "-T", "max_turns=3", "-T", "brief=brief.txt", "--max-tokens", "16", "--display", "plain"]
    command = [sys.executable, "-m", "inspect_ai", "eval", "ecbench/year", "--model", NAME, "--model-base-url", large]
    done = subprocess.run([*command, *task], capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "final_assets" in done.stdout
    assert "no tool was called" in done.stdout + done.stderr
