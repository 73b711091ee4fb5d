"""All losses of an episode at one seat."""

from collections.abc import Iterator

from ecbench.market.marketplace import Account
from ecbench.metrics.losses.account import Loss, LossFacts, summed
from ecbench.metrics.losses.buying import buying
from ecbench.metrics.losses.causes import NO_STORE, STORAGE
from ecbench.metrics.losses.play_log import PlayLog
from ecbench.metrics.losses.shelves import ShelfWatch, idle_wallets
from ecbench.metrics.losses.shipping import shipping


def losses_of(account: Account, log: PlayLog, *, over: bool) -> list[Loss]:
    """The rows of an account whose shelves were watched from the beginning.

    What prices lost is among them if the watch judged them. An episode that is not `over` has not lost yet what may
    still be sold or shipped.
    """
    watch = account.journal.on_demand if account.journal else None
    assert isinstance(watch, ShelfWatch), "an account whose shelves nobody watched has forgotten them"
    year = LossFacts(account, log, watch.evenings, watch.costs, over)
    found = [*buying(year), *shipping(year), *watch.losses, *_mornings(year), *idle_wallets(year, watch.losses)]
    return summed(year, found)


def _mornings(year: LossFacts) -> Iterator[Loss]:
    rules = year.account.rules
    for morning in year.account.books.days:
        yield Loss(morning.day, STORAGE, morning.storage, units=morning.units)
        if morning.day > rules.idle_grace_days and not morning.open_stores:
            yield Loss(morning.day, NO_STORE, rules.idle_charge)
