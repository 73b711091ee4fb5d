"""One batch of calls: run in order, the day jump last, and the day's notices attached to a reply."""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import islice
from typing import Any, Final, NamedTuple

from msgspec.structs import replace
from orjson import Fragment, dumps

from ecbench.formatting import amount, counted
from ecbench.market.filed import PurchaseOrder
from ecbench.market.journal import (
    DayNews,
    EventBegan,
    GoodsDelivered,
    IdleCharged,
    Mail,
    MessageReceived,
    MoneyReceived,
    News,
    OrdersCancelled,
)
from ecbench.market.marketplace import Account, Marketplace, iso
from ecbench.market.settlement import begin_tomorrow, end_day
from ecbench.market.storefronts import operating_cost
from ecbench.sums import ordered_sum
from ecbench.tools.arguments import BadArguments, shown
from ecbench.tools.catalog import WAIT
from ecbench.tools.office import CLOCK, Office, Refused, Reply, Tool
from ecbench.tools.outcome import REPLY_BUDGET, CallError, ErrorKind, Outcome, item_error, summary

Answer = tuple[Reply, CallError | None]
EXTRA_WAIT: Final = '{"note":"One day at a time: the first wait of this turn was carried out, this one was not."}'
_REPEATED_WAIT: Final = CallError("repeated_wait", "one day at a time")
_UNKNOWN: Final = Tool("", 0, "", {}, lambda *_: {}, strict=True)  # stands for a name without a tool
_YEAR_OVER = "the year is over ({}); no tool acts any more"
_OVER_BUDGET = (
    f"not run: the replies before it have used up the {REPLY_BUDGET:,} characters that one turn may be answered with; "
    "send it again in another turn"
)


class Paused(NamedTuple):
    """A batch whose account has reached its evening; `go_on` runs the rest of it after the morning."""

    calls: Sequence[Any]
    began: date
    outcomes: list[Outcome]
    wait: int  # the index of the first wait; -1: none
    spent: int  # minutes of the call, or the wait, that acts in the morning

    def copy(self) -> "Paused":
        return self._replace(outcomes=self.outcomes.copy())


def run_batch(office: Office, calls: Sequence[Any]) -> list[Outcome] | Paused:
    """One outcome per call, or the batch where the evening paused it; a merchant alone is never paused."""
    account = office.account
    if account.ending is not None:
        message = _YEAR_OVER.format(account.ending)
        return [_failed(account, call, "year_over", message) for call in calls]
    if account.conduct is not None:
        account.conduct.turn += 1
    return _run(office, calls, account.market.date, [], -1)


def go_on(office: Office, paused: Paused) -> list[Outcome] | Paused:
    """The rest of a batch, once the morning has come."""
    return _run(office, *paused)


