"""The whole examination of a model: two to five requests, and what follows from their answers."""

import re
from collections.abc import Sequence

from ecbench.harness.brief import FIRST_USER_MESSAGE, Brief, system_message
from ecbench.harness.context import SCHEMAS, ContextPolicy
from ecbench.harness.doctor.diagnosis import Diagnosis
from ecbench.harness.doctor.examination import Examination, explained, failure_line, tokens_read
from ecbench.harness.doctor.probe import probe_window
from ecbench.harness.doctor.reach import look_at_server
from ecbench.harness.doctor.remedies import tools_remedy, window_remedy
from ecbench.harness.doctor.server_windows import judge_window, stated_window
from ecbench.harness.doctor.tool_calls import ONE_CALL, after_result, judge_call, judge_pair
from ecbench.harness.doctor.window_fit import needed_tokens
from ecbench.harness.messages import Answer, Message, ModelFailure
from ecbench.harness.models import ProviderModel
from ecbench.harness.provider_errors import NO_TOOLS
from ecbench.harness.tokens import count_message, count_text

LEAST_READ = 0.6  # of the tokens sent; a server that reports fewer has dropped a part of the request
MESSAGES_ALONE = 0.2  # share by which vocabularies may differ in the messages, where only the tools were dropped

TEXT = "play it with -M calls=text"
_ABOUT_EFFORT = re.compile(r"reason|effort|think", re.IGNORECASE)


async def examine(model: ProviderModel, brief: Brief, *, probe: bool = False) -> Diagnosis:
    """Everything that two to five requests show; with `probe`, also whether the window is as large as the server says.

    Never raises `ModelFailure`: a server that fails is a finding.
    """
    exam = Examination(model, model.settings.attempt_seconds)
    try:
        await _examine(exam, brief)
        if probe and exam.result.fit and exam.result.policy:
            await probe_window(exam, exam.result.policy)
    finally:
        await exam.close()
    return exam.result


async def _examine(exam: Examination, brief: Brief) -> None:
    asked = [Message("system", system_message(brief)), Message("user", f"{FIRST_USER_MESSAGE}\n\n{ONE_CALL}")]
    exam.result.calls = exam.model.settings.calls
    try:
        first = await _first_answer(exam, asked)
        if not first.message.calls and exam.result.calls == "native":
            first = await _text_answer(exam, asked) or first
    except ModelFailure as failure:
        exam.result.add("server", "fault", *_parts(failure_line(await explained(exam.model, failure), exam.model)))
        return
    server = await look_at_server(exam.model)
    exam.result.server = server.kind
    exam.result.add("server", "ok", f"{server.kind or 'it'} answers as {first.model or exam.result.model}")
    exam.result.findings.append(judge_call(first, server.kind))
    _compare_tokens(exam, asked, first)
    more = await _second_answers(exam, after_result(asked, first)) if first.message.calls else []
    await _judge_reasoning(exam, asked, [first, *more])
    _judge_speed(exam.result, first)
    judge_window(exam.result, await stated_window(exam.model, server), server.kind, brief.policy)


def _parts(failure: str) -> tuple[str, str]:
    """What failed and what to change; a provider's message in brackets may hold a semicolon of its own."""
    end = failure.find("); ") + 1
    text, _, remedy = (failure[:end], "", failure[end + 2 :]) if end else failure.partition("; ")
    return text, remedy or "see the server's log, raise -M attempt_seconds, or try again later"


def _judge_speed(result: Diagnosis, first: Answer) -> None:
    """The first request is read whole; later ones may find the beginning in a cache, as the turns of a run do."""
    later = result.answers - 1
    result.seconds_a_turn = (result.seconds - first.seconds) / later if later else first.seconds
    read, written = tokens_read(result.usage) // result.answers, result.usage.output_tokens // result.answers
    warm = f", {result.seconds_a_turn:.1f} s for each of the later {later}" if later else ""
    text = f"{first.seconds:.1f} s for the first answer{warm}, with {read:,} tokens read and {written:,} written"
    result.add("speed", "ok", text)


