"""Salvage of a damaged record: it is put aside with its derived files, and its whole lines stay in its place."""

from contextlib import ExitStack
from itertools import count
from pathlib import Path

from ecbench.errors import RunError
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_and_check, read_episode
from ecbench.runs.record.append_only_log import AppendOnlyLog
from ecbench.runs.record.atomic_write import sync_folder, write_new_file
from ecbench.runs.record.reader import Recording
from ecbench.runs.results.derived_files import DERIVED
from ecbench.runs.signatures.signature import SIGNATURES, check_signatures, read_signatures


def salvage(run: Run, episode: int) -> list[Path]:
    """What was put aside, the record first; nothing if nothing is damaged. Nothing is ever written over.

    Of a signed run the signatures are kept as far as they are about the lines that stay.
    """
    if not _damage(run, episode, read_episode(run, episode)):
        return []
    path, signed = run.events_path(episode), run.episode_folder(episode) / SIGNATURES
    with ExitStack() as held:
        events = held.enter_context(AppendOnlyLog(path))
        recording = read_and_check(run, episode, events.read())
        if not _damage(run, episode, recording):  # another process has salvaged it meanwhile
            return []
        if events.locked_out:
            raise RunError(f"cannot write {path}: {events.locked_out}")
        logs = [(path, events, recording.content, recording.kept)]
        if run.signed is not None:
            log = held.enter_context(AppendOnlyLog(signed))
            content = log.read()
            logs.append((signed, log, content, check_signatures(run, episode, recording, content).size))
        try:
            number = next(number for number in count(1) if not _aside(path, number).exists())
            for file, _, content, _ in logs:
                write_new_file(_aside(file, number), content)
            derived = [run.episode_folder(episode) / name for name in DERIVED]
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
    """What is wrong with a record, or with the signatures beside it."""
    if recording.damage or run.signed is None:
        return recording.damage
    return check_signatures(run, episode, recording, read_signatures(run, episode)).problem


def _aside(path: Path, number: int) -> Path:
    """`events.jsonl` becomes `events.damaged-1.jsonl`."""
    return path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")
