"""Bearer tokens, and which year each of them opens; the run folder has hashes alone."""

import secrets
from contextlib import AbstractContextManager
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from ecbench.errors import RunError
from ecbench.runs.record.append_only_log import AppendOnlyLog
from ecbench.runs.record.atomic_write import read_file
from ecbench.runs.record.json_values import encode, parse, typed

FILE = "keys.jsonl"


def new_token() -> str:
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """A plain hash is enough: tokens on a disk are random and long."""
    return sha256(token.encode(errors="surrogateescape")).hexdigest()


def matches(token: str, known: str) -> bool:
    """Whether `known` is the digest of this token, in constant time."""
    return compare_digest(digest(token), known)


def bearer(header: str | None) -> str:
    """The token of an Authorization header; empty where there is none."""
    scheme, _, token = (header or "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


class KeyLine(Struct):
    """One token that was issued."""

    year: Annotated[int, Meta(ge=0)]
    token_sha256: Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]


class Keys(AbstractContextManager["Keys"]):
    """The tokens of a server. They are locked while it runs: a second server in the same folder is refused."""

    def __init__(self, folder: Path) -> None:
        path = folder / FILE
        self._log = AppendOnlyLog(path, attempts=1)
        try:
            path.chmod(0o600)
            lines = read_file(path).splitlines(keepends=True)
            written = [line for line in lines if line.endswith(b"\n")]  # nobody was given the token of a torn last line
            issued = [typed(parse(line), KeyLine) for line in written]
            self._log.size = sum(map(len, written))
        except (OSError, ValueError, RunError) as error:
            self.close()
            raise RunError(f"cannot read {path}: {error}") from error
        self._years = {line.token_sha256: line.year for line in issued}

    def year_of(self, token: str) -> int | None:
        """Found by its hash, so the time it takes reveals nothing about a token."""
        return self._years.get(digest(token)) if token else None

    def accept(self, token: str, year: int) -> None:
        """A token that the user chose, for as long as this server runs."""
        self._years[digest(token)] = year

    def issue(self, year: int) -> str:
        """A new token. Its hash is on the disk before the token is returned."""
        token = new_token()
        self._log.append(encode(KeyLine(year, digest(token))) + b"\n")
        self._years[digest(token)] = year
        return token

    def close(self) -> None:
        self._log.close()

    def __exit__(self, *_: object) -> None:
        self.close()
