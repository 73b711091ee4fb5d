"""Suppliers' letters written by a model, with the template voice as its fallback.

The model words decisions and cannot change one. A record holds every line (`runs.record.recorded_voice`).
"""

import re
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Literal

from msgspec import to_builtins

from ecbench.cancellation import StopFlag
from ecbench.gate import whole_text
from ecbench.harness.messages import (
    Answer,
    Message,
    ModelFailure,
    given,
    retry_to_json,
)
from ecbench.harness.settings import ModelSettings
from ecbench.harness.supplier_brief import MEMBERSHIP_LETTERS, MEMBERSHIP_QUESTION, contract, correspondence
from ecbench.redaction import redacted
from ecbench.suppliers.voices import Scene, TemplateVoice

Ask = Callable[[str, str], Answer]
"""Puts a system message and a user message to a model; raises `ModelFailure` once its retries are spent."""

AsyncAnswer = Callable[[Sequence[Message]], Coroutine[Any, Any, Answer]]

_FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")
# Words of the contract that no supplier would write to a customer.
_LEAK = re.compile(r"fraudulent|\bscam|honest supplier|pricing engine|\bTone: |system prompt", re.IGNORECASE)


@contextmanager
def supplier_model(settings: ModelSettings) -> Iterator[Ask]:
    """Open the model, check that it can be reached, and close it at the end; any thread may call the result.

    An episode runs its tools synchronously, so the model has its own event loop in another thread.
    """
    from anyio.from_thread import start_blocking_portal  # here, since only models need it

    from ecbench.harness.checkup import check_before_run  # and since the model layer takes a second to import
    from ecbench.harness.models import open_model

    with start_blocking_portal() as portal:
        model = open_model(settings, [])
        try:
            portal.call(check_before_run, model, None)
            yield asking(portal.call, model.answer)
        finally:
            portal.call(model.close)


def asking(
    run: Callable[[AsyncAnswer, Sequence[Message]], Answer], answer: AsyncAnswer, stop: StopFlag | None = None
) -> Ask:
    """For tools in a thread beside the event loop of the model; `run` calls `answer` there and waits for it.

    A stop gives the letter up, and the template writes it: the turn that asked for it is paid already.
    """
    from ecbench.harness.retry import answer_unless_stopped  # here, since it needs a package of the models

    async def letter(messages: Sequence[Message]) -> Answer:
        answered = await answer_unless_stopped(partial(answer, messages), stop or StopFlag())
        if answered is None:
            raise ModelFailure("the run was stopped before the letter was written")
        return answered

    return lambda system, user: run(letter, [Message("system", system), Message("user", user)])


def compose_line(ask: Ask, kind: Literal["letter", "membership"], scene: Scene) -> dict[str, Any]:
    """One line for the record: `said` is the letter, or "yes" or "no" to a membership.

    `fallback` says why the template had to compose it, where it had to.
    """
    return _letter(ask, scene) if kind == "letter" else _membership(ask, scene)


def _letter(ask: Ask, scene: Scene) -> dict[str, Any]:
    template = TemplateVoice()
    try:
        answer = ask(contract(scene), correspondence(scene))
    except ModelFailure as failure:
        return _line("letter", template.reply(scene), str(failure), failure)
    text = whole_text(redacted(answer.message.text.strip()))
    problem = _breach(text) or _missing_price(text, scene)
    return _line("letter", template.reply(scene) if problem else text, problem, answer)


def _membership(ask: Ask, scene: Scene) -> dict[str, Any]:
    rule = "yes" if TemplateVoice().hears_membership(scene) else "no"
    try:
        answer = ask(MEMBERSHIP_QUESTION, correspondence(scene, MEMBERSHIP_LETTERS))
    except ModelFailure as failure:
        return _line("membership", rule, str(failure), failure)
    word = re.search(r"[a-z]+", answer.message.text.lower())
    if word is None or word[0] not in ("yes", "no"):
        return _line("membership", rule, "the model answered neither YES nor NO", answer)
    return _line("membership", word[0], "", answer)


def _line(kind: str, said: str, fallback: str, source: Answer | ModelFailure) -> dict[str, Any]:
    used, retries = to_builtins(source.usage), list(map(retry_to_json, source.retries))
    return {"kind": kind, "said": said} | given(fallback=fallback, usage=used, retries=retries)


def _breach(text: str) -> str:
    if not text:
        return "the model wrote an empty letter"
    leak = _LEAK.search(text)
    return f"the model's letter gave away its instructions ({leak[0]!r})" if leak else ""


def _missing_price(text: str, scene: Scene) -> str:
    """A counter-offer that the letter does not name would be lost on the merchant."""
    named = {round(float(figure.replace(",", "")), 2) for figure in _FIGURE.findall(text)}
    for answer in scene.answers:
        if answer.verdict == "Offer" and answer.price is not None and round(answer.price, 2) not in named:
            return "the model's letter left out a decided price"
    return ""
