"""A key that is known is in no text that is recorded, acted on or printed."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.command import NAME, TRADER, WAIT, Cli, agent, refusal, turns_so_far, write_merchant
from tests.harness.provider import KEY, Fault, Turn, quoting, serve

from ecbench import redaction
from ecbench.redaction import REDACTED, protect, redacted, redacted_json


@pytest.fixture(autouse=True)
def _without_other_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redaction, "_secrets", type(redaction._secrets)())


@pytest.fixture
def year(small_world: Path) -> tuple[str, ...]:
    """Options of a short year in the folder `out`."""
    return ("--world", str(small_world), "--days", "4", "--out", "out")


def everything_in(folder: Path) -> str:
    return "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    "echo",
    [
        pytest.param(Turn(f"My key is {KEY}.", WAIT), id="in the message"),
        pytest.param(Turn("", WAIT, reasoning=f"They use {KEY}"), id="in the reasoning"),
        pytest.param(Turn("", (("wait_for_next_day", {KEY: {"deep": [KEY]}}),)), id="in the name of an argument"),
        pytest.param(Turn("", ((f"tool_{KEY}", {}), *WAIT)), id="in the name of a tool"),
        pytest.param(Fault(400, body={"error": {"message": f"wrong key {KEY}"}}), id="in an error"),
        pytest.param(Fault(400, body={"error": {"message": "x" * 140 + KEY}}), id="where an error is cut"),
    ],
)
def test_a_key_that_a_provider_echoes_is_recorded_and_printed_nowhere(
    cli: Cli, year: tuple[str, ...], echo: Turn | Fault
) -> None:
    """What was redacted is what was acted on, so the record still verifies."""

    def script(request: dict[str, Any]) -> Turn | Fault:
        return echo if turns_so_far(request) == 1 else Turn("On.", WAIT)

    with serve(script) as provider:
        done = cli("run", *agent(provider), *year)
    said = everything_in(Path("out")) + done.out + done.err
    assert done.code == isinstance(echo, Fault)
    assert KEY[:14] not in said and REDACTED in said
    assert all(KEY not in json.dumps(request) for request in provider.requests)
    if done.code == 0:
        assert cli("verify", "out").code == 0


def test_a_key_that_a_suppliers_model_echoes_is_in_no_letter(
    cli: Cli, year: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(quoting(f"My price is in the figures, {KEY}.")) as provider:
        monkeypatch.setenv("LOOPBACK_BASE_URL", provider.url)
        cli("run", "--agent", TRADER, *year, "--supplier-model", NAME)
    said = everything_in(Path("out"))
    assert KEY not in said and f"in the figures, {REDACTED}." in said


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_key_in_the_error_of_a_merchant_is_not_recorded(cli: Cli, year: tuple[str, ...], jobs: str) -> None:
    """With two jobs, workers record the years."""
    write_merchant("leaky.py", "raise RuntimeError(os.environ['LOOPBACK_API_KEY'])", above="import os\n")
    done = cli("run", "--agent", "leaky.py:Mine", *year, "--traceback", "-n", "2", "-j", jobs)
    said = everything_in(Path("out")) + done.out + done.err
    assert KEY not in said and f"RuntimeError: {REDACTED}" in said


@pytest.mark.parametrize(
    "option",
    [
        ("-M", f"api_key={KEY}"),
        ("-M", f'default_headers={{"Authorization": "Bearer {KEY}"}}'),
        ("-M", f'servers=[{{"x-api-key": "{KEY}"}}]'),
        ("-M", f"base_url=http://127.0.0.1:9/v1?api-key={KEY}"),
        ("-M", f'extra_body={{"user": "{KEY}"}}'),
    ],
)
def test_options_with_a_key_are_refused_before_anything_is_written(cli: Cli, option: tuple[str, str]) -> None:
    said = refusal(cli, "run", "--agent", NAME, *option, "--out", "out")
    assert "run folder" in said and KEY not in said
    assert not Path("out").exists()


def test_only_what_can_be_a_key_is_redacted() -> None:
    protect("none", "placeholder", "not-needed", "2026-01-01", "1234567", "sk-abc12", "Bearer sk-abc12345/=")
    words = "none placeholder not-needed 2026-01-01 1234567 Bearer"
    assert redacted(words) == words
    assert redacted("sk-abc12345/= sk-abc12345%2F%3D sk-abc12x") == f"{REDACTED} {REDACTED} {REDACTED}x"
    assert redacted_json({"sk-abc12": [1, None, ("sk-abc12",)]}) == {REDACTED: [1, None, [REDACTED]]}
