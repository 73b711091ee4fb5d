"""Stock: the lots of each SKU, what their storage costs, and whether units are free or listed in a store."""

from ecbench.market.books import Books, Listing, Lot, Stock, Store
from ecbench.market.ledger import STORAGE, pay
from ecbench.market.marketplace import Account
from ecbench.world.model import Product


def stock_of(account: Account, product: Product) -> Stock:
    stock = account.books.stock.get(product.sku)
    if stock is None:
        rate = account.rules.storage_rate[product.size]
        goods, steps = account.economy.demands[product.sku], account.economy.age_steps
        stock = Stock(goods, product, storage_rate=rate, age_steps=steps)
        account.books.stock[product.sku] = stock
    return stock


def put_away(books: Books, stock: Stock, quantity: int, today: int) -> None:
    """Units enter the warehouse, free, as a lot of their own: two arrivals on one morning are two lots."""
    lots, steps = stock.lots, stock.age_steps
    if len(steps) > 1 and not (lots and lots[-1].day == today):
        books.aging.setdefault(today + steps[1][0], []).append((stock.product.sku, today, 1))
    step = steps[0][1]
    lots.append(Lot(today, quantity, step, lot_charge(quantity, stock.storage_rate, step)))
    stock.free += quantity
    books.units += quantity


def take_oldest(stock: Stock, quantity: int) -> None:
    """Remove units that are no longer free from the warehouse, oldest lots first."""
    lots = stock.lots
    while quantity:
        oldest = lots[0]
        left = oldest.quantity - quantity
        if left > 0:
            oldest.quantity = left
            oldest.charge = lot_charge(left, stock.storage_rate, oldest.step)
            return
        quantity = -left
        del lots[0]


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
        lots, steps = stock.lots, stock.age_steps
        if not lots or lots[0].day > day:
            continue  # sold by now: the oldest go first
        for lot in lots:
            if lot.day == day:
                lot.step = steps[step][1]
                lot.charge = lot_charge(lot.quantity, stock.storage_rate, lot.step)
        if step + 1 < len(steps):
            books.aging.setdefault(day + steps[step + 1][0], []).append((sku, day, step + 1))
