"""The year as an Inspect task: its score, its limits, its log, and a retry from a checkpoint."""

import json
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, cast

import pytest
from inspect_ai import Task, eval, eval_retry
from inspect_ai.log import EvalLog, EvalSample, read_eval_log, resolve_sample_attachments
from inspect_ai.model import ChatMessage, ChatMessageAssistant, Model, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import SampleScore, Score
from inspect_ai.solver import basic_agent
from inspect_ai.tool import ToolCall
from inspect_ai.util import registry_info
from tests.cli.command import Command
from tests.harness.provider import KEY, MODEL, Fault, Turn, serve
from tests.runs.conftest import verify

import ecbench
from ecbench.adapters.inspect import scoring
from ecbench.adapters.inspect.scoring import AXIS_NAMES
from ecbench.adapters.inspect.task import year
from ecbench.adapters.inspect.tools import react_with_tools, scripted_merchant
from ecbench.runs.folder import open_run
from ecbench.runs.play.episodes import read_episode

NAME = f"openai-api/loopback/{MODEL}"
DAYS = 6
Turns = Callable[[list[ChatMessage]], ModelOutput]


def test_the_task_needs_no_package_of_the_other_model_layer() -> None:
    """The extra `inspect` installs neither Pydantic AI nor its prices."""
    absent = "import sys; sys.modules.update(dict.fromkeys(('pydantic_ai', 'genai_prices')))"
    subprocess.run([sys.executable, "-c", f"{absent}; import ecbench.adapters.inspect.entry_point"], check=True)


def said(*calls: tuple[str, dict[str, Any]], text: str = "") -> ModelOutput:
    made = [ToolCall(f"call_{number}", name, arguments) for number, (name, arguments) in enumerate(calls)]
    output = ModelOutput.from_message(ChatMessageAssistant(content=text, tool_calls=made or None))
    # Without usage, the mock downloads a tokenizer.
    output.usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
    return output


def mock(turns: Turns) -> Model:
    return get_model("mockllm/model", custom_outputs=lambda messages, *_: turns(messages))


WAIT = ("wait_for_next_day", {"current_day": 0})
SLEEP = ("wait_for_next_day", dict[str, Any]())
LOOK = ("check_balance", dict[str, Any]())


def years(tmp_path: Path) -> list[Path]:
    """The recorded years beside the logs, oldest first."""
    return sorted(
        (path.parent for path in (tmp_path / "logs").rglob("run.json")), key=lambda path: path.stat().st_mtime
    )


@pytest.fixture
def run(small_world: Path, tmp_path: Path) -> Callable[..., EvalLog]:
    def evaluate(model: Model | str, task: Task | None = None, **more: Any) -> EvalLog:
        (log,) = eval(
            task or year(days=DAYS, world=str(small_world), records=str(tmp_path / "logs")),
            model=model,
            log_dir=str(tmp_path / "logs"),
            display="none",
            **more,
        )
        return log

    return evaluate


Run = Callable[..., EvalLog]


def sample_of(log: EvalLog) -> EvalSample:
    assert log.samples
    return log.samples[0]


def calls_told(log: EvalLog) -> list[dict[str, Any]]:
    """The calls in a transcript: our own loop tells them as information, other solvers as tools."""
    told = []
    for event in resolve_sample_attachments(sample_of(log), "full").events:
        if event.event == "info" and event.source == "tool":
            told.append(cast(dict[str, Any], event.data))
        elif event.event == "tool":
            told.append({"result": event.result, "error": event.error and event.error.message})
    return told


def value_of(log: EvalLog) -> dict[str, Any]:
    scores = sample_of(log).scores
    assert scores
    value = scores[scoring.SCORER].value
    assert isinstance(value, dict)
    return dict(value)


def test_inspect_finds_the_task_by_its_name() -> None:
    (found,) = entry_points(group="inspect_ai", name="ecbench")
    assert found.load().year is year
    assert registry_info(year).name == "ecbench/year"


