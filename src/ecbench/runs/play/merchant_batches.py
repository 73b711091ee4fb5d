"""Batches of calls: as a merchant yields them, and as they are recorded."""

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from types import GeneratorType
from typing import Any

from ecbench.players.merchants.protocol import Play
from ecbench.ranges import quoted
from ecbench.runs.errors import MerchantFailure
from ecbench.runs.play.user_errors import failing_as
from ecbench.runs.record.schema import read_json
from ecbench.seat import Record
from ecbench.tools.arguments import DEEPEST, too_deep

MOST_CALLS = 10_000  # of a batch
LONGEST_BATCH = 16 << 20  # characters, as JSON


def next_batch(play: Play, replies: Sequence[str] | None) -> list[Record] | None:
    """A merchant's next calls, or None when it has stopped trading. Raises MerchantFailure when its code fails."""
    told = None if replies is None else [read_json(reply) for reply in replies]
    file = play.gi_code.co_filename if isinstance(play, GeneratorType) else None
    with failing_as(MerchantFailure, "the merchant failed", file):
        try:
            batch = next(play) if told is None else play.send(told)
        except StopIteration:
            return None
    try:
        return plain(batch)
    except MerchantFailure as failure:
        raise MerchantFailure(f"{failure}{_yielded_at(play)}") from failure


def _yielded_at(play: Any) -> str:
    """Where a merchant stands that has just yielded, errands that it is on included."""
    place = ""
    while isinstance(play, GeneratorType) and play.gi_frame is not None:
        place = f" ({Path(play.gi_code.co_filename).name}, line {play.gi_frame.f_lineno})"
        play = play.gi_yieldfrom
    return place


def close(play: Play) -> None:
    """The year is over for it; what a merchant does on its way out changes nothing."""
    try:
        with failing_as(MerchantFailure, "the merchant failed"):
            play.close()
    except MerchantFailure:
        pass


def plain(batch: object) -> list[Record]:
    """The calls as a record holds them, so that a year and its replay see the very same values."""
    with failing_as(MerchantFailure, "the merchant's calls cannot be read", file=""):
        if not isinstance(batch, list | tuple):
            raise MerchantFailure(f"the merchant yielded {quoted(batch)}, not a list of calls")
        calls = list(islice(batch, MOST_CALLS + 1))
        if len(calls) > MOST_CALLS:
            raise MerchantFailure(f"the merchant yielded more than {MOST_CALLS:,} calls in one batch")
        for call in calls:
            if not isinstance(call, dict):
                raise MerchantFailure(f"the merchant yielded {quoted(call)} in the place of a call")
    with failing_as(MerchantFailure, "the merchant's call cannot be written as JSON", file=""):
        text = json.dumps([{name: dict.get(call, name) for name in ("name", "arguments")} for call in calls])
        recorded: list[Record] = read_json(text)
    _check_size(recorded, text)
    return recorded


def _check_size(calls: list[Record], text: str) -> None:
    if len(text) > LONGEST_BATCH:
        raise MerchantFailure(f"the merchant's calls take {len(text):,} characters; at most {LONGEST_BATCH:,} are read")
    if text.count("[") + text.count("{") > DEEPEST and too_deep(calls):
        raise MerchantFailure(f"the merchant's call is nested more than {DEEPEST} deep")
