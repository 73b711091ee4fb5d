"""ecbench doctor, and the shorter check before a run."""

from pathlib import Path

from tests.cli.command import Cli, refusal
from tests.harness.doctor.fake_servers import (
    LLAMA,
    NAME,
    OLLAMA,
    VLLM,
    json_error,
    serving,
    words,
)


def test_a_model_that_can_play_gets_the_command_to_run_it(cli: Cli) -> None:
    with serving(pages=LLAMA, cached=3_000) as server:
        options = ("-M", f"base_url={server.url}", "-M", "temperature=0.5", "-M", "price=1,2,0.1")
        done = cli("doctor", NAME, *options, "--days", "30")
    assert (done.code, done.err) == (0, "")
    assert "window note 32,768 tokens (llama-server's n_ctx), and a request may need 130,862" in done.text
    assert "2 requests, 8," in done.text and "$0.0" in done.text
    assert "year ok 35 to 216 turns" in done.text and "h of answers, $" in done.text
    command = done.out.rsplit("It can play:\n  ", 1)[1]
    assert command == (
        f"ecbench run --agent {NAME} -M base_url={server.url} -M temperature=0.5 -M price=1,2,0.1 "
        f"--window 23000 --days 30\n"
    )


def test_a_run_file_names_the_model_and_its_options(cli: Cli) -> None:
    Path("mine.toml").write_text(f'agent = "{NAME}"\n[model]\nmax_tokens = 900\n')
    with serving(pages=VLLM) as server:
        done = cli("doctor", "mine.toml", "-M", f"base_url={server.url}")
    assert done.code == 0 and server.requests[0]["max_tokens"] == 900
    assert f"ecbench run mine.toml -M base_url={server.url}\n" in done.out


def test_a_model_that_cannot_play_exits_with_one_and_says_what_to_change(cli: Cli) -> None:
    with serving(words, OLLAMA) as server:
        done = cli("doctor", NAME, "-M", f"base_url={server.url}")
        facts = cli("doctor", NAME, "-M", f"base_url={server.url}", "--json").json
    assert done.code == 1 and done.out.splitlines()[-1].startswith("It cannot play: take a model whose template")
    assert (facts["fit"], facts["command"], facts["server"], facts["requests"]) == (False, None, "Ollama", 3)
    assert [check["check"] for check in facts["checks"] if check["verdict"] == "fault"] == ["tool call"]


def test_a_run_begins_with_a_warning_about_words_and_without_one_by_no_doctor(cli: Cli, small_world: Path) -> None:
    with serving(words, VLLM) as server:
        year = ("--agent", NAME, "-M", f"base_url={server.url}", "--world", str(small_world), "--days", "2", "--quiet")
        warned = cli("run", *year, "--out", "warned")
        assert "warning: openai-api/loopback/scripted: tool call: answered in words instead" in warned.err
        assert "start vLLM with --enable-auto-tool-choice" in warned.err
        asked = len(server.requests)
        assert "warning" not in cli("run", *year, "--out", "silent", "--no-doctor").err
    assert asked - (len(server.requests) - asked) == 2  # both had the same three turns


def test_a_server_that_takes_no_tools_stops_a_run_before_anything_is_written(cli: Cli, small_world: Path) -> None:
    with serving(json_error(500, "tools param requires --jinja flag"), LLAMA) as server:
        year = ("--agent", NAME, "-M", f"base_url={server.url}", "--world", str(small_world), "--out", "out")
        told = refusal(cli, "run", *year)
    assert "start llama-server with --jinja" in told and told.count("\n") == 1 and not Path("out").exists()