def _run(
    office: Office, calls: Sequence[Any], began: date, outcomes: list[Outcome], wait: int, spent: int = -1
) -> list[Outcome] | Paused:
    """The first wait carries the notices, or else the last call.

    `spent` is what a call spent before the morning, on the day before; -1 where no call waited for the morning.
    """
    account = office.account
    market, economy, tools = account.market, account.economy, office.tools
    size = sum([len(outcome.text) for outcome in outcomes]) if outcomes else 0
    last = len(calls)
    for call in islice(calls, len(outcomes), None) if outcomes else calls:
        if size > REPLY_BUDGET:
            outcomes.append(_failed(account, call, "over_budget", _OVER_BUDGET))
            continue
        try:
            tool = tools[call["name"]]
        except (TypeError, KeyError):
            tool = _UNKNOWN
        if tool.name == WAIT:
            wait = len(outcomes) if wait < 0 else wait
            outcomes.append(Outcome(call, EXTRA_WAIT, _REPEATED_WAIT, 0, 0, 0, 0))  # completed when the wait acts
            continue
        answer = _refusal(tool, call, tools) if tool.strict or "problem" in call else None
        day, minutes = market.day, spent
        if minutes >= 0:
            day -= 1
        elif answer is not None or account.ending is not None:
            minutes = 0
        else:
            minutes = tool.minutes
            account.minute += minutes
            if account.minute >= economy.closing_minute and not _next_morning(market):
                return Paused(calls, began, outcomes, wait, minutes)
        spent = -1
        reply, error = _answer(office, tool, call) if answer is None else answer
        if wait < 0 and len(outcomes) + 1 == last and (account.news or account.books.purse.bank < economy.dearest_day):
            _attach_notices(account, reply)
        text = _encode(reply)
        size += len(text)
        outcomes.append(Outcome(call, text, error, market.day, account.minute, minutes, market.day - day))
    if wait >= 0:
        day = market.day if spent < 0 else market.day - 1
        if spent < 0:
            spent = _rest_of_day(account, began)
            if spent and not _next_morning(market):
                return Paused(calls, began, outcomes, wait, spent)
        reply = {"current_time": f"{market.today}T{CLOCK[account.minute]}:00", "day": market.day}
        _attach_notices(account, reply)
        _complete_waits(outcomes, wait, market.day, account.minute)
        mornings = market.day - day
        outcomes[wait] = Outcome(calls[wait], _encode(reply), None, market.day, account.minute, spent, mornings)
    return outcomes


def _rest_of_day(account: Account, began: date) -> int:
    """End the day and return the minutes that were left of it; none where the other calls have used it up."""
    if account.market.date != began or account.ending is not None:
        return 0
    left = account.economy.closing_minute - account.minute
    end_day(account)
    return left


def _complete_waits(outcomes: list[Outcome], first: int, day: int, minute: int) -> None:
    """The waits behind the first one are at the same moment and do nothing."""
    for index in range(first + 1, len(outcomes)):
        if outcomes[index].error is _REPEATED_WAIT:
            outcomes[index] = replace(outcomes[index], day=day, minute=minute)


def _next_morning(market: Marketplace) -> bool:
    """Where several merchants trade, the table begins the morning once the last of them has paused."""
    return len(market.accounts) == 1 and begin_tomorrow(market)


def _failed(account: Account, call: Any, kind: ErrorKind, message: str) -> Outcome:
    reply, error = _error(kind, message)
    return Outcome(call, _encode(reply), error, account.market.day, account.minute, 0, 0)


def _encode(reply: Reply) -> str:
    try:
        return dumps(reply).decode()
    except TypeError:  # text from an agent that no UTF-8 holds, such as half of a surrogate pair
        return json.dumps(reply, default=_rows)


def _rows(prepared: Fragment) -> object:
    return json.loads(dumps(prepared))


def _refusal(tool: Tool, call: Any, tools: Mapping[str, Tool]) -> Answer | None:
    if isinstance(call, dict) and "problem" in call:
        return _error("unreadable", str(call["problem"]))
    if tool is _UNKNOWN:
        name = shown(call.get("name") if isinstance(call, dict) else None)
        return _error("unknown_tool", f"there is no tool {name}; the tools are {', '.join(tools)}")
    arguments = call.get("arguments")
    if isinstance(arguments, dict):
        known = tool.parameters["properties"]
        stray = [shown(key) for key in arguments if key not in known]
        if stray:
            listed = f"{', '.join(stray[:5])}; its arguments are {', '.join(known)}"
            return _error("bad_arguments", f"{tool.name} does not take {listed}")
    return None


