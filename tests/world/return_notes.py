"""Sentences about returns that understate or overstate the band of their category."""

import re

from ecbench.world.model import Category

MANY_RETURNS = 0.20  # of the units sold: a band that reaches it is not low
FEW_RETURNS = 0.10  # a band that stays within it is not high
_LEVEL = re.compile(r"\b(?:(low|few|little|rare|rarely|seldom|hardly)|moderate|medium|(high|heavy|many|often))\b")


def contradicts_band(category: Category) -> bool:
    """Whether the sentence about returns, by its first word of a level, reads low or high against the band."""
    found = _LEVEL.search(category.return_note.lower())
    if found is None:
        return False
    low, high = found.groups()
    if low:
        return category.return_max >= MANY_RETURNS
    return high is not None and category.return_max <= FEW_RETURNS
