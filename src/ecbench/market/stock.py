"""Stock: lots, which pay storage, and whether units are free or listed in a store."""

from bisect import bisect_left
from itertools import chain
from operator import attrgetter

from ecbench.market.books import Books, Listing, Lot, Stock, Store
from ecbench.market.marketplace import Account
from ecbench.sums import ordered_sum
from ecbench.world.model import Product

_day = attrgetter("day")


def stock_of(account: Account, product: Product) -> Stock:
    stock = account.books.stock.get(product.sku)
    if stock is None:
        rate = account.rules.storage_rate[product.size]
        stock = Stock(account.economy.demands[product.sku], product, storage_rate=rate)
        account.books.stock[product.sku] = stock
        account.books.storage.append(stock.storage)
    return stock


def put_away(books: Books, stock: Stock, quantity: int, today: int) -> None:
    """Units enter the warehouse, free, as a lot of their own: two arrivals on one morning are two lots."""
    lots, steps = stock.lots, stock.demand.age_steps
    if len(steps) > 1 and not (lots and lots[-1].day == today):
        books.aging.setdefault(today + steps[1][0], []).append((stock.product.sku, today, 1))
    lots.append(Lot(today, quantity, steps[0][1]))
    stock.storage.append(lot_charge(stock, lots[-1]))
    stock.free += quantity
    books.units += quantity


def take_oldest(stock: Stock, quantity: int) -> None:
    """Remove units that are no longer free from the warehouse, oldest lots first."""
    lots = stock.lots
    while quantity:
        oldest = lots[0]
        if oldest.quantity > quantity:
            oldest.quantity -= quantity
            stock.storage[0] = lot_charge(stock, oldest)
            return
        quantity -= oldest.quantity
        del lots[0], stock.storage[0]


def lot_charge(stock: Stock, lot: Lot) -> float:
    """What a lot pays a morning: units x size rate x age step (app:econ_costs)."""
    return lot.quantity * stock.storage_rate * lot.step


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
        for listing in [store.shelf.get(stock.product.sku) for store in books.trading]:
            if listing is not None:
                reprice(listing, listing.price)


def list_units(store: Store, stock: Stock, quantity: int, price: float) -> None:
    """List free units; the price holds for the whole SKU in that store."""
    stock.free -= quantity
    sku, demand = stock.product.sku, stock.demand
    listing = store.shelf.get(sku)
    if listing is None:
        pull, sales = demand.pulls[price, 1.0, None], demand.sales[price, stock.defective_share]
        store.shelf[sku] = Listing(stock, demand, stock.product.category, quantity, price, pull, sales)
    else:
        listing.quantity += quantity
        if price != listing.price:
            reprice(listing, price)


def reprice(listing: Listing, price: float) -> None:
    """Set the price and look up what depends on it. A lookup at every sale would cost 5% of a year's replay."""
    listing.price = price
    listing.pull = listing.demand.pulls[price, 1.0, None]
    listing.sales = listing.demand.sales[price, listing.stock.defective_share]


def delist_units(store: Store, stock: Stock, quantity: int) -> None:
    """Free listed units; a SKU without any loses its price and its place in the order of sales."""
    listing = store.shelf[stock.product.sku]
    listing.quantity -= quantity
    stock.free += quantity
    if listing.quantity == 0:
        del store.shelf[stock.product.sku]


def storage_charge(account: Account) -> float:
    """What every lot pays this morning: one running sum over lots, SKUs in the order of their first arrival."""
    _age_lots(account.books, account.market.date.toordinal())
    return ordered_sum(chain.from_iterable(filter(None, account.books.storage))) or 0.0


def _age_lots(books: Books, today: int) -> None:
    """Raise the storage charge of lots that reach their next age step today."""
    for sku, day, step in books.aging.pop(today, ()):
        stock = books.stock[sku]
        lots, steps = stock.lots, stock.demand.age_steps
        if not lots or lots[0].day > day:
            continue  # sold by now: the oldest go first
        place = bisect_left(lots, day, key=_day)
        while place < len(lots) and lots[place].day == day:
            lots[place].step = steps[step][1]
            stock.storage[place] = lot_charge(stock, lots[place])
            place += 1
        if step + 1 < len(steps):
            books.aging.setdefault(day + steps[step + 1][0], []).append((sku, day, step + 1))
