"""Storage: what each lot pays a morning, and how the charge rises with its age (app:econ_costs)."""

from ecbench.market.books import Books
from ecbench.market.ledger import STORAGE, pay
from ecbench.market.marketplace import Account


def charge_storage(account: Account) -> None:
    account.books.storage_today = charge = storage_charge(account)
    if charge:
        pay(account.books.purse, STORAGE, charge)


def lot_charge(units: int, rate: float, step: float) -> float:
    """What a lot pays a morning: units x size rate x age step (app:econ_costs)."""
    return units * rate * step


def storage_charge(account: Account) -> float:
    """What every lot pays this morning: one running sum over lots, SKUs in the order of their first arrival."""
    _age_lots(account.books, account.market.date.toordinal())
    charge = 0.0
    for stock in account.books.stock.values():
        for lot in stock.lots:
            charge += lot.charge
    return charge


def _age_lots(books: Books, today: int) -> None:
    """Raise the storage charge of lots that reach their next age step today."""
    for sku, day, step in books.aging.pop(today, ()):
        stock = books.stock[sku]
        lots, steps = stock.lots, stock.demand.age_steps
        if not lots or lots[0].day > day:
            continue  # sold by now: the oldest go first
        for lot in lots:
            if lot.day == day:
                lot.step = steps[step][1]
                lot.charge = lot_charge(lot.quantity, stock.storage_rate, lot.step)
        if step + 1 < len(steps):
            books.aging.setdefault(day + steps[step + 1][0], []).append((sku, day, step + 1))
