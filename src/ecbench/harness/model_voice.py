"""Suppliers' letters written by a model, with the template voice as its fallback.

The model words decisions and cannot change one. A record holds every line (`runs.record.recorded_voice`).
"""

import re
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Literal

from msgspec import Struct, to_builtins

from ecbench.cancellation import StopFlag
from ecbench.gate import whole_text
from ecbench.harness.messages import NO_USAGE, Answer, Message, ModelFailure, Retry, Usage
from ecbench.harness.settings import ModelSettings
from ecbench.harness.supplier_brief import (
    MEMBERSHIP_LETTERS,
    MEMBERSHIP_QUESTION,
    RECENT_LETTERS,
    contract,
    correspondence,
)
from ecbench.redaction import redacted
from ecbench.suppliers.voices import Scene, TemplateVoice


class SupplierLine(Struct, frozen=True, omit_defaults=True):
    """One line of a supplier as a record has it; `fallback` says why the template composed it, if it did."""

    kind: Literal["letter", "membership"]
    said: str  # the letter, or "yes" or "no" to a membership
    fallback: str = ""
    usage: Usage = NO_USAGE
    retries: list[Retry] = []


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
    """One line for the record: the model's, or the template's where the model's cannot be used."""
    source: Answer | ModelFailure
    letter = kind == "letter"
    question = contract(scene) if letter else MEMBERSHIP_QUESTION
    try:
        source = ask(question, correspondence(scene, RECENT_LETTERS if letter else MEMBERSHIP_LETTERS))
        said, problem = _letter(source.message.text, scene) if letter else _verdict(source.message.text)
    except ModelFailure as failure:
        source, said, problem = failure, "", str(failure)
    if problem:
        template = TemplateVoice()
        said = template.reply(scene) if letter else "yes" if template.hears_membership(scene) else "no"
    line: dict[str, Any] = to_builtins(SupplierLine(kind, said, problem, source.usage, [*source.retries]))
    return line


def _verdict(answer: str) -> tuple[str, str]:
    """Yes or no to a membership, and what is wrong with the answer."""
    word = re.search(r"[a-z]+", answer.lower())
    if word is None or word[0] not in ("yes", "no"):
        return "", "the model answered neither YES nor NO"
    return word[0], ""


def _letter(answer: str, scene: Scene) -> tuple[str, str]:
    """The letter, and what is wrong with it. A counter-offer that it does not name would be lost on the merchant."""
    text = whole_text(redacted(answer.strip()))
    if not text:
        return text, "the model wrote an empty letter"
    if leak := _LEAK.search(text):
        return text, f"the model's letter gave away its instructions ({leak[0]!r})"
    named = {round(float(figure.replace(",", "")), 2) for figure in _FIGURE.findall(text)}
    offers = [each.price for each in scene.answers if each.verdict == "Offer" and each.price is not None]
    missing = any(round(price, 2) not in named for price in offers)
    return text, "the model's letter left out a decided price" if missing else ""
