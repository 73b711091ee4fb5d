"""Haggle with suppliers: screen them by what they ask and do, learn where their quotes stop, bid just above it.

All honest suppliers of a category stop at the same share of the reference price, unless the rules give each a floor of
its own: so the lowest price at which any of them sold is where to bid. A supplier is dropped by what it does:

- A price in a letter far below the quotes beside it is bait: no supplier sells at it, now or later.
- Quotes that hardly fall for a buyer who stays low hide a raised floor; honest ones come down by a fifth of the way.
- An order that is refused although it could be paid means that something else is to be paid first.
"""

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from ecbench.players.merchants.protocol import Call, Reply, call
from ecbench.players.merchants.steady.state import MerchantState, ShelfLine, Source, Talk
from ecbench.players.merchants.supplier_letters import Clause, acceptances, clause, letter, quotes_in
from ecbench.rules import DEFAULT_RULES
from ecbench.sums import ordered_sum
from ecbench.tools.outcome import SUPPLIER_CLOSED

MESSAGE_MINUTES = 30
CLOSING_LETTERS = 2  # after the rounds of waiting, at most
OPENING = "Here is what we would like to buy."
LOW_BALL = 0.15
LEAST_COST = 0.02  # over reference
SCREENED, SCREENED_FOR_FLOORS = 2, 5  # suppliers written to at first contact; where each has a floor of its own
STEP = 0.012  # by which a bid that no supplier accepts is raised
CLOSE, CLOSE_IF_THIN = 1.10, 1.04  # quotes over the going price that are still taken
THIN = 0.75  # cost over reference from which margins are thin
GENEROSITY = 0.1  # of the margin, given to a supplier rather than to go without
STOPPED = 1.02  # times the going price: a quote that will hardly fall any more
REMAINDER = 0.3  # of the worth of an order: as much missing is worth another letter that brings an order
ALIKE = 1.0005  # quotes over reference that differ only by rounding
PATIENCE = 0.94  # first bids stay below what any supplier accepts: quotes fall, and one order costs less than many
CLOSE_BY = 0.997  # the same where the floor is known: hardly any supplier breaks off talks over it

LEAST_BAIT, MOST_BAIT = 0.15, 0.45  # of the reference price: too good to be true ...
BELOW_QUOTE = 0.75  # ... where the quote is clearly higher
SLOWEST = 0.10  # of its way down to the going price: what a second quote gives up, at least
LEAST_STEP = 0.05  # of the margin that is usual in a line, where the going price is a guess
_PRICE = re.compile(r"¥ ?(\d+\.\d\d)")
_SUPPLY = re.compile(r"(\d[\d,]*) units a week")


def offers(state: MerchantState, wants: dict[str, int], ratio: float) -> list[Clause]:
    return [clause("offer", sku, round(state.goods[sku].reference * ratio, 2), units) for sku, units in wants.items()]


def usable_sources(line: ShelfLine) -> list[Source]:
    """Proven sources first, then those that quote low; those that were caught are gone."""

    def standing(source: Source) -> tuple[bool, bool, float]:
        return not source.checked, not source.contacted, source.quote if source.bid is None else source.bid

    return sorted((source for source in line.sources if not source.dropped), key=standing)


def new_sources(line: ShelfLine) -> list[Source]:
    return [source for source in line.sources if not source.dropped and not source.contacted]


def bid_holder(state: MerchantState, line: ShelfLine, source: Source) -> ShelfLine | Source:
    """Whose `bid` counts: the line's, or the supplier's where the rules give each supplier its own floor."""
    return source if state.rules.floor_spread else line


