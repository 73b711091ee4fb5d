"""Run files: the shipped ones, those of users, and the manifest of a run that is repeated."""

from pathlib import Path

import pytest
from tests.cli.command import NAME, Cli, manifest, refusal, waiting
from tests.harness.provider import Turn, serve

from ecbench.cli.program import command_called
from ecbench.cli.run_file import shipped, shipped_names
from ecbench.metrics.published import published_models

MOST_OPTIONS = 20
MINE = f"""
agent = "{NAME}"
episodes = 2
days = 2
max_turns = 30
rules = "paper"

[set]
commission = 0.1

[model]
effort = "low"
max_tokens = 1234
extra_body = {{ top_k = 20 }}
temperature = 0.5
brief = '''
Sell tea for {{days}} days.
'''
"""


def test_run_has_at_most_twenty_options_and_two_of_conduct() -> None:
    options = {str(each.name) for each in command_called("run").params if each.param_type_name == "option"}
    assert len(options - {"policy", "brief_style"}) <= MOST_OPTIONS


def test_the_shipped_files_are_the_protocol_and_the_papers_eighteen_models(cli: Cli) -> None:
    titles = {shipped(name)["title"] for name in shipped_names() if name != "paper"}
    assert titles == {model.name for model in published_models()}
    listed = cli("list", "models", "--json").json
    assert set(listed["run_files"]) == set(shipped_names())
    assert all(name in cli("list", "models").out for name in shipped_names())


def test_a_file_states_a_whole_run_and_options_win_over_it(
    cli: Cli, small_world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("mine.toml").write_text(MINE, encoding="utf-8")
    with serve(waiting) as provider:
        options = ("-M", f"base_url={provider.url}", "-M", "max_tokens=777", "--world", str(small_world))
        done = cli("run", "mine.toml", *options, "--out", "out", "--quiet")
        again = cli("run", "out/run.json", "--out", "again", "--quiet", "--no-doctor")
    assert (done.code, again.code) == (0, 0), done.err + again.err
    for stated in (manifest(), manifest("again")):
        assert [stated[key] for key in ("episodes", "days", "max_turns")] == [2, 2, 30]
        assert stated["rules"] == {"commission": 0.1}
        [seat] = stated["seats"]
        assert seat["agent"] == NAME
        model = {key: seat["model"][key] for key in ("effort", "max_tokens", "extra_body", "model_args", "brief")}
        assert model == {
            "effort": "low",
            "max_tokens": 777,
            "extra_body": {"top_k": 20},
            "model_args": {"temperature": 0.5},
            "brief": "Sell tea for {days} days.\n",
        }


def test_a_run_is_repeated_from_its_manifest_to_the_byte(cli: Cli, small_world: Path) -> None:
    begun = ("--agent", "haggler", "--world", f"{small_world},7", "--stake", "50000", "--days", "5")
    cli("run", *begun, "--quiet", "--out", "out")
    for folder, given in (("second", "out/run.json"), ("third", "out")):
        assert cli("run", given, "--quiet", "--out", folder).code == 0
        for episode in "01":
            events = f"episodes/{episode}/events.jsonl"
            assert Path(folder, events).read_bytes() == Path("out", events).read_bytes()
    products = small_world / "products.csv"
    products.write_text(products.read_text().replace("12.5", "12.6"))
    assert "is not the one of that run any more" in refusal(cli, "run", "out/run.json")
    assert cli("run", "out", "--world", str(small_world), "--quiet", "--out", "fourth").code == 0


@pytest.mark.parametrize("command", [("arena", "--seats", "idle,idle"), ("http",), ("mcp",)])
def test_a_key_without_effect_is_refused(cli: Cli, command: tuple[str, ...]) -> None:
    Path("mine.toml").write_text("episodes = 3\n")
    assert "episodes: an" in refusal(cli, *command, "mine.toml", "--out", "out")
    assert not Path("out").exists()


def test_the_papers_protocol_is_five_episodes_with_a_model_as_the_suppliers_voice(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A year of a merchant on the default world is quick, so the protocol is played whole."""
    with serve(lambda _: Turn("Good day.", ())) as provider:
        done = cli(
            *("run", "paper", "--agent", "idle", "--out", "out", "--json"),
            *("--supplier-model", NAME, "--supplier-M", f"base_url={provider.url}"),
        )
    assert done.code == 0, done.err
    stated = manifest()
    assert (stated["protocol"], stated["episodes"], stated["voice"]) == ("paper", 5, NAME)
    assert (stated["days"], stated["stake"], stated["max_turns"]) == (365, 100_000, 4_000)
    assert cli("verify", "out").code == 0
