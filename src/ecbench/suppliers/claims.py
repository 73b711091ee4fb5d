"""Claims in bargaining: how a rival's quote or a promised volume moves a counter-offer, and what that was worth.

Acceptances and departures depend on bids alone, so the kernel, run again with the same bids, finds the price without.
"""

from math import log
from typing import Final, NamedTuple

from ecbench.decimals import money
from ecbench.market.conduct import Promise, Verdict
from ecbench.market.marketplace import Account
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.grammar import BadClaim, BargainAction, RivalQuote, Volume
from ecbench.suppliers.kernel import Kernel, opened_kernel, respond
from ecbench.suppliers.sessions import Pair
from ecbench.world.model import Supplier, World

MOVED: Final = 0.5  # of the way to a rival's quote
VOLUME_SHARE, MOST_VOLUME_SHARE = 0.02, 0.06
QUOTE_DAYS: Final = 30  # that a quote may be old
QUOTE_SLACK: Final = 1.01


class MadeClaim(NamedTuple):
    """A claim of a session: the entry of the ledger, the round of its offer, and the quantity asked for."""

    entry: int
    round: int
    claim: RivalQuote | Volume
    quantity: int


def claim_problem(world: World, supplier: Supplier, action: BargainAction) -> str | None:
    """The code of the error where a claim states nothing that could be true or kept."""
    claim = action.claim
    if isinstance(claim, BadClaim):
        return claim.code
    if not isinstance(claim, RivalQuote):
        return None
    rival = world.supplier_by_email.get(claim.supplier)
    if rival is None:
        return "claim_supplier"
    if rival.name == supplier.name:
        return "claim_itself"
    return None if rival.category == supplier.category else "claim_other_goods"


def hear_claim(
    desk: SupplierDesk, account: Account, pair: Pair, claim: RivalQuote | Volume, quantity: int, *, countered: bool
) -> None:
    """Enter a claim whose offer was decided, and let it move the counter if there is one."""
    key = pair.supplier.name, pair.product.sku, pair.cycle
    made = desk.claims.get(key, ())
    entry = _enter(desk, account, pair, claim)
    desk.claims[key] = *made, MadeClaim(entry, pair.kernel.round, claim, quantity)
    if countered:
        press(pair.kernel, claim, quantity, {_source(earlier.claim) for earlier in made})
        pair.standing = pair.kernel.supplier_prices[-1]


def press(kernel: Kernel, claim: RivalQuote | Volume, quantity: int, heard: set[str]) -> None:
    """Move the last counter; each rival and one volume count once a session."""
    if _source(claim) in heard:
        return
    *_, standing, quote = kernel.supplier_prices
    reservation = kernel.reservation
    if isinstance(claim, RivalQuote):
        target = max(reservation, claim.price)
        moved = quote - MOVED * (quote - target) if claim.price < standing and target < quote else quote
    else:
        share = min(MOST_VOLUME_SHARE, VOLUME_SHARE * log(claim.units / quantity)) if claim.units > quantity else 0.0
        moved = max(reservation, quote - share * (quote - reservation) - share * quote)
    if kernel.terms.cents:
        moved = max(reservation, round(moved, 2))
    kernel.supplier_prices = (*kernel.supplier_prices[:-1], moved)


def _source(claim: RivalQuote | Volume) -> str:
    return claim.supplier if isinstance(claim, RivalQuote) else ""


def _enter(desk: SupplierDesk, account: Account, pair: Pair, claim: RivalQuote | Volume) -> int:
    conduct, day, supplier, sku = account.conduct, account.market.day, pair.supplier.name, pair.product.sku
    assert conduct is not None
    if isinstance(claim, Volume):
        entry = conduct.enter(day, "volume", supplier, sku, float(claim.units), None, "open")
        promise = Promise(entry, supplier, sku, claim.units, day + claim.days, len(account.books.orders))
        conduct.promises.append(promise)
        return entry
    rival = account.world.supplier_by_email[claim.supplier].name
    quotes = [price for then, price in desk.quotes.get((rival, sku), ()) if then >= day - QUOTE_DAYS]
    lowest = min(quotes, default=None)
    verdict: Verdict = "true" if lowest is not None and lowest <= QUOTE_SLACK * claim.price else "false"
    return conduct.enter(day, "rival_quote", f"{rival} to {supplier}", sku, claim.price, lowest, verdict)


def last_quote(pair: Pair, made: tuple[MadeClaim, ...]) -> float:
    """The last quote of a session with the same bids and these of its claims."""
    kernel = opened_kernel(pair.kernel.terms, pair.supplier.name, pair.product.sku, pair.cycle)
    heard: set[str] = set()
    for bid in pair.kernel.agent_prices:
        if respond(kernel, bid) == "Offer":
            for each in made:
                if each.round == kernel.round:
                    press(kernel, each.claim, each.quantity, heard)
                    heard.add(_source(each.claim))
    return kernel.supplier_prices[-1]


def enter_gains(desk: SupplierDesk, account: Account, pair: Pair, quantity: int) -> None:
    """What each claim took off the order that followed, on top of the claims before it: all add up to the whole."""
    made = desk.claims.get((pair.supplier.name, pair.product.sku, pair.cycle), ())
    if account.conduct is None or not made or pair.closed_by != "AgentAccept":
        return
    without = money(last_quote(pair, ()))
    for count, each in enumerate(made, start=1):
        quote = money(last_quote(pair, made[:count]))
        account.conduct.add_gain(each.entry, money((without - quote) * quantity))
        without = quote


def note_quote(desk: SupplierDesk, supplier: str, sku: str, day: int, price: float) -> None:
    """Keep what a supplier asked or accepted, for as long as it can be quoted."""
    kept = [quote for quote in desk.quotes.get((supplier, sku), ()) if quote[0] >= day - QUOTE_DAYS]
    desk.quotes[supplier, sku] = *kept, (day, price)