def first_contact(state: MerchantState, line: ShelfLine, wants: dict[str, int]) -> Talk:
    """Low offers to a few suppliers show their manners and where their quotes go; then one of them gets an order."""
    candidates = new_sources(line)[: SCREENED_FOR_FLOORS if state.rules.floor_spread else SCREENED]
    paths: dict[str, list[float]] = {source.email: [] for source in candidates}
    standing: dict[str, dict[str, float]] = {}
    for _ in range(2):
        addresses, content = [source.email for source in candidates], letter(offers(state, wants, LOW_BALL), OPENING)
        reply = yield call("chatbox", uids=addresses, content=content)
        # A broadcast answers with a list, a single letter with one flat reply.
        responses = {response["uid"].lower(): response for response in reply.get("responses", ())}
        for source in candidates:
            response = reply if len(candidates) == 1 else responses.get(source.email.lower(), {})
            quotes = _read(state, line, source, response)
            if quotes:
                standing[source.email] = quotes
                paths[source.email].append(source.quote)
        candidates = [source for source in candidates if not source.dropped]
    guesses = {address: _extrapolate(path) for address, path in paths.items() if len(path) > 1}
    lowest = min(guesses.values(), default=0.0)
    for source in candidates:
        if source.email in guesses:
            screen_quotes(source, paths[source.email], lowest, 1 - line.cost)
    candidates = [source for source in candidates if not source.dropped]
    known = [guesses[source.email] for source in candidates if source.email in guesses]
    if state.rules.floor_spread:
        for source in candidates:
            if not source.bid_is_floor:
                source.bid = guesses.get(source.email, source.bid)
        # Goods will cost about what the cheapest supplier asks in the end.
        line.cost = min((source.bid for source in candidates if source.bid is not None), default=line.cost) * 1.02
        best = min(candidates, key=lambda source: guesses.get(source.email, source.quote), default=None)
    else:
        if known and not line.bid_is_floor:
            line.bid = sorted(known)[len(known) // 2]
            line.cost = line.bid * 1.02
        best = min(candidates, key=lambda source: source.quote, default=None)
    if best is not None and best.email in standing:
        yield from _accept(state, PlannedOrder(line, best, wants, quotes=standing[best.email]))


def _extrapolate(path: list[float]) -> float:
    """Where falling quotes will stop if each step is about seven tenths of the one before."""
    step = max(0.0, path[-2] - path[-1])
    return max(0.05, path[-1] - step * 0.7 / 0.3)


def _mean_ratio(state: MerchantState, quotes: dict[str, float]) -> float:
    return ordered_sum(price / state.goods[sku].reference for sku, price in quotes.items()) / len(quotes)


@dataclass(slots=True)
class PlannedOrder:
    """What is wanted of one supplier, and what it quotes for it."""

    line: ShelfLine
    source: Source
    wants: dict[str, int]
    rounds: int = 0  # of waiting for quotes to fall
    whole: bool = False  # to be ordered by one letter: its orders are few, and its floor is known
    quotes: dict[str, float] = field(default_factory=dict)
    written: int = 0  # letters so far

    @property
    def letters(self) -> int:
        """That may still be written, at most."""
        return self.rounds + CLOSING_LETTERS - self.written


def haggle(state: MerchantState, deal: PlannedOrder) -> Talk:
    """Wait for quotes to fall, take those that have stopped falling, and bid that price for the rest.

    A supplier retires after a fixed number of letters that brought it an order, so most letters do not order.
    """
    line, source = deal.line, deal.source
    for turn in range(deal.rounds):
        if not deal.wants or source.dropped or not state.has_time_for(2 * MESSAGE_MINUTES):
            break
        low = going_price(state, line, source) * (CLOSE_BY if deal.whole else PATIENCE)
        fresh = yield from _write(state, deal, offers(state, deal.wants, low))
        if turn == 1 and not source.checked and fresh:
            first = _mean_ratio(state, {sku: deal.quotes.get(sku, quote) for sku, quote in fresh.items()})
            screen_quotes(source, [first, source.quote], going_price(state, line, source))
        deal.quotes |= fresh
    deal.wants = {sku: quantity for sku, quantity in deal.wants.items() if sku in deal.quotes}
    if not deal.wants or source.dropped or not state.has_time_for(MESSAGE_MINUTES):
        return
    # Order at quotes that have stopped and at bids; then take what is close enough of the rest.
    before, bid = _worth(state, deal.wants), going_price(state, line, source)
    taken = _below(state, deal, most_to_pay(state, line, source) if deal.whole else bid * STOPPED)
    rest = {sku: quantity for sku, quantity in deal.wants.items() if sku not in taken}
    deal.quotes |= yield from _write(state, deal, acceptances(taken, deal.wants) + offers(state, rest, bid))
    bought = sum(sku not in deal.wants for sku in rest)
    _adjust_bid(bid_holder(state, line, source), source, len(rest), bought, bid)
    if not deal.whole and not source.dropped and _worth(state, deal.wants) > REMAINDER * before:
        deal.quotes = _below(state, deal, most_to_pay(state, line, source))
        yield from _accept(state, deal)


def _write(state: MerchantState, deal: PlannedOrder, clauses: list[Clause]) -> Generator[Call, Reply, dict[str, float]]:
    """One letter: what it brings is no longer wanted, and the quotes that answer it come back."""
    deal.written += 1
    reply = yield call("chatbox", uid=deal.source.email, content=letter(clauses, OPENING))
    for sku in file_orders(state, deal.line, deal.source, reply):
        deal.wants.pop(sku, None)
    return _read(state, deal.line, deal.source, reply)


def _read(state: MerchantState, line: ShelfLine, source: Source, reply: Reply) -> dict[str, float]:
    """Screen a supplier by its letter, and learn from the quotes in it, which come back."""
    screen_letter(state, source, reply)
    quotes = {sku: price for sku, price in quotes_in(reply).items() if sku in state.goods}
    if quotes:
        detect_floor(state, bid_holder(state, line, source), quotes)
        source.quote = _mean_ratio(state, quotes)
    return quotes


def _below(state: MerchantState, deal: PlannedOrder, limit: float) -> dict[str, float]:
    """The quotes for what is wanted up to this share of the reference price."""
    found = {sku: deal.quotes[sku] for sku in deal.wants if sku in deal.quotes}
    return {sku: quote for sku, quote in found.items() if quote <= limit * state.goods[sku].reference}


def _worth(state: MerchantState, wants: dict[str, int]) -> float:
    return ordered_sum(state.goods[sku].reference * quantity for sku, quantity in wants.items())


def going_price(state: MerchantState, line: ShelfLine, source: Source) -> float:
    """Over reference: the lowest price at which suppliers of this line have sold, as far as it is known."""
    bid = bid_holder(state, line, source).bid
    return line.cost if bid is None else bid


def most_to_pay(state: MerchantState, line: ShelfLine, source: Source) -> float:
    """Over reference: a little above the going price, or more where goods sell for so much that waiting costs most."""
    going = going_price(state, line, source)
    margin = line.ratio * (1 - DEFAULT_RULES.commission - line.returns) - going
    return max(going * (CLOSE if line.cost < THIN else CLOSE_IF_THIN) + 0.01, going + GENEROSITY * margin)


def detect_floor(state: MerchantState, holder: ShelfLine | Source, quotes: dict[str, float]) -> None:
    """Quotes for different goods fall at different speeds; where they are alike, they have stopped."""
    ratios = sorted(price / state.goods[sku].reference for sku, price in quotes.items())
    if len(ratios) > 1 and ratios[1] <= ratios[0] * ALIKE:
        holder.bid = min(ratios[1], holder.bid if holder.bid_is_floor and holder.bid is not None else ratios[1])
        holder.bid_is_floor = True


def _adjust_bid(holder: ShelfLine | Source, source: Source, asked: int, taken: int, bid: float) -> None:
    """Half the offers at a bid should be taken in a round; none means it is below where suppliers stop."""
    if asked < 3 or holder.bid_is_floor:
        return
    share = taken / asked
    if share == 0:
        holder.bid = min(bid * (1 + STEP), max(bid, source.quote))
    elif share > 0.6:
        holder.bid = bid * (1 - STEP / 3)


def _accept(state: MerchantState, deal: PlannedOrder) -> Talk:
    """Take the quotes for what is wanted."""
    if not deal.quotes or not state.has_time_for(MESSAGE_MINUTES):
        return
    clauses = acceptances(deal.quotes, deal.wants)
    reply = yield call("chatbox", uid=deal.source.email, content=letter(clauses, OPENING))
    cost = ordered_sum(deal.quotes[sku] * quantity for sku, quantity in deal.wants.items() if sku in deal.quotes)
    screen_order(state, deal.source, cost, reply)
    file_orders(state, deal.line, deal.source, reply)


def file_orders(state: MerchantState, line: ShelfLine, source: Source, response: Reply) -> set[str]:
    """What was bought: it is on its way, and it is owed."""
    placed, paid, worth = response.get("orders_placed", ()), 0.0, 0.0
    for row in placed:
        sku, quantity = row["sku_id"], row["quantity"]
        source.taken += quantity
        state.coming[sku] = state.coming.get(sku, 0) + quantity
        source.owed.setdefault(sku, []).append(quantity)
        paid += row["charged"]
        worth += state.goods[sku].reference * quantity
    if placed:
        source.orders += 1
        state.bank = response["remaining_balance"]
        line.cost = max(LEAST_COST, (0.7 * line.cost + 0.3 * paid / worth) if source.orders > 1 else paid / worth)
    return {row["sku_id"] for row in placed}


def screen_letter(state: MerchantState, source: Source, response: Reply) -> None:
    """After any letter of a supplier's."""
    closed = response.get("message") == SUPPLIER_CLOSED
    source.dropped |= closed or names_bait_price(state, response)
    source.contacted = True
    if source.supply is None and state.rules.weekly_supply:  # its first letter says what it delivers in a week
        stated = _SUPPLY.search(response.get("supplier_reply", ""))
        source.supply = int(stated[1].replace(",", "")) if stated else None


def names_bait_price(state: MerchantState, response: Reply) -> bool:
    """Whether the letter names a price for the goods under discussion that its own quotes make impossible."""
    named = set(map(float, _PRICE.findall(response.get("supplier_reply", "").replace(",", ""))))
    answers = response.get("negotiation_responses", ())
    quotes = {row["sku_id"]: row["price"] for row in answers if row.get("price") and row["sku_id"] in state.goods}
    named -= {round(quote, 2) for quote in quotes.values()}
    if not named:
        return False  # as nearly always: a letter names its quotes
    references = [(state.goods[sku].reference, quote) for sku, quote in quotes.items()]
    named -= {round(reference, 2) for reference, _ in references}
    return any(
        LEAST_BAIT * reference < figure < min(MOST_BAIT * reference, BELOW_QUOTE * quote)
        for figure in named
        for reference, quote in references
    )


def screen_quotes(source: Source, path: Sequence[float], going: float, margin: float = 0.0) -> None:
    """After two letters to a bidder who stayed low: two quotes, the price at which others sell, and the margin that
    is usual, all over reference."""
    least = max(SLOWEST * (path[0] - going), LEAST_STEP * margin * path[0])
    source.dropped |= path[0] - path[1] < least


def screen_order(state: MerchantState, source: Source, cost: float, response: Reply) -> None:
    """After an order: it is refused for want of money, or for something that an honest supplier does not ask."""
    source.dropped |= "failed_orders" in response and cost < state.bank
