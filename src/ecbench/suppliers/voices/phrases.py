"""What suppliers say, in our own words: many phrasings for every decision and tone.

`{goods}` stands for the goods and `{price}` for a price. Nothing here depends on what a supplier hides.
"""

from types import MappingProxyType
from typing import NamedTuple

from ecbench.suppliers.wording import Phrases


class Character(NamedTuple):
    """A house style. It is drawn from the supplier's name, so it says nothing about how the supplier bargains."""

    greetings: Phrases
    closings: Phrases


CHARACTERS = (
    Character(
        Phrases("Hello,", "Hi there,", "[Good|Nice] to hear from you.", "Hello and thank you,"),
        Phrases("Best wishes,", "Talk soon,", "All the best,"),
    ),
    Character(
        Phrases("Dear customer,", "Dear partner,", "Good day,", "Dear Sir or Madam,"),
        Phrases("Kind regards,", "Yours sincerely,", "With [kind |]regards,"),
    ),
    Character(
        Phrases("Thanks for writing.", "Message received.", "Noted, thanks.", "[Got it|Understood], thank you."),
        Phrases("Regards,", "[The sales|Sales] desk,", "Thanks,"),
    ),
    Character(
        Phrases(
            "Greetings from our warehouse.",
            "Thank you for [getting in touch|your letter].",
            "A quick word back to you:",
            "[It is good|We are glad] to have your letter.",
        ),
        Phrases("Until next time,", "Warm regards,", "At your service,"),
    ),
)

COUNTER = MappingProxyType(
    {
        "positive": Phrases(
            "For {goods} we would love to [make this work|find a way]: {price} per unit is what we can do.",
            "You are [close|getting close] on {goods}, and we like where this is going. How about {price} per unit?",
            "[Glad|We are glad] you asked about {goods}. We can meet you at {price} per unit.",
            "We appreciate [the|your] offer on {goods} and [happily|gladly] come back with {price} per unit.",
            "[Good|Some good] news on {goods}: our price for you is now {price} per unit.",
            "It is a pleasure to talk about {goods} with you; {price} per unit [would suit us|suits us] well.",
            "[Let us|We would like to] do something for you on {goods}: {price} per unit.",
        ),
        "neutral": Phrases(
            "On {goods} our price is {price} per unit.",
            "For {goods} we quote {price} per unit.",
            "{goods}: we can offer {price} per unit.",
            "Our [counter-offer|answer] for {goods} is {price} per unit.",
            "We have [looked at|gone over] {goods} again; the figure is {price} per unit.",
            "[The|Our] quote for {goods} [stands at|comes to] {price} per unit.",
            "We can [supply|let you have] {goods} at {price} per unit.",
        ),
        "negative": Phrases(
            "Your figure for {goods} does not work for us. [It is|We need] {price} per unit.",
            "We [expected|had hoped for] a more serious bid on {goods}. The price is {price} per unit.",
            "For {goods} we are not moving to where you are. {price} per unit.",
            "That is not a price at which {goods} leaves our warehouse. We say {price} per unit.",
            "[Frankly|To be frank], {goods} is worth more than that. {price} per unit is what we ask.",
            "[You are far off|Your bid is far off] on {goods}. It takes {price} per unit.",
            "We cannot [work with|do anything with] such a bid for {goods}; our price is {price} per unit.",
        ),
    }
)

ACCEPT = Phrases(
    "Agreed: {goods} at {price} per unit.",
    "We accept {price} per unit for {goods}.",
    "You have a deal on {goods} at {price} per unit.",
    "{price} per unit for {goods} is [fine with|acceptable to] us.",
    "Done. {goods} goes to you at {price} per unit.",
    "[Yes|Very well], {goods} at {price} per unit.",
)

REJECT_BY_SUPPLIER = Phrases(
    "We are too far apart on {goods} and end the talks here.",
    "We will not continue on {goods}; this conversation is closed.",
    "There is no deal to be had on {goods} this time. We step back.",
    "On {goods} we have to walk away.",
    "[This leads nowhere on|We see no way forward on] {goods}, so we [stop here|leave it there].",
)

REJECT_BY_AGENT = Phrases(
    "Understood, we close the file on {goods}.",
    "A pity about {goods}. Come back whenever you like.",
    "Noted: no deal on {goods} for now.",
    "[Fair enough|As you wish]; {goods} stays with us.",
)

ERRORS = MappingProxyType(
    {
        "unknown_sku": Phrases(
            "We are sorry, {goods} is not something we carry. Ask for our catalog to see what we have.",
            "{goods} is not in our range, I am afraid. Our catalog lists what we can supply.",
            "We do not [stock|sell] {goods}. [Shall we send|Ask for] our catalog?",
        ),
        "accept_missing_price": Phrases(
            "To accept on {goods}, please state the price you accept.",
            "Your acceptance for {goods} names no price; please repeat it with our last quote.",
        ),
        "accept_price_mismatch": Phrases(
            "The price you accept for {goods} is not the one on the table. Please use our last quote.",
            "We cannot book {goods} at that figure: an acceptance has to match our last quote.",
        ),
        "bid_too_high": Phrases(
            "Your bid for {goods} is so far above the market that we take it for a slip of the pen. Please check it.",
            "We cannot book {goods} at such a price; please look at your figure again and make another offer.",
        ),
        "second_bid": Phrases(
            "We read one bid for {goods} in a letter, the first.",
            "You bid more than once for {goods}; we answer the first bid of a letter.",
        ),
        "quantity_too_small": Phrases(
            "How many of {goods} do you need? We answer bids for one unit or more.",
            "Your bid for {goods} names no quantity that we could deliver. Please bid for one unit or more.",
        ),
        "beyond_supply": Phrases(
            "That is more of {goods} than we can deliver to you this week. Please bid for fewer.",
            "We cannot deliver so many of {goods} this week; a smaller quantity would be fine.",
        ),
        "insufficient_funds": Phrases(
            "Your bank does not cover this bid for {goods}, so we leave it open.",
            "We answer bids that can be paid; for {goods} your account does not hold enough.",
        ),
        "no_active_negotiation": Phrases(
            "We have no open talks on {goods}. Make an offer and we will answer it.",
            "There is nothing open between us on {goods}; an offer from you would start it.",
        ),
    }
)

NO_ACTION = Phrases(
    "Thank you for your message. Name a product, a price and a quantity and we will answer with a figure.",
    "We are listening. Send us an offer for any product of ours and you will hear back at once.",
    "[Happy|Glad] to help. Tell us which product you need, how many, and what you would pay.",
    "We have read your note. Once we see an offer in figures we can give you one in return.",
    "[All we need|What we need] is an offer: which goods, how many, at what price.",
)

CATALOG_INTRO = Phrases(
    "Here is what we supply in {category}, with our opening quotes per unit:",
    "Our {category} catalog, opening quotes per unit included:",
    "Please find our {category} range below. Prices are opening quotes per unit:",
    "[This is|Below is] our range in {category}, with the quotes per unit from which we open:",
)

WEEKLY_SUPPLY = Phrases(
    "We can [deliver|supply] up to {units} units a week to one customer, all goods together.",
    "[Our|The] supply is limited to {units} units a week for each customer, whatever the goods.",
    "[Please note|You should know] that one customer can have at most {units} units a week from us, over all goods.",
    "Each customer can [order|have] {units} units a week here, [all goods counted|over all goods].",
)

CLOSURE = Phrases(
    "{name} has ceased trading and takes no further orders. Thank you for your business.",
    "We have closed {name} for good. No orders can be taken any more; we wish you well.",
    "{name} is out of business. This mailbox only sends this notice.",
)
