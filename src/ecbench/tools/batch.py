"""One batch of calls: run in order, the day jump last, and the day's notices attached to a reply."""

import json
from collections.abc import Sequence
from datetime import date
from itertools import islice
from typing import Any, NamedTuple

from orjson import Fragment, dumps

from ecbench.market.clock import begin_tomorrow, end_day, spend
from ecbench.market.marketplace import Account, Marketplace
from ecbench.sums import added
from ecbench.tools.arguments import BadArguments, shown
from ecbench.tools.catalog import TOOL_BY_NAME, WAIT
from ecbench.tools.news import told
from ecbench.tools.office import CLOCK, Office, Refused, Reply
from ecbench.tools.tool import Tool

_text = bytes.decode
EXTRA_WAIT: Reply = {"note": "One day at a time: the first wait of this turn was carried out, this one was not."}


class Paused(NamedTuple):
    """A batch whose account has reached its evening; the rest of it runs once the morning has come."""

    calls: Sequence[object]
    began: date
    replies: list[Reply]
    wait: int
    timed: bool  # whether the next call has spent its minutes already: they used up the day

    def copy(self) -> "Paused":
        return self._replace(replies=self.replies.copy())


def run_batch(office: Office, calls: Sequence[object]) -> list[str] | Paused:
    """One JSON string per call, or the batch where the evening stopped it. Nothing an agent sends is raised.

    A merchant alone in the market is never paused: nobody keeps the morning waiting.
    """
    account = office.account
    if account.ending is not None:
        over = _encode({"error": f"the year is over ({account.ending}); no tool acts any more"})
        return [over for _ in calls]
    return _run(office, calls, account.market.date, [], -1)


def go_on(office: Office, paused: Paused) -> list[str] | Paused:
    """The rest of a batch, once the morning has come."""
    calls, began, replies, wait, timed = paused
    return _run(office, calls, began, replies, wait, timed=timed)


def _run(
    office: Office, calls: Sequence[object], began: date, replies: list[Reply], wait: int, *, timed: bool = False
) -> list[str] | Paused:
    """`wait` is the place of the first wait, else of the last call: its reply carries the notices."""
    account = office.account
    market = account.market
    for call in islice(calls, len(replies), None) if replies else calls:
        name = call.get("name") if isinstance(call, dict) else None
        if name == WAIT:
            wait = len(replies) if wait < 0 else wait
            replies.append(EXTRA_WAIT)
            continue
        reply = _answer(office, name, call, timed)
        if reply is None:
            return Paused(calls, began, replies, wait, timed=True)
        timed = False
        replies.append(reply)
    if wait >= 0:
        if market.date == began and account.ending is None:
            end_day(account)
            if not _next_morning(market):
                return Paused(calls, began, replies, wait, timed=False)
        replies[wait] = {"current_time": f"{market.today}T{CLOCK[account.minute]}:00", "day": market.day}
    if (account.news or account.books.purse.bank < account.economy.dearest_day) and replies:
        _attach_notices(account, replies[wait])
    try:
        if len(replies) == 1:
            return [_text(dumps(replies[0]))]
        return list(map(_text, map(dumps, replies)))
    except TypeError:
        return list(map(_encode, replies))


def _next_morning(market: Marketplace) -> bool:
    """Where several trade, whoever holds their batches begins the morning, once the last of them has paused."""
    return len(market.accounts) == 1 and begin_tomorrow(market)


def _encode(reply: Reply) -> str:
    try:
        return dumps(reply).decode()
    except TypeError:  # text from an agent that no UTF-8 holds, such as half of a surrogate pair
        return json.dumps(reply, default=_rows)


def _rows(prepared: Fragment) -> object:
    return json.loads(dumps(prepared))


def _answer(office: Office, name: Any, call: Any, timed: bool) -> Reply | None:
    """None: the call has spent the rest of the day and acts in the morning."""
    try:
        tool = TOOL_BY_NAME[name]
    except (KeyError, TypeError):
        return _unknown_tool(name)
    arguments = call.get("arguments")
    if arguments is None:
        arguments = {}
    if tool.strict and isinstance(arguments, dict) and not arguments.keys() <= tool.parameters["properties"].keys():
        return {"error": _stray_arguments(tool, arguments)}
    account = office.account
    minute = account.minute + tool.minutes
    if minute < account.economy.closing_minute and account.ending is None and not timed:
        account.minute = minute  # as `spend` does it
    elif not timed and not spend(account, tool.minutes) and not _next_morning(account.market):
        return None
    try:
        if not isinstance(arguments, dict):
            raise BadArguments(f"the arguments of {tool.name} must be a JSON object, not {shown(arguments)}")
        reply = tool.run(office, arguments)
    except BadArguments as problem:
        return {"error": str(problem)}
    except Refused as refusal:
        reply = {"error": str(refusal)} if tool.bare_errors else {"success": False, "error": str(refusal)}
    reply["current_time"] = f"{account.market.today} {CLOCK[account.minute]}"
    return reply


def _unknown_tool(name: object) -> Reply:
    return {"error": f"there is no tool {shown(name)}; the tools are {', '.join(TOOL_BY_NAME)}"}


def _stray_arguments(tool: Tool, arguments: dict[object, object]) -> str:
    """What to say of arguments that the tool does not know."""
    known = tool.parameters["properties"]
    stray = [shown(key) for key in arguments if key not in known]
    return f"{tool.name} does not take {', '.join(stray[:5])}; its arguments are {', '.join(known)}"


def _attach_notices(account: Account, reply: Reply) -> None:
    """What the mornings of this batch posted, and a warning when the bank no longer covers a day."""
    if account.news:
        reply["system_notifications"] = told(account.news)
        account.news.clear()
    bank = account.books.purse.bank
    if bank < account.economy.dearest_day and bank < (daily := _operating_cost(account)):
        reply["balance_reminder"] = (
            f"The bank holds ¥{bank:,.2f}, less than the ¥{daily:,.2f} that a day of operations costs. Withdraw from "
            f"the wallet: {account.rules.unpaid_limit} mornings in a row below zero end the business."
        )


def _operating_cost(account: Account) -> float:
    """Of the open stores together, or of the cheapest one could open."""
    costs = account.rules.operating_cost
    return added([costs[store.type.tier] for store in account.books.trading]) or min(costs.values())
