"""How many units a supplier still delivers to a merchant in the current week, where the rules limit it.

Weeks are counted from the first day of the year. Units count when they are ordered, over all goods of the supplier.
"""

import datetime as dt

from ecbench.market.calendar import WEEK
from ecbench.market.marketplace import Account
from ecbench.market.purchasing import OrderRefused
from ecbench.suppliers.desk import SupplierDesk
from ecbench.suppliers.supplier_traits import traits_of
from ecbench.world.model import Supplier


def left_this_week(desk: SupplierDesk, account: Account, supplier: Supplier) -> int | None:
    """None: any number."""
    if not account.rules.weekly_supply:
        return None
    limit = traits_of(account.economy, supplier).weekly_supply
    week, ordered = desk.week_orders.get(supplier.name, (0, 0))
    return limit - ordered if week == account.market.day // WEEK else limit


def check_supply(desk: SupplierDesk, account: Account, supplier: Supplier, quantity: int) -> None:
    """Raise OrderRefused for more units than are left."""
    left = left_this_week(desk, account, supplier)
    if left is not None and quantity > left:
        renewed = account.market.date + dt.timedelta(days=WEEK - account.market.day % WEEK)
        limit = traits_of(account.economy, supplier).weekly_supply
        raise OrderRefused(f"{left:,} of {limit:,} units are left for you this week; the next week begins on {renewed}")


def count_supply(desk: SupplierDesk, account: Account, supplier: Supplier, quantity: int) -> None:
    """Take ordered units off what is left."""
    left = left_this_week(desk, account, supplier)
    if left is not None:
        ordered = traits_of(account.economy, supplier).weekly_supply - left + quantity
        desk.week_orders[supplier.name] = account.market.day // WEEK, ordered
