"""How often a process that plays years looks for garbage."""

import gc

NEW_OBJECTS = 50_000
SHORT_LOOKS = (2_000, 10, 1_000)  # new objects, such looks before one at a little more, and of these before one at all


def collect_seldom() -> None:
    """Look for garbage after so many new objects, where Python looks after 700: for a process of our own.

    A year keeps most of what it makes until it ends, so looking through it again and again takes a sixth of its time
    and finds nothing. What is left lying about meanwhile is some megabytes.
    """
    gc.set_threshold(NEW_OBJECTS)


def collect_briefly() -> None:
    """For a process in which many years are open, and agents wait: a look through all of them holds up every turn.

    It looks often at what is new, which takes a few milliseconds, and at everything once in 20 million objects. A
    year that is over (`VisitedYear.leave`) and a connection that is closed leave nothing there to find.
    """
    gc.collect()
    gc.freeze()  # the program and the world, which stay
    gc.set_threshold(*SHORT_LOOKS)
