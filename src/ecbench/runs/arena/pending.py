"""A turn that runs into the evening, on the disk until it is recorded the morning after.

Meanwhile rivals act on a market that it has changed. Where turns come from outside, the client need not be trusted to
send the same one again after a kill; and whoever looks at the round meanwhile sees the market as it is.
"""

import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ecbench.runs.arena.players import Move
from ecbench.runs.errors import RunError
from ecbench.runs.record.atomic_write import read_file, write_whole
from ecbench.runs.record.schema import parse

FILE = "pending.json"  # in the folder of a seat


@dataclass(slots=True)
class Pending:
    """The file of one seat. `durable`: it outlasts a power cut, since nobody could be asked for the turn again."""

    folder: Path
    durable: bool
    _kept: bool = True  # unknown: an earlier process may have left one

    def keep(self, turn: int, move: Move) -> None:
        content = {"turn": turn, "calls": list(move.calls), "said": move.said}
        self._kept = True
        try:
            write_whole(self.folder / FILE, json.dumps(content).encode(), sync=self.durable)
        except OSError as error:
            raise RunError(f"cannot write {self.folder / FILE}: {error.strerror}") from error

    def forget(self) -> None:
        if self._kept:
            (self.folder / FILE).unlink(missing_ok=True)
            self._kept = False


def read_pending(folder: Path, turn: int) -> Move | None:
    """The turn of that number; what is there of another one, or was not finished, is none."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        record = parse(read_file(folder / FILE))
        if record["turn"] == turn:
            return Move(record["calls"], record["said"])
    return None
