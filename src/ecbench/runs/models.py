"""Years played by a model: the turn loop's observer keeps the record, and recorded answers come before the model's."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from typing import Any

from ecbench import tool_schemas
from ecbench.episode import Episode
from ecbench.harness.brief import Brief
from ecbench.harness.context import Eviction
from ecbench.harness.loop import Outcome, Stop, play
from ecbench.harness.messages import Answer, Call, ModelFailure, answer_from_json, answer_to_json
from ecbench.harness.models import ModelSettings, Price, open_model
from ecbench.harness.replay import RecordedModel
from ecbench.harness.supplier_model import supplier_model
from ecbench.harness.voice import ModelVoice, VoiceLine
from ecbench.runs.events import Record, Terms, Turn
from ecbench.runs.overrides import rules_with
from ecbench.runs.problems import RunError
from ecbench.runs.recorder import Recorder
from ecbench.runs.stopping import StopFlag
from ecbench.runs.voices import Kind, Speak, say
from ecbench.suppliers.voices import Scene


def model_settings(name: str, options: Mapping[str, Any]) -> ModelSettings:
    """From the options as a run records them, a price as `IN,OUT`."""
    known = dict(options)
    price = known.pop("price", None)
    try:
        return ModelSettings(name, price=Price.parse(price) if price else None, **known)
    except (TypeError, ValueError) as problem:
        raise RunError(f"{name}: {problem}") from problem


def play_model(
    terms: Terms, year: Episode, recorder: Recorder, recorded: Sequence[Turn], stop: StopFlag
) -> tuple[str, str]:
    """The ending and its reason; `recorded` are the model's own turns so far."""
    try:
        outcome = asyncio.run(_play(terms, year, recorder, recorded, stop))
    except ModelFailure as failure:
        if recorder.ahead is not None:
            raise RunError(f"{failure}; nothing was changed") from failure
        return "model_error", str(failure)
    return outcome.ending, outcome.reason


async def _play(terms: Terms, year: Episode, recorder: Recorder, recorded: Sequence[Turn], stop: StopFlag) -> Outcome:
    options = {name: value for name, value in terms.model.items() if name not in ("supplier", "brief")}
    brief = Brief(
        days=terms.days,
        stake=terms.stake,
        max_turns=terms.max_turns - recorder.turns,
        rules=rules_with(terms.rules),
        wording=terms.model.get("brief"),
    )
    observer = RecordKeeper(year, recorder, stop)
    loop = asyncio.get_running_loop()

    def halt_soon() -> None:
        loop.call_soon_threadsafe(observer.halt_if_live)

    model = open_model(model_settings(terms.agent, options), tool_schemas())
    try:
        with stop.also(halt_soon):
            return await play(
                year,
                RecordedModel([_answer(turn) for turn in recorded], model),
                brief,
                observer,
                stop=observer.halt,
                act_in_thread=terms.voice != "template",
            )
    finally:
        await model.close()


class RecordKeeper:
    """Puts what the turn loop tells together into turns."""

    def __init__(self, year: Episode, recorder: Recorder, stop: StopFlag) -> None:
        self.halt = Stop()
        self._year = year
        self._recorder = recorder
        self._stop = stop
        self._evictions: list[Record] = []
        self._said: Record = {}

    def halt_if_live(self) -> None:
        """A year that is still being played again cannot stop before its record does."""
        if self._stop.requested and self._recorder.ahead is None:
            self.halt.request()

    def evicted(self, _turn: int, eviction: Eviction) -> None:
        self._evictions.append(asdict(eviction) | {"cleared": list(eviction.cleared)})

    def answered(self, _turn: int, answer: Answer) -> None:
        self._said = answer_to_json(answer)
        if not answer.message.calls:
            self._take(())

    def replied(self, _turn: int, _calls: Sequence[Call], replies: Sequence[str]) -> None:
        self._take(replies)

    def reminded(self, turn: int, text: str) -> None:
        """Follows from the turns: no line of its own."""

    def ended(self, outcome: Outcome) -> None:
        """Whoever plays the year closes its record."""

    def _take(self, replies: Sequence[str]) -> None:
        said, evictions = self._said, self._evictions
        self._said, self._evictions = {}, []
        calls = said.pop("calls")
        self._recorder.take(Turn(calls, replies, said, evictions), self._year)
        self.halt_if_live()


def _answer(turn: Turn) -> Answer:
    return answer_from_json({**turn.said, "calls": turn.calls})


@contextmanager
def speaking_model(terms: Terms) -> Iterator[Speak]:
    """The model that words the suppliers' letters, as a source of recorded lines."""
    noted: list[VoiceLine] = []
    with ExitStack() as opened:
        settings = model_settings(terms.voice, terms.model.get("supplier", {}))
        try:
            ask = opened.enter_context(supplier_model(settings))
        except ModelFailure as failure:
            raise RunError(f"the suppliers cannot speak: {failure}; nothing was changed") from failure
        voice = ModelVoice(ask, noted.append)

        def speak(kind: Kind, scene: Scene) -> Record:
            say(voice, kind, scene)
            return noted.pop().to_json()

        yield speak
