"""Killed between any two changes to the disk, a run loses at most its turn in flight and ends with the same bytes."""

import shutil
from collections.abc import Iterator
from itertools import count, pairwise
from pathlib import Path

import pytest
from tests.cli.command import Command
from tests.harness.provider import KEY, serve
from tests.runs.conftest import MERCHANTS, Diary, NewRun, Play, files_of
from tests.runs.dying import Death, dying
from tests.runs.test_models import NAME, diligent

from ecbench.cli import main
from ecbench.runs.folder import Run, open_run
from ecbench.runs.play.episodes import read_episode

Capture = pytest.CaptureFixture[str]
DAYS = 5
SLEEPER = f"{MERCHANTS}:Sleeper"


def deaths(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Iterator[tuple[int, Death]]:
    """A command that dies at its first change to the disk, at its second, and so on until it lives."""
    for step in count(1):
        with dying(monkeypatch, step) as death, pytest.raises(SystemExit):
            main([argument.format(step=step) for argument in arguments])
        yield step, death
        if not death.struck:
            return


def die_once(monkeypatch: pytest.MonkeyPatch, step: int, *arguments: str) -> None:
    with dying(monkeypatch, step), pytest.raises(SystemExit):
        main(arguments)


@pytest.fixture
def whole(new_run: NewRun, play: Play) -> dict[str, bytes]:
    run = new_run("Sleeper", days=DAYS, name="whole")
    play(run)
    return files_of(run)


def test_a_run_that_dies_at_any_change_is_resumed_to_the_same_bytes(
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    small_world: Path,
    whole: dict[str, bytes],
) -> None:
    """Its first resume dies too, each time at another place."""
    run = ("run", "--agent", SLEEPER, "--world", str(small_world), "--days", str(DAYS), "--json", "--out")
    step = 0
    for step, _ in deaths(monkeypatch, *run, str(tmp_path / "run-{step}")):
        folder = tmp_path / f"run-{step}"
        if (folder / "run.json").exists():
            die_once(monkeypatch, step * 7 % 45 + 1, "resume", str(folder), "--json")
            assert Command(capsys, "resume", str(folder), "--json").code == 0
        else:
            shutil.rmtree(folder, ignore_errors=True)  # as the command would say
            assert Command(capsys, *run, str(folder)).code == 0
        assert files_of(open_run(folder)) == whole
        assert not [path for path in folder.rglob(".*") if path.is_file()]
    assert step > 30


@pytest.fixture
def stopped(new_run: NewRun, play: Play) -> Run:
    """Its derived files tell of the third day."""
    run = new_run("Sleeper", days=DAYS, name="stopped")
    play(run, diary=Diary(stop_on_day=3))
    return run


def test_a_salvage_that_dies_at_any_change_keeps_the_damaged_record(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, stopped: Run, whole: dict[str, bytes]
) -> None:
    events = stopped.events_path(0)
    damaged = events.read_bytes().replace(b'"turn":2,', b'"turn":7,', 1)
    events.write_bytes(damaged)
    for step in count(1):
        place = shutil.copytree(stopped.folder, stopped.folder.with_name(f"copy-{step}"))
        with dying(monkeypatch, step) as death, pytest.raises(SystemExit):
            main(["resume", str(place), "--salvage", "--json"])
        assert Command(capsys, "resume", str(place), "--salvage", "--json").code == 0
        files = files_of(open_run(place))
        assert {name: files[name] for name in whole} == whole
        assert damaged in [content for name, content in files.items() if "damaged" in name]
        if not death.struck:
            break
    assert step > 25


def test_power_cut_loses_no_acknowledged_turn_of_a_model(
    monkeypatch: pytest.MonkeyPatch, new_run: NewRun, play: Play
) -> None:
    monkeypatch.setenv("LOOPBACK_API_KEY", KEY)
    with serve(diligent) as provider:
        for step in (6, 9, 14, 15):
            run = new_run(NAME, days=9, name=f"run-{step}", model={"base_url": provider.url})
            diary = Diary()
            with dying(monkeypatch, step) as death:
                play(run, diary=diary)
            death.cut_power()
            heard = [state for _, state in diary.states]
            assert read_episode(run, 0).states[: len(heard)] == heard


def test_a_power_cut_takes_at_most_the_last_day_of_a_merchant(
    monkeypatch: pytest.MonkeyPatch, new_run: NewRun, play: Play
) -> None:
    """Its first day takes many turns, which are seen to the disk together."""
    lost = 0
    for step in range(3, 60, 3):
        run = new_run(days=20, name=f"run-{step}")
        diary = Diary()
        with dying(monkeypatch, step) as death:
            play(run, diary=diary)
        written = read_episode(run, 0).states
        death.cut_power()
        heard, kept = [state for _, state in diary.states], read_episode(run, 0).states
        mornings = [state for before, state in pairwise(heard) if before.day < state.day]
        assert not mornings or len(kept) >= mornings[-1].turn
        lost += len(written) - len(kept)
    assert lost > 0  # or the day would not be the unit
