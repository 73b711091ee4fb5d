"""Salvage of a damaged record: it is put aside with its derived files, and its whole lines stay in its place."""

from itertools import count
from pathlib import Path

from ecbench.errors import DamagedRecord, RunError
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_and_check, read_episode
from ecbench.runs.record.append_only_log import AppendOnlyLog
from ecbench.runs.record.atomic_write import sync_folder, write_new_file
from ecbench.runs.record.reader import Recording
from ecbench.runs.results.derived_files import DERIVED
from ecbench.runs.signatures.signature import SIGNATURE, check_signature


def salvage(run: Run, episode: int) -> list[Path]:
    """What was put aside, the record first; nothing if nothing is damaged. Nothing is ever written over.

    A signature stays if it is about lines that stay.
    """
    if not _is_damaged(run, episode, read_episode(run, episode)):
        return []
    path, folder = run.events_path(episode), run.episode_folder(episode)
    with AppendOnlyLog(path) as events:
        recording = read_and_check(run, episode, events.read())
        if not _is_damaged(run, episode, recording):  # another process has salvaged it meanwhile
            return []
        made_of_it = [folder / name for name in DERIVED]
        if _signature_is_damaged(run, episode, recording):
            made_of_it.append(folder / SIGNATURE)
        try:
            number = next(n for n in count(1) if not any(_aside(file, n).exists() for file in (path, *made_of_it)))
            write_new_file(_aside(path, number), recording.content)
            moved = [file for file in made_of_it if file.exists()]
            for file in moved:
                file.rename(_aside(file, number))
            sync_folder(folder)
            events.cut(recording.kept)
        except OSError as error:
            raise RunError(f"cannot put {path} aside: {error.strerror}; its record was not changed") from error
    return [_aside(file, number) for file in (path, *moved)]


def _is_damaged(run: Run, episode: int, recording: Recording) -> bool:
    return bool(recording.damage) or _signature_is_damaged(run, episode, recording)


def _signature_is_damaged(run: Run, episode: int, recording: Recording) -> bool:
    try:
        check_signature(run, episode, recording)
    except DamagedRecord:
        return True
    return False


def _aside(path: Path, number: int) -> Path:
    """`events.jsonl` becomes `events.damaged-1.jsonl`."""
    return path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")
