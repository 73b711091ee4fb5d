"""Years played by a scripted merchant."""

from dataclasses import replace

from ecbench.harness.messages import OnRetry
from ecbench.players.merchants.protocol import Play
from ecbench.runs.errors import Divergence, MerchantFailure
from ecbench.runs.play.agents import open_play
from ecbench.runs.play.cancellation import StopFlag
from ecbench.runs.play.merchant_batches import close, next_batch
from ecbench.runs.play.recorded_seat import Played, RecordedSeat
from ecbench.runs.play.resumed_voice import live_voice
from ecbench.runs.play.user_errors import stack_of
from ecbench.runs.record.events import Terms
from ecbench.runs.record.reader import Recording
from ecbench.runs.record.recorder import Append
from ecbench.world.model import World


def play_merchants_year(
    terms: Terms, episode: int, world: World, recording: Recording, append: Append, stop: StopFlag, on_retry: OnRetry
) -> Played:
    """The merchant is asked for its recorded turns once more, so that it knows what it did."""
    with live_voice(terms, recording.turns, on_retry) as voice:
        seat = RecordedSeat(terms, episode, world, recording, voice, append)
        seat.inherit()
        ending, reason, stack = _play(seat, stop)
    played = seat.close(ending, reason)
    seat.leave()
    return replace(played, stack=stack)


def _play(seat: RecordedSeat, stop: StopFlag) -> tuple[str, str, str]:
    """The ending, its reason, and the stack of a failure.

    A merchant that fails leaves a year that can go on once it is mended.
    """
    play = None
    try:
        play = open_play(seat.terms.agent, seat.year, seat.terms.days)
        return _trade(play, seat, stop), "", ""
    except MerchantFailure as failure:
        place = f"in turn {seat.turns + 1}"
        if seat.repeating:
            raise Divergence(f"{failure}, {place}, which the recording has; nothing was changed") from failure
        return "stopped", f"{failure}, {place}", stack_of(failure)
    finally:
        if play is not None:
            close(play)


def _trade(play: Play, seat: RecordedSeat, stop: StopFlag) -> str:
    replies: list[str] | None = None
    while (ending := seat.ending) is None:
        if stop.requested and not seat.repeating:
            return "stopped"
        calls = next_batch(play, replies)
        if calls is None:
            return "idle"
        replies = seat.take(calls)
    return ending
