"""The policy of garbage collection in each kind of process: how often Python searches, and what it leaves out."""

import gc

# New objects before a search of the youngest generation, and searches of each generation before one of the next.
SELDOM = (1_000_000, 3, 3)
BRIEFLY = (2_000, 10, 1_000)
OFTEN = (2_000, 10, 10)


def collect_seldom() -> None:
    """For a process that plays years: few searches for garbage, which take a sixth of a year's time and find nothing.

    A year keeps most of what it makes until it ends, and is freed without a search (`Table.release`).
    """
    gc.set_threshold(*SELDOM)


def collect_briefly() -> None:
    """For a process that serves many open years: new objects are searched often, all once in 20 million objects."""
    gc.collect()
    gc.freeze()  # the program and the world, which stay
    gc.set_threshold(*BRIEFLY)


def collect_often() -> None:
    """For the board, which copies a year for each turn that it shows, and frees the copies that it no longer shows."""
    gc.set_threshold(*OFTEN)
