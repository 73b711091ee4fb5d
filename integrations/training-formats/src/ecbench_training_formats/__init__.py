"""Readers of the training formats: each reads an export by the format's own code and says what it would train on."""

import json
from pathlib import Path
from typing import Any

from datasets import load_dataset
from harbor.utils.trajectory_validator import TrajectoryValidator
from verifiers.v1.episode import WireEpisode


def atif_turns(folder: Path) -> int:
    """The agent's steps that are not copied context. Raises ValueError with what Harbor's validator finds wrong."""
    turns = 0
    for path in sorted(folder.iterdir()):
        validator = TrajectoryValidator()
        if not validator.validate(path):
            raise ValueError("; ".join(validator.errors))
        steps = json.loads(path.read_text())["steps"]
        turns += sum(step["source"] == "agent" and not step.get("is_copied_context") for step in steps)
    return turns


def verifiers_turns(folder: Path) -> int:
    """The sampled nodes of all branches; a node that two branches share would count twice."""
    turns = 0
    for line in (folder / "verifiers.jsonl").read_text().splitlines():
        for trace in WireEpisode.model_validate_json(line).traces:
            turns += sum(node.sampled for branch in trace.branches for node in branch.nodes)
    return turns


def trl_rows(folder: Path, cache: Path) -> Any:
    """The data set as TRL's scripts load it."""
    return load_dataset("json", data_files=str(folder / "trl.jsonl"), split="train", cache_dir=str(cache))
