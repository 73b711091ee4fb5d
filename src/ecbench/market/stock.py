"""Stock: the lots of each SKU, and whether units are free or listed in a store."""

from ecbench.market.books import Books, Listing, Lot, Stock, Store
from ecbench.market.marketplace import Account
from ecbench.market.storage import lot_charge
from ecbench.world.model import Product


def stock_of(account: Account, product: Product) -> Stock:
    stock = account.books.stock.get(product.sku)
    if stock is None:
        rate = account.rules.storage_rate[product.size]
        stock = Stock(account.economy.demands[product.sku], product, storage_rate=rate)
        account.books.stock[product.sku] = stock
    return stock


def put_away(books: Books, stock: Stock, quantity: int, today: int) -> None:
    """Units enter the warehouse, free, as a lot of their own: two arrivals on one morning are two lots."""
    lots, steps = stock.lots, stock.demand.age_steps
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
        store.shelf[sku] = Listing(stock, demand, stock.product.category, quantity, price, price, pull, sales)
    else:
        listing.quantity += quantity
        if price != listing.price:
            reprice(listing, price)


def reprice(listing: Listing, price: float) -> None:
    """Set the price and look up what depends on it. A lookup at every sale would cost 5% of a year's replay."""
    listing.price = listing.full_price = price
    listing.pull = listing.demand.pulls[price, 1.0, None]
    listing.sales = listing.demand.sales[price, listing.stock.defective_share]


def delist_units(store: Store, stock: Stock, quantity: int) -> None:
    """Free listed units; a SKU without any loses its price and its place in the order of sales."""
    listing = store.shelf[stock.product.sku]
    listing.quantity -= quantity
    stock.free += quantity
    if listing.quantity == 0:
        del store.shelf[stock.product.sku]
