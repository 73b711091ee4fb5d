"""Forks in a list: each below what it was taken from."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)


def forks_below(ordered: Sequence[Item], parents: Mapping[Item, Item]) -> list[Item]:
    """In the same order, but each item that has a parent in the list behind it."""
    rank = {item: number for number, item in enumerate(ordered)}

    def ancestry(item: Item) -> list[int]:
        """The ranks from the first ancestor on; folders may have been renamed so that two forks name each other."""
        found = [rank[item]]
        while (parent := parents.get(item)) in rank and rank[parent] not in found:
            item = parent
            found.insert(0, rank[item])
        return found

    return sorted(ordered, key=ancestry)
