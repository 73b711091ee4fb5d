"""One day, step by step: a store sells through a Saturday, and the next morning settles it.

    python examples/one_day.py

Every line prints a step of the settlement (`market/settlement.py`) with its formula and its numbers. The letters are
those of the paper's equations, and the functions are the ones that every episode runs on.
"""

from collections.abc import Callable
from datetime import date

from ecbench import Episode, load_world
from ecbench.market.books import Store
from ecbench.market.calendar import ONE_DAY
from ecbench.market.day_demand import ShelfDemand
from ecbench.market.demand import season, weekend, whole_units
from ecbench.market.marketplace import Account
from ecbench.market.sales import ship, take_pending
from ecbench.market.settlement import SETTLEMENT, begin_tomorrow, compute_demand
from ecbench.market.stock import list_units, receive, stock_of
from ecbench.market.storefronts import open_store

SATURDAY = date(2026, 1, 17)
GOODS = 3
PRICE = 0.9  # of the reference price


def stocked_store(year: Episode) -> Store:
    """A store of the type with most customers, and three SKUs on its shelf."""
    account, kind = year.account, max(year.world.store_types, key=lambda kind: kind.capacity)
    store = open_store(account, kind, "Example")
    today = account.market.date.toordinal()
    for product in year.world.products_by_store_type[kind.id][:GOODS]:
        stock = stock_of(account, product)
        receive(account.books, stock, "a supplier", 200, 0.5 * product.reference_price, defective=False, today=today)
        list_units(store, stock, 200, PRICE * product.reference_price)
    return store


def next_morning(year: Episode) -> None:
    """Ship what was sold, and let the night pass."""
    account = year.account
    ship(account, take_pending(account.books), "standard")
    account.minute = account.economy.closing_minute
    begin_tomorrow(account.market)


def show_demand(year: Episode, store: Store, demand: ShelfDemand, day: date) -> None:
    economy, rules = year.account.economy, year.account.rules
    capacity, events = economy.capacities[store.type.id], economy.calendar.demand_factor(store.type.id, day)
    print(f"demand of {day:%A %d %B} for {store.type.name} (eq:demand)")
    print(
        f"  visitors = w * sigma * epsilon * rho * m = {weekend(day, rules):g} * {season(store.type, day):g} * "
        f"{events:g} * {store.reputation:.4f} * {demand.offer.traffic:g} = {demand.visitors:.4f}"
    )
    for priced, raw, claim in zip(demand.goods, demand.raw_demand, demand.claims, strict=True):
        goods = priced.goods
        category, index = goods.category, goods.category_index
        draw, served = goods.draws[day.toordinal()], claim * demand.store_saturation
        ratio = priced.price / goods.product.reference_price
        print(f"  {goods.product.title} at ¥{priced.price:,.2f}")
        print(
            f"    raw_demand = beta * phi(r = {ratio:g}; {category.elasticity}, eta = {category.eta:g}) * visitors = "
            f"{goods.base:.4f} * {priced.pull / goods.base:.4f} * {demand.visitors:.4f} = {raw:.4f}"
        )
        if capacity.category is not None:
            print(
                f"    claim = raw_demand * kappa_c / (kappa_c + category_demand) = {raw:.4f} * {capacity.category:g} / "
                f"({capacity.category:g} + {demand.category_demand[index]:.4f}) = {claim:.4f}"
            )
        print(
            f"    demand = claim * store_saturation = {claim:.4f} * {demand.store_saturation:.4f} = {served:.4f}; "
            f"the draw {draw:.4f} rounds it to {whole_units(served, draw)} (eq:app_round)"
        )
    total = sum(demand.claims)
    print(
        f"  store_saturation = kappa / (kappa + claims) = {capacity.store:g} / ({capacity.store:g} + {total:.4f}) = "
        f"{demand.store_saturation:.4f} (eq:app_saturation)"
    )


def show_step(year: Episode, store: Store, step: Callable[[Account], None]) -> None:
    """Run a step and print what it moved."""
    books, purse = year.account.books, year.account.books.purse

    def figures() -> dict[str, float]:
        return {"bank": purse.bank, "wallet": purse.wallet, "escrow": purse.escrow, "units held": books.units}

    before, flows = figures(), dict(purse.totals)
    step(year.account)
    changes = [f"{name} {now - before[name]:+,.2f}" for name, now in figures().items() if now != before[name]]
    changes += [f"channel {name}" for name, amount in purse.totals.items() if amount != flows[name]]
    if step.__name__ == "update_reputation":
        changes.append(f"rho = {store.reputation:.4f} after {store.shipped} units shipped (eq:app_reputation)")
    print(f"  {step.__name__:<18} {'; '.join(changes) or 'nothing to do'}")


def main() -> None:
    year = Episode(load_world("default"))
    account, market = year.account, year.account.market
    store = stocked_store(year)
    while market.date < SATURDAY:
        next_morning(year)
    market.date, market.day = market.date + ONE_DAY, market.day + 1  # as `begin_tomorrow` does before it settles
    compute_demand(market, [account])
    show_demand(year, store, market.demand.shelves[0][store.id], market.date - ONE_DAY)
    print(f"the morning of {market.date:%A %d %B}, in yuan; the bank holds {account.books.purse.bank:,.2f}")
    for step in SETTLEMENT:
        show_step(year, store, step)
    print(f"the bank holds {account.books.purse.bank:,.2f}")


if __name__ == "__main__":
    main()
