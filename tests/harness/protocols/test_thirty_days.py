"""Thirty days through each provider's own client: evictions, faults, a kill, and the merchant's money behind it all."""

import json
import signal
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.harness.patient import Patient, PatientModel
from tests.harness.servers.conversation import KEY, Fault, Say, Think, Trouble, Use, turn
from tests.harness.servers.wire import Dialect, Server, serve
from tests.runs.lives import Life, end_all

import ecbench
from ecbench.players.driver import play_year

DAYS = 30
KILLS = (16,)  # turns whose answer the process does not live to see
FAULTS: dict[int, Trouble] = {3: "rate_limit", 9: "drop", 21: "unavailable"}  # on the way to which turn
SLIPS = {
    5: turn(Think("What now?"), Say("Let me think about that for a moment.")),
    14: turn(Use("teleport", {"to": "the warehouse"}), Use("check_balance", {})),
    27: turn(Say("One more thought.")),
}
WINDOW = "32000,5000,2000"  # small requests and evictions all along, and replies that are shown whole


class Lives:
    """A run in as many processes as it takes; `out` is its folder, `behind` its model."""

    def __init__(self, dialect: Dialect, folder: Path) -> None:
        self.dialect, self.folder, self.out = dialect, folder, folder / "out"
        faults = {number: partial(Fault, trouble) for number, trouble in FAULTS.items()}
        self.behind = PatientModel(SLIPS, faults | dict.fromkeys(KILLS, self.die))
        self.life: Life | None = None
        self.codes: list[int] = []

    def die(self) -> Fault:
        """In the middle of a request."""
        assert self.life is not None
        self.life.send(signal.SIGKILL)
        return Fault("drop")

    def live(self, *arguments: str) -> None:
        environment = {self.dialect.key_variable: KEY}
        self.life = Life(*arguments, "--quiet", log=self.folder / "told.txt", environment=environment)
        self.codes.append(self.life.end())
        print(self.life.said)  # pytest shows it for a failed test

    def play(self, url: str) -> None:
        model = ("--agent", self.dialect.agent, "-M", f"base_url={url}", "--window", WINDOW)
        self.live("run", *model, "--days", str(DAYS), "--out", str(self.out))
        for _ in KILLS:
            self.live("resume", str(self.out))


@pytest.fixture(autouse=True)
def _no_life_outlives_its_test() -> Iterator[None]:
    yield
    end_all()


def events(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "episodes/0/events.jsonl").read_text(encoding="utf-8").splitlines()]


def evicted_turns(out: Path) -> set[int]:
    """Turns whose request came behind an eviction."""
    return {line["state"]["turn"] for line in events(out) if line.get("evictions")}


def test_thirty_days_earn_the_same_money(dialect: Dialect, tmp_path: Path) -> None:
    reference = ecbench.Episode(ecbench.load_world("default"), days=DAYS)
    play_year(Patient(), reference)
    lives = Lives(dialect, tmp_path)
    with serve(dialect, lives.behind) as server:
        lives.play(server.url)
    assert server.refusals == []
    assert lives.codes == [*[-signal.SIGKILL] * len(KILLS), 0]
    assert not lives.behind.slips and not lives.behind.faults
    report = json.loads((lives.out / "episodes/0/metrics.json").read_text(encoding="utf-8"))["seats"][0]
    expected = reference.report()
    del expected["negotiation"]["per_negotiation"]  # which results.db holds
    assert {name: report[name] for name in expected} == json.loads(json.dumps(expected))
    assert reference.bank + reference.wallet != 100_000
    check_requests(server, lives.out)


def check_requests(server: Server, out: Path) -> None:
    """A turn that got no answer is asked for again in the same words; only an eviction changes what was before."""
    asked = [(request, talk) for request, talk in zip(server.requests, server.talks, strict=True) if talk.system]
    repeated = {index for index, (one, next_one) in enumerate(pairwise(asked)) if one == next_one}
    assert len(repeated) == len(KILLS) + len(FAULTS)
    displaced = [talk.displaced for index, (_, talk) in enumerate(asked) if index not in repeated]
    assert len(displaced) == sum(each["event"] == "turn" for each in events(out))
    changed = {turn for turn, (before, now) in enumerate(pairwise(displaced), start=2) if before != now}
    evicted = evicted_turns(out)
    assert len(evicted) >= 3
    assert changed <= evicted
