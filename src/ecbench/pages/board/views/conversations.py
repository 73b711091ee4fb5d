"""The letters and bargains with each supplier, as the agent knows them."""

from typing import Any

from ecbench.pages.board.snapshots import Moment
from ecbench.pages.board.views.turn_view import LONGEST_TEXT
from ecbench.pages.letter_replies import written_letter
from ecbench.pages.reply_blocks import Block, KnownNames, shortened_blocks
from ecbench.suppliers.catalog import PriceListLine, price_list_in
from ecbench.suppliers.records import MERCHANT, Letter
from ecbench.suppliers.sessions import Pair


def chat(moment: Moment, name: str) -> dict[str, Any]:
    """What was written to one supplier and what it wrote, oldest first, and the bargains with it.

    Raises KeyError if it has not been written to.
    """
    desk, names = moment.year.desk, KnownNames(moment.year.world)
    exchanges, book = desk.exchanges[name], desk.book
    pairs = [pair for pair in book.filed if pair.supplier.name == name]
    pairs += [pair for (who, _), pair in book.pairs.items() if who == name and not pair.concluded]
    return {
        "name": name,
        "letters": [_letter(letter, names) for exchange in exchanges for letter in exchange.letters],
        "ladders": [_ladder(pair) for pair in pairs],
    }


def _letter(letter: Letter, names: KnownNames) -> dict[str, Any]:
    """Its words without the price list, the agent's decisions a line each, and the price list as rows."""
    prices: list[PriceListLine] = []
    if letter.sender == MERCHANT:
        lines = written_letter("", letter.content, names).rows
    else:
        prices, text = price_list_in(letter.content)
        lines = [(names.in_letter(text),)]
    (words,), *actions = shortened_blocks([Block("letter", "", (), lines)], LONGEST_TEXT)[0].rows
    return {
        "mine": letter.sender == MERCHANT,
        "sent": f"{letter.day.isoformat()} {letter.minute // 60:02}:{letter.minute % 60:02}",
        "words": words,
        "actions": [action for (action,) in actions],
        "prices": prices,
    }


def _ladder(pair: Pair) -> dict[str, Any]:
    """One bargain: the offers of both sides in turn, and how it ended. A price may be agreed without an order.

    `standing` is what an acceptance has to match; None if the talks are over.
    """
    agreed = pair.agreed is not None and pair.standing == pair.agreed  # an order that failed leaves the price agreed
    outcome = "agreed" if agreed and not pair.concluded else _OUTCOMES.get(pair.status, pair.closed_by)
    price = pair.agreed if outcome in ("deal", "agreed") else None
    return {
        "sku": pair.product.sku,
        "title": pair.product.title,
        "reference": pair.product.reference_price,
        "opened": pair.day_opened,
        "closed": pair.day_concluded if pair.concluded else None,
        "quotes": [round(price, 2) for price in pair.kernel.supplier_prices],
        "offers": [round(price, 2) for price in pair.kernel.agent_prices],
        "outcome": outcome,
        "price": None if price is None else round(price, 2),
        "standing": None if pair.concluded else round(pair.standing, 2),
    }


_OUTCOMES = {"completed": "deal", "active": "open"}
