"""Stock: the lots of each SKU, what their storage costs, and whether units are free or listed in a store."""

from bisect import bisect_left, bisect_right
from itertools import chain

from ecbench.market.books import NEVER, Books, Listing, Stock, Store
from ecbench.market.ledger import STORAGE, pay
from ecbench.market.marketplace import Account
from ecbench.sums import ordered_sum
from ecbench.world.model import Product


def stock_of(account: Account, product: Product) -> Stock:
    stock = account.books.stock.get(product.sku)
    if stock is None:
        rate = account.rules.storage_rate[product.size]
        goods, steps = account.economy.demands[product.sku], account.economy.age_steps
        first_age = steps[1][0] if len(steps) > 1 else NEVER
        stock = Stock(goods, product, storage_rate=rate, age_steps=steps, first_age=first_age)
        account.books.stock[product.sku] = stock
    return stock


def put_away(books: Books, stock: Stock, quantity: int, today: int) -> None:
    """Units enter the warehouse, free, as a lot of their own: two arrivals on one morning are two lots."""
    step, ages_on = stock.age_steps[0][1], today + stock.first_age
    if ages_on < stock.ages_on:
        stock.ages_on = ages_on
        books.ages_on = min(books.ages_on, ages_on)
    stock.lot_days.append(today)
    stock.lot_units.append(quantity)
    stock.lot_steps.append(step)
    stock.lot_charges.append(quantity * stock.storage_rate * step)
    stock.free += quantity
    books.units += quantity


def take_oldest(stock: Stock, quantity: int) -> None:
    """Remove units that are no longer free from the warehouse, oldest lots first."""
    units = stock.lot_units
    while quantity:
        left = units[0] - quantity
        if left > 0:
            units[0] = left
            stock.lot_charges[0] = left * stock.storage_rate * stock.lot_steps[0]
            return
        quantity = -left
        del units[0], stock.lot_days[0], stock.lot_steps[0], stock.lot_charges[0]


def receive(
    books: Books, stock: Stock, supplier: str, quantity: int, unit_price: float, *, defective: bool, today: int
) -> None:
    """Take in a delivery; the cost basis becomes the mean over all units held."""
    value = stock.cost * stock.physical + unit_price * quantity
    put_away(books, stock, quantity, today)
    stock.delivered += quantity
    stock.cost = value / stock.physical
    stock.by_supplier = {**stock.by_supplier, supplier: stock.by_supplier.get(supplier, 0) + quantity}
    if defective:
        stock.defective += quantity
    share = stock.defective / stock.delivered
    if share != stock.defective_share:
        stock.defective_share = share
        for store in books.trading:
            if (listing := store.shelf.get(stock.product.sku)) is not None:
                reprice(listing, listing.price)


def list_units(store: Store, stock: Stock, quantity: int, price: float) -> None:
    """List free units; the price holds for the whole SKU in that store."""
    stock.free -= quantity
    sku = stock.product.sku
    listing = store.shelf.get(sku)
    if listing is None:
        store.shelf[sku] = Listing(stock, quantity, stock.goods.priced[price, stock.defective_share])
    else:
        listing.quantity += quantity
        if price != listing.price:
            reprice(listing, price)


def reprice(listing: Listing, price: float) -> None:
    listing.priced = listing.stock.goods.priced[price, listing.stock.defective_share]


def delist_units(store: Store, stock: Stock, quantity: int) -> None:
    """Free listed units; a SKU without any loses its price and its place in the order of sales."""
    listing = store.shelf[stock.product.sku]
    listing.quantity -= quantity
    stock.free += quantity
    if listing.quantity == 0:
        del store.shelf[stock.product.sku]
        store.was.pop(stock.product.sku, None)


def charge_storage(account: Account) -> None:
    account.books.storage_today = charge = storage_charge(account)
    if charge:
        pay(account.books.purse, STORAGE, charge)


def storage_charge(account: Account) -> float:
    """What every lot pays this morning: units x size rate x age step (app:econ_costs), by first arrival of the SKU."""
    books, today = account.books, account.market.date.toordinal()
    if books.ages_on <= today:
        for stock in books.stock.values():
            if stock.ages_on <= today:
                _age_lots(stock, today)
        books.ages_on = min([stock.ages_on for stock in books.stock.values()])
    return ordered_sum(chain.from_iterable([stock.lot_charges for stock in books.stock.values()]), 0.0)


def _age_lots(stock: Stock, today: int) -> None:
    """Raise the storage charge of lots that reach their next age step today."""
    days = stock.lot_days
    stock.ages_on = NEVER
    for age, step in stock.age_steps[1:]:
        younger = bisect_right(days, today - age)
        if younger < len(days):
            stock.ages_on = min(stock.ages_on, days[younger] + age)
        if not younger:
            break  # no lot is as old as later ages
        for index in range(bisect_left(days, today - age, 0, younger), younger):
            stock.lot_steps[index] = step
            stock.lot_charges[index] = stock.lot_units[index] * stock.storage_rate * step
