"""Recovery of a damaged record: it is put aside with its derived files, and its whole turns stay in its place."""

import os
from contextlib import ExitStack
from itertools import count
from pathlib import Path

from ecbench.errors import RunError
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import examined, read_episode
from ecbench.runs.receipts.receipt import RECEIPTS
from ecbench.runs.receipts.receipt_check import LATE_MOST, examine_receipts, read_receipts
from ecbench.runs.record.append_only_log import AppendOnlyLog
from ecbench.runs.record.atomic_write import BINARY, sync_folder, write_all
from ecbench.runs.record.reader import Recording
from ecbench.runs.results.checksum_manifest import CHECKSUMS, DERIVED


def recover(run: Run, episode: int) -> list[Path]:
    """What was put aside, the record first; nothing where nothing is damaged. Nothing is ever written over.

    Of a signed run the receipts must match the record, so both are kept as far as they do.
    """
    if not _damage(run, episode, read_episode(run, episode)):
        return []
    path, receipts = run.events_path(episode), run.episode_folder(episode) / RECEIPTS
    with ExitStack() as held:
        events = held.enter_context(AppendOnlyLog(path))
        recording = examined(run, episode, events.read())
        if not _damage(run, episode, recording):  # another process has recovered it meanwhile
            return []
        if events.locked_out:
            raise RunError(f"cannot write {path}: {events.locked_out}")
        logs = [(path, events, recording.content, recording.kept)]
        if run.signed is not None:
            signed = held.enter_context(AppendOnlyLog(receipts))
            found = examine_receipts(run, episode, recording, content := signed.read())
            kept = max([found.signed, *(group.end for group in found.unsigned[:LATE_MOST])])
            logs = [(path, events, recording.content, kept), (receipts, signed, content, found.size)]
        try:
            number = next(number for number in count(1) if not _aside(path, number).exists())
            for file, _, content, _ in logs:
                _copy(_aside(file, number), content)
            derived = [folder / name for folder in run.result_folders(episode) for name in (*DERIVED, CHECKSUMS)]
            made_of_it = [file for file in derived if file.exists()]
            for file in made_of_it:
                file.rename(_aside(file, number))
            sync_folder(path.parent)
            for _, log, _, size in logs:
                log.cut(size)
        except OSError as error:
            raise RunError(f"cannot put {path} aside: {error.strerror}; its record was not changed") from error
    return [_aside(file, number) for file in (path, *made_of_it)]


def _damage(run: Run, episode: int, recording: Recording) -> str:
    """What is wrong with a record, or with the receipts beside it."""
    if recording.damage or run.signed is None:
        return recording.damage
    return examine_receipts(run, episode, recording, read_receipts(run, episode)).problem


def _aside(path: Path, number: int) -> Path:
    """`events.jsonl` becomes `events.damaged-1.jsonl`."""
    return path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")


def _copy(path: Path, content: bytes) -> None:
    """On the disk before the original is touched."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o666)
    try:
        write_all(file, content)
        os.fsync(file)
    except OSError:
        path.unlink()
        raise
    finally:
        os.close(file)
