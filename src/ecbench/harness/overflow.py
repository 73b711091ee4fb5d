"""A conversation that outgrew the model's window: the `resume --window` that lets the year go on, or why none does."""

import re

from ecbench.harness.context import SCHEMAS, Transcript
from ecbench.harness.doctor.window_fit import SMALLEST_ANSWER, STEP, fitting_window, request_tokens, stated_limit
from ecbench.harness.messages import Message
from ecbench.ranges import WINDOW

CAUSE = "window"  # of a `ModelFailure`

NONE_FITS = "no smaller --window fits"

_FIGURE = re.compile(r"\d[\d,_]*(?= tokens)")
_ADVISED = re.compile(r"resume --window (\d+)")


def overflow_advice(problem: str, transcript: Transcript[Message], ratio: float) -> str:
    """What lets the year go on, behind the problem in the provider's words.

    `ratio` is the largest number of the model's tokens for one of ours so far. The request that failed corrects it,
    where the provider says how long it was.
    """
    limit = stated_limit(problem)
    if limit is None:
        return _advice(_smaller(transcript.policy.window // 2 // STEP * STEP))
    sent = max((int(re.sub("[,_]", "", figure)) for figure in _FIGURE.findall(problem)), default=0)
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
    return f"or go on with resume --window {window}, which is recorded and costs the run its place"
