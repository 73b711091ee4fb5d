"""The policy of garbage collection in each kind of process: how often Python searches, and what it leaves out."""

import gc

# New objects before a search of the youngest generation, and searches of each generation before one of the next.
SELDOM = (1_000_000, 3, 3)
BRIEFLY = (2_000, 10, 1_000)
OFTEN = (2_000, 10, 10)


def collect_seldom() -> None:
    """For a process that plays years: Python itself searches after 700 new objects.

    A year keeps most of what it makes until it ends, half a million objects where trade is brisk, and is freed without
    a search when it is over (`Table.release`). Searching it over and over takes a sixth of its time and finds nothing.
    The garbage of a user's merchant may meanwhile grow to a million objects.
    """
    gc.set_threshold(*SELDOM)


def collect_briefly() -> None:
    """For a process that serves many open years to waiting agents: a search of everything delays every turn.

    New objects are searched often, which takes a few milliseconds, and everything once in 20 million objects. A year
    that is over and a connection that is closed leave nothing for the search.
    """
    gc.collect()
    gc.freeze()  # the program and the world, which stay
    gc.set_threshold(*BRIEFLY)


def collect_often() -> None:
    """For the board, which copies a year for each turn that it shows, and frees the copies that it no longer shows."""
    gc.set_threshold(*OFTEN)
