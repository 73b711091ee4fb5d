"""The demands for tool calls that a model is examined with, and what its answers show."""

import re
from collections.abc import Sequence

from ecbench.harness.doctor.diagnosis import CheckResult, quoted_words
from ecbench.harness.doctor.remedies import ServerKind, tools_remedy
from ecbench.harness.messages import Answer, Message

TOOL, CATEGORY = "list_products", "tea"
ONE_CALL = f"Your tools are being tested. Call `{TOOL}` with the category {CATEGORY!r}, once, and nothing else."
PAIR = ("check_balance", "check_warehouse")
TWO_CALLS = f"Now call `{PAIR[0]}` and `{PAIR[1]}`, both of them in this one answer."
RESULT = '{"results": []}'  # of the call in the first answer

_WRITTEN_CALL = re.compile(rf"{TOOL}|tool_call|function_call|\"arguments\"")


def judge_call(answer: Answer, kind: ServerKind) -> CheckResult:
    """Whether an answer to `ONE_CALL` has a call that can be run."""
    if not answer.message.calls:
        return _without_call(answer, kind)
    call = answer.message.calls[0]
    if call.problem:
        return CheckResult("tool call", "fault", f"malformed: {call.problem}", tools_remedy(kind))
    wrong = call.name != TOOL or str(call.arguments.get("category")).lower() != CATEGORY
    if wrong:
        made = f"called {call.name} with {', '.join(call.arguments) or 'no arguments'}"
        return CheckResult("tool call", "note", f"{made}, not {TOOL} with category {CATEGORY!r} as demanded")
    return CheckResult("tool call", "ok", f"called {TOOL} as demanded, in {answer.seconds:.1f} s")


def judge_pair(answer: Answer) -> CheckResult:
    """Whether an answer to `TWO_CALLS` has two calls. Fewer cost turns but do not keep a model from playing."""
    calls = answer.message.calls
    broken = next((call.problem for call in calls if call.problem), "")
    if broken:
        return CheckResult("parallel calls", "note", f"malformed: {broken}")
    if len(calls) >= len(PAIR):
        return CheckResult("parallel calls", "ok", f"{len(calls)} calls in one answer")
    if calls:
        return CheckResult("parallel calls", "note", "one call an answer, so a year takes more turns")
    words = quoted_words(answer.message.text)
    return CheckResult("parallel calls", "note", f"no call after the result of the first one, but {words}")


def after_result(asked: Sequence[Message], answer: Answer) -> list[Message]:
    """The conversation that goes on with the results of the calls in an answer and the demand for two calls."""
    results = [Message("tool", RESULT, answers=call) for call in answer.message.calls]
    return [*asked, answer.message, *results, Message("user", TWO_CALLS)]


def _without_call(answer: Answer, kind: ServerKind) -> CheckResult:
    said = answer.message.text
    if answer.stop_reason == "length":
        longer = "give it more tokens an answer (-M max_tokens=N) or less -M effort"
        return CheckResult("tool call", "fault", "the answer was cut at its length limit before a call", longer)
    if _WRITTEN_CALL.search(said):
        text = f"wrote the call as text that the server did not recognize: {quoted_words(said)}"
    else:
        text = f"answered in words instead: {quoted_words(said)}" if said.strip() else "sent an empty answer"
    return CheckResult("tool call", "fault", text, f"{tools_remedy(kind)}, or try -M calls=text")
