"""The suppliers' voice of a resumed year: first the recorded lines, then new ones."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial

from ecbench.errors import RunError
from ecbench.harness.messages import ModelFailure, OnRetry, OnUsage, ignore_retries, ignore_usage
from ecbench.harness.model_voice import Ask, compose_line
from ecbench.players.turn import Record, Turn
from ecbench.runs.play.model_settings import supplier_settings
from ecbench.runs.record.recorded_voice import Kind, QuotedVoice, Speak, recorded_lines, say
from ecbench.runs.terms import Terms
from ecbench.suppliers.voices import Scene, TemplateVoice, Voice, get_voice


@contextmanager
def live_voice(
    terms: Terms, turns: Sequence[Turn], on_retry: OnRetry = ignore_retries, on_usage: OnUsage = ignore_usage
) -> Iterator[Voice]:
    """The voice that `terms` name, which first says what `turns` recorded. A name with a slash is a model's."""
    if terms.voice == "template":
        yield TemplateVoice()
    elif terms.model_voice:
        with _speaking_model(terms, on_retry, on_usage) as ask:
            yield model_voice(turns, ask)
    else:
        yield QuotedVoice(recorded_lines(turns), _plain(_named_voice(terms.voice)))


def model_voice(turns: Sequence[Turn], ask: Ask) -> QuotedVoice:
    """A model's letters, behind those that are recorded already."""
    return QuotedVoice(recorded_lines(turns), partial(compose_line, ask))


@contextmanager
def _speaking_model(terms: Terms, on_retry: OnRetry, on_usage: OnUsage) -> Iterator[Ask]:
    """The model that words the suppliers' letters in a merchant's year."""
    from ecbench.harness.supplier_model import supplier_model  # here, since the model layer takes a second to import

    with ExitStack() as opened:
        try:
            ask = opened.enter_context(supplier_model(supplier_settings(terms), on_retry, on_usage))
        except ModelFailure as failure:
            raise RunError(f"the suppliers cannot speak: {failure}; nothing was changed") from failure
        yield ask


def _plain(voice: Voice) -> Speak:
    def speak(kind: Kind, scene: Scene) -> Record:
        return {"kind": kind, "said": say(voice, kind, scene)}

    return speak


def _named_voice(name: str) -> Voice:
    try:
        return get_voice(name)
    except ValueError as problem:
        raise RunError(str(problem)) from problem
