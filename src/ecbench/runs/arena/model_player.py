"""A model at a seat of an arena."""

import json
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from functools import partial
from pathlib import Path

from ecbench.harness.loop import Model, Proposal, Stop, hear, open_conversation, propose
from ecbench.harness.messages import Answer, Message, OnRetry, answer_from_json, answer_to_json
from ecbench.harness.replay import RecordedModel
from ecbench.runs.arena.players import Move
from ecbench.runs.play.cancellation import StopFlag
from ecbench.runs.play.models import brief_of, halting, open_cast, recorded_answer
from ecbench.runs.play.recorded_seat import RecordedSeat
from ecbench.runs.record.atomic_write import read_file, write_whole
from ecbench.runs.record.schema import parse


async def open_player(
    seat: RecordedSeat, answer_file: Path, models: AsyncExitStack, stop: StopFlag, on_retry: OnRetry
) -> Callable[[], "ModelPlayer"]:
    """Sits down when it is called; the model stays open as long as `models` does."""
    cast = await models.enter_async_context(open_cast(seat.terms))
    halt = models.enter_context(halting(stop))
    assert cast.agent is not None
    return partial(ModelPlayer, seat, cast.agent.notifying(on_retry), answer_file, halt)


class ModelPlayer:
    """Recorded answers come before the model's own, so that its conversation is whole again."""

    thinks = True

    def __init__(self, seat: RecordedSeat, model: Model, answer_file: Path, stop: Stop) -> None:
        self._seat = seat
        self._file = answer_file
        self._stop = stop
        self._talk = open_conversation(brief_of(seat))
        recorded = [recorded_answer(turn) for turn in seat.recording.turns[seat.turns :]]
        self._model = RecordedModel(recorded, KeptAnswer(model, answer_file, lambda: seat.turns + 1))
        self._proposal: Proposal | None = None

    async def move(self) -> Move | None:
        self._proposal = await propose(self._model, self._talk, self._stop)
        if self._proposal is None:
            return None
        return Move(self._proposal.calls, self._proposal.said, self._proposal.evictions)

    def heard(self, _move: Move, replies: Sequence[str]) -> None:
        assert self._proposal is not None
        recorded_before = self._seat.repeating
        hear(self._talk, self._seat, self._proposal, replies)
        if not recorded_before:
            self._file.unlink(missing_ok=True)

    def close(self) -> None: ...


class KeptAnswer:
    """A model whose answer is on disk from when it comes to when its turn is recorded.

    In an arena that may take a while: a turn is only run when those with an earlier clock have taken theirs.
    """

    def __init__(self, model: Model, path: Path, turn: Callable[[], int]) -> None:
        self._model = model
        self._path = path
        self._turn = turn

    async def answer(self, messages: Sequence[Message]) -> Answer:
        kept = self._kept()
        if kept is not None:
            return kept
        answer = await self._model.answer(messages)
        content = {"turn": self._turn(), "answer": answer_to_json(answer)}
        write_whole(self._path, json.dumps(content).encode())
        return answer

    def _kept(self) -> Answer | None:
        """What is there of another turn, or was not finished, is none."""
        with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
            record = parse(read_file(self._path))
            if record["turn"] == self._turn():
                return answer_from_json(record["answer"])
        return None