def test_each_epoch_is_an_episode_and_the_axes_are_the_metrics(run: Run, tmp_path: Path) -> None:
    log = run(mock(lambda _: said(LOOK, WAIT)), epochs=3)
    assert log.status == "success"
    assert log.samples and len(log.samples) == 3
    assert value_of(log)["final_assets"] == 100_000
    assert tuple(value_of(log)) == AXIS_NAMES
    assert log.results
    metrics = log.results.scores[0].metrics
    assert [name for name in metrics if not name.endswith("_stderr")] == [
        name for name in AXIS_NAMES if value_of(log)[name] is not None
    ]
    assert (metrics["final_assets"].value, metrics["final_assets_stderr"].value) == (100_000, 0)
    assert "cse_plus" not in metrics
    found = [json.loads(path.read_bytes()) for path in (tmp_path / "logs").rglob("metrics.json")]
    assert [measures["seats"][0]["score"]["final_assets"] for measures in found] == [100_000] * 3


def test_the_score_is_that_of_the_same_calls_without_inspect(run: Run, small_world: Path) -> None:
    shop = ("open_store", {"store_type": "tea", "store_name": "Leaf"})
    alone = ecbench.Episode(ecbench.load_world(str(small_world)), days=DAYS, stake=50_000)
    alone.act([{"name": name, "arguments": arguments} for name, arguments in (shop, WAIT)])
    while not alone.done:
        alone.act([{"name": WAIT[0], "arguments": WAIT[1]}])
    turns = iter([said(shop, WAIT)])
    task = year(days=DAYS, world=str(small_world), stake=50_000)
    log = run(mock(lambda _: next(turns, said(WAIT))), task)
    assert value_of(log)["final_assets"] == alone.bank + alone.wallet + alone.escrow != 50_000


def test_a_year_has_the_rule_set_and_the_turn_limit_of_its_task(run: Run, small_world: Path, tmp_path: Path) -> None:
    log = run(
        mock(lambda _: said(WAIT)),
        year(days=DAYS, world=str(small_world), rules="no-salvage", max_turns=3, records=str(tmp_path / "logs")),
    )
    assert sample_of(log).metadata["rules"] == "no-salvage"
    played = sample_of(log).metadata[scoring.REPORT]["run"]
    assert (played["ending"], played["turns"]) == ("turn_limit", 3)
    [place] = years(tmp_path)
    assert open_run(place).terms.rule_set == "no-salvage"
    with pytest.raises(ValueError, match="there is no rule set 'papers'"):
        year(rules="papers")


def test_the_transcript_tells_answers_and_calls_in_order(run: Run) -> None:
    log = run(mock(lambda _: said(LOOK, WAIT, text="On we go.")))
    told = [
        event.source if event.event == "info" else event.event
        for event in sample_of(log).events
        if event.event in ("model", "info")
    ]
    assert told == ["model", "tool", "tool"] * DAYS
    messages = sample_of(log).messages
    assert [message.role for message in messages] == ["system", "user", *["assistant", "tool", "tool"] * DAYS]
    assert json.loads(messages[-1].text.splitlines()[0])["day"] == DAYS


@pytest.mark.parametrize("limit", [{"turn_limit": 3}, {"token_limit": 60}])
def test_a_limit_of_inspect_ends_the_year_and_it_is_scored(run: Run, limit: dict[str, int]) -> None:
    log = run(mock(lambda _: said(WAIT)), **limit)
    sample = sample_of(log)
    assert sample.limit is not None and f"{sample.limit.type}_limit" in limit
    assert sample.scores
    explanation = sample.scores[scoring.SCORER].explanation
    assert explanation is not None and explanation.startswith("turn limit after ")
    assert value_of(log)["final_assets"] == 100_000


