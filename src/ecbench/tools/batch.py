"""One batch of calls: run in order, the day jump last, and the day's notices attached to a reply."""

import json
from collections.abc import Sequence

import orjson

from ecbench.market.clock import next_day, spend
from ecbench.tools.arguments import Arguments, BadArguments, shown
from ecbench.tools.catalog import TOOL_BY_NAME, WAIT, Tool
from ecbench.tools.office import Office, Refused, Reply

NEWS_LENGTH = 200


def run_batch(office: Office, calls: Sequence[object]) -> list[str]:
    """One JSON string per call. Whatever an agent sends is answered; nothing is raised."""
    if office.year.done:
        over = _encode({"error": f"the year is over ({office.year.ending}); no tool acts any more"})
        return [over for _ in calls]
    first_date = office.year.date
    replies: list[Reply] = []
    waits: list[int] = []
    for call in calls:
        name, arguments = _parts(call)
        if name == WAIT:
            waits.append(len(replies))
            replies.append(
                {"note": "One day at a time: the first wait of this turn was carried out, this one was not."}
            )
        else:
            replies.append(_answer(office, name, arguments))
    if waits:
        if office.year.date == first_date:
            next_day(office.year)
        replies[waits[0]] = {"current_time": office.year.now.isoformat(), "day": office.year.day}
    if replies:
        replies[waits[0] if waits else -1] |= _notices(office)
    return [_encode(reply) for reply in replies]


def _encode(reply: Reply) -> str:
    try:
        return orjson.dumps(reply).decode()
    except TypeError:  # text from an agent that no UTF-8 holds, such as half of a surrogate pair
        return json.dumps(reply)


def _parts(call: object) -> tuple[object, object]:
    return (call.get("name"), call.get("arguments")) if isinstance(call, dict) else (None, None)


def _answer(office: Office, name: object, arguments: object) -> Reply:
    tool = TOOL_BY_NAME.get(name) if isinstance(name, str) else None
    if tool is None:
        return {"error": f"there is no tool {shown(name)}; the tools are {', '.join(TOOL_BY_NAME)}"}
    if arguments is None:
        arguments = {}
    if tool.strict and isinstance(arguments, dict):
        unknown = [shown(key) for key in arguments if key not in tool.parameters["properties"]]
        if unknown:
            known = ", ".join(tool.parameters["properties"])
            return {"error": f"{tool.name} does not take {', '.join(unknown[:5])}; its arguments are {known}"}
    spend(office.year, tool.minutes)
    if not isinstance(arguments, dict):
        return {"error": f"the arguments of {tool.name} must be a JSON object, not {shown(arguments)}"}
    return _run(office, tool, arguments)


def _run(office: Office, tool: Tool, arguments: Arguments) -> Reply:
    try:
        reply = tool.run(office, arguments)
    except BadArguments as problem:
        return {"error": str(problem)}
    except Refused as refusal:
        reply = {"error": str(refusal)} if tool.bare_errors else {"success": False, "error": str(refusal)}
    reply["current_time"] = office.current_time
    return reply


def _notices(office: Office) -> Reply:
    """What the mornings of this batch posted, and a warning when the bank no longer covers a day."""
    year = office.year
    notices: Reply = {}
    posted = [
        {
            "date": day.date.isoformat(),
            "day": day.day,
            "news": [{"type": item.type, "content": item.content[:NEWS_LENGTH]} for item in day.items],
        }
        for day in year.news
        if day.items
    ]
    year.news.clear()
    if posted:
        notices["system_notifications"] = posted
    bank, costs = year.books.purse.bank, year.rules.operating_cost
    if bank >= year.rules.max_stores * max(costs.values()):
        return notices
    daily = sum([costs[store.type.tier] for store in year.books.trading]) or min(costs.values())
    if bank < daily:
        notices["balance_reminder"] = (
            f"The bank holds ¥{bank:,.2f}, less than the ¥{daily:,.2f} that a day of operations costs. Withdraw from "
            f"the wallet: {year.rules.unpaid_limit} mornings in a row below zero end the business."
        )
    return notices
