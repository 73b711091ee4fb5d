"""The context editor: what leaves the transcript, and when."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecbench.harness import evict
from ecbench.harness.context import ContextPolicy, Conversation
from ecbench.harness.messages import Call, Message

CALL = Call("", "", {})
SMALL = ContextPolicy(window=1_200, trigger=1_000, release=300, keep=2)


def message(role: str, tokens: int, calls: int = 0) -> dict[str, Any]:
    return {"role": role, "tokens": tokens, "calls": calls, "cleared": False}


def opening() -> list[dict[str, Any]]:
    return [message("system", 50), message("user", 5)]


def group(tokens: int, tools: int = 1) -> list[dict[str, Any]]:
    return [message("assistant", 0, calls=tools), *[message("tool", tokens) for _ in range(tools)]]


def one_pass(messages: list[dict[str, Any]]) -> list[int]:
    return evict(messages, trigger=SMALL.trigger, release=SMALL.release, keep=SMALL.keep)


def test_nothing_leaves_one_token_below_the_trigger() -> None:
    messages = [*opening(), *group(300), *group(300), *group(344)]
    assert sum(m["tokens"] for m in messages) == 999
    assert one_pass(messages) == []


def test_the_oldest_group_leaves_whole_at_the_trigger() -> None:
    messages = [*opening(), *group(200, tools=2), *group(300), *group(245)]
    assert sum(m["tokens"] for m in messages) == 1_000
    assert one_pass(messages) == [2, 3, 4]


def test_two_groups_stay_however_large_they_are() -> None:
    assert one_pass([*opening(), *group(90_000), *group(90_000)]) == []


def test_an_overshoot_larger_than_the_release_sets_the_target() -> None:
    messages = [*opening(), *group(400), *group(400), *group(400), *group(700), *group(45)]
    assert sum(m["tokens"] for m in messages) - SMALL.trigger == 1_000
    assert one_pass(messages) == [2, 3, 4, 5, 6, 7]


def test_plain_turns_and_reminders_never_leave() -> None:
    messages = [*opening(), message("assistant", 5_000), message("user", 5_000)]
    messages += [*group(100), *group(100), *group(100)]
    assert one_pass(messages) == [4, 5]


def test_calls_without_a_reply_are_no_group() -> None:
    messages = [*opening(), message("assistant", 900, calls=1), message("user", 5)]
    messages += [*group(100), *group(100), *group(100)]
    assert one_pass(messages) == [4, 5]


turns = st.lists(
    st.one_of(
        st.builds(group, st.integers(0, 500), st.integers(1, 4)),
        st.builds(lambda n: [message("assistant", n), message("user", 20)], st.integers(0, 200)),
        st.builds(lambda n: [message("assistant", n, calls=2), message("user", 20)], st.integers(0, 200)),
    ),
    max_size=30,
)


@given(turns)
def test_the_running_transcript_clears_what_a_full_scan_clears(played: list[list[dict[str, Any]]]) -> None:
    scanned = opening()
    running = Conversation(SMALL)

    def say(each: dict[str, Any]) -> None:
        running.add(Message(each["role"], "", calls=(CALL,) * each["calls"]), each["tokens"])

    for each in scanned:
        say(each)
    for turn in played:
        for each in turn:
            say(each)
            scanned.append(each)
        scanned[-1]["tokens"] += 7
        running.amend_last(running.entries[-1].message, scanned[-1]["tokens"])
        cleared = one_pass(scanned)
        eviction = running.evict()
        assert (list(eviction.cleared) if eviction else []) == cleared
        assert (eviction.freed if eviction else 0) == sum(scanned[index]["tokens"] for index in cleared)
        for index in cleared:
            scanned[index]["cleared"] = True
        assert [each.index for each in running.entries] == [
            index for index, each in enumerate(scanned) if not each["cleared"]
        ]
        assert running.total == sum(each["tokens"] for each in scanned if not each["cleared"])


def test_a_window_is_given_alone_in_the_papers_proportions_or_with_both_thresholds() -> None:
    assert ContextPolicy.parse("128000") == ContextPolicy() == ContextPolicy(128_000, 120_000, 60_000, 2)
    assert ContextPolicy.parse("64000") == ContextPolicy(64_000, 60_000, 30_000)
    assert ContextPolicy.parse("64000,56000,20000") == ContextPolicy(64_000, 56_000, 20_000)


@pytest.mark.parametrize(
    "text", ["", "wide", "3999", "10000001", "64000,60000", "64000,64001,9000", "64000,60000,60001", "64000,60000,0"]
)
def test_a_window_that_cannot_be_kept_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="window"):
        ContextPolicy.parse(text)
