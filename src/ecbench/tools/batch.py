"""One batch of calls: run in order, the day jump last, and the day's notices attached to a reply."""

import json
from collections.abc import Sequence
from typing import Any

from orjson import Fragment, dumps

from ecbench.market.clock import next_day, spend
from ecbench.market.year import Year, iso
from ecbench.sums import added
from ecbench.tools.arguments import BadArguments, shown
from ecbench.tools.catalog import TOOL_BY_NAME, WAIT, Tool
from ecbench.tools.office import CLOCK, Office, Refused, Reply

NEWS_LENGTH = 200
EXTRA_WAIT: Reply = {"note": "One day at a time: the first wait of this turn was carried out, this one was not."}


def run_batch(office: Office, calls: Sequence[object]) -> list[str]:
    """One JSON string per call. Whatever an agent sends is answered; nothing is raised."""
    year = office.year
    if year.ending is not None:
        over = _encode({"error": f"the year is over ({year.ending}); no tool acts any more"})
        return [over for _ in calls]
    first_date = year.date
    replies: list[Reply] = []
    wait = -1  # the place of the first wait, else of the last call: its reply carries the notices
    for call in calls:
        name = call.get("name") if isinstance(call, dict) else None
        if name == WAIT:
            wait = len(replies) if wait < 0 else wait
            replies.append(EXTRA_WAIT)
        else:
            replies.append(_answer(office, name, call))
    if wait >= 0:
        if year.date == first_date:
            next_day(year)
        replies[wait] = {"current_time": f"{year.today}T{CLOCK[year.minute]}:00", "day": year.day}
    if (year.news or year.books.purse.bank < year.market.dearest_day) and replies:
        _attach_notices(year, replies[wait])
    texts = []
    for reply in replies:
        try:
            texts.append(dumps(reply).decode())
        except TypeError:
            texts.append(_encode(reply))
    return texts


def _encode(reply: Reply) -> str:
    try:
        return dumps(reply).decode()
    except TypeError:  # text from an agent that no UTF-8 holds, such as half of a surrogate pair
        return json.dumps(reply, default=_rows)


def _rows(prepared: Fragment) -> object:
    return json.loads(dumps(prepared))


def _answer(office: Office, name: Any, call: Any) -> Reply:
    try:
        tool = TOOL_BY_NAME[name]
    except (KeyError, TypeError):
        return _unknown_tool(name)
    arguments = call.get("arguments")
    if arguments is None:
        arguments = {}
    if tool.strict and isinstance(arguments, dict) and not arguments.keys() <= tool.parameters["properties"].keys():
        return {"error": _stray_arguments(tool, arguments)}
    year = office.year
    minute = year.minute + tool.minutes
    if minute < year.market.closing_minute and year.ending is None:
        year.minute = minute
    else:
        spend(year, tool.minutes)
    try:
        if not isinstance(arguments, dict):
            raise BadArguments(f"the arguments of {tool.name} must be a JSON object, not {shown(arguments)}")
        reply = tool.run(office, arguments)
    except BadArguments as problem:
        return {"error": str(problem)}
    except Refused as refusal:
        reply = {"error": str(refusal)} if tool.bare_errors else {"success": False, "error": str(refusal)}
    reply["current_time"] = f"{year.today} {CLOCK[year.minute]}"
    return reply


def _unknown_tool(name: object) -> Reply:
    return {"error": f"there is no tool {shown(name)}; the tools are {', '.join(TOOL_BY_NAME)}"}


def _stray_arguments(tool: Tool, arguments: dict[object, object]) -> str:
    """What to say of arguments that the tool does not know."""
    known = tool.parameters["properties"]
    stray = [shown(key) for key in arguments if key not in known]
    return f"{tool.name} does not take {', '.join(stray[:5])}; its arguments are {', '.join(known)}"


def _attach_notices(year: Year, reply: Reply) -> None:
    """What the mornings of this batch posted, and a warning when the bank no longer covers a day."""
    if year.news:
        reply["system_notifications"] = [
            {
                "date": iso(day.date),
                "day": day.day,
                "news": [{"type": item.type, "content": item.content[:NEWS_LENGTH]} for item in day.items],
            }
            for day in year.news
        ]
        year.news.clear()
    bank = year.books.purse.bank
    if bank < year.market.dearest_day and bank < (daily := _operating_cost(year)):
        reply["balance_reminder"] = (
            f"The bank holds ¥{bank:,.2f}, less than the ¥{daily:,.2f} that a day of operations costs. Withdraw from "
            f"the wallet: {year.rules.unpaid_limit} mornings in a row below zero end the business."
        )


def _operating_cost(year: Year) -> float:
    """Of the open stores together, or of the cheapest one could open."""
    costs = year.rules.operating_cost
    return added([costs[store.type.tier] for store in year.books.trading]) or min(costs.values())
