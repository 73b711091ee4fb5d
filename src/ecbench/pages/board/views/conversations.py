"""The letters and bargains with each supplier, as the agent knows them."""

from typing import Any

from ecbench.pages.board.snapshots import Moment
from ecbench.pages.board.views.turn_view import LONGEST_TEXT
from ecbench.pages.letter_replies import written_letter
from ecbench.pages.reply_blocks import Block, KnownNames, shortened_blocks
from ecbench.pages.report.templates_env import board_part, offer_ladder
from ecbench.suppliers.catalog import PriceListLine, price_list_in
from ecbench.suppliers.records import MERCHANT, Letter
from ecbench.suppliers.sessions import Pair


def chat(moment: Moment, name: str) -> dict[str, Any]:
    """The letters with one supplier, oldest first, its last price list, and the bargains; raises KeyError if none."""
    desk, names = moment.year.desk, KnownNames(moment.year.world)
    exchanges = desk.exchanges[name]
    letters = [_letter(letter, names) for exchange in exchanges for letter in exchange.letters]
    return {
        "name": name,
        "html": board_part("letters", letters=letters, who=moment.who),
        "prices": next((letter["prices"] for letter in reversed(letters) if letter["prices"]), []),
        "ladders": [ladder_of(pair, moment.who) for pair in bargains(moment, name)],
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


def bargains(moment: Moment, name: str) -> list[Pair]:
    """Those with one supplier that are over, then the open ones."""
    book = moment.year.desk.book
    filed = [pair for pair in book.filed if pair.supplier.name == name]
    return filed + [pair for (who, _), pair in book.pairs.items() if who == name and not pair.concluded]


def ladder_of(pair: Pair, bidder: str, floor: float | None = None) -> dict[str, Any]:
    """One bargain: the offers of both sides in turn, and how it ended. A price may be agreed without an order.

    `standing` is what an acceptance has to match; None if the talks are over. The drawing has the floor if it is given.
    """
    agreed = pair.agreed is not None and pair.standing == pair.agreed  # an order that failed leaves the price agreed
    outcome = "agreed" if agreed and not pair.concluded else _OUTCOMES.get(pair.status, pair.closed_by)
    price = pair.agreed if outcome in ("deal", "agreed") else None
    deal, reference = round(pair.agreed, 2) if pair.agreed and outcome == "deal" else None, pair.product.reference_price
    quotes, offers = pair.kernel.supplier_prices, pair.kernel.agent_prices
    return {
        "html": offer_ladder(quotes, offers, floor, reference, deal, bidder=bidder),
        "sku": pair.product.sku,
        "title": pair.product.title,
        "reference": reference,
        "opened": pair.day_opened,
        "closed": pair.day_concluded if pair.concluded else None,
        "quotes": [round(price, 2) for price in quotes],
        "offers": [round(price, 2) for price in offers],
        "outcome": outcome,
        "price": None if price is None else round(price, 2),
        "standing": None if pair.concluded else round(pair.standing, 2),
    }


_OUTCOMES = {"completed": "deal", "active": "open"}
