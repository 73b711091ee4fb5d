"""Recovery of a damaged record: it is put aside with its derived files, and its whole turns stay in its place."""

import os
from itertools import count
from pathlib import Path

from ecbench.errors import RunError
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import examined, read_episode
from ecbench.runs.record.append_only_log import AppendOnlyLog
from ecbench.runs.record.atomic_write import BINARY, sync_folder, write_all
from ecbench.runs.results.checksum_manifest import CHECKSUMS, DERIVED


def recover(run: Run, episode: int) -> list[Path]:
    """What was put aside, the record first; nothing where nothing is damaged. Nothing is ever written over."""
    if not read_episode(run, episode).damage:
        return []
    path = run.events_path(episode)
    with AppendOnlyLog(path) as events:
        recording = examined(run, episode, events.read())
        if not recording.damage:  # another process has recovered it meanwhile
            return []
        if events.locked_out:
            raise RunError(f"cannot write {path}: {events.locked_out}")
        try:
            number = next(number for number in count(1) if not _aside(path, number).exists())
            _copy(_aside(path, number), recording.content)
            derived = [folder / name for folder in run.result_folders(episode) for name in (*DERIVED, CHECKSUMS)]
            made_of_it = [file for file in derived if file.exists()]
            for file in made_of_it:
                file.rename(_aside(file, number))
            sync_folder(path.parent)
            events.cut(recording.kept)
        except OSError as error:
            raise RunError(f"cannot put {path} aside: {error.strerror}; its record was not changed") from error
    return [_aside(file, number) for file in (path, *made_of_it)]


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
