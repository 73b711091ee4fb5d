"""Two views of a unit: where it is (lots, which pay storage) and whether it is free or listed in a store."""

from ecbench.market.aging import NEVER
from ecbench.market.books import Listing, Lot, Stock, Store
from ecbench.market.year import Year
from ecbench.world.model import Product


def stock_of(year: Year, product: Product) -> Stock:
    stock = year.books.stock.get(product.sku)
    if stock is None:
        stock = year.books.stock[product.sku] = Stock(year.market.appeals[product.sku], product)
    return stock


def put_away(stock: Stock, quantity: int, today: int) -> None:
    """Units enter the warehouse, free, on a fresh storage clock."""
    lots, (step, days_left) = stock.lots, stock.appeal.aging[0]
    if lots and lots[-1].day == today:
        lots[-1].quantity += quantity
    else:
        lots.append(Lot(today, quantity, step))
    stock.storage_weight += quantity * step
    stock.aged_until = min(stock.aged_until, today + days_left)
    stock.physical += quantity
    stock.free += quantity


def take_oldest(stock: Stock, quantity: int) -> None:
    """Units leave the warehouse for good, oldest lots first. They are no longer free by now."""
    stock.physical -= quantity
    lots = stock.lots
    while lots[0].quantity <= quantity:
        lot = lots.pop(0)
        quantity -= lot.quantity
        stock.storage_weight -= lot.quantity * lot.step
        if not quantity:
            break
    else:
        lots[0].quantity -= quantity
        stock.storage_weight -= quantity * lots[0].step
    if not lots:
        stock.storage_weight, stock.aged_until = 0.0, NEVER


def receive(stock: Stock, supplier: str, quantity: int, unit_price: float, *, defective: bool, today: int) -> None:
    """A delivery arrives; the cost basis becomes the mean over every unit the merchant now holds."""
    value = stock.cost * stock.physical + unit_price * quantity
    put_away(stock, quantity, today)
    stock.cost = value / stock.physical
    stock.delivered += quantity
    stock.by_supplier[supplier] = stock.by_supplier.get(supplier, 0) + quantity
    if defective:
        stock.defective += quantity
    stock.defective_share = stock.defective / stock.delivered


def list_units(store: Store, stock: Stock, quantity: int, price: float) -> None:
    """Free units go on the shelf; the price holds for the whole SKU in that store."""
    stock.free -= quantity
    listing = store.shelf.get(stock.product.sku)
    if listing is None:
        store.shelf[stock.product.sku] = Listing(
            stock.appeal, stock.product.category, quantity, price, stock.appeal.pulls[price, 1.0]
        )
    else:
        listing.quantity += quantity
        reprice(listing, price)


def reprice(listing: Listing, price: float) -> None:
    listing.price = price
    listing.pull = listing.appeal.pulls[price, 1.0]


def delist_units(store: Store, stock: Stock, quantity: int) -> None:
    """A SKU delisted to nothing leaves the shelf, and with it its price and its place in the order of sales."""
    listing = store.shelf[stock.product.sku]
    listing.quantity -= quantity
    stock.free += quantity
    if listing.quantity == 0:
        del store.shelf[stock.product.sku]


def storage_charge(year: Year) -> float:
    """What every lot pays this morning: units x size rate x age step (app:econ_costs)."""
    today, charge = year.date.toordinal(), 0.0
    for stock in year.books.stock.values():
        if today >= stock.aged_until:
            _age(stock, today)
        charge += stock.storage_weight * stock.appeal.storage_rate
    return charge


def _age(stock: Stock, today: int) -> None:
    """A lot has grown into its next age step."""
    aging, soonest = stock.appeal.aging, NEVER
    for lot in stock.lots:
        lot.step, days_left = aging[min(today - lot.day, len(aging) - 1)]
        soonest = min(soonest, days_left)
    stock.storage_weight = sum([lot.quantity * lot.step for lot in stock.lots])
    stock.aged_until = today + soonest
