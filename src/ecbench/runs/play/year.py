"""One episode, from wherever its record stands to its end, by the players that its terms name."""

from functools import partial

from ecbench.errors import RunError
from ecbench.players.loop import play
from ecbench.runs.play.play_context import PlayContext, closing
from ecbench.runs.play.recorded_table import Append, Played, RecordedTable
from ecbench.runs.play.resumed_voice import live_voice
from ecbench.runs.play.seat_players import seat_players
from ecbench.runs.record.reader import Recording
from ecbench.runs.terms import Terms
from ecbench.world.model import World


def play_episode(
    terms: Terms, episode: int, world: World, recording: Recording, append: Append, context: PlayContext
) -> Played:
    """Play on behind `recording`, which is replayed and compared first."""
    if terms.shared and terms.voice != "template":
        raise RunError("where several seats share a market, suppliers speak from templates; leave out --supplier-model")
    if any(seat.asks_model for seat in terms.seats):
        from ecbench.runs.play.models import play_with_models

        return play_with_models(terms, episode, world, recording, append, context)
    with live_voice(terms, recording.turns, partial(context.on_retry, 0), partial(context.on_usage, 0)) as voice:
        table = RecordedTable.open(terms, episode, world, recording, voice, append)
        players = seat_players(table, context.stop, external=context.external, merchant=context.merchant)
        interrupted = play(
            table.session, players, stop=context.stop, timer=context.timer(terms), closed=closing(table, context)
        )
    played = table.close(interrupted)
    table.release()
    return played
