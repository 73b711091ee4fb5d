"""How often a process that plays years looks for garbage."""

import gc

NEW_OBJECTS = 50_000


def collect_seldom() -> None:
    """Look for garbage after so many new objects, where Python looks after 700: for a process of our own.

    A year keeps most of what it makes until it ends, so looking through it again and again takes a sixth of its time
    and finds nothing. What is left lying about meanwhile is some megabytes.
    """
    gc.set_threshold(NEW_OBJECTS)
