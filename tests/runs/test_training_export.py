"""Years as training data: what the model saw, each turn once, in the shape that each format asks for."""

import json
from collections.abc import Callable, Iterator
from math import fsum
from pathlib import Path
from typing import Any

import pytest
from tests.harness.provider import KEY, MODEL, Provider, Turn, serve
from tests.runs.conftest import NewRun, Play

from ecbench.analysis.review.recorded_year import replay_losses
from ecbench.analysis.review.turn_credit import turn_credits
from ecbench.errors import RunError
from ecbench.metrics.losses.account import by_cause
from ecbench.runs.folder import Run
from ecbench.runs.results.training_samples import CANARY, TRAINING_FORMATS, export_training

NAME = f"openai-api/loopback/{MODEL}"
SMALL = {"window": 12_000, "trigger": 9_000, "release": 3_000}
Sample = dict[str, Any]
Export = Callable[..., list[Sample]]


def chatty(request: dict[str, Any]) -> Turn:
    """Reads a long reply every day; its words count the requests."""
    turns = sum(message["role"] == "assistant" for message in request["messages"])
    if turns % 9 == 4:
        return Turn(text="A pause.")
    return Turn(text="On.", calls=(("market_search", {}), ("wait_for_next_day", {})), reasoning="Because.")


@pytest.fixture
def model_year(new_run: NewRun, play: Play, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Run, Provider]]:
    """A year whose context was evicted several times, and what the model's server was asked."""
    monkeypatch.setenv("LOOPBACK_API_KEY", KEY)
    with serve(chatty) as provider:
        run = new_run(NAME, days=25, model={"base_url": provider.url, "window": SMALL})
        play(run)
        yield run, provider


@pytest.fixture
def export(tmp_path: Path) -> Export:
    def samples(run: Run, form: str, **options: Any) -> list[Sample]:
        files = export_training({"": run}, tmp_path / f"{form}-{len(list(tmp_path.iterdir()))}", form, **options)
        return [json.loads(line) for file in files for line in file.read_text().splitlines()]

    return samples


def texts(messages: list[dict[str, Any]]) -> list[str]:
    """Without the line break that a client puts between reasoning and text."""
    return [(message["content"] or "").strip() for message in messages]


def turns_with_weight(samples: list[Sample]) -> list[str]:
    """The first call id, or the text, of each turn that is trained on."""
    return [
        message["tool_calls"][0]["id"] if "tool_calls" in message else message["content"]
        for sample in samples
        for message in sample["messages"]
        if message.get("weight") == 1
    ]


def test_each_window_is_what_the_models_server_was_sent_and_each_turn_is_trained_on_once(
    model_year: tuple[Run, Provider], export: Export
) -> None:
    run, provider = model_year
    samples = export(run, "openai")
    assert len(samples) > 2
    requests = [texts(request["messages"]) for request in provider.requests]
    for sample in samples:
        *shown, last = sample["messages"]
        assert last["role"] == "assistant"
        assert texts(shown) in requests
    trained = turns_with_weight(samples)
    assert len(trained) == len(provider.requests)
    called = [turn for turn in trained if turn.isdigit()]
    assert len(set(called)) == len(called)


def test_formats_agree_on_the_turns_of_each_window(model_year: tuple[Run, Provider], export: Export) -> None:
    run, _ = model_year
    made = {form: export(run, form) for form in TRAINING_FORMATS}
    by_weight = [sum(message.get("weight", 0) for message in each["messages"]) for each in made["openai"]]
    stepped = [
        sum(step["source"] == "agent" and "is_copied_context" not in step for step in each["steps"])
        for each in made["atif"]
    ]
    assert by_weight == stepped
    refs = [each.get("continued_trajectory_ref") for each in made["atif"]]
    assert refs == [f"{each['trajectory_id']}.json" for each in made["atif"][1:]] + [None]


def shape(value: Any, keys: str, optional: str = "") -> None:
    """The object has these keys, perhaps the optional ones, and no other."""
    assert set(keys.split()) <= set(value) <= set(f"{keys} {optional}".split()), sorted(value)


def check_openai(sample: Sample) -> None:
    shape(sample, "messages tools parallel_tool_calls", "metadata")
    open_calls: list[str] = []
    for message in sample["messages"]:
        if message["role"] == "tool":
            shape(message, "role tool_call_id content")
            open_calls.remove(message["tool_call_id"])
        elif message["role"] == "assistant":
            assert not open_calls, "every call is answered before the next turn"
            shape(message, "role content weight", "tool_calls")
            assert message["weight"] in (0, 1)
            for call in message.get("tool_calls", ()):
                shape(call, "id type function")
                json.loads(call["function"]["arguments"])
                open_calls.append(call["id"])
        else:
            shape(message, "role content", "name")


def check_atif(sample: Sample) -> None:
    shape(sample, "schema_version session_id trajectory_id agent steps notes extra", "continued_trajectory_ref")
    for number, step in enumerate(sample["steps"], start=1):
        own = "timestamp llm_call_count tool_calls observation reasoning_content extra"
        shape(step, "step_id source message", f"is_copied_context {own if step['source'] == 'agent' else ''}")
        assert step["step_id"] == number
        ids = {call["tool_call_id"] for call in step.get("tool_calls", ())}
        assert {each["source_call_id"] for each in step.get("observation", {"results": []})["results"]} <= ids
        assert step.get("llm_call_count") != 0 or "reasoning_content" not in step


CHECKS = {"openai": check_openai, "atif": check_atif}


@pytest.mark.parametrize("form", TRAINING_FORMATS)
def test_every_sample_has_the_fields_of_its_format_the_canary_and_the_same_bytes_each_time(
    form: str, played: Run, tmp_path: Path, export: Export
) -> None:
    for sample in export(played, form, credits=turn_credits):
        CHECKS[form](sample)
        assert CANARY in json.dumps(sample)
    first, second = (export_training({"": played}, tmp_path / name, form) for name in ("first", "second"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_the_losses_of_the_turns_add_up_to_the_account_of_the_year(played: Run) -> None:
    credits = turn_credits(played, 0)
    for cause, amount in by_cause(replay_losses(played, 0)[0]).items():
        shared = fsum(credit["lost"].get(cause, 0.0) for credit in credits.values())
        assert shared == pytest.approx(amount, abs=0.01), cause


def test_an_export_that_fails_writes_nothing(model_year: tuple[Run, Provider], tmp_path: Path) -> None:
    run, _ = model_year
    events = run.events_path(0)
    events.write_bytes(events.read_bytes()[:-200] + b"x\n")
    with pytest.raises(RunError, match="cannot be exported"):
        export_training({"": run}, tmp_path / "out", "openai")
    assert not (tmp_path / "out").exists()


def test_the_canary_of_the_docs_is_the_one_of_the_samples() -> None:
    assert CANARY in Path(__file__).parents[2].joinpath("docs/train.md").read_text()
