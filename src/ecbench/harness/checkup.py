"""Whether a model can play: its server, a tool call, a pair of calls, its speed and its window."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean
from time import monotonic
from typing import Literal

from anyio import sleep

from ecbench.harness.brief import Brief
from ecbench.harness.context import SCHEMAS, ContextPolicy, fitting_window, needed_tokens
from ecbench.harness.messages import Answer, Message, ModelFailure, Usage
from ecbench.harness.model_player import open_conversation
from ecbench.harness.models import ProviderModel
from ecbench.harness.provider_errors import NO_TOOLS, one_line
from ecbench.harness.servers import Server, ServerKind, look_at_server, stated_window
from ecbench.harness.settings import CallStyle
from ecbench.harness.tokens import count_message

QUICK_SECONDS = 20.0  # for a request of the check before a run, which itself waits longer
BUSY_SECONDS = 2.0  # before a server that is busy, or still loads its model, is asked again
LEAST_READ = 0.6  # of the tokens sent; a server that reports fewer has dropped a part of the request
NAMES_SHOWN = 8  # of the models that a server lists
QUOTED = 60  # characters of a model's words in a check

ONE_CALL = Message(
    "user", "Your tools are being tested. Call `list_products` with the category 'tea', once, and nothing else."
)
TWO_CALLS = Message("user", "Now call `check_balance` and `check_warehouse`, both of them in this one answer.")
RESULT = '{"results": []}'  # of the calls in the first answer

Verdict = Literal["ok", "note", "unknown", "fault"]
"""Whether a check passed, passed with something to know, got no answer in time, or keeps the model from playing."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check, what it found, and what to change."""

    check: str
    verdict: Verdict
    text: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.text}; {self.remedy}" if self.remedy else self.text


@dataclass(slots=True)
class Diagnosis:
    """What was found about one model, and what that cost. This is also the JSON of `ecbench doctor`."""

    model: str
    calls: CallStyle  # that works
    server: ServerKind = ""  # the program that serves the model, where it is known
    checks: list[CheckResult] = field(default_factory=list)
    requests: int = 0  # that were sent, answered or not
    usage: Usage = field(default_factory=Usage)
    seconds_a_turn: float = 0.0  # of the later answers, if there are any; 0 without an answer
    window: int | None = None  # of the model, in its own tokens
    policy: ContextPolicy | None = None  # that fits the window; None if none does, or if it was not asked about
    tokens_ratio: float = 1.0  # tokens that the model counts for one token of ours

    @property
    def fit(self) -> bool:
        """Whether the model is known to be able to play."""
        return all(each.verdict in ("ok", "note") for each in self.checks)

    @property
    def unfit(self) -> bool:
        """Whether the model is known not to be able to play."""
        return any(each.verdict == "fault" for each in self.checks)

    def add(self, check: str, verdict: Verdict, text: str, remedy: str = "") -> None:
        self.checks.append(CheckResult(check, verdict, text, remedy))


