"""Which --window a model's window holds, and the limit in the errors of servers."""

import json

import pytest
from pydantic_ai.exceptions import ModelHTTPError

from ecbench.harness.context import SCHEMAS, ContextPolicy, fitting_window, needed_tokens, stated_limit
from ecbench.harness.provider_errors import model_failure
from ecbench.harness.tokens import count_text
from ecbench.tools import tool_schemas


def test_the_tools_have_as_many_tokens_as_is_counted_for_them() -> None:
    assert count_text(json.dumps(tool_schemas(), ensure_ascii=False)) == SCHEMAS


@pytest.mark.parametrize(
    ("window", "fits"), [(130_862, 128_000), (130_861, 119_000), (100_000, 89_000), (32_768, 23_000), (4_096, None)]
)
def test_the_largest_window_that_fits_is_suggested(window: int, fits: int | None) -> None:
    assert fitting_window(window) == fits


def test_a_vocabulary_with_more_tokens_leaves_less_room() -> None:
    window = fitting_window(65_536, ratio=1.5)
    assert window == 35_000
    assert needed_tokens(ContextPolicy.sized(window), ratio=1.5) <= 65_536


@pytest.mark.parametrize(
    ("message", "limit"),
    [
        ("This model's maximum context length is 8192 tokens. However, you requested 9,001 tokens", 8_192),
        ("request (9012 tokens) exceeds the available context size (4096 tokens), try increasing it", 4_096),
        ("prompt is too long: 210000 tokens > 200000 maximum", 200_000),
        ("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576),
        ("the model is loaded with context length of only 4096 tokens, which is not enough", 4_096),
        ("The decoder prompt (length 9000) is longer than the maximum model length of 8,192", 8_192),
        ("Prompt contains 40000 tokens, too large for model with 32768 maximum context length", 32_768),
        ("Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000", 272_000),
        ("too long", None),
        ("context length exceeded by 12 tokens", None),
    ],
)
def test_the_limit_is_read_from_the_error_of_a_server(message: str, limit: int | None) -> None:
    assert stated_limit(message) == limit


def test_an_overflow_names_the_true_window() -> None:
    why = "This model's maximum context length is 32768 tokens. " + "However, " * 100
    failure = model_failure(ModelHTTPError(400, "scripted", {"message": why}), "a/scripted", "http://127.0.0.1")
    reason = str(failure)
    assert "does not fit the model's window of 32,768 tokens" in reason
    assert reason.endswith("serve the model with a larger window")
