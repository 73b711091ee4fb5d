"""Years that stay in memory are kept out of the search for garbage.

A long year has some hundred thousand objects. Python would look through all of them again and again, each time for a
quarter of a second, while somebody waits for a day to be shown.
"""

import gc


def set_aside() -> None:
    """All that is there by now stays."""
    gc.freeze()


def let_go() -> None:
    """Something that was set aside is not needed any more."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
