"""What the body of a request may contain. What does not fit is refused with what would."""

from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from ecbench.adapters.serving.asgi import RequestRefused
from ecbench.gate import Call, TurnRefused, admit, whole_text
from ecbench.harness.brief import BriefStyle
from ecbench.house_rules import SHIPPED
from ecbench.ranges import DAYS, STAKE, quoted
from ecbench.rules import DEFAULT_RULES, DEFAULT_SET, rule_set

LONGEST_TEXT = 10_000  # characters of a person's words that are recorded
NO_POLICY = "none"

Name = Annotated[str, Meta(min_length=1, max_length=200)]
Days = Annotated[int, Meta(ge=int(DAYS.least), le=int(DAYS.most))]
Asked = dict[str, Any]


class Body(Struct, frozen=True, forbid_unknown_fields=True):
    """A field that is not read would be ignored silently, so there is none."""


class Empty(Body, frozen=True):
    """Of a change that has no terms."""


class AgentRun(Body, frozen=True):
    """A run of an agent."""

    agent: Name = "steady"
    world: Name = "default"
    days: Days | None = None  # None: as many as the world has
    stake: float = DEFAULT_RULES.stake

    def __post_init__(self) -> None:
        if self.world.startswith(("-", ".")) or any(mark in self.world for mark in "/\\\0"):
            raise ValueError("world is the name of a shipped world, or seed-N")
        if self.stake not in STAKE:
            raise ValueError(f"stake is {STAKE}, not {quoted(self.stake)}")


class NewGame(AgentRun, frozen=True):
    """A year of a person; a challenge or a code states all of its terms."""

    rivals: Annotated[str, Meta(max_length=2_000)] = ""  # names with commas between; none for a year alone
    rules: str = DEFAULT_SET
    policy: str = NO_POLICY
    brief_style: BriefStyle = "neutral"

    def __post_init__(self) -> None:
        super().__post_init__()
        rule_set(self.rules)  # raises ValueError for a name that is not known
        if self.policy not in (NO_POLICY, *SHIPPED):
            raise ValueError(f"policy is one of {', '.join((NO_POLICY, *SHIPPED))}, not {quoted(self.policy)}")


class KnownGame(Body, frozen=True):
    """The challenge of the day, or a game that somebody sent: it leaves nothing to choose."""

    game: Literal["challenge"] | UnsetType = UNSET
    code: Name | UnsetType = UNSET


class Branch(Body, frozen=True):
    """Who continues a year, and from which day."""

    agent: Name = "steady"
    day: Annotated[int, Meta(ge=0, le=int(DAYS.most))] = 0


class ReviewTerms(Body, frozen=True):
    """How thorough a review is."""

    quick: bool = True


class PageCall(Body, frozen=True):
    """A call; pages send no other fields than these."""

    name: str
    arguments: dict[str, Any] | UnsetType = UNSET


class PersonsTurn(Body, frozen=True):
    """The calls of a turn, what the person says with it, and after how many turns the page makes it."""

    calls: Annotated[list[PageCall], Meta(min_length=1, max_length=200)]
    text: str = ""
    after: Annotated[int, Meta(ge=0)] | None = None

    def admitted(self) -> list[Call]:
        """The calls through the gate. A page sends only calls that can be read."""
        try:
            calls = admit(msgspec.to_builtins(self.calls))
        except TurnRefused as problem:
            raise RequestRefused(400, str(problem)) from problem
        if problems := [call["problem"] for call in calls if "problem" in call]:
            raise RequestRefused(400, problems[0])
        return calls

    @property
    def words(self) -> str:
        return whole_text(self.text[:LONGEST_TEXT])


Kind = TypeVar("Kind", bound=Body)


def read_body(kind: type[Kind], asked: Asked) -> Kind:
    """Raises RequestRefused for a body of another form."""
    try:
        return msgspec.convert(asked, kind)
    except msgspec.ValidationError as problem:
        fields = ", ".join(kind.__struct_fields__)
        may_have = f"the body may have {fields}" if fields else "the body is an empty object, {}"
        raise RequestRefused(400, f"{problem}; {may_have}") from problem
