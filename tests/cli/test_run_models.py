"""ecbench run with a model: its options, what it took, and what is said when it cannot be reached."""

import json
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import NAME, TRADER, Cli, agent, files_in, manifest, refusal, turns_so_far, waiting
from tests.harness.provider import Fault, Provider, Turn, serve

SHORT = ("--days", "4", "--quiet", "--out", "out")
EFFORT = ("--supplier-M", "effort=low")


@pytest.fixture
def command(cli: Cli, small_world: Path) -> Cli:
    """Runs a command on the small world."""
    return lambda *given: cli(*given, *(() if given[0] == "resume" else ("--world", str(small_world))))


def asked(provider: Provider) -> list[dict[str, Any]]:
    """The requests of the year; a check of the connection carries no system message."""
    return [request for request in provider.requests if request["messages"][0]["role"] == "system"]


def test_the_options_reach_the_model_and_are_written_down_and_honoured_on_resume(command: Cli) -> None:
    Path("brief.md").write_text("Sell tea for {days} days.", encoding="utf-8")
    out_of_order = [True]

    def script(request: dict[str, Any]) -> Turn | Fault:
        return Fault(status=400) if turns_so_far(request) == 2 and out_of_order[0] else waiting(request)

    with serve(script) as provider:
        body, brief, window = (
            ("-M", 'extra_body={"max_tokens": 9000}'),
            ("-M", "brief=@brief.md"),
            ("--window", "64000"),
        )
        limits = ("-M", "attempt_seconds=50", "-M", "give_up_seconds=100")
        given = ("-M", "effort=low", "-M", "price=2,10,0.5", *brief, *body, *window, *limits)
        code, _, told = command("run", *agent(provider), *SHORT, *given, "-M", "temperature=0.5")
        assert (code, "HTTP 400" in told, "ecbench resume out" in told) == (1, True, True)
        out_of_order[0] = False
        Path("brief.md").unlink()
        code, told, note = command("resume", "out", "--quiet")
    assert note == f"ecbench: note: out: its run.json sends the requests to {NAME}, with your key, to {provider.url}\n"
    assert code == 0
    stated = manifest()
    assert {"pydantic-ai-slim", "openai"} <= set(stated["packages"])
    assert stated["packages"] == {name: version(name) for name in stated["packages"]}
    assert stated["seats"][0]["model"] == {
        "model_args": {"temperature": 0.5},
        "base_url": provider.url,
        "effort": "low",
        "extra_body": {"max_tokens": 9000},
        "price": "2,10,0.5",
        "brief": "Sell tea for {days} days.",
        "window": {"window": 64_000, "trigger": 60_000, "release": 30_000, "keep": 2},
        "attempt_seconds": 50,
        "give_up_seconds": 100,
    }
    for request in asked(provider):
        assert request["messages"][0]["content"].endswith("Sell tea for 4 days.")
        assert "holds 64,000 tokens" in request["messages"][0]["content"]
        assert "reaches 60,000 tokens" in request["messages"][0]["content"]
        assert (request["reasoning_effort"], request["max_tokens"]) == ("low", 9000)
    # 600 fresh, 400 cached and 50 written tokens a turn.
    assert "Model: 4 turns, 4,000 tokens read (40% cached), 200 written, $0.01" in " ".join(told.split())
    usage = json.loads(Path("out/episodes/0/metrics.json").read_text())["seats"][0]["run"]["usage"]
    assert usage["cost"] == pytest.approx(4 * (600 * 2 + 400 * 0.5 + 50 * 10) / 1e6)


def test_episodes_in_parallel_are_added_up(command: Cli) -> None:
    with serve(waiting) as provider:
        spent = command("run", *agent(provider), *SHORT, "--episodes", "3", "--jobs", "3", "--json").json["spent"]
    assert (spent["turns"], spent["usage"]["output_tokens"]) == (12, 12 * 50)
    assert "cost" not in spent["usage"]


