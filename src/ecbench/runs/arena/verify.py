"""Proof of a round: recomputed from its calls, without its agents, and the files beside them compared."""

from pathlib import Path

from ecbench.runs.arena.folder import ArenaRun
from ecbench.runs.arena.play import replay_round
from ecbench.runs.errors import Divergence
from ecbench.runs.play.recorded_seat import Played
from ecbench.runs.record.atomic_write import read_file
from ecbench.runs.results.checksums import SEAL, SEALED, sealed_before
from ecbench.runs.results.derived_files import write_derived


def verify_round(run: ArenaRun, number: int, *, rebuild: bool = False) -> tuple[str, list[int]]:
    """The first difference, or none, and how many turns of each seat came out as recorded.

    With `rebuild` the files that derive from the records are written anew instead of compared.
    """
    turns = [0] * run.terms.seats
    try:
        played = replay_round(run, number, turns)
    except Divergence as difference:
        return str(difference), turns
    for seat, year in played.items():
        folder = run.seat_folder(number, seat) / "episodes" / "0"
        if rebuild:
            write_derived(folder, year.files)
        elif stray := _stray_file(folder, year):
            return stray, turns
    return "", turns


def _stray_file(folder: Path, year: Played) -> str:
    if sealed_before(folder, year.check):
        return ""  # of an earlier version, which said less; the seal vouches for them
    for name in (*SEALED, SEAL):
        path = folder / name
        try:
            if read_file(path) != year.files.get(name, "").encode():
                return f"{path} does not follow from the events; --rebuild makes it anew"
        except FileNotFoundError:
            continue
        except OSError as error:
            return f"cannot read {path}: {error.strerror}"
    return ""
