"""The instructions of a model that writes a supplier's letter or judges whether a membership was agreed to.

The decisions are already made, and the letter relays them (label app:prompts_renderer). No floor and no bargaining
template enters the instructions, so a letter cannot give one away.
"""

from collections.abc import Iterator, Sequence

from ecbench.formatting import amount
from ecbench.harness.brief import prompt
from ecbench.suppliers.grammar import read_message
from ecbench.suppliers.records import MERCHANT, Decision
from ecbench.suppliers.scams import SCHEMES
from ecbench.suppliers.voices import Scene

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


def contract(scene: Scene) -> str:
    """The system message of one letter."""
    supplier = scene.supplier
    return _CONTRACT.format(
        name=supplier.name,
        email=supplier.email,
        category=supplier.category,
        catalog=scene.catalog + _supply(scene),
        label="an honest supplier" if supplier.honest else "a fraudulent supplier",
        script=_script(scene),
        decisions=_decisions(scene.answers),
        deals=_deals(scene),
    )


def correspondence(scene: Scene, length: int) -> str:
    """The newest letters without their negotiation blocks, ending with the merchant's latest."""
    earlier = scene.letters[-(length - 1) :]
    lines = [_line(letter.sender, read_message(letter.content).prose) for letter in earlier]
    return "\n\n".join([*lines, _line(MERCHANT, scene.prose)])


def _line(sender: str, prose: str) -> str:
    who = "Customer" if sender == MERCHANT else "Supplier"
    return f"{who}: {prose or '(a formal offer without words)'}"


def _script(scene: Scene) -> str:
    scheme = SCHEMES.get(scene.supplier.scam)
    if scheme is None:
        return _HONEST_SCRIPT
    return scheme.script.format(fee=amount(scene.membership_fee), membership=_FEE_PAID if scene.member else _FEE_UNPAID)


def _supply(scene: Scene) -> str:
    units = scene.weekly_supply
    return _WEEKLY_SUPPLY.format(units=units) if units else ""


def _decisions(answers: Sequence[Decision]) -> str:
    if not answers:
        return _NOTHING_DECIDED
    return _DECIDED.format(decisions="\n\n".join(["\n".join(_decision(answer)) for answer in answers]))


def _decision(answer: Decision) -> Iterator[str]:
    """Only a counter-offer has a price and the tone that was drawn for it."""
    yield f"- Product: {answer.product.title if answer.product else 'unknown'} (SKU {answer.sku[:40]})"
    match answer.verdict:
        case "Offer":
            yield f"  Decision: counter-offer at ¥{answer.price:.2f}"
            yield f"  Tone: {answer.tone or 'neutral'}"
        case "Accept":
            yield "  Decision: the customer's price is accepted"
            yield "  Tone: positive"
        case "Reject" if answer.by_agent:
            yield "  Decision: the customer has walked away; take note of it"
            yield "  Tone: polite"
        case "Reject":
            yield "  Decision: you walk away from this product"
            yield "  Tone: firm"
        case _:
            yield f"  Decision: cannot go on, because {_REASONS[answer.error_code or 'unknown_sku']}"
            yield "  Tone: helpful, apologetic"


def _deals(scene: Scene) -> str:
    if not scene.deals:
        return "None yet."
    return "\n\n".join(
        [f"On {asked.day}:\nCustomer: {asked.content}\nSupplier: {given.content}" for asked, given in scene.deals]
    )
