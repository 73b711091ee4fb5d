"""The context editor: what leaves the transcript, and when."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecbench.harness import evict
from ecbench.harness.context import ContextPolicy, Conversation
from ecbench.harness.messages import Call, Message, Role

CALL = Call("", "", {})
SMALL = ContextPolicy(window=1_200, trigger=1_000, release=300, keep=2)


Said = tuple[Role, int, int]
"""A message by its role, its tokens and its calls."""

OPENING: list[Said] = [("system", 50, 0), ("user", 5, 0)]


def group(tokens: int, tools: int = 1) -> list[Said]:
    results: list[Said] = [("tool", tokens, 0)] * tools
    return [("assistant", 0, tools), *results]


def conversation(said: list[Said]) -> Conversation:
    talk = Conversation(SMALL)
    for role, tokens, calls in said:
        talk.add(Message(role, "", calls=(CALL,) * calls), tokens)
    return talk


def one_pass(*said: Said) -> list[int]:
    """The indices of the messages that leave a conversation behind its opening."""
    messages = [
        {"role": role, "tokens": tokens, "calls": calls, "cleared": False} for role, tokens, calls in [*OPENING, *said]
    ]
    return evict(messages, trigger=SMALL.trigger, release=SMALL.release, keep=SMALL.keep)


@pytest.mark.parametrize(
    ("said", "cleared"),
    [
        ([*group(300), *group(300), *group(344)], []),  # 999 tokens, one below the trigger
        ([*group(200, tools=2), *group(300), *group(245)], [2, 3, 4]),  # the oldest group leaves whole
        ([*group(90_000), *group(90_000)], []),  # two groups stay however large they are
        # An overshoot larger than the release sets the target.
        ([*group(400), *group(400), *group(400), *group(700), *group(45)], [2, 3, 4, 5, 6, 7]),
        # Plain turns and reminders never leave, and calls without a reply are no group.
        ([("assistant", 5_000, 0), ("user", 5_000, 0), *group(100), *group(100), *group(100)], [4, 5]),
        ([("assistant", 900, 1), ("user", 5, 0), *group(100), *group(100), *group(100)], [4, 5]),
    ],
)
def test_the_oldest_groups_leave_until_enough_is_freed(said: list[Said], cleared: list[int]) -> None:
    assert one_pass(*said) == cleared


def test_an_amended_message_stays_in_its_group_with_its_new_tokens() -> None:
    talk = conversation([*OPENING, *group(100), *group(100), *group(100)])
    talk.amend_last(talk.live()[-1], 700)
    assert (talk.total, talk.fixed_tokens) == (1_055, 955)
    assert talk.evict() == {"before": 1_055, "freed": 100, "cleared": [2, 3]} and talk.total == 955
    assert [group.start for group in talk.groups] == [0, 1, 4, 6]


@given(st.lists(st.tuples(st.integers(0, 500), st.integers(0, 4)), max_size=30))
def test_totals_add_up_and_calls_keep_their_results(played: list[tuple[int, int]]) -> None:
    talk = conversation(OPENING)
    for tokens, tools in played:
        words: list[Said] = [("assistant", tokens, 0), ("user", 20, 0)]
        for role, size, calls in group(tokens, tools) if tools else words:
            talk.add(Message(role, "", calls=(CALL,) * calls), size)
        talk.evict()
        assert talk.total == sum(group.tokens for group in talk.groups)
        live = talk.live()
        assert sum(len(message.calls) for message in live) == sum(message.role == "tool" for message in live)
        turns = [group for group in talk.groups if len(group.messages) > 1]
        assert talk.total < SMALL.trigger or len(turns) <= SMALL.keep


def test_a_window_is_given_alone_in_the_papers_proportions_or_with_both_thresholds() -> None:
    assert ContextPolicy.parse("128000") == ContextPolicy() == ContextPolicy(128_000, 120_000, 60_000, 2)
    assert ContextPolicy.parse("64000") == ContextPolicy(64_000, 60_000, 30_000)
    assert ContextPolicy.parse("64000,56000,20000") == ContextPolicy(64_000, 56_000, 20_000)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "wide",
        "3999",
        "10000001",
        "64000,60000",
        "64000,60000,1,1",
        "64000,64001,9000",
        "64000,60000,60001",
        "64000,60000,0",
    ],
)
def test_a_window_that_cannot_be_kept_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="window"):
        ContextPolicy.parse(text)
