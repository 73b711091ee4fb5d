"""Suppliers' words in a record: lines of a model are quoted, and followed by new ones. Templates need no record."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Literal

from ecbench.errors import Divergence, RunError
from ecbench.harness.messages import ModelFailure
from ecbench.players.turn import Record, Turn
from ecbench.runs.play.model_settings import supplier_settings
from ecbench.runs.terms import Terms
from ecbench.suppliers.voices import Scene, TemplateVoice, Voice

if TYPE_CHECKING:
    from ecbench.harness.model_voice import Ask  # which needs the extra `harness`

Kind = Literal["letter", "membership"]
Speak = Callable[[Kind, Scene], Record]
"""Composes one line: its kind, what was said ("yes" or "no" to a membership), and what else is worth keeping."""


class QuotedVoice:
    """Says what was recorded; then `speak` composes. Every line is noted for the record."""

    name = "quoted"

    def __init__(self, turns: Sequence[Turn], speak: Speak | None = None) -> None:
        self._recorded = deque(line for turn in turns for line in turn.voices)
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
            raise Divergence(f"{scene.supplier.name} writes a {kind} that the recording does not contain")
        if line["kind"] != kind:
            raise Divergence(f"{scene.supplier.name} writes a {kind} where the recording has a {line['kind']}")
        self._noted.append(line)
        return str(line["said"])


def recorded_voice(terms: Terms, turns: Sequence[Turn]) -> Voice:
    """The voice of a replay that goes no further than its record."""
    return TemplateVoice() if terms.voice == "template" else QuotedVoice(turns)


@contextmanager
def live_voice(terms: Terms, turns: Sequence[Turn]) -> Iterator[Voice]:
    """The voice that `terms` name, which first says what `turns` recorded. A model has a thread of its own."""
    settings = supplier_settings(terms)
    if settings is None:
        yield recorded_voice(terms, turns)
        return
    from ecbench.harness.model_voice import supplier_model

    with ExitStack() as opened:
        try:
            ask = opened.enter_context(supplier_model(settings))
        except ModelFailure as failure:
            raise RunError(f"the suppliers cannot speak: {failure}; nothing was changed") from failure
        yield model_voice(turns, ask)


def model_voice(turns: Sequence[Turn], ask: "Ask") -> QuotedVoice:
    """A model's letters, behind those that are recorded already."""
    from ecbench.harness.model_voice import compose_line

    return QuotedVoice(turns, partial(compose_line, ask))
