"""The first signal asks a run to stop, the second ends it at once: quietly, and with nobody left behind."""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.harness.provider import KEY, Turn, serve
from tests.runs.conftest import MERCHANTS
from tests.runs.lives import KILL, PATIENCE_SECONDS, STOPS, Death, Life
from tests.runs.test_models import NAME

from ecbench.cli.progress import STOPPING
from ecbench.cli.signals import REPEAT_SECONDS
from ecbench.world.load import load_world
from ecbench.world.world_folder import FILES

TWICE = [death for death in STOPS if len(death.signals) == 2]
INLINE, PROCESS, PROCESSES = (), ("--executor", "processes"), ("-n", "2", "-j", "2")
FOREVER = 3600.0  # seconds

Begin = Callable[..., Life]


@pytest.fixture
def begin(tmp_path: Path, small_world: Path, monkeypatch: pytest.MonkeyPatch) -> Begin:
    """Begins a run in the folder `out`; a merchant is named by its class in merchants.py."""
    monkeypatch.chdir(tmp_path)
    Path("stuck").touch()

    def run(agent: str, *options: str, out: str = "out", url: str = "", ignored: tuple[int, ...] = ()) -> Life:
        agent = f"{MERCHANTS}:{agent}" if agent.isidentifier() else agent
        keys = {"LOOPBACK_API_KEY": KEY, "LOOPBACK_BASE_URL": url}
        terms = ("--agent", agent, "--world", str(small_world), "--days", "6", "--out", out)
        return Life("run", *terms, *options, "--quiet", log=tmp_path / "log", environment=keys, ignored=ignored)

    return run


def await_stuck(life: Life, merchants: int = 1) -> None:
    wait_until(life, lambda: len(list(Path().glob("is-stuck-*"))) == merchants)


def wait_until(life: Life, happens: Callable[[], bool]) -> None:
    limit = time.monotonic() + PATIENCE_SECONDS
    while not happens():
        assert life.running and time.monotonic() < limit, life.said
        time.sleep(0.005)


def recorded(out: str, episode: int = 0) -> int:
    return events(out, episode).count(b'{"event":"turn"')


def events(out: str, episode: int = 0) -> bytes:
    path = Path(out, "episodes", str(episode), "events.jsonl")
    return path.read_bytes() if path.exists() else b""


def assert_ended_at_once(life: Life) -> None:
    assert life.end() == 130
    assert life.said.splitlines() == [STOPPING, "Continue with: ecbench resume out"]
    assert life.orphans() == []


@pytest.mark.parametrize(("agent", "twice"), list(zip(["Stuck", "Spinning", "Stuck"], TWICE)), ids=str)
@pytest.mark.parametrize("where", ["here", "in processes"])
def test_a_second_signal_ends_a_run_whose_merchant_never_yields(
    begin: Begin, where: str, agent: str, twice: Death
) -> None:
    crew = PROCESSES if agent == "Stuck" else PROCESS  # two that spin would only wait for each other
    life = begin(agent, *(INLINE if where == "here" else crew))
    await_stuck(life, 2 if where != "here" and crew == PROCESSES else 1)
    life.meet(twice)
    assert_ended_at_once(life)
    Path("stuck").unlink()
    assert Life("resume", "out", "--quiet", log=Path("log")).end() == 0
    assert begin(agent, out="whole").end() == 0
    assert events("out") == events("whole") != b""


def test_workers_do_not_outlive_a_killed_run_even_where_the_merchant_sleeps(begin: Begin) -> None:
    life = begin("Stuck", *PROCESSES)
    await_stuck(life, 2)
    assert len(life.workers()) == 2
    life.meet(KILL)
    assert life.end() == -9
    assert life.orphans() == []


@pytest.mark.parametrize("where", [INLINE, PROCESS], ids=["here", "in a process"])
def test_what_a_merchant_forks_is_stopped_as_usual_and_does_not_stop_its_run(
    begin: Begin, where: tuple[str, ...]
) -> None:
    life = begin("Parent", *where)
    assert life.end() == 0, life.said
    assert recorded("out") == 2
    assert STOPPING not in life.said


def test_an_ignored_hangup_stays_ignored(begin: Begin) -> None:
    """As nohup has it."""
    life = begin("Stuck", ignored=(signal.SIGHUP,))
    await_stuck(life)
    for _ in range(3):
        life.send(signal.SIGHUP, "group")
        assert life.lasts(0.15)
    life.meet(TWICE[0])
    assert life.end() == 130
    assert life.said.count(STOPPING) == 1


def test_one_signal_that_comes_twice_at_once_counts_once(begin: Begin) -> None:
    """Programs that start others may send a signal to a process and, with it, to its group."""
    life = begin("Dozing")
    await_stuck(life)
    for victim in ("first", "group"):
        life.send(signal.SIGTERM, victim)
    assert life.lasts(0.3)
    Path("stuck").unlink()
    assert life.end() == 130
    assert json.loads(events("out").splitlines()[-1])["seats"][0]["ending"] == "stopped"


