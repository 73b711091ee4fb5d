"""Haggle with suppliers: screen them by what they ask and do, learn where their quotes stop, bid just above it.

An offer that is accepted is an order, so bids are only made for quantities that are wanted. Quotes fall while a buyer
stays put, and all honest suppliers of a category stop at the same share of the reference price; so the lowest price at
which any of them sold is where to bid, and a bid that none accepts is raised. Where the rules give each supplier a
floor of its own, the same is done for each, and more of them are asked.
"""

from json.encoder import encode_basestring_ascii as quoted
from typing import NamedTuple

from ecbench.players.merchants.protocol import Reply, Routine
from ecbench.players.merchants.replies import count, figures, number, rows, text, words
from ecbench.players.merchants.steady.merchant_state import MerchantState, Source, TradeLine, ask_one
from ecbench.players.merchants.steady.supplier_screening import screen_letter, screen_order, screen_quotes
from ecbench.rules import DEFAULT_RULES
from ecbench.sums import ordered_sum

MESSAGE_MINUTES = 30
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
PATIENCE = (
    0.94  # first bids stay below what any supplier accepts: quotes fall meanwhile, and one order costs less than many
)


class Clause(NamedTuple):
    """One thing that a letter asks for: its blocks are what suppliers answer."""

    action: str
    sku: str
    price: float
    quantity: int


def offers(state: MerchantState, wants: dict[str, int], ratio: float) -> list[Clause]:
    return [
        Clause("offer", sku, round(state.goods[sku].reference * ratio, 2), quantity) for sku, quantity in wants.items()
    ]


def acceptances(quotes: dict[str, float], wants: dict[str, int]) -> list[Clause]:
    return [Clause("accept", sku, round(quotes[sku], 4), quantity) for sku, quantity in wants.items() if sku in quotes]


def letter(clauses: list[Clause]) -> str:
    # Written by hand: a year has a hundred thousand of them, and each is flat.
    blocks = "\n".join(
        [
            f'{{"action": "{action}", "sku_id": {quoted(sku)}, "price": {price!r}, "quantity": {quantity}}}'
            for action, sku, price, quantity in clauses
        ]
    )
    return f"Here is what we would like to buy.\n```negotiate\n{blocks}\n```"


def usable_sources(line: TradeLine) -> list[Source]:
    """Proven sources first, then those that quote low; those that were caught are gone."""

    def standing(source: Source) -> tuple[bool, bool, float]:
        return not source.checked, not source.contacted, source.quote if source.bid is None else source.bid

    return sorted((source for source in line.sources if not source.dropped), key=standing)


def bid_holder(state: MerchantState, line: TradeLine, source: Source) -> TradeLine | Source:
    """Whose `bid` counts: the line's, or the supplier's where the rules give each supplier its own floor."""
    return source if state.rules.floor_spread else line


