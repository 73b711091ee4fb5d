"""What keeping house cost: storage, empty slots, a short bank beside a full wallet, time spent on nothing."""

import json
from collections.abc import Iterator
from itertools import pairwise

from ecbench.market.insufficient_funds import missing_in
from ecbench.market.ledger import CHANNELS, OPERATING
from ecbench.metrics.daily import opening
from ecbench.players.turn import Record
from ecbench.review.bill.causes import EMPTY_SLOT, IDLE_DAY, IDLE_WALLET, STORAGE, WASTED_MINUTES
from ecbench.review.bill.charges import Charge
from ecbench.review.bill.replayed_year import BilledYear
from ecbench.runs.results.tables import CallRow
from ecbench.tools.catalog import WAIT, only_looks
from ecbench.tools.outcome import SUPPLIER_CLOSED

NOTES = "operate_memory"  # changes what the agent knows, and nothing of its business


def housekeeping(played: BilledYear) -> Iterator[Charge]:
    yield from _storage(played)
    yield from _idle_wallets(played)
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


def _idle_wallets(played: BilledYear) -> Iterator[Charge]:
    """Once a day, by as much as would have helped most. Without interest idle money costs nothing by itself."""
    idle: dict[int, float] = {}
    for evening, morning in zip(played.evenings, played.books.days):
        if morning.bank < 0.0:
            idle[morning.day] = min(evening.wallet, -morning.bank)
    wallet, row = 0.0, 0
    for turn, state in zip(played.turns, played.states):
        for reply in turn.replies:
            day = played.calls[row].day
            row += 1
            idle[day] = max(idle.get(day, 0.0), min(wallet, state.wallet, missing_in(reply)))
        wallet = state.wallet
    for day, amount in idle.items():
        yield Charge(day, IDLE_WALLET, 0.0, units=int(amount))


def _wasted_minutes(played: BilledYear) -> Iterator[Charge]:
    """Of calls that failed altogether, and of questions asked again before anything had changed."""
    asked: set[tuple[int, str]] = set()
    for row, call, reply in _calls(played):
        question, failed = only_looks(call), not row.ok and has_failed(reply)
        words = (row.day, json.dumps([call.get("name"), call.get("arguments") or {}], sort_keys=True, default=str))
        if row.minutes and row.tool != WAIT and (failed or (question and words in asked)):
            yield Charge(row.day, WASTED_MINUTES, 0.0, units=row.minutes)
        if question:
            asked.add(words)
        elif not failed and row.tool != NOTES:
            asked.clear()


def _idle_days(played: BilledYear) -> Iterator[Charge]:
    """What is charged for a day leaves the bank on the morning after it."""
    busy = {sale.day for sale in played.journal.sales}
    busy |= {row.day for row, call, reply in _calls(played) if _acts(row, call, reply)}
    place, mornings = CHANNELS.index(OPERATING), [opening(played.year.account), *played.books.days]
    for before, after in pairwise(mornings):
        if before.day not in busy:
            yield Charge(before.day, IDLE_DAY, before.flows[place] - after.flows[place], units=1)


def _acts(row: CallRow, call: Record, reply: str) -> bool:
    """Whether a call changed anything of the business."""
    idle = row.tool in (WAIT, NOTES) or only_looks(call)
    return not idle and (row.ok or not has_failed(reply))


def _calls(played: BilledYear) -> Iterator[tuple[CallRow, Record, str]]:
    rows = iter(played.calls)
    for turn in played.turns:
        for call, reply in zip(turn.calls, turn.replies):
            yield next(rows), call, reply


def has_failed(reply: str) -> bool:
    """Whether nothing of what was asked was carried out; of a plan some lines may have been."""
    told = json.loads(reply)
    if not isinstance(told, dict) or told.get("error") or told.get("success") is False:
        return True
    parts = told.get("results") or told.get("responses")
    if isinstance(parts, list) and parts:
        return all(isinstance(part, dict) and _refused(part) for part in parts)
    return _refused(told)


def _refused(part: Record) -> bool:
    return bool(part.get("error")) or part.get("success") is False or part.get("message") == SUPPLIER_CLOSED
