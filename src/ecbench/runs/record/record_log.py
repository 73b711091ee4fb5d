"""An append-only log of single records, each a line of JSON that ends in the checksum of all lines up to it.

A partial last line, which a killed process leaves, is dropped; any other line that does not match is damage.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from ecbench.errors import RunError
from ecbench.runs.record.append_only_log import ATTEMPTS, AppendOnlyLog
from ecbench.runs.record.checksums import Checksum
from ecbench.runs.record.schema import parse


class RecordLog(AbstractContextManager["RecordLog"]):
    """Locked while it is open. Raises RunError where it cannot be opened, is locked elsewhere or is damaged."""

    def __init__(self, path: Path, attempts: int = ATTEMPTS) -> None:
        self._log = AppendOnlyLog(path, attempts)
        self._sum = Checksum()
        try:
            self.records: list[dict[str, Any]] = self._read(path, self._log.read())
        except RunError:
            self.close()
            raise

    def append(self, record: Mapping[str, Any]) -> None:
        """The record is on the disk when this returns."""
        line = self._sum.close(record)
        self._log.append(line)
        self._sum.add(line)

    def close(self) -> None:
        self._log.close()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self, path: Path, content: bytes) -> list[dict[str, Any]]:
        records, kept = [], 0
        for number, line in enumerate(content.splitlines(keepends=True), start=1):
            if not line.endswith(b"\n"):
                break
            if not self._sum.matches(line):
                raise RunError(f"{path}, line {number}: it does not match its checksum, so it was edited or damaged")
            self._sum.add(line)
            kept += len(line)
            records.append(parse(line))
        self._log.keep(kept)
        return records
