"""Writes the receipts of an episode while it is recorded. The record itself knows neither a clock nor a key."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256

from msgspec.structs import asdict

from ecbench.errors import DamagedRecord, RunError
from ecbench.runs.folder import Run
from ecbench.runs.receipts.receipt import RECEIPTS, Receipt, statement_of
from ecbench.runs.receipts.receipt_check import examine_receipts, read_receipts, whole_lines
from ecbench.runs.receipts.signing import SignedBy, SigningKey
from ecbench.runs.record.append_only_log import AppendOnlyLog
from ecbench.runs.record.reader import Recording


def signed_with(run: Run, key: SigningKey | None) -> Run:
    """The run with the key that signs its turns. Raises RunError unless it is the key that the run was begun with."""
    stated, given = run.signed.key if run.signed else None, key.public if key else None
    if stated is None and given is not None:
        raise RunError(f"{run.folder} was begun without receipts, and they cannot begin later; leave out --sign")
    if given is None and stated is not None:
        raise RunError(f"the turns of {run.folder} are signed; give --sign KEYFILE with the key {stated}")
    if given != stated:
        raise RunError(
            f"{run.folder} is signed with {stated}, and --sign gives {given}; give the key it was begun with"
        )
    return replace(run, signing_key=key)


class ReceiptWriter:
    """The receipts of an episode that is being recorded, locked while it is open."""

    def __init__(self, run: Run, episode: int, signer: SignedBy, key: SigningKey, log: AppendOnlyLog) -> None:
        self._run, self._episode, self._terms = run, episode, run.terms_of(episode)
        self._signer, self._key, self._log = signer, key, log
        self._record, self._size = sha256(), 0  # what has been signed of the record
        self._number, self._previous = 0, b""

    def catch_up(self, recording: Recording) -> None:
        """Check what is there, and sign what a killed process has left unsigned. Raises DamagedRecord."""
        found = examine_receipts(self._run, self._episode, recording, self._log.read())
        if found.problem:
            raise DamagedRecord(found.problem)
        self._log.keep(found.size)
        self._number, self._previous, self._size = len(found.receipts), found.last_line, found.signed
        self._record.update(recording.content[: self._size])
        taken_over = self._size == 0 and self._terms.fork is not None
        for group in found.unsigned:
            self.add(group.lines, sync=True, late=not taken_over)

    def add(self, lines: bytes, *, sync: bool, late: bool = False) -> None:
        """Sign a group that has been recorded."""
        statement = statement_of(lines, self._terms)
        if statement is None:
            return
        self._record.update(lines)
        self._size += len(lines)
        receipt = Receipt(
            **asdict(statement),
            receipt=self._number,
            run=self._signer.run,
            episode=self._episode,
            episodes=self._run.episodes,
            time=datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            late=late,
            bytes=self._size,
            sha256=self._record.hexdigest(),
            previous=sha256(self._previous).hexdigest() if self._previous else "",
        )
        line = receipt.line(self._key)
        self._log.append(line, sync=sync)
        self._number, self._previous = self._number + 1, line

    def sync(self) -> None:
        self._log.sync()


@contextmanager
def open_receipts(run: Run, episode: int, recording: Recording) -> Iterator[ReceiptWriter | None]:
    """The receipts of an episode whose record is locked; None where it is not signed, or all of it is.

    Raises RunError where receipts are due and the key is missing.
    """
    if run.signed is None:
        yield None
    elif run.signing_key is None:
        if not (recording.finished and _is_complete(run, episode)):
            signed_with(run, None)
        yield None
    else:
        with AppendOnlyLog(run.episode_folder(episode) / RECEIPTS) as log:
            writer = ReceiptWriter(run, episode, run.signed, run.signing_key, log)
            writer.catch_up(recording)
            yield writer


def _is_complete(run: Run, episode: int) -> bool:
    """Whether the last receipt is that of the end; `verify` checks them all."""
    lines = whole_lines(read_receipts(run, episode))
    return bool(lines) and lines[-1].startswith(b'{"event":"end"')