def _answer(office: Office, tool: Tool, call: Any) -> Answer:
    account = office.account
    if account.ending is not None and account.rules.refuse_after_end:
        return _error("year_over", _YEAR_OVER.format(account.ending))
    office.item_errors, office.missing = 0, 0.0
    if account.conduct is not None:
        account.conduct.tool = tool.name
    arguments, error = call.get("arguments"), None
    try:
        if arguments is None:
            arguments = {}
        elif not isinstance(arguments, dict):
            raise BadArguments(f"the arguments of {tool.name} must be a JSON object, not {shown(arguments)}")
        reply = tool.run(office, arguments)
        if office.item_errors or "error" in reply:
            error = item_error(reply, office.missing)
    except BadArguments as problem:
        return _error("bad_arguments", str(problem))
    except Refused as refusal:
        reply, error = _error("refused", str(refusal), refusal.missing)
        if not tool.bare_errors:
            reply = {"success": False, **reply}
    reply["current_time"] = f"{account.market.today} {CLOCK[account.minute]}"
    if account.conduct is not None:
        account.conduct.watch_bank(account.market.day, account.books.purse.bank)
    return reply, error


def _error(kind: ErrorKind, message: str, missing: float = 0.0) -> Answer:
    return {"error": message}, CallError(kind, summary(message), missing)


def _attach_notices(account: Account, reply: Reply) -> None:
    """Add what the mornings of this batch posted, and a warning when the bank no longer covers a day."""
    bank = account.books.purse.bank
    if account.news:
        reply["system_notifications"] = notifications(account.news)
        account.news.clear()
    if bank < account.economy.dearest_day and bank < (daily := _operating_cost(account)):
        reply["balance_reminder"] = (
            f"The bank holds ¥{bank:,.2f}, less than the ¥{daily:,.2f} that a day of operations costs. "
            f"{counted(account.rules.unpaid_limit, 'day')} in a row below zero end the business in bankruptcy."
        )


def _operating_cost(account: Account) -> float:
    """Of the open stores together, or of the cheapest one could open."""
    rules = account.rules
    costs = [operating_cost(store, store.listings, rules) for store in account.books.trading]
    return ordered_sum(costs) or min(rules.operating_cost.values())


NEWS_LENGTH = 200
TITLE_LENGTH = 60


def notifications(days: list[DayNews]) -> list[dict[str, object]]:
    """The notices of some mornings, as a reply carries them."""
    return [{"date": iso(day.date), "day": day.day, "news": [_item(news) for news in day.items]} for day in days]


def _item(news: News) -> dict[str, str]:
    kind, content = _words(news)
    # A report may name any order of a delivery, and a message has a limit of its own.
    whole = isinstance(news, MessageReceived) or (isinstance(news, GoodsDelivered) and news.numbered)
    return {"type": kind, "content": content if whole else content[:NEWS_LENGTH]}


def _words(news: News) -> tuple[str, str]:
    if isinstance(news, GoodsDelivered):
        lines = [_delivery(order, numbered=news.numbered) for order in news.orders]
        return "delivery", "Delivered to your warehouse: " + "; ".join(lines)
    if isinstance(news, EventBegan):
        return "event", news.event.news
    if isinstance(news, OrdersCancelled):
        orders = "1 order was" if news.orders == 1 else f"{news.orders} orders were"
        fee = f" The platform charged a fee of ¥{news.fee:,.2f}." if news.fee else ""
        return "fulfilment", f"{orders} not shipped in time and cancelled; the units are back in the warehouse.{fee}"
    if isinstance(news, (MessageReceived, MoneyReceived)):
        return _mail(news)
    if isinstance(news, IdleCharged):
        return "penalty", f"No store is open: an idle charge of ¥{amount(news.amount)} was taken from the bank."
    return "promotion", f"The {news.promotion.name} is open to merchants: join with join_promotion."


def _mail(mail: Mail) -> tuple[str, str]:
    if isinstance(mail, MessageReceived):
        return "message", f"From seat {mail.sender}: {mail.text}"
    return "payment", f"Seat {mail.sender} paid ¥{mail.amount:,.2f} into your bank."


def _delivery(order: PurchaseOrder, *, numbered: bool) -> str:
    title = order.product.title[:TITLE_LENGTH] if order.product else ""
    line = f"{order.delivered} x {title} from {order.supplier}"
    return f"order {order.number}: {line}" if numbered else line
