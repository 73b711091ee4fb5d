"""What keeping house cost: storage, empty slots, time spent on nothing."""

import json
from collections.abc import Iterator
from itertools import pairwise

from ecbench.market.ledger import CHANNELS, OPERATING
from ecbench.metrics.daily import opening
from ecbench.review.bill.causes import EMPTY_SLOT, IDLE_DAY, STORAGE, WASTED_MINUTES
from ecbench.review.bill.charges import Charge
from ecbench.review.bill.replayed_year import BilledYear
from ecbench.tools.catalog import WAIT, only_looks
from ecbench.tools.outcome import Outcome

NOTES = "operate_memory"  # changes what the agent knows, and nothing of its business


def housekeeping(played: BilledYear) -> Iterator[Charge]:
    yield from _storage(played)
    yield from _empty_slots(played)
    yield from _wasted_minutes(played)
    yield from _idle_days(played)


def _storage(played: BilledYear) -> Iterator[Charge]:
    for morning in played.books.days:
        yield Charge(morning.day, STORAGE, morning.storage, units=morning.units)


def _empty_slots(played: BilledYear) -> Iterator[Charge]:
    rules, types = played.rules, len(played.year.world.store_types)
    for morning in played.books.days:
        due = morning.day > rules.idle_grace_days and not morning.open_stores
        slots = min(rules.max_stores, types) - morning.open_stores
        yield Charge(morning.day, EMPTY_SLOT, rules.idle_charge if due else 0.0, units=slots)


def _wasted_minutes(played: BilledYear) -> Iterator[Charge]:
    """Of calls that failed altogether, and of questions repeated before anything had changed."""
    asked: set[tuple[int, str]] = set()
    for outcome in played.outcomes:
        call, name = outcome.call, outcome.call.get("name")
        question = only_looks(call)
        words = (outcome.day, json.dumps([name, call.get("arguments") or {}], sort_keys=True, default=str))
        if outcome.minutes and name != WAIT and (outcome.failed or (question and words in asked)):
            yield Charge(outcome.day, WASTED_MINUTES, 0.0, units=outcome.minutes)
        if question:
            asked.add(words)
        elif not outcome.failed and name != NOTES:
            asked.clear()


def _idle_days(played: BilledYear) -> Iterator[Charge]:
    """What is charged for a day leaves the bank on the morning after it."""
    busy = {sale.day for sale in played.journal.sales}
    busy |= {outcome.day for outcome in played.outcomes if _acts(outcome)}
    place, mornings = CHANNELS.index(OPERATING), [opening(played.year.account), *played.books.days]
    for before, after in pairwise(mornings):
        if before.day not in busy:
            yield Charge(before.day, IDLE_DAY, before.flows[place] - after.flows[place], units=1)


def _acts(outcome: Outcome) -> bool:
    """Whether a call changed anything of the business."""
    return not outcome.failed and outcome.call.get("name") not in (WAIT, NOTES) and not only_looks(outcome.call)
