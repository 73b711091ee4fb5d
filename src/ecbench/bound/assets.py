"""An upper bound on the final assets of a year.

The year is cut into windows as long as the cycle of money: sales of one window are paid for by earlier ones. In each
window the best stores sell the best goods at the best prices, and while money is scarce a price of cash makes goods
dearer. docs/bound.md has the proof and every rule that is relaxed.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from ecbench.bound.profits import AverageProfits, ForeseenProfits, ProfitOutlook
from ecbench.bound.shelf import Shelves
from ecbench.bound.windows import SellingWindow, grow, sale_windows
from ecbench.market.economy import Economy
from ecbench.rules import DEFAULT_RULES, Rules
from ecbench.world.model import World

ROUNDING = 1e-9  # of the result: no sum of a year's floats is off by as much


class NoBound(ValueError):
    """Under these rules money can be made without limit, or the economy cannot run."""


@dataclass(frozen=True, slots=True)
class Bound:
    """`certain` holds for every play; `expected` for the mean of any that does not foresee the market's draws."""

    days: int
    stake: float
    certain: float  # infinite if a draw of exactly 0 lets any price pass
    expected: float  # infinite if customers leave more slowly than a price rises
    excepted: bool  # whether plays that sell goods off for more than they cost are excepted
    certain_windows: tuple[SellingWindow, ...]
    expected_windows: tuple[SellingWindow, ...]


def bound_assets(
    world: World, *, days: int | None = None, stake: float | None = None, rules: Rules = DEFAULT_RULES
) -> Bound:
    """Bound a year with these terms; raise NoBound for rules under which there is none."""
    days = world.days if days is None else days
    stake = float(rules.stake if stake is None else stake)
    economy = Economy.of(world, rules)
    shelves = _shelves(economy, days)
    excepted = any(each.bring_more_than_cost(rules.salvage_rate * rules.salvage_cap) for each in shelves.goods.values())
    windows = sale_windows(world, rules, days)
    if not windows:  # nothing that is ordered can be sold and shipped in time
        return Bound(days, stake, stake, stake, excepted, (), ())
    outlook = ProfitOutlook(shelves, windows[0][0])
    expected = _on_average(outlook, stake, windows)
    certain = grow(economy, stake, windows, ForeseenProfits(outlook))
    return Bound(days, stake, _final(certain), _final(expected), excepted, certain, expected)


def bound_on_average(world: World, *, days: int, stake: float, rules: Rules = DEFAULT_RULES) -> float:
    """`bound_assets(...).expected`, without the certain bound, which takes longer."""
    economy, windows = Economy.of(world, rules), sale_windows(world, rules, days)
    shelves = _shelves(economy, days)
    return _final(_on_average(ProfitOutlook(shelves, windows[0][0]), stake, windows)) if windows else stake


def _on_average(
    outlook: ProfitOutlook, stake: float, windows: Sequence[Sequence[dt.date]]
) -> tuple[SellingWindow, ...]:
    outlook.price_supply([day for dates in windows for day in dates])
    return grow(outlook.economy, stake, windows, AverageProfits(outlook))


def _shelves(economy: Economy, days: int) -> Shelves:
    """Raises NoBound where goods earn money without being sold, or without end."""
    refuse_boundless(economy.rules)
    shelves, share = Shelves(economy, days), economy.rules.closing_stock_share
    for goods in shelves.goods.values():
        if goods.bring_more_than_cost(share * goods.category.floor_ratio):
            raise NoBound(
                f"closing_stock_share is {share:g}: unsold goods of {goods.category.name} would bring more at the end "
                "of the year than they cost"
            )
    return shelves


def _final(windows: Sequence[SellingWindow]) -> float:
    return windows[-1].assets * (1.0 + ROUNDING)


def refuse_boundless(rules: Rules) -> None:
    if rules.return_days[1] > rules.escrow_days:
        raise NoBound(
            f"return_days reaches {rules.return_days[1]} and escrow_days is {rules.escrow_days}: goods that come back "
            "later than their revenue is paid out are not refunded and could be sold over and over"
        )
