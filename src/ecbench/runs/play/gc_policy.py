"""How often a process that plays years looks for garbage."""

import gc

# New objects after which Python looks at them, such looks before one at older ones too, and of these before one at all.
SELDOM_LOOKS = (1_000_000, 3, 3)
SHORT_LOOKS = (2_000, 10, 1_000)


def collect_seldom() -> None:
    """Look for garbage after so many new objects, where Python looks after 700: for a process of our own.

    A year keeps most of what it makes until it ends, half a million objects where trade is brisk, and goes without a
    look when it is over (`RecordedTable.release`). Looking through it again and again takes a sixth of its time and finds
    nothing. What a merchant of one's own leaves lying about meanwhile is a million objects or so.
    """
    gc.set_threshold(*SELDOM_LOOKS)


def collect_briefly() -> None:
    """For a process in which many years are open, and agents wait: a look through all of them holds up every turn.

    It looks often at what is new, which takes a few milliseconds, and at everything once in 20 million objects. A
    year that is over (`RecordedTable.release`) and a connection that is closed leave nothing there to find.
    """
    gc.collect()
    gc.freeze()  # the program and the world, which stay
    gc.set_threshold(*SHORT_LOOKS)


def freeze_all() -> None:
    """Exempt everything that is in memory now from collection: years that a board shows stay for long.

    A long year has some hundred thousand objects, and looking through them takes a quarter of a second each time.
    """
    gc.freeze()


def free_frozen() -> None:
    """Collect what is garbage by now among the objects that `freeze_all` exempted."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
