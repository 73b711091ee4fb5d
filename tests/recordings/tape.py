"""What a recording holds, how it is read, and how two of them differ.

A recording keeps the literal calls of an episode, the structured content of every reply (of prose, only that it is
there), the state after every turn and the report at the end.
"""

import gzip
import hashlib
import json
from collections.abc import Iterator
from functools import cache
from math import isclose
from pathlib import Path
from typing import Any

import ecbench
from ecbench.world.model import World

FOLDER = Path(__file__).parent
NAMES = sorted(path.name.partition(".")[0] for path in FOLDER.glob("*.json.gz"))
PROSE = frozenset(
    {
        "balance_reminder",
        "challenges",
        "content",
        "error",
        "message",
        "note",
        "operating_tips",
        "order_error",
        "profit_potential",
        "reopen_note",
        "return_rate_note",
        "store_advantage",
        "strengths",
        "supplier_reply",
    }
)
LONG_REPLY = 3_000  # characters: a longer reply is kept as its digest
DECIMALS = 6

Call = dict[str, Any]
Recording = dict[str, Any]


@cache
def default_world() -> World:
    return ecbench.load_world("default")


def structured(value: Any) -> Any:
    """A reply without its wording: prose becomes whether it is there, floats lose what no two machines agree on."""
    if isinstance(value, dict):
        return {key: bool(held) if _is_prose(key, held) else structured(held) for key, held in value.items()}
    if isinstance(value, list):
        return [structured(held) for held in value]
    return round(value, DECIMALS) if isinstance(value, float) else value


def _is_prose(key: str, value: Any) -> bool:
    """A `message` of one word is a code."""
    return key in PROSE and not (key == "message" and isinstance(value, str) and " " not in value)


def kept(reply: str) -> Any:
    content = structured(json.loads(reply))
    text = json.dumps(content, sort_keys=True)
    if len(text) <= LONG_REPLY:
        return content
    return {"characters": len(text), "sha256": hashlib.sha256(text.encode()).hexdigest()}


def state(episode: ecbench.Episode) -> list[Any]:
    money = [round(amount, DECIMALS) for amount in (episode.bank, episode.wallet, episode.escrow)]
    return [episode.now.isoformat(timespec="minutes"), episode.day, *money, episode.ending]


def new_episode(recording: Recording) -> ecbench.Episode:
    return ecbench.Episode(default_world(), days=recording["days"], stake=recording["stake"])


def act(episode: ecbench.Episode, calls: list[Call]) -> Recording:
    return {"calls": calls, "replies": [kept(reply) for reply in episode.act(calls)], "state": state(episode)}


def close(episode: ecbench.Episode) -> Recording:
    episode.finish()
    return {"state": state(episode), "report": structured(episode.report())}


def replay(recording: Recording) -> Recording:
    """The same calls once more."""
    episode = new_episode(recording)
    turns = [act(episode, turn["calls"]) for turn in recording["turns"]]
    return {**recording, "turns": turns, "final": close(episode)}


def differences(want: Any, got: Any, path: str = "") -> Iterator[str]:
    if isinstance(want, dict) and isinstance(got, dict):
        for key in sorted(want.keys() | got.keys()):
            if key in want and key in got:
                yield from differences(want[key], got[key], f"{path}.{key}")
            else:
                yield f"{path}.{key}: {'missing' if key in want else 'new'}"
    elif isinstance(want, list) and isinstance(got, list):
        if len(want) != len(got):
            yield f"{path}: {len(want)} entries recorded, {len(got)} now"
        for place, (before, after) in enumerate(zip(want, got, strict=False)):
            yield from differences(before, after, f"{path}[{place}]")
    elif not _same(want, got):
        yield f"{path}: recorded {str(want)[:100]}, now {str(got)[:100]}"


def _same(want: Any, got: Any) -> bool:
    if isinstance(want, bool) or isinstance(got, bool):
        return want is got
    if isinstance(want, int | float) and isinstance(got, int | float):
        return isclose(want, got, rel_tol=1e-9, abs_tol=2 * 10**-DECIMALS)
    return bool(want == got)


def read(path: Path) -> Recording:
    with gzip.open(path) as file:
        recording: Recording = json.load(file)
    return recording


def write(path: Path, recording: Recording) -> None:
    """Byte for byte the same for the same content: no name and no time in the header."""
    text = json.dumps(recording, separators=(",", ":"), sort_keys=True)
    path.write_bytes(gzip.compress(text.encode(), compresslevel=9, mtime=0))