def test_a_retry_goes_on_from_what_was_answered_and_asks_nothing_twice(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out_of_order = False

    def script(request: dict[str, Any]) -> Turn | Fault:
        number = sum(message["role"] == "assistant" for message in request["messages"])
        if number == 4 and out_of_order:
            return Fault(status=400)
        return Turn("Hm.") if number == 1 else Turn(f"Turn {number}.", (LOOK, WAIT), reasoning="Cash first.")

    monkeypatch.setenv("LOOPBACK_API_KEY", KEY)
    with serve(script) as provider:
        whole = run(NAME, model_base_url=provider.url)
        asked, out_of_order = provider.answered, True
        broken = run(NAME, model_base_url=provider.url)
        assert broken.status == "error" and provider.answered == asked + 4
        records = (tmp_path / "logs").rglob("events.jsonl")
        [kept] = [path for path in records if not path.with_name("results.db").exists()]
        kept.write_bytes(
            kept.read_bytes() + b'{"event":"turn","seat":0,"day":4,"message":{"text":"half a li'
        )  # as a killed process leaves it
        out_of_order = False
        (retried,) = eval_retry(broken, log_dir=str(tmp_path / "logs"), display="none")
    assert retried.status == "success"
    assert provider.answered == 2 * asked
    assert value_of(retried) == value_of(whole)
    assert [(message.role, message.text) for message in sample_of(retried).messages] == [
        (message.role, message.text) for message in sample_of(whole).messages
    ]
    whole_year, retried_year = (read_episode(open_run(folder), 0) for folder in years(tmp_path))
    assert [turn.replies for turn in retried_year.turns] == [turn.replies for turn in whole_year.turns]
    assert retried_year.finished and not retried_year.dropped


def test_a_sample_is_a_run_that_can_be_replayed_with_proof(run: Run, small_world: Path, tmp_path: Path) -> None:
    solvers = {"inspect": None, "inspect-tools": react_with_tools()}
    for solver in solvers.values():
        turns = iter([said(LOOK, SLEEP), *[said(SLEEP)] * DAYS, said(("submit", {"answer": "Done."}))])
        run(mock(lambda _, turns=turns: next(turns)), **({"solver": solver} if solver else {}))  # type: ignore[misc]
    runs = [open_run(folder) for folder in years(tmp_path)]
    assert {each.player.transport for each in runs} == set(solvers)
    for each in runs:
        recording = read_episode(each, 0)
        assert recording.finished and {call["name"] for turn in recording.turns for call in turn.calls} == {
            "check_balance",
            "wait_for_next_day",
        }
        verify(each)


@pytest.mark.parametrize("solver", [react_with_tools(), basic_agent()], ids=["react", "basic_agent"])
def test_another_solver_plays_the_same_year_and_is_scored_from_it(run: Run, small_world: Path, solver: Any) -> None:
    shop = ("open_store", {"store_type": "tea", "store_name": "Leaf"})
    alone = ecbench.Episode(ecbench.load_world(str(small_world)), days=DAYS)
    for name, arguments in (shop, LOOK, SLEEP):
        alone.act([{"name": name, "arguments": arguments}])
    alone.finish()
    turns = iter([said(shop, LOOK, SLEEP), said(("submit", {"answer": "That will do."}))])
    log = run(mock(lambda _: next(turns)), solver=solver)
    assert log.status == "success"
    assert value_of(log)["final_assets"] == alone.bank + alone.wallet + alone.escrow != 100_000
    run_section = sample_of(log).metadata[scoring.REPORT]["run"]
    assert run_section["calls_by_tool"] == {"check_balance": 1, "open_store": 1, "wait_for_next_day": 1}
    assert any(message.role == "system" and "Your job" in message.text for message in sample_of(log).messages)


def test_a_tool_that_refuses_is_marked_as_an_error_in_both_ways_of_playing(run: Run) -> None:
    nowhere = ("open_store", {"store_type": "moon", "store_name": "Leaf"})
    for more in ({}, {"solver": react_with_tools()}):
        turns = iter([said(nowhere, LOOK), *[said(SLEEP)] * DAYS, said(("submit", {"answer": "Done."}))])
        log = run(mock(lambda _, turns=turns: next(turns)), **more)  # type: ignore[misc]
        refused, looked, *_ = calls_told(log)
        assert "unknown store type" in refused["error"]
        assert not looked.get("error")


def test_a_log_holds_each_report_once_and_can_be_scored_again_by_itself(run: Run) -> None:
    log = run(mock(lambda _: said(LOOK, WAIT)), epochs=2)
    assert log.eval.scorers
    text = log.model_dump_json()
    assert "NaN" not in text and "Infinity" not in text
    assert text.count('"negotiation_quality"') == 2  # once for each sample
    options = ("--scorer", "ecbench/books", "--action", "overwrite", "--overwrite")
    command = [sys.executable, "-m", "inspect_ai", "score", log.location, *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    again = read_eval_log(log.location)
    assert value_of(again) == value_of(log)
    assert again.results and log.results
    assert again.results.scores[0].metrics == log.results.scores[0].metrics


def test_standard_errors_run_over_episodes() -> None:
    def played(assets: float, calls: int, bad_spend: float | None = 5.0) -> SampleScore:
        value = dict.fromkeys(AXIS_NAMES) | {"final_assets": assets, "bad_spend_percent": bad_spend}
        value["profit_per_call"] = (assets - 100.0) / calls
        return SampleScore(score=Score(value=value, metadata={"tool_calls": calls, "stake": 100.0}))

    # Means of 300 yuan and 50 calls.
    measure = cast(Callable[[list[SampleScore]], "dict[str, float]"], scoring.over_episodes())
    assert measure([played(200.0, 20), played(400.0, 80)]) == {
        "final_assets": 300.0,
        "final_assets_stderr": pytest.approx(100.0),
        "bad_spend_percent": 5.0,
        "bad_spend_percent_stderr": 0.0,
        "profit_per_call": 4.0,
    }
    bought, idle = played(200.0, 20), played(200.0, 20, None)
    assert measure([bought, idle])["bad_spend_percent"] == 2.5
    assert "bad_spend_percent" not in measure([idle, idle])


def test_a_year_of_another_program_is_not_resumed_by_us_but_can_be_forked(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = run(mock(lambda _: said(LOOK, WAIT)), message_limit=8)
    assert log.status == "success"
    [folder] = years(tmp_path)
    record = folder / "episodes" / "0" / "events.jsonl"
    lines = record.read_bytes().splitlines(keepends=True)
    record.write_bytes(b"".join(lines[:-1]))  # killed before it ended
    for name in ("results.db", "metrics.json"):
        record.with_name(name).unlink()
    refused = Command(capsys, "resume", str(folder))
    assert refused.code == 2 and "where it was begun (inspect)" in refused.err
    forked = Command(capsys, "fork", str(folder), "--day", "1", "--agent", "idle", "--out", str(tmp_path / "fork"))
    assert forked.code == 0, forked.err
    assert open_run(tmp_path / "fork").player.transport == ""


def test_a_merchant_plays_without_a_model_and_without_a_network(run: Run, tmp_path: Path) -> None:
    log = run("none/none", solver=scripted_merchant("first-quote"))
    assert log.status == "success"
    scores = sample_of(log).scores
    assert scores and (scores[scoring.SCORER].metadata or {})["tool_calls"] > 0
    assert read_episode(open_run(years(tmp_path)[0]), 0).finished


def test_a_model_that_calls_no_tool_is_idle_and_reported_as_such(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    log = run(mock(lambda _: said(text="I would rather talk.")))
    scores = sample_of(log).scores
    assert scores
    score = scores[scoring.SCORER]
    assert score.metadata and score.metadata["never_acted"] is True
    assert (score.explanation or "").startswith("idle after 3 turns and 0 calls")
    assert "no tool was called, so this is no result" in (score.explanation or "")
    assert "no tool was called" in caplog.text
