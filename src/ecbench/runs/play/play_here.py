"""Play one episode in this process, from wherever its record stands."""

from collections.abc import Mapping

from ecbench.cancellation import StopFlag
from ecbench.errors import RunError
from ecbench.players.loop import play
from ecbench.players.merchants.protocol import Insider, Merchant
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import Listener, OpenEpisode, Result, load_finished, open_episode
from ecbench.runs.play.external_seats import STOPPED, ExternalSeat
from ecbench.runs.play.recorded_table import Played
from ecbench.runs.play.seat_players import seat_players
from ecbench.runs.record.recorded_voice import live_voice
from ecbench.world.model import World


def play_here(
    run: Run,
    episode: int,
    world: World,
    listener: Listener,
    stop: StopFlag,
    external: Mapping[int, ExternalSeat] | None = None,
    merchant: Merchant | Insider | None = None,
) -> Result:
    """Play one episode in this process to its end.

    `external` are its seats that adapters serve; `merchant` plays the only seat in place of the one that is named.
    """
    external, result = external or {}, Result(episode)
    try:
        with open_episode(run, episode, listener, stop=stop, external=external, merchant=merchant) as opened:
            for seat, external_seat in external.items():
                external_seat.recorded = opened.recording.turns_of(seat)
            result = load_finished(opened, world) or opened.close_with(play_episode(opened, world))
    except RunError as problem:
        result = Result.failed(episode, problem)
    finally:
        for seat, external_seat in external.items():
            if result.ends:
                external_seat.over(result.ends[seat])
            external_seat.abandon(result.problem or STOPPED)
    return result


def play_episode(opened: OpenEpisode, world: World) -> Played:
    """Play on behind the record, which is replayed and compared first."""
    terms = opened.terms
    if terms.shared and terms.voice != "template":
        raise RunError("where several seats share a market, suppliers speak from templates; leave out --supplier-model")
    if any(seat.asks_model for seat in terms.seats):
        from ecbench.runs.play.models import play_with_models

        return play_with_models(opened, world)
    with live_voice(terms, opened.recording.turns, *opened.model_listeners(), opened.stop) as voice:
        table = opened.table(world, voice)
        players = seat_players(table, opened.stop, external=opened.external, merchant=opened.merchant)
        return table.close(play(table, players, **opened.loop_options(table)))
