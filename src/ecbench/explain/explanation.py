"""The plain data of an explanation: steps for a reader, and panels for a picture."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

HIDDEN_NOTE = "Lines with * show hidden values: agents never see them."


class Fact(NamedTuple):
    """One line: a named value, its unit, and where it comes from."""

    name: str
    value: float | str
    unit: str = ""
    why: str = ""
    hidden: bool = False


class Dot(NamedTuple):
    """A point of a panel; `series` names its line or its bar."""

    x: float | str
    y: float
    series: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """One part of the picture: lines, lines with steps where a value holds until the next, or bars."""

    title: str
    x: str  # titles of the axes
    y: str
    points: Sequence[Dot]
    bars: bool = False
    stepped: bool = False


@dataclass(frozen=True, slots=True)
class Explanation:
    """What one command explains."""

    key: str
    title: str
    paper: str  # the figure of the paper that it follows
    steps: Sequence[Fact]
    panels: Sequence[Panel]

    def to_json(self) -> dict[str, Any]:
        return {
            "explains": self.key,
            "title": self.title,
            "paper": self.paper,
            "steps": [step._asdict() for step in self.steps],
            "panels": [
                {**asdict(panel), "points": [point._asdict() for point in panel.points]} for panel in self.panels
            ],
        }


def evenly_spaced(low: float, high: float, count: int = 61) -> list[float]:
    """Evenly spaced figures from low to high, both included."""
    return [low + (high - low) * place / (count - 1) for place in range(count)]
