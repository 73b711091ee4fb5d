"""The size of a window as it shows when it is filled: requests as long as those of a run.

A server may state a window that it does not have, or cut what does not fit without an error.
"""

from typing import NamedTuple

from ecbench.harness.context import SCHEMAS, ContextPolicy
from ecbench.harness.doctor.diagnosis import Diagnosis
from ecbench.harness.doctor.examination import Examination, failure_line, tokens_read
from ecbench.harness.doctor.remedies import window_remedy
from ecbench.harness.doctor.window_fit import (
    answer_reserve,
    fitting_window,
    needed_tokens,
    request_tokens,
    stated_limit,
    window_advice,
)
from ecbench.harness.messages import Message, ModelFailure
from ecbench.harness.models import ProviderModel
from ecbench.harness.tokens import count_text

PROBES = 6  # requests at most
PROBE_ANSWER = 64  # tokens
CLOSE_ENOUGH = 0.1  # of the size, where only failures show it
KEPT = 0.8  # of the tokens sent; a server that reports fewer has cut the request
LINE = "On day {number} the store sold tea, cups and trays to {number} customers of the town.\n"
END = "\nAnswer with OK."


class Probe(NamedTuple):
    """The outcome of one request: whether it passed whole, and the window that it showed, if any."""

    passed: bool
    limit: int | None = None


async def probe_window(exam: Examination, policy: ContextPolicy) -> None:
    """Send the longest conversation that the policy allows; where that fails, find the size that passes."""
    model = exam.variant(max_tokens=PROBE_ANSWER, effort=None)
    passed, failed, size = 0, policy.trigger, policy.trigger
    for _ in range(PROBES):
        try:
            probe = await _send(exam, model, size)
        except ModelFailure as failure:
            text = f"{size:,} tokens: {failure_line(failure, exam.model)}"
            exam.result.add("window probe", "note", text, "raise -M attempt_seconds, or try again later")
            return
        if probe.passed and size == policy.trigger:
            exam.result.add("window probe", "ok", f"a conversation of {size:,} tokens passed")
            return
        if probe.limit:
            _correct(exam.result, probe.limit, policy)
            return
        passed, failed = (size, failed) if probe.passed else (passed, size)
        if failed - passed <= CLOSE_ENOUGH * failed:
            break
        size = (passed + failed) // 2
    largest = request_tokens(passed, exam.result.ratio)
    _correct(exam.result, largest + answer_reserve(largest), policy)


async def _send(exam: Examination, model: ProviderModel, size: int) -> Probe:
    """Raises `ModelFailure` if the server is only slow or busy."""
    try:
        answer = await exam.ask([Message("user", filler(size))], model)
    except ModelFailure as failure:
        if failure.kind == "busy":
            raise
        return Probe(False, stated_limit(str(failure)))
    read = tokens_read(answer.usage)
    return Probe(False, read) if 0 < read < KEPT * (size + SCHEMAS) else Probe(True)


def filler(tokens: int) -> str:
    """A text of about so many tokens."""
    lines = tokens // (count_text(LINE.format(number=1_000)) or 1)
    return "".join(LINE.format(number=number) for number in range(1_000, 1_000 + lines)) + END


def _correct(result: Diagnosis, window: int, wanted: ContextPolicy) -> None:
    """Replace the window that the server states by the one that was found."""
    fits = fitting_window(window, result.ratio)
    stated = f", not the {result.window:,} that the server states" if result.window and result.window > window else ""
    result.window, result.policy = window, ContextPolicy.sized(fits) if fits else None
    text = f"about {window:,} tokens pass{stated}"
    serve = window_remedy(result.server, needed_tokens(wanted, result.ratio))
    remedies = filter(None, (window_advice(window, result.ratio), serve))
    result.add("window probe", "note" if fits else "fault", text, ", or ".join(remedies))
