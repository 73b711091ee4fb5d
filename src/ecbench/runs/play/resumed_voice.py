"""The voice of a year that goes on: it first says what was recorded, and then speaks for itself."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from ecbench.errors import RunError
from ecbench.harness.messages import ModelFailure, Tell, tell_nobody
from ecbench.harness.voice import Ask, ModelVoice, VoiceLine
from ecbench.players.turn import Record, Turn
from ecbench.runs.play.agents import is_model
from ecbench.runs.play.model_settings import supplier_settings
from ecbench.runs.record.recorded_voice import Kind, QuotedVoice, Speak, recorded_lines, say
from ecbench.runs.terms import Terms
from ecbench.suppliers.voices import Scene, TemplateVoice, Voice, get_voice


@contextmanager
def live_voice(terms: Terms, turns: Sequence[Turn], tell: Tell = tell_nobody) -> Iterator[Voice]:
    """The voice that `terms` name, which first says what `turns` recorded. A name with a slash is a model's."""
    if terms.voice == "template":
        yield TemplateVoice()
    elif is_model(terms.voice):
        with _speaking_model(terms, tell) as ask:
            yield model_voice(turns, ask)
    else:
        yield QuotedVoice(recorded_lines(turns), _plain(_named_voice(terms.voice)))


def model_voice(turns: Sequence[Turn], ask: Ask) -> Voice:
    """A model's letters, behind those that are recorded already."""
    return QuotedVoice(recorded_lines(turns), _speaker(ask))


@contextmanager
def _speaking_model(terms: Terms, tell: Tell) -> Iterator[Ask]:
    """The model that words the suppliers' letters in a merchant's year."""
    from ecbench.harness.supplier_model import supplier_model  # here, since the model layer takes a second to import

    with ExitStack() as opened:
        try:
            ask = opened.enter_context(supplier_model(supplier_settings(terms), tell))
        except ModelFailure as failure:
            raise RunError(f"the suppliers cannot speak: {failure}; nothing was changed") from failure
        yield ask


def _speaker(ask: Ask) -> Speak:
    noted: list[VoiceLine] = []
    voice = ModelVoice(ask, noted.append)

    def speak(kind: Kind, scene: Scene) -> Record:
        say(voice, kind, scene)
        return noted.pop().to_json()

    return speak


def _plain(voice: Voice) -> Speak:
    def speak(kind: Kind, scene: Scene) -> Record:
        return {"kind": kind, "said": say(voice, kind, scene)}

    return speak


def _named_voice(name: str) -> Voice:
    try:
        return get_voice(name)
    except ValueError as problem:
        raise RunError(str(problem)) from problem
