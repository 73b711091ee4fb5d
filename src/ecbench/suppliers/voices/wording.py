"""Sentences with choices in them: `[We|They] can do [it|this][|, gladly].` stands for twelve sentences.

Choices nest. `{name}` is a field that is filled in when the letter is written. A `Dice` makes the choices, so the same
seed gives the same sentence.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import md5
from math import prod
from typing import TypeVar

T = TypeVar("T")

_MIX, _STEP, _MASK = 6364136223846793005, 1442695040888963407, (1 << 64) - 1
_SENTENCE_START = re.compile(r"(?:^|[.!?] )[a-z]")


class Dice:
    """A stream of choices, seeded by what it is for. Lighter than a generator: a letter takes twenty throws."""

    __slots__ = ("_state",)

    def __init__(self, *names: object) -> None:
        self._state = int.from_bytes(md5("|".join(map(str, names)).encode()).digest()[:8], "big")

    def below(self, count: int) -> int:
        self._state = (self._state * _MIX + _STEP) & _MASK
        return (self._state >> 33) * count >> 31

    def pick(self, options: Sequence[T]) -> T:
        return options[self.below(len(options))]

    def chance(self, share: float) -> bool:
        return self.below(10_000) < share * 10_000


@dataclass(frozen=True, slots=True, eq=False)
class Wording:
    """A sentence with choices. Parsed once, worded often."""

    parts: "tuple[str | tuple[Wording, ...], ...]"  # plain stretches, and alternatives

    def word(self, dice: Dice) -> str:
        return "".join([part if isinstance(part, str) else dice.pick(part).word(dice) for part in self.parts])

    @property
    def variants(self) -> int:
        """How many ways there are to say it."""
        return prod(sum(option.variants for option in part) for part in self.parts if not isinstance(part, str))


def wording(text: str) -> Wording:
    parsed, rest = _parse(text, 0)
    if rest != len(text):
        raise ValueError(f"{text!r} has a {text[rest]!r} outside any choice, at character {rest}")
    return parsed


def _parse(text: str, place: int) -> tuple[Wording, int]:
    """Up to the end of the text, or of the alternative it stands in."""
    parts: list[str | tuple[Wording, ...]] = []
    while place < len(text) and text[place] not in "|]":
        if text[place] == "[":
            options, place = _alternatives(text, place)
            parts.append(options)
        else:
            begun = place
            while place < len(text) and text[place] not in "[|]":
                place += 1
            parts.append(text[begun:place])
    return Wording(tuple(parts)), place


def _alternatives(text: str, opened: int) -> tuple[tuple[Wording, ...], int]:
    options, place = [], opened
    while place < len(text) and text[place] != "]":
        option, place = _parse(text, place + 1)
        options.append(option)
    if place >= len(text):
        raise ValueError(f"{text!r} never closes the choice it opens at character {opened}")
    return tuple(options), place + 1


class Phrases(tuple[Wording, ...]):
    """Several ways to say a thing. The same only as themselves, which makes them a cheap key."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


def phrases(*texts: str) -> Phrases:
    return Phrases(map(wording, texts))


def sentences(text: str) -> str:
    """The text with a capital at the start of every sentence."""
    return _SENTENCE_START.sub(lambda found: found[0].upper(), text)
