"""The session book: open and concluded negotiations by supplier and SKU. An offer on a concluded pair opens another."""

from dataclasses import dataclass, field, replace
from typing import Literal

from ecbench.market.economy import Economy
from ecbench.suppliers.grammar import BargainAction
from ecbench.suppliers.kernel import Kernel, opened_kernel, respond, sentiment, terms_of
from ecbench.suppliers.records import ClosedBy, Decision, Session
from ecbench.world.model import Product, Supplier

Status = Literal["active", "awaiting", "completed", "rejected"]
CONCLUDED: frozenset[Status] = frozenset({"completed", "rejected"})
CRITICAL_BID = 1.5  # over the reference price; a bid above it is a BoundViol
CENT_SLACK = 0.005 + 1e-9  # an agent may accept the quote as it was shown, in cents


@dataclass(slots=True)
class Pair:
    """One cycle of bargaining. Once concluded it never changes again, so copies of a book share it."""

    supplier: Supplier
    product: Product
    cycle: int
    kernel: Kernel
    day_opened: int
    standing: float  # the price that an acceptance has to match
    status: Status = "active"
    agreed: float | None = None
    closed_by: ClosedBy = "SupplierAccept"
    critical: tuple[str, ...] = ()
    secondary: tuple[str, ...] = ()
    day_concluded: int = 0
    number: int = 0  # in filing order, from 1; 0 until it is concluded and filed

    @property
    def concluded(self) -> bool:
        return self.status in CONCLUDED

    def copy(self) -> "Pair":
        return replace(self, kernel=self.kernel.copy())


@dataclass(slots=True)
class SessionBook:
    """All bargains of one merchant, open and concluded."""

    pairs: dict[tuple[str, str], Pair] = field(default_factory=dict)
    filed: list[Pair] = field(default_factory=list)  # the concluded ones, of all cycles, in filing order
    ordered: dict[int, int] = field(default_factory=dict)  # by the number of a purchase order: of its session

    @property
    def active(self) -> int:
        """Sessions that have opened and not concluded."""
        return sum(not pair.concluded for pair in self.pairs.values())

    def copy(self) -> "SessionBook":
        pairs = self.pairs.copy()
        for key, pair in self.pairs.items():
            if not pair.number:
                pairs[key] = pair.copy()
        return SessionBook(pairs, self.filed.copy(), self.ordered.copy())


@dataclass(slots=True)
class Agreement:
    """An accepted price, whose order is to be placed."""

    pair: Pair
    price: float
    quantity: int


class LetterBids:
    """The bids of one letter, and what the bank and the supplier's week have left after those that were agreed.

    Where bids bind, what a bid asks for is checked before the supplier decides, so every agreement has an order.
    """

    __slots__ = ("_bank", "_skus", "_units")

    def __init__(self, bank: float, units: int | None) -> None:
        self._bank = bank
        self._units = units  # that the supplier still delivers this week; None: any number
        self._skus: set[str] = set()

    def refusal(self, bid: BargainAction) -> str | None:
        """The code of the error where a bid could not be ordered as it stands."""
        if bid.sku in self._skus:
            return "second_bid"
        self._skus.add(bid.sku)
        if bid.quantity < 1:
            return "quantity_too_small"
        if self._units is not None and bid.quantity > self._units:
            return "beyond_supply"
        return "insufficient_funds" if (bid.price or 0.0) * bid.quantity > self._bank else None

    def agree(self, sku: str, price: float, quantity: int) -> None:
        """Reserve what an agreement of this letter takes."""
        self._skus.add(sku)
        self._bank -= price * quantity
        if self._units is not None:
            self._units -= quantity


Decided = tuple[Decision, Agreement | None]


def decide(
    book: SessionBook,
    economy: Economy,
    supplier: Supplier,
    action: BargainAction,
    day: int,
    bids: LetterBids | None = None,
) -> Decided:
    """The supplier's answer to one action of a letter; `bids` are those of the letter where bids bind."""
    sku, kind = action.sku, action.kind
    product = economy.world.product_by_sku.get(sku)
    pair = book.pairs.get((supplier.name, sku))
    if product is None or product.category != supplier.category:
        return _error(action, pair, None, "unknown_sku"), None
    if kind == "offer" and action.price is not None:
        if action.price > economy.rules.highest_bid * product.reference_price:
            return _error(action, pair, product, "bid_too_high"), None
        refusal = bids.refusal(action) if bids is not None else None
        if refusal is not None:
            return _error(action, pair, product, refusal), None
        if pair is None or pair.status in CONCLUDED:
            pair = _begin(book, economy, supplier, product, pair, day)
        return _offer(book, pair, action.price, action.quantity, day)
    if kind == "accept":
        return _accept(pair, product, action)
    return _reject(book, pair, product, action, day), None


