"""Training formats by name, and the files that an export of each has."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from ecbench.errors import RunError
from ecbench.runs.folder import Run
from ecbench.runs.record.atomic_folder import refuse_used, write_folder
from ecbench.runs.results.export import refuse_damage
from ecbench.runs.results.training_export.atif_trajectories import SUFFIX, atif_trajectories
from ecbench.runs.results.training_export.context_windows import ExportedYear, exported_year
from ecbench.runs.results.training_export.openai_samples import openai_samples
from ecbench.runs.results.training_export.sample_facts import FindCredits, TurnCredits, no_credits
from ecbench.runs.results.training_export.trl_samples import trl_samples
from ecbench.runs.results.training_export.verifiers_episodes import verifiers_episodes

MakeSamples = Callable[[ExportedYear, TurnCredits], Iterator[Mapping[str, Any]]]
TRAINING_FORMATS: Mapping[str, MakeSamples] = {
    "openai": openai_samples,
    "trl": trl_samples,
    "atif": atif_trajectories,
    "verifiers": verifiers_episodes,
}
ALIASES = {"messages": "openai"}


def export_training(
    entries: Mapping[str, Run], folder: Path, form: str, *, whole: bool = False, credits: FindCredits = no_credits
) -> list[Path]:
    """Write the years of runs as training data into a folder that is empty or missing, each run into one of its name.

    A JSON lines file for each run, or a file for each trajectory of ATIF. Samples are written one by one, and nothing
    stays where one fails. Raises RunError, also where there is no turn to export.
    """
    form = ALIASES.get(form, form)
    refuse_used(folder)
    for run in entries.values():
        refuse_damage(run)
    return write_folder(folder, _files(entries, form, whole=whole, credits=credits))


def _files(
    entries: Mapping[str, Run], form: str, *, whole: bool, credits: FindCredits
) -> Iterator[tuple[str, Iterable[bytes]]]:
    for place, run in entries.items():
        samples = _samples(run, form, whole=whole, credits=credits)
        first = next(samples, None)
        if first is None:
            raise RunError(f"{run.folder}: not one turn is recorded, so there is nothing to export")
        if form != "atif":
            yield str(Path(place, f"{form}.jsonl")), (_line(each) for each in chain([first], samples))
            continue
        for each in chain([first], samples):
            yield str(Path(place, each["trajectory_id"] + SUFFIX)), [_line(each)]


def _samples(run: Run, form: str, *, whole: bool, credits: FindCredits) -> Iterator[Mapping[str, Any]]:
    for episode, world in run.on_their_worlds(range(run.episodes)):
        year = exported_year(run, episode, world, whole=whole)
        if year.turns:
            yield from TRAINING_FORMATS[form](year, credits(run, episode))


def _line(sample: Mapping[str, Any]) -> bytes:
    """One line of JSON. Half of a surrogate pair, which no trainer reads, becomes a question mark."""
    return json.dumps(sample, ensure_ascii=False, separators=(",", ":")).encode(errors="replace") + b"\n"
