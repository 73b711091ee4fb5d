"""Record the episodes again, after a number has changed on purpose.

    python -m tests.recordings.record [NAME ...]

Run from the root of the project. It prints what changed; look at it before you commit it.
"""

import json
import sys
from collections.abc import Callable
from itertools import islice

from tests.recordings.callers import Chaos, Merchant
from tests.recordings.tape import FOLDER, Recording, act, close, default_world, differences, new_episode, read, write

CASTS: dict[str, tuple[Callable[[], Merchant | Chaos], int, float]] = {  # who plays, days, stake
    "pet-year": (lambda: Merchant(1, {"pet": ["Pet Supplies"]}, products=3, lot=60), 365, 100_000.0),
    "two-stores": (
        lambda: Merchant(
            2,
            {"beauty": ["Skincare & Beauty", "Beauty Devices"], "fashion": ["Women's Fashion", "Fashion Accessories"]},
            speed="fast",
            liquidate_on=70,
        ),
        120,
        100_000.0,
    ),
    "slow-freight": (
        lambda: Merchant(3, {"food_beverage": ["Snacks & Nuts", "Coffee & Beverages"]}, lot=200, speed="slow"),
        60,
        60_000.0,
    ),
    "bankrupt": (lambda: Merchant(4, {"shoes_bags": ["Bags & Luggage"]}, lot=25), 90, 4_000.0),
    "anything": (
        lambda: Chaos(5, ("toys_entertainment", "pet"), ("Gaming & Accessories", "Pet Supplies")),
        90,
        100_000.0,
    ),
    "anything-poor": (
        lambda: Chaos(6, ("sports_outdoor", "beauty"), ("Sports & Fitness", "Beauty Devices")),
        60,
        9_000.0,
    ),
}
SHOWN = 20


def record(name: str) -> Recording:
    cast, days, stake = CASTS[name]
    recording: Recording = {"name": name, "world": default_world().id, "days": days, "stake": stake}
    episode = new_episode(recording)
    turns, conversation = [], cast().turns()
    calls = next(conversation)
    while not episode.done:
        replies, turn = act(episode, calls)
        turns.append(turn)
        calls = conversation.send([json.loads(reply) for reply in replies])
    return {**recording, "turns": turns, "final": close(episode)}


def main(names: list[str]) -> None:
    for name in names or list(CASTS):
        path = FOLDER / f"{name}.json.gz"
        recording = record(name)
        if path.exists():
            changes = list(islice(differences(read(path), recording), SHOWN + 1))
            print("\n".join([f"{name}{change}" for change in changes[:SHOWN]]) or f"{name}: nothing changed")
        write(path, recording)
        print(f"{name}: {len(recording['turns'])} turns, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
