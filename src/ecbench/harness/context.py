"""The context editor: whole tool-call groups leave the transcript, oldest first (label app:harness_loop).

A group is an assistant message with tool calls and the consecutive tool messages behind it. It is dropped as
a unit because every provider refuses a tool message without the call it answers. Plain assistant turns,
reminders, the system message and the first user turn belong to no group and therefore stay.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from ecbench.harness.messages import Call, Message
from ecbench.ranges import WINDOW, quoted

SCHEMAS = 2_862  # tokens of the tool schemas, which go with every request beside the transcript
SMALL_WINDOW = 32_000  # tokens; some replies are longer than a quarter of it
REPLY_SHARE = 8  # of a small window, for the replies to one turn: the newest two turns always stay
FIRST_EVICTABLE = 2  # behind the system message and the first user turn


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
            policy = cls(**given) if isinstance(given, Mapping) else cls.sized(*map(int, f"{given}".split(",")))
        except (TypeError, ValueError) as error:
            forms = "WINDOW or WINDOW,TRIGGER,RELEASE in tokens, or a table of window, trigger, release, keep, replies"
            raise ValueError(f"window {told} is not {forms}") from error
        if policy.window not in WINDOW or policy.keep < 0 or (policy.replies is not None and policy.replies < 1):
            raise ValueError(f"window {told}: window is {WINDOW}, keep from 0 and replies from 1")
        if not 0 < policy.release <= policy.trigger <= policy.window:
            raise ValueError(
                f"window {told}: the trigger must lie within the window and the release within the trigger, "
                f"such as 128000,120000,60000"
            )
        return policy


@dataclass(slots=True)
class ToolCallGroup:
    """Messages `start` to `stop - 1`, which are evicted together."""

    start: int
    stop: int
    tokens: int


@dataclass(slots=True)
class Entry:
    """One live message: its index in the whole conversation, and its tokens."""

    index: int
    tokens: int
    message: Message


@dataclass(frozen=True, slots=True)
class Eviction:
    """One pass: the live total before it, the tokens it freed, and the messages it cleared."""

    before: int
    freed: int
    cleared: list[int]


@dataclass(slots=True)
class Conversation:
    """The messages of an episode with a running total: a turn costs its own size, not the history's."""

    policy: ContextPolicy = field(default_factory=ContextPolicy)
    length: int = 0  # messages so far, the cleared ones included
    total: int = 0  # tokens of the live messages
    turns: int = 0  # answers of the model so far
    ratio: float = 1.0  # the most tokens of the model's for one of ours
    entries: list[Entry] = field(default_factory=list)
    groups: deque[ToolCallGroup] = field(default_factory=deque)  # live, oldest first
    _open: ToolCallGroup | None = None  # calls still waiting for their first tool message

    def add(self, message: Message, tokens: int) -> None:
        index = self.length
        self.entries.append(Entry(index, tokens, message))
        self.length += 1
        self.total += tokens
        if message.role == "tool":
            if self._open is not None:
                self.groups.append(self._open)
            if self.groups and self.groups[-1].stop == index:
                self.groups[-1].stop += 1
                self.groups[-1].tokens += tokens
        opens = message.calls and index >= FIRST_EVICTABLE
        self._open = ToolCallGroup(index, index + 1, tokens) if opens else None

    def amend_last(self, message: Message, tokens: int) -> None:
        """Replace the newest message; it stays in its group."""
        last = self.entries[-1]
        grown = tokens - last.tokens
        last.tokens, last.message = tokens, message
        self.total += grown
        group = self._open or (self.groups[-1] if self.groups else None)
        if group is not None and group.stop == self.length:
            group.tokens += grown

    def evict(self) -> Eviction | None:
        """One pass, before a model call; None if nothing was evicted."""
        before, policy, cleared, freed = self.total, self.policy, list[int](), 0
        if before < policy.trigger:
            return None
        target = max(policy.release, before - policy.trigger)
        while freed < target and len(self.groups) > policy.keep:
            group = self.groups.popleft()
            cleared += range(group.start, group.stop)
            freed += group.tokens
        if not cleared:
            return None
        gone = set(cleared)
        self.entries = [entry for entry in self.entries if entry.index not in gone]
        self.total -= freed
        return Eviction(before, freed, cleared)

    @property
    def fixed_tokens(self) -> int:
        """Tokens of the live messages that no pass can evict."""
        clearable = list(self.groups)[: max(0, len(self.groups) - self.policy.keep)]
        return self.total - sum(group.tokens for group in clearable)

    def live(self) -> list[Message]:
        """The messages of the next request."""
        return [entry.message for entry in self.entries]


def evict(
    messages: Sequence[Mapping[str, Any]], trigger: int = 120_000, release: int = 60_000, keep: int = 2
) -> list[int]:
    """The indices that one pass clears; each message has role, calls (a count), tokens and cleared."""
    talk = Conversation(ContextPolicy(0, trigger, release, keep))
    for each in messages:
        talk.add(Message(each["role"], "", calls=(Call("", "", {}),) * each["calls"]), each["tokens"])
    talk.groups = deque([group for group in talk.groups if not messages[group.start]["cleared"]])
    talk.total = sum(each["tokens"] for each in messages if not each["cleared"])
    cleared = talk.evict()
    return [] if cleared is None else cleared.cleared
