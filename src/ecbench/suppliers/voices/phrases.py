"""What suppliers say, in our own words: several phrasings for every decision and tone.

`{0}` stands for the goods and `{1}` for a price; other fields have names. Nothing here depends on what a supplier
hides.
"""

from collections.abc import Sequence
from types import MappingProxyType
from typing import NamedTuple


def pick(options: Sequence[str], seed: int, salt: int) -> str:
    """One of several phrasings. The seed is the letter's own, and the salt tells its sentences apart."""
    return options[(seed // (salt + 1) + salt) % len(options)]


class Character(NamedTuple):
    """A house style. It is drawn from the supplier's name, so it says nothing about how the supplier bargains."""

    greetings: tuple[str, ...]
    closings: tuple[str, ...]


CHARACTERS = (
    Character(
        ("Hello,", "Hi there,", "Good to hear from you."),
        ("Best wishes,", "Talk soon,", "All the best,"),
    ),
    Character(
        ("Dear customer,", "Dear partner,", "Good day,"),
        ("Kind regards,", "Yours sincerely,", "With regards,"),
    ),
    Character(
        ("Thanks for writing.", "Message received.", "Noted, thanks."),
        ("Regards,", "Sales desk,", "Thanks,"),
    ),
    Character(
        ("Greetings from our warehouse.", "Thank you for getting in touch.", "A quick word back to you:"),
        ("Until next time,", "Warm regards,", "At your service,"),
    ),
)

COUNTER = MappingProxyType(
    {
        "positive": (
            "For {0} we would love to make this work: {1} per unit is what we can do.",
            "You are close on {0}, and we like where this is going. How about {1} per unit?",
            "Glad you asked about {0}. We can meet you at {1} per unit.",
            "We appreciate the offer on {0} and happily come back with {1} per unit.",
            "Good news on {0}: our price for you is now {1} per unit.",
        ),
        "neutral": (
            "On {0} our price is {1} per unit.",
            "For {0} we quote {1} per unit.",
            "{0}: we can offer {1} per unit.",
            "Our counter-offer for {0} is {1} per unit.",
            "We have looked at {0} again; the figure is {1} per unit.",
        ),
        "negative": (
            "Your figure for {0} does not work for us. It is {1} per unit.",
            "We expected a more serious bid on {0}. The price is {1} per unit.",
            "For {0} we are not moving to where you are. {1} per unit.",
            "That is not a price at which {0} leaves our warehouse. We say {1} per unit.",
            "Frankly, {0} is worth more than that. {1} per unit is what we ask.",
        ),
    }
)

ACCEPT = (
    "Agreed: {0} at {1} per unit.",
    "We accept {1} per unit for {0}.",
    "You have a deal on {0} at {1} per unit.",
    "{1} per unit for {0} is fine with us.",
    "Done. {0} goes to you at {1} per unit.",
)

REJECT_BY_SUPPLIER = (
    "We are too far apart on {0} and end the talks here.",
    "We will not continue on {0}; this conversation is closed.",
    "There is no deal to be had on {0} this time. We step back.",
    "On {0} we have to walk away.",
)

REJECT_BY_AGENT = (
    "Understood, we close the file on {0}.",
    "A pity about {0}. Come back whenever you like.",
    "Noted: no deal on {0} for now.",
)

ERRORS = MappingProxyType(
    {
        "unknown_sku": (
            "We are sorry, {0} is not something we carry. Ask for our catalog to see what we have.",
            "{0} is not in our range, I am afraid. Our catalog lists what we can supply.",
        ),
        "accept_missing_price": (
            "To accept on {0}, please state the price you accept.",
            "Your acceptance for {0} names no price; please repeat it with our last quote.",
        ),
        "accept_price_mismatch": (
            "The price you accept for {0} is not the one on the table. Please use our last quote.",
            "We cannot book {0} at that figure: an acceptance has to match our last quote.",
        ),
        "no_active_negotiation": (
            "We have no open talks on {0}. Make an offer and we will answer it.",
            "There is nothing open between us on {0}; an offer from you would start it.",
        ),
    }
)

NO_ACTION = (
    "Thank you for your message. Name a product, a price and a quantity and we will answer with a figure.",
    "We are listening. Send us an offer for any product of ours and you will hear back at once.",
    "Happy to help. Tell us which product you need, how many, and what you would pay.",
    "We have read your note. Once we see an offer in figures we can give you one in return.",
)

CATALOG_INTRO = (
    "Here is what we supply in {category}, with our opening quotes per unit:",
    "Our {category} catalog, opening quotes per unit included:",
    "Please find our {category} range below. Prices are opening quotes per unit:",
)

CLOSURE = (
    "{name} has ceased trading and takes no further orders. Thank you for your business.",
    "We have closed {name} for good. No orders can be taken any more; we wish you well.",
    "{name} is out of business. This mailbox only sends this notice.",
)
