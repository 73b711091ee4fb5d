"""The tools of a forger who knows the format: a changed record is chained anew, with digests that hold.

What lies beside the records is left as it is: `verify` uses none of it, which the harmless kinds of `forgeries` show.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from ecbench.runs.folder import Run, open_run
from ecbench.runs.record.chain import FIRST, chained
from ecbench.runs.record.json_values import encode

Line = dict[str, Any]


@dataclass(frozen=True)
class Forger:
    """A copy of an honest run folder, and the tools to change it."""

    folder: Path
    draws: Random

    @property
    def run(self) -> Run:
        return open_run(self.folder)

    @property
    def manifest(self) -> Line:
        found: Line = json.loads((self.folder / "run.json").read_bytes())
        return found

    def lines(self, episode: int = 0) -> list[Line]:
        return [json.loads(line) for line in self.run.events_path(episode).read_bytes().splitlines()]

    def write(self, lines: Iterable[Line], episode: int = 0) -> None:
        """The record with every digest computed anew."""
        head, chain = FIRST, []
        for line in lines:
            record = {name: value for name, value in line.items() if name != "sha256"}
            written, head = chained(encode(record), head)
            chain.append(written)
        self.run.events_path(episode).write_bytes(b"".join(chain))

    @contextmanager
    def edited(self, episode: int | None = None) -> Iterator[list[Line]]:
        """The lines of an episode's record, of any if none is given, which are written as they are left."""
        chosen = self.draws.randrange(self.run.episodes) if episode is None else episode
        lines = self.lines(chosen)
        yield lines
        self.write(lines, chosen)

    def rewrite(self, **fields: Any) -> None:
        """Other fields of run.json; one that is None is left out."""
        stated = {name: value for name, value in (self.manifest | fields).items() if fields.get(name, "") is not None}
        (self.folder / "run.json").write_text(json.dumps(stated, indent=2) + "\n")

    def state(self, **terms: Any) -> None:
        """Other terms, in run.json and in every start line."""
        self.rewrite(**terms)
        for episode in range(self.manifest["episodes"]):
            first, *rest = self.lines(episode)
            self.write([first | {name: value for name, value in terms.items() if name in first}, *rest], episode)

    def pick(self, lines: list[Line], *events: str) -> Line:
        return self.draws.choice([line for line in lines if line["event"] in events])

    def pick_within(self, lines: list[Line], name: str) -> Line:
        """One of the calls, outcomes or evictions of a record."""
        found: Line = self.draws.choice([each for line in lines for each in line.get(name, ())])
        return found

    def file(self, name: str) -> Path:
        """A file of any year."""
        return self.run.episode_folder(self.draws.randrange(self.run.episodes)) / name
