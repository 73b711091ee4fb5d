"""Forks in a list: each below what it was taken from."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)


def forks_below(ordered: Sequence[Item], parents: Mapping[Item, Item]) -> list[Item]:
    """In the same order, but each item that has a parent in the list behind it."""
    known, placed = set(ordered), dict[Item, None]()
    below: dict[Item, list[Item]] = {}
    for item in ordered:
        if (parent := parents.get(item)) in known:
            below.setdefault(parent, []).append(item)

    def place(item: Item) -> None:
        if item not in placed:
            placed[item] = None
            for each in below.get(item, ()):
                place(each)

    # Folders may have been renamed so that two forks name each other: then both are placed in the end.
    for item in (*(each for each in ordered if parents.get(each) not in known), *ordered):
        place(item)
    return list(placed)
