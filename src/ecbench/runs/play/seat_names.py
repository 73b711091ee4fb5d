"""How `--seats` names who plays a seat: an agent that is asked for its turns, or an adapter that hands them in."""

import re

from ecbench.errors import RunError
from ecbench.ranges import quoted
from ecbench.runs.play.agents import lasting_name
from ecbench.runs.terms import SeatTerms

EXTERNAL = {"http": "http", "mcp": "mcp", "person": "board"}
"""Seats whose turns come from outside, and the adapter that their records name."""

_EXTERNAL_NAME = re.compile(rf"({'|'.join(EXTERNAL)})(:[\w.-]{{1,40}})?")
_OWN_NAME = "up to 40 letters, digits, _, . and -"


def transport_of(agent: str) -> str:
    """The adapter of a seat that is played from outside, such as `http` or `http:my-agent`; none for any other."""
    found = _EXTERNAL_NAME.fullmatch(agent)
    return EXTERNAL[found[1]] if found else ""


def lasting_seat_name(agent: str) -> str:
    """The lasting name of an agent at a seat; raises RunError where there is none of that name."""
    if transport_of(agent):
        return agent
    kind, colon, _ = agent.partition(":")
    if colon and kind in EXTERNAL:
        raise RunError(f"{quoted(agent)}: behind {kind}: comes a name of {_OWN_NAME}, as in {kind}:my-agent")
    return lasting_name(agent)


def has_external_seats(seats: tuple[SeatTerms, ...]) -> bool:
    return any(seat.transport for seat in seats)
