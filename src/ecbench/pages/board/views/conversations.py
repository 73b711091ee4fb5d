"""The letters and bargains with each supplier, as the agent knows them."""

from dataclasses import dataclass

from ecbench.episode import Episode
from ecbench.pages.board.views.turn_view import LONGEST_TEXT
from ecbench.pages.letter_replies import written_letter
from ecbench.pages.reply_blocks import Block, KnownNames, shortened_blocks
from ecbench.suppliers.catalog import PriceListLine, price_list_in
from ecbench.suppliers.desk import MERCHANT, Letter
from ecbench.suppliers.sessions import Pair


@dataclass(frozen=True, slots=True)
class Ladder:
    """One bargain: the offers of both sides in turn, and how it ended."""

    sku: str
    title: str
    reference: float
    opened: int  # day
    closed: int | None
    quotes: list[float]
    offers: list[float]
    outcome: str  # open, deal, agreed (a price without an order), or who walked away
    price: float | None  # of a deal, or agreed without an order
    standing: float | None  # what an acceptance has to match; None if the talks are over


@dataclass(frozen=True, slots=True)
class LetterView:
    sender: str  # "agent", or the supplier's name
    date: str
    minute: int
    text: str  # without its price list
    actions: list[str]  # of the agent's negotiate blocks, a line each
    prices: list[PriceListLine]  # of a supplier's price list


@dataclass(frozen=True, slots=True)
class Chat:
    """What was written to one supplier and what it wrote, oldest first, and the bargains with it."""

    name: str
    email: str
    category: str
    letters: list[LetterView]
    ladders: list[Ladder]
    orders: int  # purchase orders, as `ecbench show` counts them
    member: bool


def chat(year: Episode, name: str) -> Chat | None:
    exchanges = year.desk.exchanges.get(name)
    if exchanges is None:
        return None
    supplier = next(supplier for supplier in year.world.suppliers if supplier.name == name)
    names = KnownNames(year.world)
    letters = [_letter(letter, names) for exchange in exchanges for letter in exchange.letters]
    book = year.desk.book
    pairs = [pair for pair in book.filed if pair.supplier.name == name]
    pairs += [pair for (who, _), pair in book.pairs.items() if who == name and not pair.concluded]
    return Chat(
        name,
        supplier.email,
        supplier.category,
        letters,
        [_ladder(pair) for pair in pairs],
        sum(order.supplier == name for order in year.account.books.orders),
        name in year.desk.members,
    )


def _letter(letter: Letter, names: KnownNames) -> LetterView:
    if letter.sender == MERCHANT:
        prices: list[PriceListLine] = []
        lines = written_letter("", letter.content, names).rows
    else:
        prices, text = price_list_in(letter.content)
        lines = [(names.in_letter(text),)]
    (words,), *actions = shortened_blocks([Block("letter", "", (), lines)], LONGEST_TEXT)[0].rows
    done = [action for (action,) in actions]
    return LetterView(letter.sender, letter.day.isoformat(), letter.minute, words, done, prices)


def _ladder(pair: Pair) -> Ladder:
    agreed = pair.agreed is not None and pair.standing == pair.agreed  # an order that failed leaves the price agreed
    outcome = "agreed" if agreed and not pair.concluded else _OUTCOMES.get(pair.status, pair.closed_by)
    return Ladder(
        pair.product.sku,
        pair.product.title,
        pair.product.reference_price,
        pair.day_opened,
        pair.day_concluded if pair.concluded else None,
        [round(price, 2) for price in pair.kernel.supplier_prices],
        [round(price, 2) for price in pair.kernel.agent_prices],
        outcome,
        round(pair.agreed, 2) if pair.agreed is not None and outcome in ("deal", "agreed") else None,
        None if pair.concluded else round(pair.standing, 2),
    )


_OUTCOMES = {"completed": "deal", "active": "open"}
