"""Suppliers' words in a record. The template voice is deterministic; lines of other voices are recorded and quoted."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Literal

from ecbench.errors import Divergence
from ecbench.players.turn import Record, Turn
from ecbench.runs.terms import Terms
from ecbench.suppliers.voices import Scene, TemplateVoice, Voice

Kind = Literal["letter", "membership"]
Speak = Callable[[Kind, Scene], Record]
"""Composes one line: its kind, what was said ("yes" or "no" to a membership), and what else is worth keeping."""


class QuotedVoice:
    """Says what was recorded; then `speak` composes. Every line is noted for the record."""

    name = "quoted"

    def __init__(self, recorded: Sequence[Record], speak: Speak | None = None) -> None:
        self._recorded = deque(recorded)
        self._speak = speak
        self._noted: list[Record] = []

    def reply(self, scene: Scene) -> str:
        return self._line("letter", scene)

    def hears_membership(self, scene: Scene) -> bool:
        return self._line("membership", scene) == "yes"

    def expect(self, lines: Sequence[Record]) -> None:
        """Further lines to say, of a record that is read a turn at a time."""
        self._recorded.extend(lines)

    def collect(self) -> list[Record]:
        """The lines since the last time it was asked."""
        noted, self._noted = self._noted, []
        return noted

    def _line(self, kind: Kind, scene: Scene) -> str:
        if self._recorded:
            line = self._recorded.popleft()
        elif self._speak is not None:
            line = self._speak(kind, scene)
        else:
            raise Divergence(f"{scene.supplier.name} writes a {kind} that the recording does not hold")
        if line["kind"] != kind:
            raise Divergence(f"{scene.supplier.name} writes a {kind} where the recording has a {line['kind']}")
        self._noted.append(line)
        return str(line["said"])


def recorded_voice(terms: Terms, turns: Sequence[Turn]) -> Voice:
    """The voice of a replay that goes no further than its record."""
    return TemplateVoice() if terms.voice == "template" else QuotedVoice(recorded_lines(turns))


def recorded_lines(turns: Sequence[Turn]) -> list[Record]:
    return [line for turn in turns for line in turn.voices]


def say(voice: Voice, kind: Kind, scene: Scene) -> str:
    if kind == "letter":
        return voice.reply(scene)
    return "yes" if voice.hears_membership(scene) else "no"
