"""Which world a reset begins on: a named one, or a fresh one that is drawn from seeds."""

from collections.abc import Sequence

from numpy.random import Generator


class WorldChoice:
    """Raises ValueError where there is neither a world nor a seed to draw."""

    def __init__(self, world: str | None, seeds: Sequence[int]) -> None:
        if world is None and not seeds:
            raise ValueError("give a world, or seeds of worlds to draw from")
        self.named = world or "default"
        self._seeds = None if world is not None else seeds

    def draw(self, random: Generator) -> int | None:
        """The seed of a fresh world; None where the named one is played."""
        return None if self._seeds is None else int(self._seeds[int(random.integers(len(self._seeds)))])
