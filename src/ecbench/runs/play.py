"""One year, from wherever its record stands to its end."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ecbench.agents.protocol import Play
from ecbench.episode import Episode
from ecbench.harness.messages import Tell, tell_nobody
from ecbench.runs.batches import answer, close, next_batch
from ecbench.runs.derive import derived_files
from ecbench.runs.events import End, Terms, Turn
from ecbench.runs.overrides import rules_with
from ecbench.runs.problems import Divergence, MerchantFailure
from ecbench.runs.reader import Recording
from ecbench.runs.recorder import Append, Recorder
from ecbench.runs.seats import is_model, open_seat
from ecbench.runs.stopping import StopFlag
from ecbench.runs.voices import live_voice, recorded_voice
from ecbench.suppliers.voices import Voice
from ecbench.world.model import World

IDLE_LIMIT = 3  # turns without a call, in a row


@dataclass(frozen=True, slots=True)
class Played:
    """How a year ended, and the text of each file that derives from it."""

    end: End
    files: dict[str, str]


def play_year(
    terms: Terms,
    episode: int,
    world: World,
    recording: Recording,
    append: Append,
    stop: StopFlag,
    tell: Tell = tell_nobody,
) -> Played:
    """Play on behind `recording`, which is first played again and compared; `tell` hears of a model's setbacks."""
    if is_model(terms.agent):
        from ecbench.runs.models import play_models_year  # here, since the model layer takes a second to import

        return play_models_year(terms, episode, world, recording, append, stop, tell)
    recorder = Recorder(recording, terms, episode, append)
    with live_voice(terms, recording.turns, tell) as voice:
        year = open_year(terms, world, voice)
        play_again(year, recorder, recording.turns[: terms.fork.turns if terms.fork else 0])
        ending, reason = play_merchant(terms, year, recorder, stop)
    return close_year(year, recorder, ending, reason)


def replay_year(terms: Terms, episode: int, world: World, recording: Recording) -> Played:
    """Recompute a recorded year and compare every reply and state with it; raises Divergence at the first difference.

    A year without an end, whose process was killed, is closed as one that was stopped.
    """
    recorder = Recorder(recording, terms, episode)
    year = open_year(terms, world, recorded_voice(terms, recording.turns))
    play_again(year, recorder, recording.turns)
    if recording.end is None:
        return close_year(year, recorder, "stopped", "")
    return close_year(year, recorder, recording.end.ending, recording.end.reason)


def open_year(terms: Terms, world: World, voice: Voice) -> Episode:
    return Episode(world, days=terms.days, stake=terms.stake, voice=voice, rules=rules_with(terms.rules))


def play_again(year: Episode, recorder: Recorder, turns: Sequence[Turn]) -> None:
    """Make recorded calls once more, whoever made them."""
    for turn in turns:
        recorder.take(replace(turn, replies=answer(year, turn.calls)), year)


def play_merchant(terms: Terms, year: Episode, recorder: Recorder, stop: StopFlag) -> tuple[str, str]:
    """The ending and its reason. A merchant that fails leaves a year that can go on once it is mended."""
    play = None
    try:
        play = open_seat(terms.agent, year, terms.days)
        return _trade(play, terms, year, recorder, stop), ""
    except MerchantFailure as failure:
        place = f"in turn {recorder.turns + 1} on day {year.day}"
        if recorder.ahead is not None:
            raise Divergence(f"{failure}, {place}, which the recording has; nothing was changed") from failure
        return "stopped", f"{failure}, {place}"
    finally:
        if play is not None:
            close(play)


def _trade(play: Play, terms: Terms, year: Episode, recorder: Recorder, stop: StopFlag) -> str:
    replies: list[str] | None = None
    idle = 0
    while not year.done:
        if idle >= IDLE_LIMIT:
            return "idle"
        if recorder.turns >= terms.max_turns:
            return "turn_limit"
        if stop.requested and recorder.ahead is None:
            return "stopped"
        calls = next_batch(play, replies)
        if calls is None:
            return "idle"
        recorder.expect(calls)
        replies = answer(year, calls)
        recorder.take(Turn(calls, replies), year)
        idle = 0 if calls else idle + 1
    return year.ending or "year_end"


def close_year(year: Episode, recorder: Recorder, ending: str, reason: str) -> Played:
    year.finish(ending)
    end, check = recorder.end(year, ending, reason)
    return Played(end, derived_files(year, end, check, recorder.tally, recorder.voice))
