"""Every call of a year: when it acted, what it took, and whether all of it was carried out."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ecbench.episode import Episode
from ecbench.runs.results.tables.rows import CallRow
from ecbench.seat import Record, Turn
from ecbench.tools.catalog import TOOL_BY_NAME, WAIT
from ecbench.tools.office import CLOCK
from ecbench.tools.tool import Tool

LONGEST_NAME = 60  # characters
LONGEST_ERROR = 200
CLOSED = "supplier_bankrupt"  # the one failure that a reply does not call an error
NOT_CARRIED_OUT = "one day at a time"
_SIGNS = ('"error"', '"success":false', '"success": false', CLOSED)


class CallLog:
    """Follows the merchant's clock through its turns (`market/clock.py` says how it runs)."""

    __slots__ = ("_day", "_minute", "rows")

    def __init__(self) -> None:
        self._day = 0
        self._minute = -1  # of the opening, which the first turn tells
        self.rows: list[CallRow] = []

    def add(self, number: int, turn: Turn, year: Episode) -> None:
        """A turn, numbered from 1, and the year as it left it."""
        economy = year.account.economy
        minute = economy.opening_minute if self._minute < 0 else self._minute
        rows = list(_acted(turn, self._day, minute, year))
        for (day, at, minutes, mornings), call, reply, extra in zip(rows, turn.calls, turn.replies, _extra_waits(turn)):
            error = NOT_CARRIED_OUT if extra else error_of(reply)
            name = tool_name(call["name"])
            count = len(self.rows) + 1
            self.rows.append(CallRow(count, number, day, CLOCK[at], name, minutes, mornings, not error, error))
        self._day, self._minute = year.day, year.account.minute


Acted = tuple[int, int, int, int]
"""Day and minute at which a call acted, the minutes it took, and the mornings that came meanwhile."""


def _acted(turn: Turn, day: int, minute: int, year: Episode) -> Iterator[Acted]:
    """In the order of the calls. A wait acts behind the others, and not at all if they have used up the day."""
    economy, mornings_seen = year.account.economy, year.account.books.days
    last = mornings_seen[-1].day if year.done and mornings_seen else None  # the market may have gone on without it
    waits, began = [call["name"] == WAIT for call in turn.calls], day
    others: list[Acted] = []
    for call in turn.calls:
        if call["name"] == WAIT:
            continue
        minutes = 0 if day == last else _minutes(call)
        minute += minutes
        mornings = int(minute >= economy.closing_minute and day != last)
        if mornings:
            day, minute = day + 1, economy.opening_minute
        others.append((day, minute, minutes, mornings))
    given_up = economy.closing_minute - minute if day == began and day != last else 0
    waited = (day + 1, economy.opening_minute, given_up, 1) if given_up else (day, minute, 0, 0)
    acted = iter(others)
    for place, waits_here in enumerate(waits):
        if not waits_here:
            yield next(acted)
        else:
            yield waited if place == waits.index(True) else (waited[0], waited[1], 0, 0)


def _extra_waits(turn: Turn) -> Sequence[bool]:
    seen, extra = False, []
    for call in turn.calls:
        extra.append(seen and call["name"] == WAIT)
        seen = seen or call["name"] == WAIT
    return extra


def _minutes(call: Record) -> int:
    """What a call spends; one that cannot be read, or is refused before it begins, costs no time."""
    name, arguments = call["name"], call.get("arguments")
    tool = TOOL_BY_NAME.get(name) if isinstance(name, str) else None
    if tool is None or call.get("problem") or _stray(tool, arguments):
        return 0
    return tool.minutes


def _stray(tool: Tool, arguments: object) -> bool:
    return tool.strict and isinstance(arguments, dict) and not arguments.keys() <= tool.parameters["properties"].keys()


def error_of(reply: str) -> str:
    """The first thing of a reply that was not carried out; nothing where all of it was."""
    if not any(sign in reply for sign in _SIGNS):
        return ""
    return " ".join(_first_error(json.loads(reply)).split())[:LONGEST_ERROR]


def _first_error(part: Any) -> str:
    if isinstance(part, list):
        return next(filter(None, map(_first_error, part)), "")
    if not isinstance(part, dict):
        return ""
    if part.get("message") == CLOSED:
        return CLOSED
    if isinstance(part.get("error"), str):
        return str(part["error"]) or "refused"
    if part.get("success") is False:
        return "refused"
    return _first_error(list(part.values()))


def tool_name(name: object) -> str:
    """An agent may call a tool that there is not, by a name of any kind and length."""
    return name[:LONGEST_NAME] if isinstance(name, str) else type(name).__name__