def _begin(
    book: SessionBook, economy: Economy, supplier: Supplier, product: Product, last: Pair | None, day: int
) -> Pair:
    """Open the next cycle: type and reservation stay, the draws are new."""
    if last is None:
        cycle, terms = 0, terms_of(economy, supplier, product)
    else:
        cycle, terms = last.cycle + 1, last.kernel.terms
    kernel = opened_kernel(terms, supplier.name, product.sku, cycle)
    pair = Pair(supplier, product, cycle, kernel, day, kernel.supplier_prices[-1])
    book.pairs[supplier.name, product.sku] = pair
    return pair


def _offer(book: SessionBook, pair: Pair, price: float, quantity: int, day: int) -> Decided:
    kernel, product = pair.kernel, pair.product
    _audit(pair, price)
    decision = respond(kernel, price)
    price = kernel.agent_prices[-1]  # as the kernel took it, which may be in cents
    if decision == "Accept":
        pair.status, pair.agreed, pair.closed_by = "awaiting", price, "SupplierAccept"
        return Decision(product.sku, "Accept", price, kernel.round, quantity, product), Agreement(pair, price, quantity)
    if decision == "Reject":
        pair.closed_by = "SupplierReject"
        _file(book, pair, "rejected", day)
        return Decision(product.sku, "Reject", None, kernel.round, quantity, product), None
    quote = pair.standing = kernel.supplier_prices[-1]
    return Decision(product.sku, "Offer", quote, kernel.round, quantity, product, sentiment(kernel)), None


def _accept(pair: Pair | None, product: Product, action: BargainAction) -> Decided:
    if action.price is None:
        return _error(action, pair, product, "accept_missing_price"), None
    if pair is None or pair.status != "active":
        return _error(action, pair, product, "no_active_negotiation"), None
    if abs(action.price - pair.standing) > CENT_SLACK:
        return _error(action, pair, product, "accept_price_mismatch"), None
    price, quantity = pair.standing, action.quantity
    pair.status, pair.agreed, pair.closed_by = "awaiting", price, "AgentAccept"
    answer = Decision(action.sku, "Accept", price, pair.kernel.round + 1, quantity, product)
    return answer, Agreement(pair, price, quantity)


def _reject(book: SessionBook, pair: Pair | None, product: Product, action: BargainAction, day: int) -> Decision:
    if pair is None or pair.status != "active":
        return _error(action, pair, product, "no_active_negotiation")
    pair.closed_by = "AgentReject"
    _file(book, pair, "rejected", day)
    return Decision(action.sku, "Reject", None, pair.kernel.round + 1, action.quantity, product, by_agent=True)


def _error(action: BargainAction, pair: Pair | None, product: Product | None, code: str) -> Decision:
    k = 0 if pair is None else pair.kernel.round + 1
    return Decision(action.sku, "Error", None, k, action.quantity, product, error_code=code)


def refuse_action(
    book: SessionBook, economy: Economy, supplier: Supplier, action: BargainAction, code: str
) -> Decision:
    """The answer to an action that is not decided, whatever the state of its talks."""
    product = economy.world.product_by_sku.get(action.sku)
    return _error(action, book.pairs.get((supplier.name, action.sku)), product, code)


def confirm_order(book: SessionBook, pair: Pair, order: int, day: int) -> None:
    """File an agreement once its order was charged; a SKU agreed on twice in a message is one with two orders."""
    if pair.status not in CONCLUDED:
        _file(book, pair, "completed", day)
    book.ordered[order] = pair.number


def withdraw_agreement(pair: Pair) -> None:
    """Undo an agreement whose order failed: the agreed price stands until the kernel quotes another."""
    if not pair.concluded and pair.agreed is not None:
        pair.status, pair.standing = "active", pair.agreed


def _audit(pair: Pair, price: float) -> None:
    """Record offers above the reference price or below the agent's last offer."""
    reference = pair.kernel.terms.reference_price
    if price > CRITICAL_BID * reference:
        pair.critical += ("BoundViol",)
    if price > reference:
        pair.critical += ("ResViol",)
    offers = pair.kernel.agent_prices
    if offers and price < offers[-1]:
        pair.secondary += ("MonoViol",)


def _file(book: SessionBook, pair: Pair, status: Literal["completed", "rejected"], day: int) -> None:
    pair.status, pair.day_concluded = status, day
    book.filed.append(pair)
    pair.number = len(book.filed)


def session_of(pair: Pair) -> Session:
    """A concluded pair as the metrics read it."""
    kernel, terms, supplier = pair.kernel, pair.kernel.terms, pair.supplier
    agreed = pair.status == "completed"
    return Session(
        supplier=supplier.name,
        sku=pair.product.sku,
        honest=supplier.honest,
        template=supplier.template,
        scam=supplier.scam,
        reference_price=terms.reference_price,
        floor=terms.floor,
        opening_target=terms.opening_target,
        agent_prices=kernel.agent_prices,
        supplier_prices=kernel.supplier_prices,
        turns=len(kernel.agent_prices) + len(kernel.supplier_prices) + 1,
        outcome="Agreement" if agreed else "Disagreement",
        final_price=pair.agreed if agreed else None,
        closed_by=pair.closed_by,
        day_opened=pair.day_opened,
        day_concluded=pair.day_concluded,
        critical_violations=pair.critical,
        secondary_violations=pair.secondary,
    )
