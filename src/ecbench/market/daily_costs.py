"""Daily costs beside storage: operating each store, and the idle penalty of an account without one (app:econ_costs)."""

from ecbench.market.books import Store
from ecbench.market.ledger import IDLE, OPERATING, pay, pay_each
from ecbench.market.marketplace import Account
from ecbench.market.news import IdleCharged
from ecbench.rules import Rules


def charge_operations(account: Account) -> None:
    """Charge every open store by its tier, and a fee for each of its listings that had units overnight."""
    rules, trading = account.rules, account.books.trading
    for store in trading:
        listings = len(store.stocked) if rules.listing_fee else 0
        store.operating = operating_cost(store, listings, rules)
    pay_each(account.books.purse, OPERATING, [store.operating for store in trading])


def operating_cost(store: Store, listings: int, rules: Rules) -> float:
    """What a day of a store costs with so many listings that have units."""
    return rules.operating_cost[store.type.tier] + rules.listing_fee * listings


def charge_idle_slot(account: Account) -> None:
    """A merchant account without a store costs money once the grace period is over."""
    rules = account.rules
    if account.market.day > rules.idle_grace_days and not account.books.trading:
        pay(account.books.purse, IDLE, rules.idle_charge)
        account.post(IdleCharged(rules.idle_charge))
