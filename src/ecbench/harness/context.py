"""What leaves the transcript of a model so that it fits a window (label app:harness_loop), and which window fits.

An assistant message leaves together with the tool messages behind it. The oldest leave first.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from ecbench.harness.messages import Call, Message
from ecbench.ranges import WINDOW, quoted

SCHEMAS = 2_862  # tokens of the tool schemas, which go with every request beside the transcript
SMALL_WINDOW = 32_000  # tokens; some replies are longer than a quarter of it
REPLY_SHARE = 8  # of a small window, for the replies to one turn: the newest two turns always stay

OVERFLOW = "window"  # of a `ModelFailure`
NONE_FITS = "no smaller --window fits"

ANSWER = 8_000  # tokens reserved for an answer with its reasoning
SMALLEST_ANSWER = 1_000
STEP = 1_000  # a suggested window is a multiple of it

# Words that precede the limit in the errors of servers, and words that follow it.
_LIMIT = re.compile(
    r"(?:(?:context|model) (?:length|size|window)|\bn_ctx\b|max_model_len|tokens allowed|(?:limit|maximum) of)"
    r"[^\d.;]{0,20}(\d[\d,_]*)"
    r"|(\d[\d,_]*)(?: tokens?)? max(?:imum)?\b",
    re.IGNORECASE,
)
_ADVISED = re.compile(r"resume --window (\d+)")
_PLAUSIBLE = range(256, 100_000_001)


@dataclass(frozen=True, slots=True)
class ContextPolicy:
    """The thresholds, in tokens, that the system message quotes to the model."""

    window: int = 128_000
    trigger: int = 120_000
    release: int = 60_000
    keep: int = 2
    replies: int | None = None  # most that the model is shown of the replies to one turn; None: no such limit

    @classmethod
    def sized(cls, window: int, trigger: int | None = None, release: int | None = None) -> "ContextPolicy":
        """Thresholds that are left out have the paper's proportions. A small window shows a share of long replies."""
        trigger = window * cls().trigger // cls().window if trigger is None else trigger
        release = window * cls().release // cls().window if release is None else release
        return cls(window, trigger, release, replies=window // REPLY_SHARE if window < SMALL_WINDOW else None)

    def to_json(self) -> dict[str, int]:
        """As a run records it: a limit that does not hold is left out."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    @classmethod
    def parse(cls, given: int | str | Mapping[str, int]) -> "ContextPolicy":
        """`WINDOW`, `WINDOW,TRIGGER,RELEASE`, or as a run records it. Raises ValueError."""
        told = quoted(dict(given) if isinstance(given, Mapping) else given)
        try:
            if isinstance(given, Mapping):
                policy = cls(**given)
            else:
                figures = [int(part) for part in str(given).split(",")]
                if len(figures) == 2:
                    raise ValueError("a trigger comes with a release")
                policy = cls.sized(*figures)
        except (TypeError, ValueError) as error:
            forms = "WINDOW or WINDOW,TRIGGER,RELEASE in tokens, or a table of window, trigger, release, keep, replies"
            raise ValueError(f"window {told} is not {forms}") from error
        nested = 0 < policy.release <= policy.trigger <= policy.window
        kept = policy.keep >= 0 and (policy.replies is None or policy.replies > 0)
        if policy.window not in WINDOW or not nested or not kept:
            raise ValueError(
                f"window {told}: window is {WINDOW}; the trigger must lie within the window and the release within the "
                f"trigger, such as 128000,120000,60000; keep is from 0 and replies from 1"
            )
        return policy


@dataclass(slots=True)
class MessageGroup:
    """A message, or a turn with calls and their results, which leave together; `start` counts all messages before."""

    start: int
    tokens: int
    messages: list[Message]


@dataclass(slots=True)
class Conversation:
    """The messages of an episode with a running total: a turn costs its own size, not the history's."""

    policy: ContextPolicy = field(default_factory=ContextPolicy)
    length: int = 0  # messages so far, the cleared ones included
    total: int = 0  # tokens of the live messages
    turns: int = 0  # answers of the model so far
    ratio: float = 1.0  # the most tokens of the model's for one of ours
    groups: list[MessageGroup] = field(default_factory=list)  # live, oldest first

    def add(self, message: Message, tokens: int) -> None:
        if message.role == "tool" and self.groups and self.groups[-1].messages[0].calls:
            self.groups[-1].messages.append(message)
            self.groups[-1].tokens += tokens
        else:
            self.groups.append(MessageGroup(self.length, tokens, [message]))
        self.length += 1
        self.total += tokens

    def amend_last(self, message: Message, grown: int) -> None:
        """Replace the newest message by one with this many tokens more."""
        self.groups[-1].messages[-1] = message
        self.groups[-1].tokens += grown
        self.total += grown

    def evict(self) -> dict[str, Any] | None:
        """One pass: the live total before, the tokens freed and the messages cleared; None if nothing leaves."""
        before, target = self.total, max(self.policy.release, self.total - self.policy.trigger)
        cleared = list[int]()
        for group in self._evictable() if before >= self.policy.trigger else ():
            if before - self.total < target:
                self.groups.remove(group)
                self.total -= group.tokens
                cleared += range(group.start, group.start + len(group.messages))
        return {"before": before, "freed": before - self.total, "cleared": cleared} if cleared else None

    @property
    def fixed_tokens(self) -> int:
        """Tokens of the live messages that no pass can evict."""
        return self.total - sum(group.tokens for group in self._evictable())

    def live(self) -> list[Message]:
        """The messages of the next request."""
        return [message for group in self.groups for message in group.messages]

    def _evictable(self) -> list[MessageGroup]:
        """All turns with results but the newest."""
        with_results = [group for group in self.groups if len(group.messages) > 1]
        return with_results[: max(0, len(with_results) - self.policy.keep)]


def evict(
    messages: Sequence[Mapping[str, Any]], trigger: int = 120_000, release: int = 60_000, keep: int = 2
) -> list[int]:
    """The indices that one pass clears; each message has role, calls (a count), tokens and cleared."""
    talk = Conversation(ContextPolicy(0, trigger, release, keep))
    for each in messages:
        talk.add(Message(each["role"], "", calls=(Call("", "", {}),) * each["calls"]), each["tokens"])
    talk.groups = [group for group in talk.groups if not messages[group.start]["cleared"]]
    talk.total = sum(group.tokens for group in talk.groups)
    return (talk.evict() or {"cleared": []})["cleared"]  # type: ignore[no-any-return]


def answer_reserve(window: int) -> int:
    """The tokens left for an answer beside a --window: a quarter of a small one, at most `ANSWER`."""
    return max(SMALLEST_ANSWER, min(ANSWER, window // 4))


def request_tokens(conversation: int, ratio: float = 1.0) -> int:
    """The tokens that a model counts in a conversation; `ratio` is its tokens for one of ours."""
    return round((conversation + SCHEMAS) * ratio)


def needed_tokens(policy: ContextPolicy, ratio: float = 1.0) -> int:
    """The largest request of a year with its answer."""
    return request_tokens(policy.trigger, ratio) + answer_reserve(policy.window)


def fitting_window(window: int, ratio: float = 1.0) -> int | None:
    """The largest --window that a model's window holds, at most the default; None if even the smallest is too large."""
    paper = ContextPolicy()
    if needed_tokens(paper, ratio) <= window:
        return paper.window
    # A smaller one is counted whole, not only up to its trigger, as vocabularies differ.
    smaller = (size for size in range(paper.window - STEP, 0, -STEP) if size in WINDOW)
    return next((size for size in smaller if request_tokens(size, ratio) + answer_reserve(size) <= window), None)


def stated_limit(message: str) -> int | None:
    """The window that an error of a server names, in tokens; None if it names none."""
    for match in _LIMIT.finditer(message):
        figure = int((match[1] or match[2]).replace(",", "").replace("_", ""))
        if figure in _PLAUSIBLE:
            return figure
    return None


def overflow_advice(problem: str, talk: Conversation) -> str:
    """What lets the year go on, behind the problem in the provider's words."""
    limit = stated_limit(problem)
    if limit is None:
        fits = talk.policy.window // 2 // STEP * STEP
    else:
        # The brief, the tools, the newest turns and an answer.
        least = request_tokens(talk.fixed_tokens, talk.ratio) + SMALLEST_ANSWER
        fits = min(fitting_window(limit, talk.ratio) or 0, talk.policy.window - STEP) if least <= limit else 0
    if fits in WINDOW:
        return f"or go on with resume --window {fits}, which is recorded; the run is then not ranked"
    return f"{NONE_FITS}; ecbench fork lets a model with a larger window play on from any day"


def advised_window(reason: str) -> int | None:
    """The window that `overflow_advice` names in the reason of an ending, which is all that a record has of it."""
    found = _ADVISED.findall(reason)
    return int(found[-1]) if found else None
