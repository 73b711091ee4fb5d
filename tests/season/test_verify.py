"""Proofs: a genuine folder passes, a forged one does not, and what cannot be known is said."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.cli.command import Command
from tests.run_values import changed, with_terms

from ecbench import redaction
from ecbench.runs.folder import Run, open_run
from ecbench.season.verify import verify

DAYS = "9"
NewRun = Callable[[str], Run]


@pytest.fixture
def new_run(small_world: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> NewRun:
    def play(agent: str) -> Run:
        out = tmp_path / "run"
        options = ("--world", str(small_world), "--days", DAYS, "-n", "2", "--out", str(out), "-q")
        assert Command(capsys, "run", "--agent", agent, *options).code == 0
        return open_run(out)

    return play


def test_a_merchant_of_the_package_is_asked_for_its_calls_once_more(new_run: NewRun) -> None:
    proof = verify(new_run("idle"), None)
    assert proof.holds and [line.split(",")[0] for line in proof.unproven()] == [
        "when",
        "what the other files of the folder say: anchors.json",
    ]
    assert "every call is the merchant's own: idle played the same year again" in list(proof.proven())


@pytest.mark.parametrize("known_when", ["played", "verified"])
def test_a_key_of_the_environment_changes_no_call_of_a_merchant_of_the_package(
    new_run: NewRun, known_when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address of a supplier stands in the calls, and is the value of a variable on one of two machines."""
    secrets = redaction._secrets
    known = type(secrets)()
    known.add(["sales@hillfarm.example"])
    monkeypatch.setattr(redaction, "_secrets", known if known_when == "played" else secrets)
    run = new_run("first-quote")
    assert b"sales@hillfarm.example" in run.events_path(0).read_bytes()
    monkeypatch.setattr(redaction, "_secrets", known if known_when == "verified" else secrets)
    assert verify(run, None).differences == []


def test_what_a_model_said_is_not_proven(new_run: NewRun) -> None:
    run = new_run("idle")
    terms = changed(run.terms, agent="openai/m", voice="openai/n")
    proof = verify(run, None)
    check = replace(proof.check, run=with_terms(run, terms), asked=False)
    lines = " ".join(replace(proof, check=check).unproven())
    assert (
        "openai/m made the calls: a model" in lines and "tokens" in lines and "openai/n wrote the suppliers'" in lines
    )


def test_a_run_that_is_not_of_the_season_fails_where_the_season_is_asked_for(
    new_run: NewRun, capsys: pytest.CaptureFixture[str]
) -> None:
    run = new_run("idle")
    assert Command(capsys, "verify", str(run.folder)).code == 0
    found = Command(capsys, "verify", str(run.folder), "--season", "2026-11")
    assert (
        found.code == 1
        and "NOT AS SEASON 2026-11 (practice: its seeds follow from its name) ASKS" in found.out
        and "its worlds are not those" in found.out
    )
