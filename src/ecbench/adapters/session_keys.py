"""Which token opens which year. The folder holds hashes alone, so that a host that starts again knows its agents."""

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Annotated

from msgspec import Meta, Struct

from ecbench.adapters.bearer_tokens import digest, matches, new_token
from ecbench.errors import RunError
from ecbench.runs.record.atomic_write import HELD, NO_LINK, open_file, read_open, try_lock, write_all
from ecbench.runs.record.schema import parse, typed

FILE = "keys.jsonl"


class KeyLine(Struct):
    year: Annotated[int, Meta(ge=0)]
    sha256: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]


class Keys:
    """Locked while a host runs: of two that are given the same folder, the second is refused."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        try:
            self._file = open_file(self._path, os.O_RDWR | os.O_CREAT | NO_LINK)
            try:
                try_lock(self._file)
                if sys.platform != "win32":
                    os.fchmod(self._file, 0o600)
                content = read_open(self._file, self._path)
            except OSError:
                os.close(self._file)
                raise
        except OSError as error:
            if error.errno in HELD:
                raise RunError(f"another host has its years in {folder}; give --out another folder") from error
            raise RunError(f"cannot open {self._path}: {error.strerror}") from error
        self._end = content.rfind(b"\n") + 1  # a line that was not finished was never told to anybody
        self._years = {line.sha256: line.year for line in map(_line, content[: self._end].splitlines()) if line}

    def year_of(self, token: str) -> int | None:
        """Found by its hash, so the time it takes says nothing about a token."""
        known = digest(token)
        year = self._years.get(known)
        return year if token and year is not None and matches(token, known) else None

    def accept(self, token: str, year: int) -> None:
        """A token that somebody else has made, for as long as this host runs."""
        self._years[digest(token)] = year

    def issue(self, year: int) -> str:
        """A new token; its hash is on the disk before it is told."""
        token = new_token()
        line = json.dumps({"year": year, "sha256": digest(token)}).encode() + b"\n"
        try:
            os.ftruncate(self._file, self._end)
            os.lseek(self._file, self._end, os.SEEK_SET)
            write_all(self._file, line)
            os.fsync(self._file)
        except OSError as error:
            raise RunError(f"cannot write {self._path}: {error.strerror}") from error
        self._end += len(line)
        self._years[digest(token)] = year
        return token

    def close(self) -> None:
        with suppress(OSError):
            os.close(self._file)

    def __enter__(self) -> "Keys":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _line(content: bytes) -> KeyLine | None:
    try:
        return typed(parse(content), KeyLine)
    except ValueError:
        return None
