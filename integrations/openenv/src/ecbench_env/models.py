"""What goes over the wire."""

from typing import Any

from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field


class YearAction(Action):
    """One turn."""

    calls: Any = Field(
        default=None, description="Calls of tools, each with name and arguments; or the JSON text of them"
    )


class YearObservation(Observation):
    """What a turn was answered."""

    replies: list[str] = Field(default_factory=list, description="JSON texts, one per call")
    brief: str = Field(default="", description="The job in words, at the beginning of a year")
    tools: list[dict[str, Any]] = Field(default_factory=list, description="The tools, at the beginning of a year")
    assets: float = Field(default=0.0, description="Bank, wallet and escrow in yuan")
    day: int = Field(default=0, description="The day of the year, from 0")
    ending: str = Field(default="", description="How the year ended; empty while it goes on")
    truncated: bool = Field(default=False, description="Whether it ended because the turns were used up")


class YearState(State):
    """Where the session stands."""

    world: str = ""
    assets: float = 0.0
    day: int = 0
