"""Supplier screening: drop a supplier by what it asks and does. Its words say little: every supplier writes about
memberships, next orders and stock.

- A price in a letter far below the quotes beside it is bait: no supplier sells at it, now or later.
- Quotes that hardly fall for a buyer who stays low hide a raised floor; honest ones come down by a fifth of the way.
- An order that is refused although it could be paid means that something else is to be paid first.
"""

import re
from collections.abc import Sequence

from ecbench.players.merchants.protocol import Reply
from ecbench.players.merchants.replies import figures, rows, text, words
from ecbench.players.merchants.steady.merchant_state import MerchantState, Source

LEAST_BAIT, MOST_BAIT = 0.15, 0.45  # of the reference price: too good to be true ...
BELOW_QUOTE = 0.75  # ... where the quote is clearly higher
SLOWEST = 0.10  # of its way down to the going price: what a second quote gives up, at least
LEAST_STEP = 0.05  # of the margin that is usual in a line, where the going price is a guess
_PRICE = re.compile(r"¥ ?(\d+\.\d\d)")
_SUPPLY = re.compile(r"(\d[\d,]*) units a week")


def screen_letter(state: MerchantState, source: Source, response: Reply) -> None:
    """After any letter of a supplier's."""
    closed = text(response, "message") == "supplier_bankrupt" or text(response, "error") == "supplier_not_found"
    source.dropped |= closed or (not source.trusted and names_bait_price(state, response))
    source.contacted = True
    _read_supply(state, source, response)


def _read_supply(state: MerchantState, source: Source, response: Reply) -> None:
    """The units that it delivers in a week, which its first letter states where the rules limit them."""
    if source.supply is None and state.rules.weekly_supply:
        stated = _SUPPLY.search(text(response, "supplier_reply"))
        source.supply = int(stated[1].replace(",", "")) if stated else None


def names_bait_price(state: MerchantState, response: Reply) -> bool:
    """Whether the letter names a price for the goods under discussion that its own quotes make impossible."""
    named = set(map(float, _PRICE.findall(text(response, "supplier_reply").replace(",", ""))))
    answers = rows(response, "negotiation_responses")
    priced = zip(words(answers, "sku_id"), figures(answers, "price"), strict=True)
    quotes = {sku: price for sku, price in priced if price > 0 and sku in state.goods}
    named -= {round(quote, 2) for quote in quotes.values()}
    if not named:
        return False  # as nearly always: a letter names its quotes
    references = {sku: state.goods[sku].reference for sku in quotes}
    named -= {round(reference, 2) for reference in references.values()}
    return any(
        LEAST_BAIT * references[sku] < figure < min(MOST_BAIT * references[sku], BELOW_QUOTE * quote)
        for figure in named
        for sku, quote in quotes.items()
    )


def screen_quotes(source: Source, path: Sequence[float], going: float, margin: float = 0.0) -> None:
    """After two letters to a bidder who stayed low: two quotes, the price at which others sell, and the margin that
    is usual, all over reference."""
    if len(path) > 1:
        least = max(SLOWEST * (path[0] - going), LEAST_STEP * margin * path[0])
        source.dropped |= path[0] - path[1] < least


def screen_order(state: MerchantState, source: Source, cost: float, response: Reply) -> None:
    """After an order: it is refused for want of money, or for something that an honest supplier does not ask."""
    source.dropped |= bool(rows(response, "failed_orders")) and cost < state.bank
