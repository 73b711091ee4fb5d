"""A scripted merchant as a player: its generator yields batches of calls and is sent the replies."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from types import GeneratorType
from typing import Any, cast

from ecbench.episode import Episode
from ecbench.errors import MerchantFailure
from ecbench.gate import TurnRefused, admit
from ecbench.players.merchants.protocol import Insider, Merchant, Play
from ecbench.players.turn import Leave, Move, Record
from ecbench.players.user_errors import failing_as
from ecbench.tools import tool_schemas
from ecbench.tools.outcome import Outcome


def begin_play(merchant: Merchant | Insider, episode: Episode) -> Play:
    """A play at its start. Only an insider is shown the episode."""
    schemas = tool_schemas(episode.account.rules)
    if isinstance(merchant, Insider):
        return merchant.play_knowing(episode, schemas)
    play: Any = merchant.play(schemas)
    if not hasattr(play, "send"):
        what = "returns no generator" if play is None else f"returns a {type(play).__name__}, not a generator"
        how = "write play(self, schemas) with `yield [calls]` in it"
        raise MerchantFailure(f"the merchant's play {what}; {how}")
    return cast("Play", play)


class MerchantPlayer:
    """Asks a merchant for its turns; also for recorded ones, so that it knows what it did.

    `open_play` is called before the first turn. A trusted merchant's calls skip the gate, in years without a record.
    `redact=False` is for merchants that know nothing of the environment: the same calls follow in every process.
    """

    waits = False

    def __init__(self, open_play: Callable[[], Play], *, trusted: bool = False, redact: bool = True) -> None:
        self._open_play = open_play
        self._trusted = trusted
        self._redact = redact
        self._play: Play | None = None
        self._replies: list[Any] | None = None

    async def move(self) -> Move | Leave:
        if self._play is None:
            self._play = self._open_play()
        play = self._play
        file = play.gi_code.co_filename if isinstance(play, GeneratorType) else None
        with nullcontext() if self._trusted else failing_as(MerchantFailure, "the merchant failed", file):
            try:
                batch = next(play) if self._replies is None else play.send(self._replies)
            except StopIteration:
                return Leave()
        return Move(batch if self._trusted else _admitted(play, batch, self._redact))

    def on_results(self, _move: Move, outcomes: Sequence[Outcome]) -> None:
        self._replies = [outcome.reply for outcome in outcomes]

    def close(self) -> None:
        """What a merchant does on its way out changes nothing."""
        if self._play is not None:
            with suppress(MerchantFailure), failing_as(MerchantFailure, "the merchant failed"):
                self._play.close()


def _admitted(play: Play, batch: object, redact: bool) -> Sequence[Record]:
    try:
        with failing_as(MerchantFailure, "the merchant's calls cannot be read", file=""):
            return admit(batch, redact=redact)
    except MerchantFailure as failure:
        cause = failure.__cause__
        refused = isinstance(cause, TurnRefused)
        problem = f"the merchant yielded a batch that is refused: {cause}" if refused else failure
        raise MerchantFailure(f"{problem}{_yielded_at(play)}") from failure


def _yielded_at(play: Any) -> str:
    """Where a merchant stands that has just yielded, errands that it is on included."""
    location = ""
    while isinstance(play, GeneratorType) and play.gi_frame is not None:
        location = f" ({Path(play.gi_code.co_filename).name}, line {play.gi_frame.f_lineno})"
        play = play.gi_yieldfrom
    return location
