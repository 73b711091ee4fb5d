"""Batches of calls: as a merchant yields them, as they are recorded, and as an episode answers them."""

import json
from collections.abc import Sequence
from pathlib import Path
from traceback import extract_tb

from ecbench.agents.protocol import Play
from ecbench.episode import Episode
from ecbench.runs.events import Record
from ecbench.runs.problems import MerchantFailure


def next_batch(play: Play, replies: Sequence[str] | None) -> list[Record] | None:
    """A merchant's next calls, or None when it has stopped trading. Raises MerchantFailure when its code fails."""
    try:
        batch = next(play) if replies is None else play.send([json.loads(reply) for reply in replies])
    except StopIteration:
        return None
    except Exception as problem:
        raise MerchantFailure(f"the merchant failed: {_told(problem)}") from problem
    return plain(batch)


def plain(batch: object) -> list[Record]:
    """The calls as a record holds them, so that a year and its replay see the very same values."""
    if not isinstance(batch, list | tuple) or not all(isinstance(call, dict) for call in batch):
        raise MerchantFailure(f"the merchant yielded {batch!r:.100}, not a list of calls")
    calls = [{"name": call.get("name"), "arguments": call.get("arguments")} for call in batch]
    try:
        recorded: list[Record] = json.loads(json.dumps(calls))
    except (TypeError, ValueError) as problem:
        raise MerchantFailure(f"the merchant's call cannot be written as JSON: {problem}") from problem
    return recorded


def answer(year: Episode, calls: Sequence[Record]) -> list[str]:
    """One reply per call; one whose arguments a model garbled fails alone and costs no time."""
    readable = [{"name": call["name"], "arguments": call["arguments"]} for call in calls if not call.get("problem")]
    replies = iter(year.act(readable) if readable else [])
    return [
        json.dumps({"error": call["problem"]}, ensure_ascii=False) if call.get("problem") else next(replies)
        for call in calls
    ]


def _told(problem: Exception) -> str:
    """The error and the line that raised it, without the stack around it."""
    frames = extract_tb(problem.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(problem).__name__}: {problem}{where}"