def test_the_suppliers_model_has_an_address_a_price_and_arguments_of_its_own(command: Cli) -> None:
    with serve(lambda _: Turn("My price is in the figures, dear customer.")) as provider:
        options = ("--supplier-M", f"base_url={provider.url}", "--supplier-M", "price=2,10,0.5")
        more = ("--supplier-M", 'extra_body={"max_tokens": 500}', "--supplier-M", "temperature=0.5")
        code, out, _ = command("run", "--agent", TRADER, *SHORT, "--supplier-model", NAME, *options, *more, *EFFORT)
    assert code == 0
    assert manifest()["seats"][0]["model"] == {
        "supplier": {
            "model_args": {"temperature": 0.5},
            "base_url": provider.url,
            "effort": "low",
            "extra_body": {"max_tokens": 500},
            "price": "2,10,0.5",
        }
    }
    assert {(r["reasoning_effort"], r["max_tokens"]) for r in provider.requests} == {("low", 500)}
    assert "Suppliers' model: " in out and "cost not known" not in out
    spent = json.loads(Path("out/episodes/0/metrics.json").read_text())["seats"][0]["run"]["supplier_usage"]
    assert spent["cost"] == pytest.approx(len(asked(provider)) * (600 * 2 + 400 * 0.5 + 50 * 10) / 1e6)


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    """The model layer takes a second or two to import, and on a busy machine longer; a test may be the first."""
    import_module("ecbench.runs.play.models")
    import_module("openai")


def test_a_refused_key_stops_a_run_before_it_begins(command: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOPBACK_API_KEY", "wrong")
    with serve(waiting) as provider:
        told = refusal(command, "run", *agent(provider), *SHORT)
    assert f"{NAME}: the key was refused (HTTP 401); set LOOPBACK_API_KEY to a valid one" in told
    assert list(Path().iterdir()) == [] and asked(provider) == []


def test_a_run_whose_provider_is_gone_is_not_changed_by_resume(command: Cli) -> None:
    def script(request: dict[str, Any]) -> Turn | Fault:
        return Fault(status=400) if turns_so_far(request) == 2 else waiting(request)

    with serve(script) as provider:
        assert command("run", *agent(provider), *SHORT).code == 1
    before = files_in("out")
    code, _, err = command("resume", "out", "--quiet")
    assert code == 2 and "no connection to" in err
    assert files_in("out") == before


def test_ninety_seconds_of_an_outage_are_told_as_they_pass_and_counted_at_the_end(command: Cli) -> None:
    faults = [Fault(status=503), Fault(body={"error": {"message": "[/red] no capacity", "code": 529}})]

    def script(request: dict[str, Any]) -> Turn | Fault:
        return faults.pop() if turns_so_far(request) == 1 and faults else waiting(request)

    with serve(script) as provider:
        code, out, _ = command("run", *agent(provider), "--days", "4", "--out", "out")
    assert code == 0
    told = [line for line in out.splitlines() if "asked again in" in line]
    assert "the provider failed (HTTP 529: [/red] no capacity); asked again in 1 s (retry 1" in told[0]
    assert "HTTP 503" in told[1] and "(retry 2" in told[1]
    assert "Requests to the model that failed: 2\n" in out


def test_letters_by_the_template_are_told_at_the_end(command: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    filtered = {"error": {"message": "no such letter", "code": "context_length_exceeded"}}

    def script(request: dict[str, Any]) -> Turn | Fault:
        return Turn("OK") if request["messages"][0]["role"] == "user" else Fault(status=400, body=filtered)

    with serve(script) as provider:
        monkeypatch.setenv("LOOPBACK_BASE_URL", provider.url)
        code, out, _ = command("run", "--agent", TRADER, *SHORT, "--supplier-model", NAME)
        assert code == 0
        told = " ".join(out.split())
        spent = command("resume", "out", "--json").json["spent"]
    lines = spent["supplier_lines"]
    assert lines > 0 and sum(spent["supplier_fallbacks"].values()) == lines
    assert f"Suppliers' letters: {lines:,} of {lines:,} were the template's, since the model failed (" in told
    assert b"no such letter" not in Path("out/episodes/0/results.db").read_bytes()
