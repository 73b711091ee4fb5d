"""ecbench list models, run --preset and run --protocol."""

import json
from pathlib import Path

import pytest
from tests.cli.command import Cli
from tests.harness.provider import KEY, MODEL, Turn, serve

from ecbench.cli.model_options import SupplierModelOptions
from ecbench.cli.protocol_options import ProtocolOptions, suppliers_of
from ecbench.harness.presets import paper_presets
from ecbench.metrics.published import published_models

NAME = f"openai-api/loopback/{MODEL}"
MINE = f"""
[[presets]]
name = "mine"
model = "{NAME}"
thinking = "effort"
effort = "low"
max_tokens = 1234
extra_body = {{ top_k = 20 }}
"""


def test_the_presets_are_the_papers_eighteen_models(cli: Cli) -> None:
    listed = json.loads(cli("list", "models", "--json").out)
    assert {preset["title"] for preset in listed["presets"]} == {model.name for model in published_models()}
    assert all(preset.name in cli("list", "models").out for preset in paper_presets().presets)


def test_a_preset_gives_the_options_that_the_command_leaves_open(
    cli: Cli, small_world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOOPBACK_API_KEY", KEY)
    Path("mine.toml").write_text(MINE, encoding="utf-8")
    with serve(lambda _: Turn("On with it.", (("wait_for_next_day", {}),))) as provider:
        done = cli(
            *("run", "--preset", "mine", "--presets", "mine.toml", "--base-url", provider.url, "--max-tokens", "777"),
            *("--days", "2", "--world", str(small_world), "--out", "out", "--quiet"),
        )
    assert done.code == 0, done.err
    stated = json.loads(Path("out/run.json").read_text(encoding="utf-8"))
    assert stated["preset"] == "mine"
    [seat] = stated["seats"]
    assert seat["agent"] == NAME
    assert (seat["model"]["effort"], seat["model"]["max_tokens"]) == ("low", 777)
    year = next(request for request in provider.requests if request["messages"][0]["role"] == "system")
    assert year["top_k"] == 20
    assert 777 in (year.get("max_tokens"), year.get("max_completion_tokens"))


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (("--preset", "nothing"), "there is no preset 'nothing'; there are gpt-5.6-sol-max"),
        (("--presets", "mine.toml"), "choose one with --preset NAME"),
        (("--preset", "x", "--presets", "missing.toml"), "missing.toml: No such file"),
        (("--preset", "x", "--presets", "bad.toml"), "unknown field `modle`"),
        (("--preset", "gpt-5.5", "--agent", "steady"), "--preset is for a model, and steady is a merchant"),
        (("--protocol", "papers"), "there is no protocol 'papers'; the only one is paper"),
        (("--protocol", "paper", "--days", "9", "--set", "commission=0.1"), "fixes --days, --set"),
        (("--protocol", "paper", "--episodes", "3"), "fixes --episodes"),
        (("--protocol", "paper", "--world", "seed-1"), "fixes --world"),
        (("--protocol", "paper", "--window", "64000"), "fixes --window"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(cli: Cli, given: tuple[str, ...], problem: str) -> None:
    Path("mine.toml").write_text(MINE, encoding="utf-8")
    Path("bad.toml").write_text('[[presets]]\nname = "x"\nmodle = "a/b"\n', encoding="utf-8")
    done = cli("run", *given, "--out", "out")
    assert done.code == 2
    assert problem in done.err and len(done.err.splitlines()) == 1
    assert not Path("out").exists()


def test_the_papers_protocol_is_five_episodes_with_a_model_as_the_suppliers_voice(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A year of a merchant on the default world is quick, so the protocol is played whole."""
    monkeypatch.setenv("LOOPBACK_API_KEY", KEY)
    with serve(lambda _: Turn("Good day.", ())) as provider:
        done = cli(
            *("run", "--protocol", "paper", "--agent", "idle", "--out", "out", "--json"),
            *("--supplier-model", NAME, "--supplier-base-url", provider.url),
        )
    assert done.code == 0, done.err
    stated = json.loads(Path("out/run.json").read_text(encoding="utf-8"))
    assert (stated["protocol"], stated["episodes"], stated["voice"]) == ("paper", 5, NAME)
    assert (stated["days"], stated["stake"], stated["max_turns"]) == (365, 100_000, 4_000)
    assert cli("verify", "out").code == 0
    Path("out/run.json").write_text(json.dumps(stated | {"protocol": "mine"}), encoding="utf-8")
    assert "there is no protocol 'mine'" in cli("verify", "out").out


@pytest.mark.parametrize(
    ("head", "model", "effort"),
    [
        ('supplier_model = "openai/own"\n', "openai/own", None),
        ("", paper_presets().supplier_model, paper_presets().supplier_effort),
    ],
)
def test_presets_name_the_model_that_writes_the_letters_under_the_protocol(
    tmp_path: Path, head: str, model: str, effort: str | None
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(head + MINE, encoding="utf-8")
    found = suppliers_of(ProtocolOptions("paper", "mine", file), SupplierModelOptions())
    assert (found.supplier_model, found.supplier_effort) == (model, effort)


def test_a_run_that_names_a_protocol_it_does_not_follow_is_refused(cli: Cli, small_world: Path) -> None:
    cli("run", "--agent", "idle", "--days", "3", "--world", str(small_world), "--out", "out", "--quiet")
    stated = json.loads(Path("out/run.json").read_text(encoding="utf-8"))
    Path("out/run.json").write_text(json.dumps(stated | {"protocol": "paper"}), encoding="utf-8")
    refused = cli("verify", "out")
    assert refused.code == 1
    assert "not the paper's protocol: days 3, the paper's is 365" in refused.out
