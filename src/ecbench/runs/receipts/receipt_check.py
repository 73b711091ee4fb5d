"""Receipts held against the record that they are about."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple

from ecbench.errors import DamagedRecord, RunError
from ecbench.runs.folder import Run
from ecbench.runs.receipts.receipt import (
    RECEIPTS,
    Receipt,
    SignedGroup,
    groups_to_sign,
    is_signed,
    start_sizes,
    statement_of,
)
from ecbench.runs.receipts.signing import SignedBy
from ecbench.runs.record.atomic_write import read_file
from ecbench.runs.record.reader import Recording
from ecbench.runs.record.schema import parse, typed

LATE_MOST = 1
"""Groups that a killed process leaves without a receipt: each is signed before the next one is recorded."""


class FoundReceipts(NamedTuple):
    """The receipts beside a record, up to the first thing wrong with them."""

    receipts: Sequence[Receipt]
    last_line: bytes
    size: int  # in bytes, of those that match the record
    unsigned: Sequence[SignedGroup]  # groups of the record without a receipt
    problem: str  # names the line that does not match, or says that too many are missing

    @property
    def signed(self) -> int:
        """How many bytes of the record they are about."""
        return self.receipts[-1].bytes if self.receipts else 0


def read_receipts(run: Run, episode: int) -> bytes:
    """Empty where there are none. Raises RunError."""
    path = run.episode_folder(episode) / RECEIPTS
    try:
        return read_file(path)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from error


def whole_lines(content: bytes) -> list[bytes]:
    """Without a partial last line, which a killed process leaves."""
    return [line + b"\n" for line in content.split(b"\n")[:-1]]


def examine_receipts(run: Run, episode: int, recording: Recording, content: bytes) -> FoundReceipts:
    """Hold the receipts of a signed run against its record. Receipts that end with a partial line end before it."""
    receipts, last, size, problem = list[Receipt](), b"", 0, ""
    try:
        for receipt, line in _matching(run, episode, recording, content):
            receipts.append(receipt)
            last, size = line, size + len(line)
    except DamagedRecord as found:
        problem = str(found)
    unsigned = _groups_after(recording, receipts[-1].bytes if receipts else 0)
    if not problem and len(unsigned) > LATE_MOST:
        problem = (
            f"{run.events_path(episode)}: {len(unsigned):,} groups of lines have no receipt, more than the one "
            "that a killed process leaves"
        )
    return FoundReceipts(receipts, last, size, unsigned, problem)


def _matching(run: Run, episode: int, recording: Recording, content: bytes) -> Iterator[tuple[Receipt, bytes]]:
    """The receipts and their lines up to the first that does not match, which is raised as DamagedRecord."""
    assert run.signed is not None, "only the receipts of a signed run are examined"
    where, signer, terms = run.episode_folder(episode) / RECEIPTS, run.signed, run.terms_of(episode)
    groups: Iterator[SignedGroup] = iter(())
    record, before = sha256(), b""
    for number, line in enumerate(whole_lines(content)):
        place = f"{where}, line {number + 1}"
        receipt = _read(line, place)
        _check_signer(receipt, line, signer, place)
        _check_order(receipt, episode, number, before, place)
        if number == 0 and receipt.bytes in start_sizes(recording):
            groups = groups_to_sign(recording, receipt.bytes)
        group = next(groups, None)
        if group is None:
            raise DamagedRecord(f"{place}: it is about {_about(receipt)}, which the record does not hold")
        record.update(group.lines)
        if (receipt.bytes, receipt.sha256) != (group.end, record.hexdigest()):
            raise DamagedRecord(f"{place}: the record up to {_about(receipt)} is not the one that was signed")
        if (statement := statement_of(group.lines, terms)) is None or not receipt.states(statement):
            raise DamagedRecord(f"{place}: what it says of {_about(receipt)} does not follow from the record")
        yield receipt, line
        before = line


def _groups_after(recording: Recording, signed: int) -> list[SignedGroup]:
    """The groups of a record behind those that are signed."""
    if not recording.begun:
        return []
    if signed:
        return [group for group in groups_to_sign(recording, signed) if group.end > signed]
    return list(groups_to_sign(recording, max(start_sizes(recording), default=recording.start_size)))


def _read(line: bytes, place: str) -> Receipt:
    try:
        receipt = typed(parse(line), Receipt)
    except ValueError as error:
        raise DamagedRecord(f"{place}: it is not a receipt ({error})") from error
    if not receipt.is_written_as(line):
        raise DamagedRecord(f"{place}: it is not in the form in which receipts are written")
    return receipt


def _check_signer(receipt: Receipt, line: bytes, signer: SignedBy, place: str) -> None:
    if not is_signed(line, signer.key):
        raise DamagedRecord(f"{place}: it was edited, or it was signed with another key than {signer.key}")
    if receipt.run != signer.run:
        raise DamagedRecord(f"{place}: it is a receipt of another run")


def _check_order(receipt: Receipt, episode: int, number: int, before: bytes, place: str) -> None:
    if receipt.episode != episode:
        raise DamagedRecord(f"{place}: it is a receipt of episode {receipt.episode}, not of {episode}")
    if receipt.receipt != number:
        raise DamagedRecord(
            f"{place}: receipt {receipt.receipt} stands where receipt {number} belongs; receipts are missing, repeated "
            "or out of order"
        )
    if receipt.previous != (sha256(before).hexdigest() if before else ""):
        raise DamagedRecord(f"{place}: it does not follow the receipt that stands before it")


def _about(receipt: Receipt) -> str:
    if receipt.event in ("start", "end"):
        return f"the {receipt.event} of the year"
    turn = "" if receipt.turn is None else f" {receipt.turn}"
    return f"{receipt.event}{turn} of seat {receipt.seat}"
