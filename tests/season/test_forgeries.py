"""Honest folders of every kind are accepted; every kind of forgery is refused, and the refusal names what differs."""

import importlib.util
from pathlib import Path

import pytest
from forge import forged, unused
from tests.cli.test_garbled import command
from tests.season.forgeries import HARMLESS, KINDS, Kind
from tests.season.honest_folders import write_honest_folders, write_unfinished

DRAWS = 2  # of each kind


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return write_honest_folders(tmp_path_factory.mktemp("honest"))


def test_honest_folders_are_accepted(honest: dict[str, Path]) -> None:
    for name, folder in honest.items():
        code, out, err = command("verify", str(folder))
        assert code == 0, (name, out, err)


def test_a_year_that_was_stopped_is_as_recorded_and_not_over(tmp_path: Path) -> None:
    folder = write_unfinished(tmp_path)
    code, out, _ = command("verify", str(folder))
    assert code == 1 and "NOT OVER" in out and "DIFFERENT" not in out and "1 stopped and not over" in out


def test_a_models_context_is_not_left_unchecked_without_its_tokenizer(
    honest: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr("ecbench.extras.find_spec", lambda name: None if name == "tiktoken" else found(name))
    code, out, err = command("verify", str(honest["model"]))
    assert code == 2 and "pip install 'ecbench[harness]'" in err and not out
    assert command("verify", str(honest["program"]))[0] == 0


@pytest.mark.parametrize("kind", HARMLESS, ids=[kind.name for kind in HARMLESS])
def test_a_changed_file_beside_the_record_changes_nothing_that_is_verified(
    honest: dict[str, Path], tmp_path: Path, kind: Kind
) -> None:
    assert unused(kind, honest, tmp_path, DRAWS) == DRAWS


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_a_forgery_is_refused_by_the_name_of_what_differs(honest: dict[str, Path], tmp_path: Path, kind: Kind) -> None:
    assert forged(kind, honest, tmp_path, DRAWS) == DRAWS
