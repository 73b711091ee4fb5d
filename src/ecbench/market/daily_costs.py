"""Daily costs beside storage: operating each store, and the idle penalty of an account without one (app:econ_costs)."""

from ecbench.market.ledger import IDLE, OPERATING, pay, pay_each
from ecbench.market.marketplace import Account
from ecbench.market.news import IdleCharged


def charge_operations(account: Account) -> None:
    costs = account.rules.operating_cost
    pay_each(account.books.purse, OPERATING, [costs[store.type.tier] for store in account.books.trading])


def charge_idle_slot(account: Account) -> None:
    """A merchant account without a store costs money once the grace period is over."""
    rules = account.rules
    if account.market.day > rules.idle_grace_days and not account.books.trading:
        pay(account.books.purse, IDLE, rules.idle_charge)
        account.post(IdleCharged(rules.idle_charge))
