"""What a year takes in tokens: the scripted merchants play through the turn loop as if they were models.

    python benchmarks/harness_tokens.py [MERCHANT ...]

Every batch of a merchant is one answer. `sent` counts each request whole, as a provider without a cache bills it;
`new` is what no earlier request carried, and what is behind an eviction, which a cache must read again.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from weakref import WeakKeyDictionary

import ecbench
from ecbench.harness.brief import Brief
from ecbench.harness.messages import Answer, Call, Message
from ecbench.harness.model_player import ModelPlayer, open_conversation
from ecbench.harness.model_voice import compose_line
from ecbench.harness.tokens import count_message, count_text
from ecbench.players.loop import play
from ecbench.players.merchant_player import MerchantPlayer
from ecbench.players.merchants.protocol import Merchant, Play, Reply
from ecbench.players.merchants.registry import get_merchant
from ecbench.players.session import TableSession, TurnRecorder
from ecbench.players.turn import Turn
from ecbench.runs.play.agents import open_play
from ecbench.runs.record.recorded_voice import QuotedVoice
from ecbench.table import Table

MOST_TURNS = 10_000  # merchants take smaller steps than a model would
MERCHANTS = ("idle", "first-quote", "haggler", "steady")
SCHEMAS = count_text(json.dumps(ecbench.tool_schemas(), ensure_ascii=False))


@dataclass
class MerchantModel(TurnRecorder):
    """A merchant's batches as a model's answers, and the table's recorder; counts what is sent and written."""

    merchant: Play
    sent: int = 0
    new: int = 0
    written: int = 0
    largest: int = 0
    _weights: WeakKeyDictionary[Message, int] = field(default_factory=WeakKeyDictionary)
    _before: list[Message] = field(default_factory=list)
    _replies: list[Reply] = field(default_factory=list)

    async def answer(self, messages: Sequence[Message]) -> Answer:
        same = 0
        while same < min(len(messages), len(self._before)) and messages[same] is self._before[same]:
            same += 1
        weights = [self._weigh(message) for message in messages]
        self.sent += SCHEMAS + sum(weights)
        self.new += sum(weights[same:]) + (0 if self._before else SCHEMAS)
        self.largest = max(self.largest, SCHEMAS + sum(weights))
        batch = self.merchant.send(self._replies) if self._before else next(self.merchant)
        self._before = list(messages)
        calls = [Call(str(number), call["name"], call["arguments"]) for number, call in enumerate(batch)]
        said = Message("assistant", "", calls=tuple(calls))
        self.written += self._weigh(said)
        return Answer(said)

    def _weigh(self, message: Message) -> int:
        if message not in self._weights:
            self._weights[message] = count_message(message)
        return self._weights[message]

    def completed(self, turn: Turn, _year: ecbench.Episode) -> None:
        """A scripted merchant reads whole replies; only a model is shown shortened ones."""
        self._replies = [outcome.reply for outcome in turn.outcomes]


def measure(name: str) -> None:
    world = ecbench.load_world("default")
    merchant = get_merchant(name, days=world.days)
    assert isinstance(merchant, Merchant)
    model = MerchantModel(merchant.play(ecbench.tool_schemas()))
    session = TableSession(Table(world), model, max_turns=MOST_TURNS)
    player = ModelPlayer(model, open_conversation(Brief(max_turns=MOST_TURNS)), session)
    play(session, [player])
    talk = player.talk
    print(
        f"{name:12} {talk.turns:6,} turns {talk.calls:6,} calls {talk.evictions:3} evictions"
        f" | sent {model.sent / 1e6:7.1f} M, new {model.new / 1e6:5.2f} M, written {model.written / 1e6:5.3f} M"
        f" | {model.sent / talk.turns:8,.0f} a request, at most {model.largest:,}"
    )


def measure_letters(name: str) -> None:
    """What a model would read that writes the suppliers' letters to a merchant."""
    read: list[int] = []

    def ask(system: str, user: str) -> Answer:
        read.append(count_text(system) + count_text(user))
        return Answer(Message("assistant", "The figures below are our answer, dear customer."))

    world = ecbench.load_world("default")
    session = TableSession(Table(world, voice=QuotedVoice([], partial(compose_line, ask))), max_turns=MOST_TURNS)
    play(session, [MerchantPlayer(partial(open_play, name, session.years[0], world.days))])
    if read:
        print(f"{name:12} {len(read):6,} letters and judgements, {sum(read) / len(read):8,.0f} tokens read for each")


def main() -> None:
    print(f"tool schemas: {SCHEMAS:,} tokens, with every request")
    for name in sys.argv[1:] or MERCHANTS:
        measure(name)
    for name in sys.argv[1:] or MERCHANTS:
        measure_letters(name)


if __name__ == "__main__":
    main()
