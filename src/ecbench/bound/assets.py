"""The upper bound on the final assets of a year.

The year is cut into windows as long as the cycle of money: sales of one window are paid for by earlier ones. In each
window the best stores sell the best goods at the best prices, and while money is scarce a price of cash makes goods
dearer. docs/bound.md has the argument and every rule that is relaxed.
"""

from dataclasses import dataclass

from ecbench.bound.profits import ProfitOutlook
from ecbench.bound.shelf import Shelves
from ecbench.bound.windows import SellingWindow, grow, sale_windows
from ecbench.market.economy import Economy
from ecbench.rules import DEFAULT_RULES, Rules
from ecbench.world.model import World

ROUNDING = 1e-9  # of the result: no sum of a year's floats is off by as much


class NoBound(ValueError):
    """Under these rules money can be made without limit, or the economy cannot run."""


@dataclass(frozen=True, slots=True)
class UpperBound:
    """No play that cannot foresee the market's draws ends with more than `assets` on average."""

    days: int
    stake: float
    assets: float  # infinite if customers leave more slowly than a price rises
    excepted: bool  # whether plays that sell goods off for more than they cost are excepted
    windows: tuple[SellingWindow, ...]


def upper_bound(
    world: World, *, days: int | None = None, stake: float | None = None, rules: Rules = DEFAULT_RULES
) -> UpperBound:
    """Bound a year with these terms; raise NoBound for rules under which there is no bound."""
    days = world.days if days is None else days
    stake = float(rules.stake if stake is None else stake)
    economy = Economy.of(world, rules)
    shelves = _shelves(economy, days)
    excepted = any(each.bring_more_than_cost(rules.salvage_rate * rules.salvage_cap) for each in shelves.goods.values())
    windows = sale_windows(world, rules, days)
    if not windows:  # nothing that is ordered can be sold and shipped in time
        return UpperBound(days, stake, stake, excepted, ())
    outlook = ProfitOutlook(shelves, windows[0][0])
    outlook.price_supply([day for dates in windows for day in dates])
    grown = grow(economy, stake, windows, outlook)
    return UpperBound(days, stake, grown[-1].assets * (1.0 + ROUNDING), excepted, grown)


def _shelves(economy: Economy, days: int) -> Shelves:
    """Raises NoBound if goods earn money without being sold, or without end."""
    rules = economy.rules
    if rules.return_days[1] > rules.escrow_days:
        raise NoBound(
            f"return_days reaches {rules.return_days[1]} and escrow_days is {rules.escrow_days}: goods that come back "
            "later than their revenue is paid out are not refunded and could be sold over and over"
        )
    shelves, share = Shelves(economy, days), rules.closing_stock_share
    for goods in shelves.goods.values():
        if goods.bring_more_than_cost(share * goods.category.floor_ratio):
            raise NoBound(
                f"closing_stock_share is {share:g}: unsold goods of {goods.category.name} would bring more at the end "
                "of the year than they cost"
            )
    return shelves
