"""Suppliers' letters written by a model, with the template voice as its fallback (label app:prompts_renderer).

No floor and no bargaining template enters its instructions, so a letter cannot give one away.
"""

import re
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Literal

from anyio.from_thread import start_blocking_portal
from msgspec import Struct, to_builtins

from ecbench.cancellation import StopFlag
from ecbench.formatting import amount
from ecbench.gate import whole_text
from ecbench.harness.brief import prompt
from ecbench.harness.messages import NO_USAGE, Answer, Message, ModelFailure, Retry, Usage
from ecbench.harness.retry import answer_unless_stopped
from ecbench.harness.settings import ModelSettings
from ecbench.redaction import redacted
from ecbench.suppliers.grammar import read_message
from ecbench.suppliers.records import MERCHANT, Decision
from ecbench.suppliers.scams import SCHEMES
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

# Messages of both sides, the merchant's latest included.
RECENT_LETTERS = 4
MEMBERSHIP_LETTERS = 6

# What is the same in every letter comes first, then what one supplier's letters share: servers cache a beginning.
_CONTRACT = prompt("letter")

_DECIDED = """\
Prices are set by your pricing engine. Relay each decision below with exactly these figures; name no other price, \
promise no other price for these goods now, and do not reopen what is decided.

{decisions}"""

_NOTHING_DECIDED = """\
The customer has made no formal offer in this message. Answer what is asked. Quote nothing but the opening quotes \
listed above; a price is only ever agreed through a formal offer."""

_HONEST_SCRIPT = "Deal fairly. Answer truthfully about your goods and deliver what is agreed."
_FEE_UNPAID = "The fee has not been paid yet."
_FEE_PAID = "The fee has been paid: thank for it, and move the member prices to the order after this one."

_WEEKLY_SUPPLY = """

You deliver at most {units:,} units a week to one customer, all goods together. Say so in your first letter and \
whenever you show the list."""

_REASONS = {
    "unknown_sku": "this SKU is not in your catalog; point to the list",
    "accept_missing_price": "an acceptance has to repeat the price that is being accepted",
    "accept_price_mismatch": "the price the customer accepts is not your last quote",
    "bid_too_high": "the offer is too far above the reference price; ask for another one",
    "no_active_negotiation": "there is no open bargaining over this product; an offer would start it",
}

MEMBERSHIP_QUESTION = prompt("membership")


@contextmanager
def supplier_model(settings: ModelSettings) -> Iterator[Ask]:
    """Open the model, check that it can be reached, and close it at the end; any thread may call the result."""
    from ecbench.harness.checkup import check_before_run  # here, since the model layer takes a second to import
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
    """For tools in a thread beside the model's event loop, where `run` calls `answer`; a stop gives a letter up."""

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
    word = re.match(r"[^a-z]*(yes|no)\b", answer.lower())
    return (word[1], "") if word else ("", "the model answered neither YES nor NO")


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


def contract(scene: Scene) -> str:
    """The system message of one letter."""
    supplier, scheme, units = scene.supplier, SCHEMES.get(scene.supplier.scam), scene.weekly_supply
    script, decisions = _HONEST_SCRIPT, _NOTHING_DECIDED
    if scheme is not None:
        paid = _FEE_PAID if scene.member else _FEE_UNPAID
        script = scheme.script.format(fee=amount(scene.membership_fee), membership=paid)
    if scene.answers:
        decisions = _DECIDED.format(decisions="\n\n".join(map(_decision, scene.answers)))
    deals = [f"On {asked.day}:\nCustomer: {asked.content}\nSupplier: {given.content}" for asked, given in scene.deals]
    return _CONTRACT.format(
        name=supplier.name,
        email=supplier.email,
        category=supplier.category,
        catalog=scene.catalog + (_WEEKLY_SUPPLY.format(units=units) if units else ""),
        label="an honest supplier" if supplier.honest else "a fraudulent supplier",
        script=script,
        decisions=decisions,
        deals="\n\n".join(deals) or "None yet.",
    )


def correspondence(scene: Scene, length: int) -> str:
    """The newest letters without their negotiation blocks, ending with the merchant's latest."""
    earlier = [(letter.sender, read_message(letter.content).prose) for letter in scene.letters[-(length - 1) :]]
    return "\n\n".join(
        f"{'Customer' if sender == MERCHANT else 'Supplier'}: {prose or '(a formal offer without words)'}"
        for sender, prose in [*earlier, (MERCHANT, scene.prose)]
    )


def _decision(answer: Decision) -> str:
    """Only a counter-offer has a price and the tone that was drawn for it."""
    tone: str = answer.tone or "neutral"
    match answer.verdict:
        case "Offer":
            decision = f"counter-offer at ¥{answer.price:.2f}"
        case "Accept":
            decision, tone = "the customer's price is accepted", "positive"
        case "Reject" if answer.by_agent:
            decision, tone = "the customer has walked away; take note of it", "polite"
        case "Reject":
            decision, tone = "you walk away from this product", "firm"
        case _:
            reason = _REASONS[answer.error_code or "unknown_sku"]
            decision, tone = f"cannot go on, because {reason}", "helpful, apologetic"
    product = answer.product.title if answer.product else "unknown"
    return f"- Product: {product} (SKU {answer.sku[:40]})\n  Decision: {decision}\n  Tone: {tone}"
