"""Thirty days through each provider's own client: evictions, faults and a kill change no request of the year."""

import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.harness.protocols.playing import WAIT, years
from tests.harness.servers.conversation import KEY, Block, Fault, Say, Talk, Think, Trouble, Turn, Use, turn
from tests.harness.servers.wire import Dialect, serve
from tests.runs.lives import Life

from ecbench.runs.folder import open_run
from ecbench.runs.play.episodes import read_episode

DAYS, KILLED = 30, 16  # the turn whose answer the process does not live to see
FAULTS: dict[int, Trouble] = {3: "rate_limit", 9: "drop", 21: "unavailable"}  # on the way to which turn
SLIPS = {
    5: turn(Think("What now?"), Say("Let me think about that for a moment.")),
    14: turn(Use("teleport", {"to": "the warehouse"}), Use("check_balance", {})),
}
WINDOW = "32000,5000,2000"  # small requests and evictions all along, and replies that are shown whole


class Scripted:
    """A run and its model. The same request gets the same answer, as often as it is sent."""

    def __init__(self, dialect: Dialect, folder: Path, faults: Mapping[int, Trouble], killed: int = 0) -> None:
        self.dialect, self.folder, self.faults, self.killed = dialect, folder, dict(faults), killed
        self.number = 0
        self.last: Talk | None = None
        self.life: Life

    def play(self) -> list[dict[str, Any]]:
        """The requests of the year; one that is sent again is listed once."""
        with serve(self.dialect, self.answer) as server:
            model = ("--agent", self.dialect.agent, "-M", f"base_url={server.url}", "--window", WINDOW)
            code = self.live("run", *model, "--days", str(DAYS), "--out", str(self.folder))
            if self.killed:
                assert code == -signal.SIGKILL
                code = self.live("resume", str(self.folder))
        assert (code, server.refusals, self.faults) == (0, [], {}), self.life.said
        asked = years(server)
        return [each for index, each in enumerate(asked) if index == 0 or each != asked[index - 1]]

    def live(self, *arguments: str) -> int:
        key = {self.dialect.key_variable: KEY}
        log = self.folder.with_suffix(".txt")
        self.life = Life(*arguments, "--quiet", log=log, environment=key)
        return self.life.end()

    def answer(self, talk: Talk) -> Turn | Fault:
        if not talk.system:
            return WAIT  # the check before a run
        if talk != self.last:
            self.number, self.last = self.number + 1, talk
            if self.number == self.killed:
                self.life.send(signal.SIGKILL)
                return Fault("drop")
            if self.number in self.faults:
                return Fault(self.faults.pop(self.number))
        return SLIPS.get(self.number) or thoughtful(self.number)


def thoughtful(number: int) -> Turn:
    """Thoughts before and between parallel calls, some of them redacted."""
    blocks: list[Block] = [Think(f"Thought {number}."), Use("check_balance", {})]
    if number % 3 == 0:
        blocks.append(Think(f"sealed {number}", redacted=True))
    return Turn((*blocks, Say(f"Turn {number}."), Use("wait_for_next_day", {"current_day": 0})))


def test_faults_and_a_kill_leave_the_requests_and_the_record_of_a_year_as_they_were(
    dialect: Dialect, tmp_path: Path
) -> None:
    plain = Scripted(dialect, tmp_path / "plain", {}).play()
    assert Scripted(type(dialect)(), tmp_path / "hurt", FAULTS, KILLED).play() == plain
    undisturbed, disturbed = (read_episode(open_run(tmp_path / name), 0).turns for name in ("plain", "hurt"))
    assert [each.replies for each in disturbed] == [each.replies for each in undisturbed]
    evictions = [each.evictions for each in disturbed]
    assert evictions == [each.evictions for each in undisturbed] and sum(map(bool, evictions)) >= 3
    assert len(plain) == len(disturbed) == DAYS + len(SLIPS)
