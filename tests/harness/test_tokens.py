"""Counting in Qwen's vocabulary."""

import pytest

from ecbench.harness.messages import Call, Message
from ecbench.harness.tokens import count_message, count_text


def test_known_texts_count_as_in_qwens_vocabulary() -> None:
    # "hello", " world", "!" and the digits one by one
    assert count_text("hello world!") == 3
    assert count_text("2026") == 4
    assert count_text("") == 0


def test_a_special_token_counts_once() -> None:
    assert count_text("<|im_start|>") == 1


def test_composed_and_decomposed_letters_count_alike() -> None:
    assert count_text("cafe\u0301") == count_text("caf\u00e9")


def test_a_line_break_ends_a_piece_so_counts_of_lines_add_up() -> None:
    reply = '{"stores": ["Beauty", 12.50], "note": "ok"}\n'
    gauge = "<system_warning>Token usage: 108593/128000 tokens (84%); 19407 remaining</system_warning>"
    assert count_text(reply + gauge) == count_text(reply) + count_text(gauge)


def test_very_long_texts_and_runs_are_counted() -> None:
    sentence = "The kettle is out of stock.\n"
    assert count_text(sentence * 80_000) == pytest.approx(80_000 * count_text(sentence), rel=1e-3)
    for run in (" ", "a", "\n", "-"):
        assert 0 < count_text(run * 300_000) < 300_000


def test_a_message_weighs_its_text_its_calls_and_its_reasoning() -> None:
    calls = (Call("call_1", "withdraw", {"amount": 250}),)
    message = Message("assistant", "Cash first.", reasoning="The bank runs low.", calls=calls)
    parts = ("Cash first.", '[{"name": "withdraw", "arguments": {"amount": 250}}]', "The bank runs low.")
    assert count_message(message) == sum(map(count_text, parts))
