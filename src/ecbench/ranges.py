"""Ranges of numbers: every number from outside has one, which validates it and states its bounds in words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from numbers import Integral, Real
from typing import Any

LONGEST_QUOTE = 60  # characters of a value in a message
LONGEST_TABLE = 200
LARGEST_IN_DIGITS = 2**63  # larger bounds are written as powers of ten


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers from `least` to `most`; with `above` the least itself is out, with `whole` fractions are."""

    least: float
    most: float
    above: bool = False
    whole: bool = False

    def __contains__(self, value: Any) -> bool:
        """Numbers of other libraries count as well, true and false do not."""
        kind = type(value)
        if (
            kind is not int
            and (kind is not float or self.whole)
            and not _counts(kind, Integral if self.whole else Real)
        ):
            return False
        return bool(self.least <= value <= self.most) and not (self.above and value == self.least)

    def __str__(self) -> str:
        return f"a whole number {self.bounds}" if self.whole else f"a number {self.bounds}"

    @property
    def bounds(self) -> str:
        least, most = _written(self.least), _written(self.most)
        return f"above {least}, up to {most}" if self.above else f"from {least} to {most}"

    def check(self, name: str, value: Any) -> Any:
        """The value itself; raises ValueError if it is not in the range."""
        if value not in self:
            raise ValueError(f"{name} must be {self}; got {quoted(value)}")
        return value


def _counts(kind: type, numbers: type) -> bool:
    return issubclass(kind, numbers) and kind is not bool


def quoted(value: object) -> str:
    """A value as a message shows it: one short line, whatever it is."""
    try:
        text = repr(value)
    except Exception:  # nested too deep, a number of too many digits, or an object whose repr fails
        return f"a value of type {type(value).__name__} that cannot be shown"
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}... ({len(text):,} characters)"


def plain_value(value: object) -> str:
    """A value of terms as a message shows it: a table as its keys and values, anything else quoted."""
    if isinstance(value, Mapping) and value:
        text = ", ".join(f"{name} {each}" for name, each in value.items())
        return text if len(text) <= LONGEST_TABLE else f"{text[:LONGEST_TABLE]}..."
    return "none" if value in (None, {}) else quoted(value)


def near_miss(name: str, known: Iterable[str], otherwise: str) -> str:
    """Advice on a name that is not known: the closest known ones, else `otherwise`."""
    close = get_close_matches(name, known, n=3)
    return f"did you mean {' or '.join(close)}?" if close else otherwise


def _written(bound: float) -> str:
    if bound > LARGEST_IN_DIGITS:
        return f"{bound:g}"
    return f"{bound:,}" if bound % 1 else f"{int(bound):,}"


ROWS = Range(1, 200_000, whole=True)  # of a sheet of a world
DAYS = Range(1, 36_525, whole=True)  # a century
STAKE = Range(1, 1e12)  # yuan
TURNS = Range(1, 10_000_000, whole=True)  # after which a year ends
SEATS = Range(1, 64, whole=True)  # in an arena
EPISODES = Range(1, 100_000, whole=True)
WORLDS = Range(1, 1_000, whole=True)  # of one run
JOBS = Range(1, 1_000, whole=True)
CHECK_SECONDS = Range(0.1, 1_000_000)  # for one submission
MAX_TOKENS = Range(1, 10_000_000, whole=True)  # that a model may write in one answer
TOKENS = Range(0, 10**12, whole=True)  # of one answer
DOLLARS = Range(0, 1_000_000)  # for one answer
BUDGET_DOLLARS = Range(0, 1e9, above=True)  # for a run
BUDGET_TOKENS = Range(1, 10**15, whole=True)
BUDGET_HOURS = Range(0, 87_600, above=True)  # ten years
PRICE = Range(0, 1_000_000)  # dollars per million tokens
WINDOW = Range(4_000, 10_000_000, whole=True)  # tokens of a conversation
PORT = Range(0, 65_535, whole=True)
RATE = Range(1, 100_000, whole=True)  # requests a second
SESSIONS = Range(1, 10_000, whole=True)  # years that a host keeps open
SECONDS = Range(1, 604_800, whole=True)  # to wait for an agent; a week