def silent_after(answers: int) -> Callable[[dict[str, Any]], Turn]:
    """A model that answers the first so many requests and then never again."""
    asked = count()

    def script(request: dict[str, Any]) -> Turn:
        if next(asked) >= answers:
            return Turn(delay=FOREVER)
        return Turn("On with it.", (("wait_for_next_day", {}),) if request.get("tools") else ())

    return script


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_model_call_in_flight_is_given_up_at_the_first_signal(begin: Begin, jobs: int) -> None:
    with serve(silent_after(1 + 2 * jobs)) as provider:
        life = begin(NAME, "-M", f"base_url={provider.url}", "-n", str(jobs), "-j", str(jobs))
        wait_until(life, lambda: len(provider.requests) == 1 + 3 * jobs)
        life.send(signal.SIGTERM)
        assert life.end() == 130
    assert STOPPING in life.said and "Continue with: ecbench resume out" in life.said
    for episode in range(jobs):
        assert json.loads(events("out", episode).splitlines()[-1])["seats"][0]["ending"] == "stopped"


@pytest.mark.parametrize(
    ("agent", "where"),
    [("Writer", INLINE), ("Writer", PROCESS), (NAME, PROCESSES)],
    ids=["a merchant here", "a merchant in a process", "models on one loop"],
)
def test_the_first_signal_ends_a_run_whose_supplier_never_answers(
    begin: Begin, agent: str, where: tuple[str, ...]
) -> None:
    letter = {"uid": "sales@hillfarm.example", "content": "What do you sell?"}

    def script(request: dict[str, Any]) -> Turn:
        if request.get("tools"):
            return Turn(calls=(("chatbox", letter),))
        return Turn("Tea.", delay=FOREVER if "Hill Farm" in json.dumps(request) else 0.0)

    with serve(script) as provider:
        options = ("-M", f"base_url={provider.url}") if agent == NAME else ()
        life = begin(agent, *options, "--supplier-model", NAME, *where, url=provider.url)
        wait_until(life, lambda: any("Hill Farm" in json.dumps(request) for request in provider.requests))
        life.send(signal.SIGTERM)
        assert life.end() == 130
    assert STOPPING in life.said and "Continue with: ecbench resume out" in life.said
    assert "the run was stopped before the letter was written" in events("out").decode()


def test_a_signal_before_the_year_begins_ends_the_command_at_once_and_quietly(begin: Begin) -> None:
    with serve(silent_after(0)) as provider:
        life = begin(NAME, "-M", f"base_url={provider.url}")
        wait_until(life, lambda: bool(provider.requests))
        life.send(signal.SIGTERM)
        assert life.end() == 130
    assert life.said == ""
    assert not Path("out").exists()


PROGRAM = """
import fcntl, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # this terminal is now the one whose keys send signals
from ecbench.cli import main
main()
"""


@contextmanager
def on_a_terminal(*arguments: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The program itself, and the other side of its terminal."""
    screen, terminal = pty.openpty()
    command = [sys.executable, "-c", PROGRAM, *arguments]
    process = subprocess.Popen(command, stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True)
    os.close(terminal)
    try:
        yield process, screen
    finally:
        process.kill()
        process.wait()
        with suppress(OSError):
            os.close(screen)


def read_until(screen: int, text: str) -> str:
    """What the screen shows until the text is on it, the program is gone, or patience ends."""
    shown, limit = b"", time.monotonic() + PATIENCE_SECONDS
    while text.encode() not in shown and time.monotonic() < limit:
        try:
            shown += os.read(screen, 4096) if select.select([screen], [], [], 1.0)[0] else b""
        except OSError:
            break
    return shown.decode(errors="replace")


def test_ctrl_c_on_a_terminal_stops_at_the_end_of_the_turn_and_then_at_once(
    tmp_path: Path, small_world: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERM", "xterm")
    Path("stuck").touch()
    with on_a_terminal("run", "--agent", f"{MERCHANTS}:Dozing", "--world", str(small_world), "--out", "out") as (
        process,
        screen,
    ):
        assert "(day " in read_until(screen, "(day ")
        os.write(screen, b"\x03")
        assert STOPPING[:30] in read_until(screen, STOPPING[:30])
        time.sleep(2 * REPEAT_SECONDS)
        os.write(screen, b"\x03")
        last = read_until(screen, "resume out")
        assert "Continue with: ecbench resume out" in last
        assert "Traceback" not in last
        assert process.wait(PATIENCE_SECONDS) == 130


@pytest.mark.parametrize("write", [1, 3, 4])
def test_a_signal_leaves_a_world_that_is_being_written_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: int
) -> None:
    monkeypatch.chdir(tmp_path)
    few = ("--products", "300", "--suppliers", "200")
    command = ("world", "new", "--seed", "1", *few, "--out", str(tmp_path / "made"))
    life = Life(*command, log=tmp_path / "log", fatal_write=write, fatal_signal=signal.SIGTERM)
    assert life.end() == 130
    assert load_world("made").name == "seed-1"
    assert sorted(path.name for path in Path("made").iterdir()) == sorted(FILES)
