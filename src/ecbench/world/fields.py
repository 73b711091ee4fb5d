"""The values in a world's files: their types, each with the rule that reading checks and messages state."""

import re
from datetime import date
from typing import Annotated, Any, get_args

from msgspec import Meta

from ecbench.agent_text import HIDDEN
from ecbench.ranges import Range

MONTHS = 12
LONGEST_ANNOUNCED = 100  # characters of a name that appears in news, which is truncated
ONE_LINE = "one line of text without spaces around it or hidden characters in it"

SEED = Range(0, 2**63 - 1, whole=True)  # up to the largest whole number that every reader of TOML takes
CAPACITY = Range(0.01, 100_000)  # units a day
DEMAND_SCALE = Range(0, 1_000, above=True)
SEASON = Range(0, 100, above=True)
EVENT_DAYS = Range(1, 366, whole=True)
EVENT_DEMAND = Range(0, 20)
DELAY = Range(0, 100, above=True)
PROMOTION_DEMAND = Range(0, 100, above=True)
BOOST = Range(0, 3, above=True)
YUAN = Range(0.01, 10_000_000)
MONTHLY_SALES = Range(0, 1_000_000)
SHARE = Range(0, 1)
RATIO = Range(0, 1, above=True)
ETA = Range(0, 10, above=True)
ORDERS = Range(1, 999_999_999, whole=True)
MOST_WINDOWS = 24


def within(range_: Range, rule: str = "") -> Meta:
    """A number of the range; `rule` says it in other words."""
    rule = rule or str(range_)
    if range_.above:
        return Meta(gt=range_.least, le=range_.most, description=rule)
    return Meta(ge=range_.least, le=range_.most, description=rule)


# One seen character; the variant of an emoji is given once, as in `agent_text`. The patterns below never go back over
# what they have read, so that a long line takes time in proportion to its length.
_SEEN = rf"[^{HIDDEN}](?<![\ufe0e\ufe0f][\ufe0e\ufe0f])"
SKU = r"\A[a-z0-9._-]{1,40}\Z"  # as an agent can write it in an offer, whose SKU is read in lower case
# As an agent can write it in a list of addresses, which spaces and commas separate.
EMAIL = r"\A[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]{1,64}@[A-Za-z0-9.-]{1,190}\Z"
SALT = r"[0-9a-f]{16,128}"  # a secret in hexadecimal digits

Prose = Annotated[str, Meta(pattern=rf"\A[ -~]*+(?:{_SEEN})*+\Z", description="text without hidden characters")]
Label = Annotated[
    str, Meta(pattern=rf"\A(?!\s)[ -~]*+(?:(?!\n){_SEEN})*+(?<!\s)\Z", min_length=1, description=ONE_LINE)
]
AnnouncedLabel = Annotated[
    Label, Meta(max_length=LONGEST_ANNOUNCED, description=f"{ONE_LINE}, of {LONGEST_ANNOUNCED} characters at most")
]
Price = Annotated[float, within(YUAN, f"a price {YUAN.bounds}")]
Share = Annotated[float, within(SHARE)]
Ratio = Annotated[float, within(RATIO)]
MonthlySales = Annotated[float, within(MONTHLY_SALES)]


class MonthDay(tuple[int, int]):
    """A month and a day that some year has; 29 February counts."""

    __slots__ = ()

    def __new__(cls, month: int, day: int) -> "MonthDay":
        return super().__new__(cls, (month, day))

    @classmethod
    def read(cls, text: object) -> "MonthDay":
        """From "MM-DD"; raises ValueError for anything else."""
        if not isinstance(text, str) or not re.fullmatch(r"[0-9]{2}-[0-9]{2}", text):
            raise ValueError
        day = date.fromisoformat(f"2000-{text}")
        return cls(day.month, day.day)

    def __str__(self) -> str:
        return f"{self[0]:02d}-{self[1]:02d}"


Windows = Annotated[
    tuple[tuple[MonthDay, MonthDay], ...],
    Meta(
        min_length=1,
        max_length=MOST_WINDOWS,
        description=f'a list of ["MM-DD", "MM-DD"], first and last day, 1 to {MOST_WINDOWS} of them',
    ),
]
Seasonality = Annotated[
    tuple[Annotated[float, within(SEASON)], ...],
    Meta(
        min_length=MONTHS,
        max_length=MONTHS,
        description=f"a list of {MONTHS} numbers, January to December, each {SEASON.bounds}",
    ),
]


def decode(kind: type, value: object) -> MonthDay:
    """What msgspec calls for a type of our own."""
    assert kind is MonthDay
    return MonthDay.read(value)


def rule_of(kind: Any) -> str:
    """What a value of a type must be, in words."""
    arguments = get_args(kind)
    for described in reversed(arguments):
        if isinstance(described, Meta) and described.description:
            return described.description
    names = ", ".join(filter(None, arguments))
    return f"empty or one of {names}" if "" in arguments else f"one of {names}"
