"""Sentences with choices in them: `[We|They] can do [it|this][|, gladly].` stands for eight sentences.

Choices nest. `{name}` is a field filled in when the letter is written. A seeded `Dice` makes the choices.
"""

import re
from collections.abc import Sequence
from typing import TypeVar

from ecbench.digests import md5

T = TypeVar("T")

_HALF = (1 << 32) - 1
_FACTOR = 0xF1357AEA2E62A9C5  # of a multiplicative congruential generator, the fastest that is good enough for prose
_WORD = (1 << 64) - 1
_SENTENCE_START = re.compile(r"(?:^|[.!?] )[a-z]")


def bits_of(name: str) -> int:
    """64 random bits, the same for the same name."""
    return int.from_bytes(md5(name.encode()).digest()[:8], "big")


def next_bits(bits: int) -> int:
    return bits * _FACTOR & _WORD


class Dice:
    """A stream of choices that begins with the bits of a name."""

    __slots__ = ("_bits",)

    def __init__(self, name: str) -> None:
        self._bits = bits_of(name)

    def throw(self) -> int:
        self._bits = next_bits(self._bits)
        return self._bits

    def share(self) -> float:
        """Between 0 and 1, both excluded."""
        return ((self.throw() >> 12) + 0.5) / (1 << 52)

    def pick(self, options: Sequence[T]) -> T:
        return options[(self.throw() >> 32) * len(options) >> 32]


class Phrases:
    """Several ways to say a thing, each with its choices spelled out."""

    __slots__ = ("ways",)

    def __init__(self, *texts: str) -> None:
        self.ways = tuple(map(spelled_out, texts))

    def at(self, bits: int) -> str:
        """The sentence that 64 random bits choose: half of them the way, half of them its variant."""
        way = self.ways[(bits >> 32) * len(self.ways) >> 32]
        return way[(bits & _HALF) * len(way) >> 32]

    @property
    def variants(self) -> int:
        return sum(map(len, self.ways))


def spelled_out(text: str) -> tuple[str, ...]:
    """Every sentence that a text with choices stands for."""
    sentences, rest = _combinations(text, 0)
    if rest != len(text):
        raise ValueError(f"{text!r} has a {text[rest]!r} outside any choice, at character {rest}")
    return tuple(sentences)


def _combinations(text: str, place: int) -> tuple[list[str], int]:
    """Up to the end of the text, or of the alternative that it is in."""
    found = [""]
    while place < len(text) and text[place] not in "|]":
        if text[place] == "[":
            options, place = _alternatives(text, place)
        else:
            begun = place
            while place < len(text) and text[place] not in "[|]":
                place += 1
            options = [text[begun:place]]
        found = [before + option for before in found for option in options]
    return found, place


def _alternatives(text: str, opened: int) -> tuple[list[str], int]:
    options: list[str] = []
    place = opened
    while place < len(text) and text[place] != "]":
        more, place = _combinations(text, place + 1)
        options += more
    if place >= len(text):
        raise ValueError(f"{text!r} never closes the choice it opens at character {opened}")
    return options, place + 1


def capitalized(text: str) -> str:
    """The text with a capital at the start of every sentence."""
    return _SENTENCE_START.sub(lambda found: found[0].upper(), text)
