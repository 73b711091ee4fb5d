"""Two views of a unit: where it is (lots, which pay storage) and whether it is free or listed in a store."""

from ecbench.market.books import Listing, Lot, Stock, Store
from ecbench.market.year import AgingTable, Year
from ecbench.world.model import Product


def stock_of(year: Year, product: Product) -> Stock:
    stock = year.books.stock.get(product.sku)
    if stock is None:
        stock = year.books.stock[product.sku] = Stock(year.market.appeals[product.sku], product)
    return stock


def put_away(stock: Stock, quantity: int, today: int) -> None:
    """Units enter the warehouse, free, on a fresh storage clock."""
    if stock.lots and stock.lots[-1].day == today:
        stock.lots[-1].quantity += quantity
    else:
        stock.lots.append(Lot(today, quantity))
    stock.weighed_until = 0
    stock.physical += quantity
    stock.free += quantity


def take_oldest(stock: Stock, quantity: int) -> None:
    """Units leave the warehouse for good, oldest lots first. They are no longer free by now."""
    stock.physical -= quantity
    stock.weighed_until = 0
    lots = stock.lots
    while lots[0].quantity <= quantity:
        quantity -= lots.pop(0).quantity
        if not quantity:
            return
    lots[0].quantity -= quantity


def receive(stock: Stock, supplier: str, quantity: int, unit_price: float, *, defective: bool, today: int) -> None:
    """A delivery arrives; the cost basis becomes the mean over every unit the merchant now holds."""
    value = stock.cost * stock.physical + unit_price * quantity
    put_away(stock, quantity, today)
    stock.cost = value / stock.physical
    stock.delivered += quantity
    stock.by_supplier[supplier] = stock.by_supplier.get(supplier, 0) + quantity
    if defective:
        stock.defective += quantity


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
    rates, aging, today = year.rules.storage_rate, year.market.aging, year.date.toordinal()
    charge = 0.0
    for stock in year.books.stock.values():
        if stock.physical:
            if today >= stock.weighed_until:
                _weigh(stock, today, aging)
            charge += stock.storage_weight * rates[stock.product.size]
    return charge


def _weigh(stock: Stock, today: int, aging: AgingTable) -> None:
    """Units times age step over the lots, good until the first of them grows into its next step."""
    lots, (young, youth) = stock.lots, aging[0]
    if today - lots[0].day < youth:  # the oldest lot is young, so all are
        stock.storage_weight, stock.weighed_until = stock.physical * young, lots[0].day + youth
        return
    weight, soonest = 0.0, aging[-1][1]
    for lot in lots:
        age = today - lot.day
        step, left = aging[age] if age < len(aging) else aging[-1]
        weight += lot.quantity * step
        if left < soonest:
            soonest = left
    stock.storage_weight, stock.weighed_until = weight, today + soonest
