"""Sentences with choices in them: `[We|They] can do [it|this][|, gladly].` stands for eight sentences.

Choices nest, a seeded `Dice` makes them, and `{name}` is a field. The texts are in `data/phrases.csv`.
"""

import csv
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

from ecbench.market.draws import name_bits

T = TypeVar("T")
PHRASES = "phrases.csv"

_HALF = (1 << 32) - 1
_FACTOR = 0xF1357AEA2E62A9C5  # of a multiplicative congruential generator, the fastest that is good enough for prose
_WORD = (1 << 64) - 1
_SENTENCE_START = re.compile(r"(?:^|[.!?] )[a-z]")


def next_bits(bits: int) -> int:
    return bits * _FACTOR & _WORD


class Dice:
    """A stream of choices that begins with the bits of a name."""

    __slots__ = ("_bits",)

    def __init__(self, name: str) -> None:
        self._bits = name_bits(name)

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


@cache
def word_lists(file: str) -> dict[str, list[str]]:
    """The texts of a file in `data` by their names, in its order."""
    found: dict[str, list[str]] = {}
    with (Path(__file__).parent / "data" / file).open(encoding="utf-8", newline="") as opened:
        for row in csv.DictReader(opened):
            found.setdefault(row["name"], []).append(row["text"])
    return found


def phrases(name: str) -> Phrases:
    """The phrases of one name."""
    return Phrases(*word_lists(PHRASES)[name])


def phrases_of(kind: str) -> dict[str, Phrases]:
    """The phrases of every name that begins with a kind, by the rest of the name."""
    names = [name for name in word_lists(PHRASES) if name.startswith(f"{kind} ")]
    return {name.removeprefix(f"{kind} "): phrases(name) for name in names}


def spelled_out(text: str) -> tuple[str, ...]:
    """Every sentence that a text with choices stands for."""
    sentences, rest = _combinations(text, 0)
    if rest != len(text):
        raise ValueError(f"{text!r} has a {text[rest]!r} outside any choice, at character {rest}")
    return tuple(sentences)


def _combinations(text: str, index: int) -> tuple[list[str], int]:
    """Up to the end of the text, or of the alternative that it is in."""
    found = [""]
    while index < len(text) and text[index] not in "|]":
        if text[index] == "[":
            options, index = _alternatives(text, index)
        else:
            begun = index
            while index < len(text) and text[index] not in "[|]":
                index += 1
            options = [text[begun:index]]
        found = [before + option for before in found for option in options]
    return found, index


def _alternatives(text: str, opened: int) -> tuple[list[str], int]:
    options: list[str] = []
    index = opened
    while index < len(text) and text[index] != "]":
        more, index = _combinations(text, index + 1)
        options += more
    if index >= len(text):
        raise ValueError(f"{text!r} never closes the choice it opens at character {opened}")
    return options, index + 1


def capitalized(text: str) -> str:
    """The text with a capital at the start of every sentence."""
    return _SENTENCE_START.sub(lambda found: found[0].upper(), text)