def first_contact(state: MerchantState, line: TradeLine, wants: dict[str, int]) -> Routine[None]:
    """Low offers to a few suppliers show their manners and where their quotes go; then one of them gets an order."""
    candidates = [source for source in line.sources if not source.dropped and not source.contacted]
    candidates = candidates[: SCREENED_FOR_FLOORS if state.rules.floor_spread else SCREENED]
    if not candidates:
        return
    paths: dict[str, list[float]] = {source.email: [] for source in candidates}
    standing: dict[str, dict[str, float]] = {}
    for _ in range(2):
        if not state.has_time_for(MESSAGE_MINUTES):
            break
        reply = yield from ask_one(
            state,
            "chatbox",
            uids=[source.email for source in candidates],
            content=letter(offers(state, wants, LOW_BALL)),
        )
        for source, response in _responses(candidates, reply):
            screen_letter(state, source, response)
            quotes = quotes_of(state, response)
            if quotes:
                detect_floor(state, bid_holder(state, line, source), quotes)
                standing[source.email] = quotes
                source.quote = _mean_ratio(state, quotes)
                paths[source.email].append(source.quote)
        candidates = [source for source in candidates if not source.dropped]
    lowest = min([_extrapolate(path) for path in paths.values() if len(path) > 1], default=0.0)
    for source in candidates:
        screen_quotes(source, paths[source.email], lowest, 1 - line.cost)
    candidates = [source for source in candidates if not source.dropped]
    guesses = {source.email: _extrapolate(path) for source in candidates if len(path := paths[source.email]) > 1}
    if state.rules.floor_spread:
        _guess_floors(line, candidates, guesses)
        best = min(candidates, key=lambda source: guesses.get(source.email, source.quote), default=None)
    else:
        if guesses and not line.bid_is_floor:
            line.bid = sorted(guesses.values())[len(guesses) // 2]
            line.cost = line.bid * 1.02
        best = min(candidates, key=lambda source: source.quote, default=None)
    if best is not None and best.email in standing:
        yield from _accept(state, line, best, standing[best.email], wants)


def _guess_floors(line: TradeLine, candidates: list[Source], guesses: dict[str, float]) -> None:
    """Of each supplier its own; goods will cost about what the cheapest one asks in the end."""
    for source in candidates:
        if source.email in guesses and not source.bid_is_floor:
            source.bid = guesses[source.email]
    line.cost = min((source.bid for source in candidates if source.bid is not None), default=line.cost) * 1.02


def _extrapolate(path: list[float]) -> float:
    """Where falling quotes will stop if each step is about seven tenths of the one before."""
    step = max(0.0, path[-2] - path[-1])
    return max(0.05, path[-1] - step * 0.7 / 0.3)


def _mean_ratio(state: MerchantState, quotes: dict[str, float]) -> float:
    return ordered_sum(price / state.goods[sku].reference for sku, price in quotes.items()) / len(quotes)


def haggle(state: MerchantState, line: TradeLine, source: Source, wants: dict[str, int], rounds: int) -> Routine[None]:
    """Wait for quotes to fall, take those that have stopped falling, and bid that price for the rest.

    A supplier retires after so many letters that brought it an order, so most letters are not meant to bring one.
    """
    quotes: dict[str, float] = {}
    for turn in range(rounds):
        if not wants or not state.has_time_for(2 * MESSAGE_MINUTES):
            break
        low = going_price(state, line, source) * PATIENCE
        fresh = yield from _write(state, line, source, wants, offers(state, wants, low))
        if turn == 1 and not source.checked and fresh:
            first = {sku: quotes.get(sku, quote) for sku, quote in fresh.items()}
            path = [_mean_ratio(state, first), _mean_ratio(state, fresh)]
            screen_quotes(source, path, going_price(state, line, source))
        quotes |= fresh
        if source.dropped:
            return
    wants = {sku: quantity for sku, quantity in wants.items() if sku in quotes}
    if not wants or not state.has_time_for(MESSAGE_MINUTES):
        return
    before = _worth(state, wants)
    bid = going_price(state, line, source)
    taken = _below(state, quotes, wants, bid * STOPPED)
    rest = {sku: quantity for sku, quantity in wants.items() if sku not in taken}
    clauses = acceptances(taken, wants) + offers(state, rest, bid)
    quotes |= yield from _write(state, line, source, wants, clauses)
    _adjust_bid(bid_holder(state, line, source), source, len(rest), sum(sku not in wants for sku in rest), bid)
    if not source.dropped and _worth(state, wants) > REMAINDER * before:
        yield from _accept(state, line, source, _below(state, quotes, wants, most_to_pay(state, line, source)), wants)


def _write(
    state: MerchantState, line: TradeLine, source: Source, wants: dict[str, int], clauses: list[Clause]
) -> Routine[dict[str, float]]:
    """One letter: what it brings is no longer wanted, and the quotes that answer it come back."""
    reply = yield from ask_one(state, "chatbox", uid=source.email, content=letter(clauses))
    screen_letter(state, source, reply)
    for sku in file_orders(state, line, source, reply):
        wants.pop(sku, None)
    fresh = quotes_of(state, reply)
    if fresh:
        detect_floor(state, bid_holder(state, line, source), fresh)
        source.quote = _mean_ratio(state, fresh)
    return fresh


def _below(state: MerchantState, quotes: dict[str, float], wants: dict[str, int], limit: float) -> dict[str, float]:
    return {sku: quotes[sku] for sku in wants if sku in quotes and quotes[sku] <= limit * state.goods[sku].reference}


def _worth(state: MerchantState, wants: dict[str, int]) -> float:
    return ordered_sum(state.goods[sku].reference * quantity for sku, quantity in wants.items())


def going_price(state: MerchantState, line: TradeLine, source: Source) -> float:
    """Over reference: the lowest price at which suppliers of this line have sold, as far as it is known."""
    bid = bid_holder(state, line, source).bid
    return line.cost if bid is None else bid


def most_to_pay(state: MerchantState, line: TradeLine, source: Source) -> float:
    """Over reference: a little above the going price, or more where goods sell for so much that waiting costs most."""
    going = going_price(state, line, source)
    margin = line.ratio * (1 - DEFAULT_RULES.commission - line.returns) - going
    return max(going * (CLOSE if line.cost < THIN else CLOSE_IF_THIN) + 0.01, going + GENEROSITY * margin)


def detect_floor(state: MerchantState, holder: TradeLine | Source, quotes: dict[str, float]) -> None:
    """Quotes for different goods fall at different speeds; where they are alike, they have stopped."""
    ratios = sorted(price / state.goods[sku].reference for sku, price in quotes.items())
    if len(ratios) > 1 and ratios[1] <= ratios[0] * ALIKE:
        holder.bid = min(ratios[1], holder.bid if holder.bid_is_floor and holder.bid is not None else ratios[1])
        holder.bid_is_floor = True


def _adjust_bid(holder: TradeLine | Source, source: Source, asked: int, taken: int, bid: float) -> None:
    """Half the offers at a bid should be taken in a round; none means it is below where suppliers stop."""
    if asked < 3 or holder.bid_is_floor:
        return
    share = taken / asked
    if share == 0:
        holder.bid = min(bid * (1 + STEP), max(bid, source.quote))
    elif share > 0.6:
        holder.bid = bid * (1 - STEP / 3)


def _accept(
    state: MerchantState, line: TradeLine, source: Source, quotes: dict[str, float], wants: dict[str, int]
) -> Routine[None]:
    if not quotes or not state.has_time_for(MESSAGE_MINUTES):
        return
    cost = ordered_sum(quotes[sku] * quantity for sku, quantity in wants.items() if sku in quotes)
    reply = yield from ask_one(state, "chatbox", uid=source.email, content=letter(acceptances(quotes, wants)))
    screen_order(state, source, cost, reply)
    file_orders(state, line, source, reply)


def _responses(sources: list[Source], reply: Reply) -> list[tuple[Source, Reply]]:
    """A broadcast answers with a list, a single letter with one flat reply."""
    if len(sources) == 1:
        return [(sources[0], reply)]
    by_address = {text(response, "uid").lower(): response for response in rows(reply, "responses")}
    return [(source, by_address.get(source.email.lower(), {})) for source in sources]


def quotes_of(state: MerchantState, response: Reply) -> dict[str, float]:
    answers = rows(response, "negotiation_responses")
    decided = zip(words(answers, "sku_id"), words(answers, "decision"), figures(answers, "price"), strict=True)
    return {sku: price for sku, decision, price in decided if decision == "Offer" and price > 0 and sku in state.goods}


def file_orders(state: MerchantState, line: TradeLine, source: Source, response: Reply) -> dict[str, int]:
    """What was bought: it is on its way, and it is owed."""
    taken: dict[str, int] = {}
    paid = worth = 0.0
    for row in rows(response, "orders_placed"):
        sku, quantity = text(row, "sku_id"), count(row, "quantity")
        if sku not in state.goods or quantity < 1:
            continue
        taken[sku] = taken.get(sku, 0) + quantity
        state.coming[sku] = state.coming.get(sku, 0) + quantity
        source.owed.setdefault(sku, []).append(quantity)
        paid += max(0.0, number(row, "charged"))
        worth += state.goods[sku].reference * quantity
    if taken:
        source.orders += 1
        source.taken += sum(taken.values())
        state.bank = number(response, "remaining_balance", state.bank)
        line.cost = max(LEAST_COST, (0.7 * line.cost + 0.3 * paid / worth) if source.orders > 1 else paid / worth)
    return taken