async def _first_answer(exam: Examination, asked: Sequence[Message]) -> Answer:
    """A server that rejects the reasoning effort is examined without it."""
    try:
        return await exam.demand_call(asked)
    except ModelFailure as failure:
        if failure.cause == NO_TOOLS and (answer := await _text_answer(exam, asked)):
            return answer
        effort = exam.model.settings.effort
        if effort is None or failure.cause not in ("HTTP 400", "HTTP 422") or not _ABOUT_EFFORT.search(str(failure)):
            raise
        exam.model = exam.variant(effort=None)
        answer = await exam.demand_call(asked)
        exam.result.add("reasoning", "fault", f"-M effort={effort} is rejected ({failure.cause})", "leave it out")
        return answer


async def _text_answer(exam: Examination, asked: Sequence[Message]) -> Answer | None:
    """The answer with calls as text, if the model makes them so; the examination then goes on with it."""
    text = exam.variant(calls="text")
    answer = await exam.ask(asked, text)
    if not answer.message.calls:
        return None
    exam.model, exam.result.calls = text, "text"
    exam.result.add("calls", "note", "the model calls no tool of its provider's, but writes calls as text", TEXT)
    return answer


async def _second_answers(exam: Examination, asked: Sequence[Message]) -> list[Answer]:
    """The pair of calls behind a tool result, and the same once more if no token of it was read from a cache."""
    try:
        answers = [await exam.ask(asked)]
        exam.result.findings.append(judge_pair(answers[0]))
        if not answers[0].usage.cache_read_tokens:
            answers.append(await exam.ask(asked))
    except ModelFailure as failure:
        text = f"a conversation with a tool result fails ({failure_line(failure, exam.model)})"
        exam.result.add("parallel calls", "fault", text)
        return []
    usage = answers[-1].usage
    if usage.cache_read_tokens:
        share = usage.cache_read_tokens / tokens_read(usage)
        exam.result.add("caching", "ok", f"{share:.0%} of a repeated conversation was read from the cache")
    else:
        exam.result.add("caching", "note", "no cached tokens are reported, so every turn may be read whole")
    return answers


def _compare_tokens(exam: Examination, asked: Sequence[Message], first: Answer) -> None:
    """How many tokens the model counts for one of ours; far fewer than one if the server dropped a part."""
    result, read, own = exam.result, tokens_read(first.usage), sum(map(count_message, asked))
    if not read:
        result.add("usage", "note", "the server reports no tokens, so costs and a cut window remain unseen")
        return
    result.ratio = max(1.0, read / (own + SCHEMAS))
    if read >= LEAST_READ * (own + SCHEMAS):
        return
    if abs(read - own) > MESSAGES_ALONE * own:
        text = f"the server read only {read:,} of about {own + SCHEMAS:,} tokens"
        result.add("window", "fault", text, window_remedy(result.server, needed_tokens(ContextPolicy())))
    elif not first.message.calls:
        text = f"the server read {read:,} tokens, the messages without the tools: its chat template has none"
        result.add("tools", "fault", text, tools_remedy(result.server))


async def _judge_reasoning(exam: Examination, asked: Sequence[Message], answers: Sequence[Answer]) -> None:
    readable = any(answer.message.reasoning for answer in answers)
    tokens = sum(answer.usage.reasoning_tokens for answer in answers)
    how = "readable" if readable else f"hidden, {tokens:,} tokens" if tokens else "none is shown or counted"
    effort = exam.model.settings.effort
    if effort is None:
        exam.result.add("reasoning", "ok", how)
        return
    try:
        plain = await exam.ask(asked, exam.variant(effort=None))
    except ModelFailure:
        exam.result.add("reasoning", "ok", how)
        return
    reasoned = [_reasoning_tokens(answer) for answer in (answers[0], plain)]
    text = f"{how}; {reasoned[0]:,} tokens with -M effort={effort}, {reasoned[1]:,} without"
    same = reasoned[0] == reasoned[1]
    exam.result.add("reasoning", "note" if same else "ok", f"{text}: no visible effect" if same else text)


def _reasoning_tokens(answer: Answer) -> int:
    return answer.usage.reasoning_tokens or count_text(answer.message.reasoning)
