"""The patient merchant as a server's model: what it does without one between, it must do with one."""

import json
from collections.abc import Callable, Mapping

from tests.harness.patient import Patient
from tests.harness.servers.conversation import Block, Fault, Say, Talk, Think, Turn, Use, turn

import ecbench
from ecbench.players.merchants.protocol import Reply


class PatientModel:
    """The same request gets the same answer, as often as it is sent.

    By the number of the merchant's turn: `slips` are said before it, `faults` happen on the way to it.
    """

    def __init__(self, slips: Mapping[int, Turn], faults: Mapping[int, Callable[[], Fault]]) -> None:
        self.slips, self.faults = dict(slips), dict(faults)
        self.turn = 0
        self._play = Patient().play(ecbench.tool_schemas())
        self._owed: tuple[str, ...] = ()  # results that the merchant has not seen because of a slip
        self._last: tuple[Talk, Turn] | None = None

    def __call__(self, talk: Talk) -> Turn | Fault:
        if not talk.system:
            return turn(Say("OK."))  # the check before a run
        if self._last is not None and self._last[0] == talk:
            return self._last[1]
        fault = self.faults.pop(self.turn, None)
        if fault is not None:
            return fault()
        said, results = self.slips.pop(self.turn, None), self._owed or talk.results
        self._owed = results if said else ()
        said = said or self._merchants_turn(results)
        self._last = talk, said
        return said

    def _merchants_turn(self, results: tuple[str, ...]) -> Turn:
        """Thoughts before, between and behind parallel calls, some of them redacted."""
        batch = self._play.send([read(result) for result in results]) if self.turn else next(self._play)
        first, *others = [Use(each["name"], each["arguments"]) for each in batch]
        self.turn += 1
        blocks: list[Block] = [Think(f"Thought {self.turn}."), first]
        if self.turn % 3 == 0:
            blocks.append(Think(f"sealed {self.turn}", redacted=True))
        blocks += [Say(f"Turn {self.turn}."), *others[:1]]
        if len(others) > 1:
            blocks += [Think(f"Second thought {self.turn}."), *others[1:]]
        return Turn(tuple(blocks))


def read(result: str) -> Reply:
    reply: Reply = json.loads(result.partition("\n<system_warning>")[0])
    return reply
