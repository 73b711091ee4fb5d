"""How `--seats` names who sits where: an agent that is asked for its turns, or a door by which they are handed in."""

import re

from ecbench.ranges import quoted
from ecbench.runs.errors import RunError
from ecbench.runs.play.agents import lasting_name

OUTSIDE = {"http": "http", "mcp": "mcp", "person": "board"}
"""Seats whose turns come from outside, and the door that their records name."""

CALLS_A_TURN = 10  # over MCP each call is a turn of its own, so such a seat has so many times the turns of others

_OUTSIDE_NAME = re.compile(rf"({'|'.join(OUTSIDE)})(:[\w.-]{{1,40}})?")
_OWN_NAME = "up to 40 letters, digits, _, . and -"


def door_of(agent: str) -> str:
    """The door of a seat that is played from outside, such as `http` or `http:my-agent`; none for any other."""
    found = _OUTSIDE_NAME.fullmatch(agent)
    return OUTSIDE[found[1]] if found else ""


def lasting_seat_name(agent: str) -> str:
    """The lasting name of who sits down; raises RunError where nobody of that name can."""
    if door_of(agent):
        return agent
    kind, colon, _ = agent.partition(":")
    if colon and kind in OUTSIDE:
        raise RunError(f"{quoted(agent)}: behind {kind}: comes a name of {_OWN_NAME}, as in {kind}:my-agent")
    return lasting_name(agent)


def turns_at(door: str, turns: int) -> int:
    """The limit of turns at a seat in an arena with that limit."""
    return turns * CALLS_A_TURN if door == "mcp" else turns