class Examination:
    """A model with the seconds that a request may take, its server, its answers, and what they show."""

    def __init__(self, model: ProviderModel, seconds: float) -> None:
        self.model, self.seconds = model, seconds
        self.server = Server()
        self.answers: list[Answer] = []
        self.result = Diagnosis(model.settings.name, model.settings.calls)
        self.add = self.result.add

    async def ask(self, model: ProviderModel, messages: Sequence[Message]) -> Answer:
        """One answer; a server that is busy is asked again while there is time. Raises `ModelFailure`."""
        until = monotonic() + self.seconds
        while True:
            self.result.requests += 1
            try:
                answer = await model.attempt(messages, self.seconds)
                break
            except ModelFailure as failure:
                pause = max(BUSY_SECONDS, failure.retry_after)
                if failure.cause == "HTTP 404" and (names := (await look_at_server(self.model.model)).names):
                    raise failure.reworded(f"{failure}; it lists {', '.join(names[:NAMES_SHOWN])}") from failure
                if failure.kind != "busy" or monotonic() + pause > until:
                    raise
            await sleep(pause)
        if not self.answers:  # before its first answer a server may not have loaded the model
            self.server = await look_at_server(self.model.model)
            self.result.server = self.server.kind
        self.answers.append(answer)
        self.result.usage += answer.usage
        self.result.seconds_a_turn = fmean(each.seconds for each in self.answers[1:] or self.answers)
        return answer

    def line(self, failure: ModelFailure) -> str:
        """The line of a failure; the diagnosis names the model once."""
        return str(failure).removeprefix(f"{self.result.model}: ")

    async def first_call(self, opening: Sequence[Message]) -> tuple[ProviderModel, Sequence[Message], Answer]:
        """An answer with a call, and what it answers: unasked, on demand, or as text; else the first one in words."""
        native, demand, first = self.model, [*opening, ONE_CALL], None
        for model, asked in ((native, opening), (native, demand), (native.with_calls_as_text(), demand)):
            try:
                answer = await self.ask(model, asked)
            except ModelFailure as failure:
                if failure.cause != NO_TOOLS or model is not native:
                    raise
                continue
            if answer.message.calls:
                if model is not native:
                    self.result.calls = "text"
                    self.add("calls", "note", "no native call, but calls as text", "play it with -M calls=text")
                return model, asked, answer
            first = first or (native, asked, answer)
        assert first is not None, "or the last one was refused"
        return first

    async def judge_pair(self, model: ProviderModel, asked: Sequence[Message], first: Answer) -> None:
        """Two calls behind a result. Fewer cost turns but do not keep a model from playing."""
        replies = [Message("tool", RESULT, answers=call) for call in first.message.calls]
        try:
            answer = await self.ask(model, [*asked, first.message, *replies, TWO_CALLS])
        except ModelFailure as failure:
            verdict: Verdict = "unknown" if failure.kind == "busy" else "fault"
            self.add("parallel calls", verdict, f"a tool result is not answered ({self.line(failure)})")
            return
        calls = answer.message.calls
        broken = next((call.problem for call in calls if call.problem), "")
        if broken:
            self.add("parallel calls", "note", f"malformed: {broken}")
        elif len(calls) > 1:
            self.add("parallel calls", "ok", f"{len(calls)} calls in one answer")
        elif calls:
            self.add("parallel calls", "note", "one call an answer, so a year takes more turns")
        else:
            self.add("parallel calls", "note", f'no call after a result, but "{one_line(answer.message.text, QUOTED)}"')
        if cached := answer.usage.cache_read_tokens:
            share = cached / answer.usage.read_tokens
            self.add("caching", "ok", f"{share:.0%} of the later conversation was read from the cache")
        else:
            self.add("caching", "note", "no cached tokens are reported, so every turn may be read whole")

    def compare_tokens(self, opening: Sequence[Message]) -> None:
        """How many tokens the model counts for one of ours; far fewer than one if the server dropped a part."""
        cold = self.answers[0]
        read, own = cold.usage.read_tokens, sum(map(count_message, opening))
        if not read:
            self.add("usage", "note", "the server reports no tokens, so costs and a cut window remain unseen")
            return
        self.result.tokens_ratio = max(1.0, read / (own + SCHEMAS))
        if read < LEAST_READ * (own + SCHEMAS):
            text = f"the server read only {read:,} of about {own + SCHEMAS:,} tokens"
            self.add("window", "fault", text, self.server.program.window.format(tokens=needed_tokens(ContextPolicy())))

    async def judge_window(self, policy: ContextPolicy) -> None:
        """Whether the conversation of a run fits the window; else the policy that fits it becomes the result's."""
        stated, ratio = await stated_window(self.server), self.result.tokens_ratio
        self.result.window, self.result.policy = stated.tokens, policy
        needed = needed_tokens(policy, ratio)
        if stated.tokens is None:
            remedy = self.server.program.window.format(tokens=needed) if stated.caution else ""
            self.add("window", "note", stated.caution or "not known; --window bounds the conversation", remedy)
            return
        figure = f"{stated.tokens:,} tokens ({stated.source})"
        if needed <= stated.tokens:
            self.add("window", "ok", f"{figure}, and a request needs at most {needed:,}")
            return
        fits = fitting_window(stated.tokens, ratio)
        self.result.policy = ContextPolicy.sized(fits) if fits else None
        smaller = f"run it with --window {fits} or less" if fits else "take a model with a larger window"
        remedies = ", or ".join(filter(None, (smaller, self.server.program.window.format(tokens=needed))))
        caution = f"; {stated.caution}" if stated.caution else ""
        text = f"{figure}, and a request may need {needed:,}{caution}"
        self.add("window", "note" if fits else "fault", text, remedies)


