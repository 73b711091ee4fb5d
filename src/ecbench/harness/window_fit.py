"""How much of a model's window a request needs, which --window fits, and what to do once the window is exceeded."""

import re

from ecbench.harness.context import SCHEMAS, ContextPolicy, Conversation
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


def stated_limit(message: str) -> int | None:
    """The window that an error of a server names, in tokens; None if it names none."""
    for match in _LIMIT.finditer(message):
        figure = int((match[1] or match[2]).replace(",", "").replace("_", ""))
        if figure in _PLAUSIBLE:
            return figure
    return None


def overflow_advice(problem: str, talk: Conversation) -> str:
    """What lets the year go on, behind the problem in the provider's words.

    Where the provider says how long the request was that failed, that corrects the ratio of its tokens to ours.
    """
    limit = stated_limit(problem)
    if limit is None:
        fits = talk.policy.window // 2 // STEP * STEP
    else:
        sent = max((int(re.sub("[,_]", "", figure)) for figure in _SENT.findall(problem)), default=0)
        ratio = max(talk.ratio, sent / (talk.total + SCHEMAS))
        least = request_tokens(talk.fixed_tokens, ratio) + SMALLEST_ANSWER  # brief, tools, the newest turns, an answer
        fits = min(fitting_window(limit, ratio) or 0, talk.policy.window - STEP) if least <= limit else 0
    if fits in WINDOW:
        return f"or go on with resume --window {fits}, which is recorded; the run is then not ranked"
    return f"{NONE_FITS}; ecbench fork lets a model with a larger window play on from any day"


def advised_window(reason: str) -> int | None:
    """The window that `overflow_advice` names in the reason of an ending, which is all that a record has of it."""
    found = _ADVISED.findall(reason)
    return int(found[-1]) if found else None
