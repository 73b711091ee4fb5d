"""What suppliers say, in our own words: several phrasings for every decision and tone.

`{title}`, `{sku}`, `{price}` and `{quantity}` are filled in. Nothing here depends on what a supplier hides.
"""

from types import MappingProxyType
from typing import NamedTuple


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
            "For {title} ({sku}) we would love to make this work: {price} per unit is what we can do.",
            "You are close on {title} ({sku}), and we like where this is going. How about {price} per unit?",
            "Glad you asked about {title} ({sku}). We can meet you at {price} per unit.",
            "We appreciate the offer on {title} ({sku}) and happily come back with {price} per unit.",
            "Good news on {title} ({sku}): our price for you is now {price} per unit.",
        ),
        "neutral": (
            "On {title} ({sku}) our price is {price} per unit.",
            "For {title} ({sku}) we quote {price} per unit.",
            "{title} ({sku}): we can offer {price} per unit.",
            "Our counter-offer for {title} ({sku}) is {price} per unit.",
            "We have looked at {title} ({sku}) again; the figure is {price} per unit.",
        ),
        "negative": (
            "Your figure for {title} ({sku}) does not work for us. It is {price} per unit.",
            "We expected a more serious bid on {title} ({sku}). The price is {price} per unit.",
            "For {title} ({sku}) we are not moving to where you are. {price} per unit.",
            "That is not a price at which {title} ({sku}) leaves our warehouse. We say {price} per unit.",
            "Frankly, {title} ({sku}) is worth more than that. {price} per unit is what we ask.",
        ),
    }
)

ACCEPT = (
    "Agreed: {title} ({sku}) at {price} per unit.",
    "We accept {price} per unit for {title} ({sku}).",
    "You have a deal on {title} ({sku}) at {price} per unit.",
    "{price} per unit for {title} ({sku}) is fine with us.",
    "Done. {title} ({sku}) goes to you at {price} per unit.",
)

REJECT_BY_SUPPLIER = (
    "We are too far apart on {title} ({sku}) and end the talks here.",
    "We will not continue on {title} ({sku}); this conversation is closed.",
    "There is no deal to be had on {title} ({sku}) this time. We step back.",
    "On {title} ({sku}) we have to walk away.",
)

REJECT_BY_AGENT = (
    "Understood, we close the file on {title} ({sku}).",
    "A pity about {title} ({sku}). Come back whenever you like.",
    "Noted: no deal on {title} ({sku}) for now.",
)

ERRORS = MappingProxyType(
    {
        "unknown_sku": (
            "We are sorry, {sku} is not something we carry. Ask for our catalog to see what we have.",
            "{sku} is not in our range, I am afraid. Our catalog lists what we can supply.",
        ),
        "accept_missing_price": (
            "To accept on {title} ({sku}), please state the price you accept.",
            "Your acceptance for {title} ({sku}) names no price; please repeat it with our last quote.",
        ),
        "accept_price_mismatch": (
            "The price you accept for {title} ({sku}) is not the one on the table. Please use our last quote.",
            "We cannot book {title} ({sku}) at that figure: an acceptance has to match our last quote.",
        ),
        "no_active_negotiation": (
            "We have no open talks on {title} ({sku}). Make an offer and we will answer it.",
            "There is nothing open between us on {title} ({sku}); an offer from you would start it.",
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
