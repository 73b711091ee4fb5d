"""How much of a model's window a request needs, which --window fits, and what to do once the window is exceeded."""

import re
from typing import Any

from ecbench.harness.context import SCHEMAS, ContextPolicy, Transcript
from ecbench.ranges import WINDOW

CAUSE = "window"  # of a `ModelFailure`
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
_SENT = re.compile(r"\d[\d,_]*(?= tokens)")
_ADVISED = re.compile(r"resume --window (\d+)")
_PLAUSIBLE = range(256, 100_000_001)


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
    """The largest --window that a model's window holds, at most the default; None if even the smallest is too large.

    A smaller one than the default is counted whole, not only up to its trigger: vocabularies differ.
    """
    paper = ContextPolicy()
    if needed_tokens(paper, ratio) <= window:
        return paper.window
    smaller = (size for size in range(paper.window - STEP, 0, -STEP) if size in WINDOW)
    return next((size for size in smaller if request_tokens(size, ratio) + answer_reserve(size) <= window), None)


def window_advice(window: int, ratio: float = 1.0) -> str:
    """What to do about a model's window that is too small for the run."""
    fits = fitting_window(window, ratio)
    return f"run it with --window {fits} or less" if fits else "take a model with a larger window"


def stated_limit(message: str) -> int | None:
    """The window that an error of a server names, in tokens; None if it names none."""
    for match in _LIMIT.finditer(message):
        figure = int((match[1] or match[2]).replace(",", "").replace("_", ""))
        if figure in _PLAUSIBLE:
            return figure
    return None


def overflow_advice(problem: str, transcript: Transcript[Any], ratio: float) -> str:
    """What lets the year go on, behind the problem in the provider's words.

    `ratio` is the largest number of the model's tokens for one of ours so far. The request that failed corrects it,
    where the provider says how long it was.
    """
    limit = stated_limit(problem)
    if limit is None:
        return _advice(_smaller(transcript.policy.window // 2 // STEP * STEP))
    sent = max((int(re.sub("[,_]", "", figure)) for figure in _SENT.findall(problem)), default=0)
    if sent > limit:
        ratio = max(ratio, sent / (transcript.total + SCHEMAS))
    least = request_tokens(transcript.fixed_tokens, max(1.0, ratio)) + SMALLEST_ANSWER
    if least > limit:
        return _none_fits(f"brief, tools, the newest turns and an answer need about {least:,} tokens")
    fits = fitting_window(limit, ratio)
    return _advice(None if fits is None else _smaller(min(fits, transcript.policy.window - STEP)))


def advised_window(reason: str) -> int | None:
    """The window that the reason of an ending advises to go on with."""
    found = _ADVISED.search(reason)
    return int(found[1]) if found else None


def _smaller(window: int) -> int | None:
    return window if window in WINDOW else None


def _none_fits(why: str) -> str:
    return f"{NONE_FITS}: {why}; ecbench fork lets a model with a larger window play on from any day"


def _advice(window: int | None) -> str:
    if window is None:
        return _none_fits(f"the smallest is {WINDOW.least:,}, without the tools and the answer")
    return f"or go on with resume --window {window}, which is recorded; the run is then not ranked"