async def examine(model: ProviderModel, brief: Brief) -> Diagnosis:
    """What two to four requests show. Never raises `ModelFailure`: a server that fails is among the checks."""
    exam = Examination(model, model.settings.attempt_seconds)
    opening, result = open_conversation(brief).live(), exam.result
    try:
        model, asked, first = await exam.first_call(opening)
    except ModelFailure as failure:
        unsure = failure.kind == "busy"  # it may have been slow or busy only now
        remedy = "raise -M attempt_seconds, or try again later" if unsure else ""
        exam.add("server", "unknown" if unsure else "fault", exam.line(failure), remedy)
        return result
    exam.add("server", "ok", f"{result.server or 'it'} answers as {first.model or result.model}")
    result.checks.append(judge_call(first, exam.server, text_tried=True))
    exam.compare_tokens(opening)
    if first.message.calls:
        await exam.judge_pair(model, asked, first)
    warm = f", {result.seconds_a_turn:.1f} s warm (later ones)" if exam.answers[1:] else ""
    exam.add("speed", "ok", f"{exam.answers[0].seconds:.1f} s cold (the first answer){warm}")
    await exam.judge_window(brief.policy)
    return result


async def check_before_run(model: ProviderModel, policy: ContextPolicy | None) -> Diagnosis:
    """One or two small requests, which raise `ModelFailure` if a model cannot play; the suppliers' has no `policy`."""
    exam = Examination(model, min(QUICK_SECONDS, model.settings.attempt_seconds))
    try:
        answer = await exam.ask(model, [Message("user", "Answer with OK.") if policy is None else ONE_CALL])
        if policy is not None and not answer.message.calls:
            answer = await exam.ask(model, [ONE_CALL])
    except ModelFailure as failure:
        if failure.kind != "busy":
            raise
        exam.add("server", "note", exam.line(failure), "the run goes on trying")
        return exam.result
    if policy is not None:
        exam.result.checks.append(judge_call(answer, exam.server))
        await exam.judge_window(policy)
    return exam.result


def judge_call(answer: Answer, server: Server, *, text_tried: bool = False) -> CheckResult:
    """Whether an answer has a call that can be run. Calls as text are advised unless they were tried."""
    said, calls = answer.message.text, answer.message.calls
    if calls and calls[0].problem:
        return CheckResult("tool call", "fault", f"malformed: {calls[0].problem}", server.program.tools)
    if calls:
        return CheckResult("tool call", "ok", f"called {calls[0].name}, in {answer.seconds:.1f} s")
    if answer.stop_reason == "length":
        longer = "give it more tokens an answer (-M max_tokens=N) or less -M effort"
        return CheckResult("tool call", "fault", "the answer was cut at its length limit before a call", longer)
    text = f'answered in words instead: "{one_line(said, QUOTED)}"' if said.strip() else "sent an empty answer"
    if text_tried:
        return CheckResult("tool call", "fault", f"{text}, also with calls as text", server.program.tools)
    return CheckResult("tool call", "fault", text, f"{server.program.tools}, or try -M calls=text")
