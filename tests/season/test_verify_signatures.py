"""What `verify` says of signed runs: whom the signer saw play, and every way in which signatures can be wrong."""

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import pytest
from tests.cli.command import Cli, Command
from tests.harness.provider import KEY, MODEL, serve
from tests.runs.test_models import NAME, diligent
from tests.season.forger import Forger

from ecbench.runs.folder import Run, open_run
from ecbench.runs.signatures.keys import SigningKey, write_new_key
from ecbench.runs.signatures.signature import SIGNATURE

Forge = Callable[[Run], None]
NewRun = Callable[..., Run]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return partial(Command, capsys)


@pytest.fixture
def key(tmp_path: Path) -> SigningKey:
    return write_new_key(tmp_path / "key")


@pytest.fixture
def new_run(cli: Cli, key: SigningKey, small_world: Path, tmp_path: Path) -> NewRun:
    def play(*options: str, name: str = "run", sign: bool = True) -> Run:
        signed = ("--sign", str(tmp_path / "key")) if sign else ()
        given = ("--world", str(small_world), "--days", "3", "-q", "--out", str(tmp_path / name))
        assert cli("run", *(options or ("--agent", "idle")), *given, *signed).code == 0
        return open_run(tmp_path / name)

    return play


def signature(run: Run, episode: int = 0) -> Path:
    return run.episode_folder(episode) / SIGNATURE


def rewrite_manifest(run: Run, **changes: object) -> None:
    """As this version writes it; what is None is left out."""
    Forger(run.folder, Random(1)).rewrite(**changes)


def test_only_a_trusted_key_vouches_and_others_are_listed_as_not_proven(
    cli: Cli, new_run: NewRun, key: SigningKey, tmp_path: Path
) -> None:
    run = new_run("--agent", "idle", "-n", "2")
    alone = cli("verify", str(run.folder))
    assert alone.code == 0 and f"the owner of {key.public}, give it with --trust" in alone.text
    assert "vouches" not in alone.text
    for given in (key.public, str(tmp_path / "key.pub")):
        trusting = cli("verify", str(run.folder), "--trust", given)
        assert trusting.code == 0
        assert (
            f"{key.public} vouches for:" in trusting.text and "6 turns of 2 episodes, recorded from 20" in trusting.text
        )
        assert "idle: 6 turns" in trusting.text
    facts = json.loads(cli("verify", str(run.folder), "--trust", key.public, "--json").out)
    assert facts["holds"] and facts["signatures"]["trusted"]
    [idle] = facts["signatures"]["participants"].values()
    assert idle == {"name": "idle", "provider": None, "models": [], "turns": 6, "usage": {}}
    other = write_new_key(tmp_path / "other").public
    refused = cli("verify", str(run.folder), "--trust", other)
    assert refused.code == 1 and f"the run is signed with {key.public}, not with {other}" in refused.text
    assert cli("verify", str(run.folder), "--trust", other, "--trust", key.public).code == 0
    assert cli("verify", str(run.folder), "--trust", "ed25519:short").code == 2
    unsigned = new_run(name="unsigned", sign=False)
    assert cli("verify", str(unsigned.folder)).code == 0
    refused = cli("verify", str(unsigned.folder), "--trust", key.public)
    assert refused.code == 1 and "the run is not signed" in refused.text


def drop_year(run: Run) -> None:
    shutil.rmtree(run.episode_folder(1))
    rewrite_manifest(run, episodes=1)


def swap_years(run: Run) -> None:
    first, second = signature(run).read_bytes(), signature(run, 1).read_bytes()
    signature(run).write_bytes(second)
    signature(run, 1).write_bytes(first)


@pytest.mark.parametrize(
    ("forge", "message"),
    [
        (lambda run: signature(run).unlink(), "the record continues after the signed part; ecbench resume --sign"),
        (swap_years, "it is about another run or episode"),
        (drop_year, "the run had 2 episodes when this one was signed; now it has 1"),
        (
            lambda run: rewrite_manifest(run, signed=None),
            f"{SIGNATURE} is a record or a signature that run.json does not count",
        ),
        (
            lambda run: rewrite_manifest(run, signed={"key": "ed25519:" + "A" * 43, "run": "0" * 32}),
            "another key than ed25519:AAAA",
        ),
    ],
)
def test_signatures_that_are_missing_mixed_or_without_their_signer_fail(
    cli: Cli, new_run: NewRun, forge: Forge, message: str
) -> None:
    run = new_run("--agent", "idle", "-n", "2")
    forge(run)
    found = cli("verify", str(run.folder))
    assert found.code == 1 and message in found.text and "vouches" not in found.text


def test_a_models_provider_id_and_usage_are_what_the_signer_vouches_for(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, new_run: NewRun, key: SigningKey
) -> None:
    monkeypatch.setenv("LOOPBACK_API_KEY", KEY)
    with serve(diligent) as provider:
        run = new_run("--agent", NAME, "-M", f"base_url={provider.url}")
    facts = json.loads(cli("verify", str(run.folder), "--trust", key.public, "--json").out)
    [played] = facts["signatures"]["participants"].values()
    assert (played["provider"], played["models"]) == ("openai-api", [MODEL])
    [metrics] = json.loads((run.episode_folder(0) / "metrics.json").read_text())["seats"]
    assert played["usage"] == metrics["run"]["usage"] and played["usage"]["output_tokens"] > 0
    assert any(MODEL in line and "output tokens" in line for line in facts["vouched"])
    assert any(f"was asked at {provider.url}" in line for line in facts["vouched"])
    assert not any("made the calls" in line for line in facts["not_proven"])
    without = json.loads(cli("verify", str(run.folder), "--json").out)
    assert any("made the calls" in line for line in without["not_proven"]) and without["vouched"] == []


def test_what_the_calls_do_not_prove_the_signatures_do(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, new_run: NewRun
) -> None:
    """Tokens are forged with digests that hold, and every file is derived from them; only the signature knows."""
    monkeypatch.setenv("LOOPBACK_API_KEY", KEY)
    with serve(diligent) as provider:
        run = new_run("--agent", NAME, "-M", f"base_url={provider.url}")
    with Forger(run.folder, Random()).edited(0) as lines:
        lines[2]["message"]["usage"]["output_tokens"] += 1
    differences = json.loads(cli("verify", str(run.folder), "--json").out)["differences"]
    assert len(differences) == 1 and "the record is not the one that was signed" in differences[0]
    signature(run).unlink()
    rewrite_manifest(run, signed=None)
    assert cli("verify", str(run.folder)).code == 0


def test_a_fork_does_not_inherit_the_signers_word(cli: Cli, new_run: NewRun, key: SigningKey, tmp_path: Path) -> None:
    original = new_run()
    fork = ("fork", str(original.folder), "--day", "1", "--agent", "idle", "-q")
    assert cli(*fork, "--sign", str(tmp_path / "key"), "--out", str(tmp_path / "fork")).code == 0
    found = cli("verify", str(tmp_path / "fork"), "--trust", key.public)
    assert found.code == 0 and "idle: 2 turns" in found.text
    assert "signatures of another run do not count here" in found.text
    assert cli(*fork, "--out", str(tmp_path / "plain")).code == 0
    assert cli("verify", str(tmp_path / "plain"), "--trust", key.public).code == 1
