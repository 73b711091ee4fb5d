"""Years played by a model: the turn loop's observer keeps the record, and recorded answers come before the model's."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from anyio import from_thread

from ecbench import tool_schemas
from ecbench.episode import Episode
from ecbench.harness.brief import Brief
from ecbench.harness.context import ContextPolicy, Eviction
from ecbench.harness.loop import Outcome, Stop, play
from ecbench.harness.messages import (
    Answer,
    Call,
    Message,
    ModelFailure,
    Tell,
    answer_from_json,
    answer_to_json,
    tell_nobody,
)
from ecbench.harness.models import InspectModel, open_model
from ecbench.harness.replay import RecordedModel
from ecbench.harness.settings import ModelSettings, Price
from ecbench.harness.supplier_model import supplier_model
from ecbench.harness.voice import Ask, ModelVoice, VoiceLine
from ecbench.harness.windows import window_warning
from ecbench.runs.events import Record, Terms, Turn
from ecbench.runs.overrides import rules_with
from ecbench.runs.play import Played, close_year, open_year, play_again
from ecbench.runs.problems import RunError
from ecbench.runs.reader import Recording
from ecbench.runs.recorder import Append, Recorder
from ecbench.runs.seats import is_model
from ecbench.runs.stopping import StopFlag
from ecbench.runs.voices import Kind, QuotedVoice, Speak, live_voice, recorded_lines, say
from ecbench.suppliers.voices import Scene, Voice
from ecbench.world.model import World


@dataclass(frozen=True, slots=True)
class Cast:
    """The models of a run, opened once for all of its episodes; merchants and template letters need none."""

    agent: InspectModel | None
    suppliers: InspectModel | None

    def telling(self, tell: Tell) -> "Cast":
        """The same models for one episode, whose listener wants to know of their setbacks."""
        return Cast(self.agent and self.agent.telling(tell), self.suppliers and self.suppliers.telling(tell))

    @property
    def models(self) -> list[InspectModel]:
        return [model for model in (self.agent, self.suppliers) if model is not None]


OF_THE_HARNESS = ("supplier", "brief", "window")  # among the options of a model, what is not its provider's business
LETTER_PATIENCE = {"attempt_seconds": 120, "give_up_seconds": 300}  # the template writes what does not come


def agent_settings(terms: Terms) -> ModelSettings:
    return _settings(terms.agent, {k: v for k, v in terms.model.items() if k not in OF_THE_HARNESS})


def supplier_settings(terms: Terms) -> ModelSettings:
    return _settings(terms.voice, LETTER_PATIENCE | terms.model.get("supplier", {}))


def context_policy(terms: Terms) -> ContextPolicy:
    try:
        return ContextPolicy(**terms.model.get("window", {}))
    except TypeError as problem:
        raise RunError(f"{terms.agent}: the window of the run cannot be read ({problem})") from problem


def _settings(name: str, options: Mapping[str, Any]) -> ModelSettings:
    """From the options as a run records them, a price as `IN,OUT`."""
    known = dict(options)
    price = known.pop("price", None)
    try:
        return ModelSettings(name, price=Price.parse(price) if price else None, **known)
    except (TypeError, ValueError) as problem:
        raise RunError(f"{name}: {problem}") from problem


@asynccontextmanager
async def open_cast(terms: Terms) -> AsyncIterator[Cast]:
    """Raises ModelFailure when a model cannot be set up."""
    async with AsyncExitStack() as opened:

        def reach(settings: ModelSettings, schemas: Sequence[Mapping[str, Any]]) -> InspectModel:
            model = open_model(settings, schemas)
            opened.push_async_callback(model.close)
            return model

        agent = reach(agent_settings(terms), tool_schemas(rules_with(terms.rules))) if is_model(terms.agent) else None
        yield Cast(agent, reach(supplier_settings(terms), []) if is_model(terms.voice) else None)


def check_models(terms: Terms) -> str:
    """One tiny turn of each model of a run; raises RunError with the one line that says what to set.

    Returns what is worth a warning, in one line or none.
    """

    async def check() -> str:
        async with open_cast(terms) as cast:
            for model in cast.models:
                await model.check()
            return await window_warning(cast.agent, context_policy(terms)) if cast.agent else ""

    try:
        return asyncio.run(check())
    except ModelFailure as failure:
        raise RunError(str(failure)) from failure


def play_models_year(
    terms: Terms, episode: int, world: World, recording: Recording, append: Append, stop: StopFlag, tell: Tell
) -> Played:
    """One year on an event loop of its own."""

    async def year() -> Played:
        async with open_cast(terms) as cast:
            return await play_with(cast.telling(tell), terms, episode, world, recording, append, stop)

    try:
        return asyncio.run(year())
    except ModelFailure as failure:
        raise RunError(f"{failure}; nothing was changed") from failure


async def play_with(
    cast: Cast, terms: Terms, episode: int, world: World, recording: Recording, append: Append, stop: StopFlag
) -> Played:
    """Play on behind `recording`, beside whatever other episodes share the event loop and the models."""
    assert cast.agent is not None
    recorder = Recorder(recording, terms, episode, append)
    with _voice(terms, recording.turns, cast.suppliers) as voice:
        year = open_year(terms, world, voice)
        inherited = terms.fork.turns if terms.fork else 0
        play_again(year, recorder, recording.turns[:inherited])
        model = RecordedModel([_answer(turn) for turn in recording.turns[inherited:]], cast.agent)
        outcome = await _converse(terms, year, model, recorder, stop)
    return close_year(year, recorder, outcome.ending, outcome.reason)


async def _converse(terms: Terms, year: Episode, model: RecordedModel, recorder: Recorder, stop: StopFlag) -> Outcome:
    brief = Brief(
        days=terms.days,
        stake=terms.stake,
        max_turns=terms.max_turns - recorder.turns,
        policy=context_policy(terms),
        rules=rules_with(terms.rules),
        wording=terms.model.get("brief"),
    ).on(year.world)
    observer = RecordKeeper(year, recorder, stop)
    loop = asyncio.get_running_loop()

    def halt_soon() -> None:
        loop.call_soon_threadsafe(observer.halt_if_live)

    with stop.also(halt_soon):
        observer.halt_if_live()
        in_thread = is_model(terms.voice)
        return await play(year, model, brief, observer, stop=observer.halt, act_in_thread=in_thread)


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
def _voice(terms: Terms, turns: Sequence[Turn], suppliers: InspectModel | None) -> Iterator[Voice]:
    if suppliers is None:
        with live_voice(terms, turns) as voice:
            yield voice
    else:
        yield QuotedVoice(recorded_lines(turns), _speaker(_asking(suppliers)))


def _asking(model: InspectModel) -> Ask:
    """For tools in a thread beside the event loop, where the model lives."""

    def ask(system: str, user: str) -> Answer:
        return from_thread.run(model.answer, [Message("system", system), Message("user", user)])

    return ask


def _speaker(ask: Ask) -> Speak:
    """A model's letters, as a source of recorded lines."""
    noted: list[VoiceLine] = []
    voice = ModelVoice(ask, noted.append)

    def speak(kind: Kind, scene: Scene) -> Record:
        say(voice, kind, scene)
        return noted.pop().to_json()

    return speak


@contextmanager
def speaking_model(terms: Terms, tell: Tell = tell_nobody) -> Iterator[Speak]:
    """The model that words the suppliers' letters in a merchant's year."""
    with ExitStack() as opened:
        try:
            ask = opened.enter_context(supplier_model(supplier_settings(terms), tell))
        except ModelFailure as failure:
            raise RunError(f"the suppliers cannot speak: {failure}; nothing was changed") from failure
        yield _speaker(ask)
