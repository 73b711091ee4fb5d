"""Months through the real client, on a bad line: the merchant earns what it earns without a model between."""

import json
from functools import partial

import anyio
import pytest
from tests.harness.patient import Patient, PatientModel
from tests.harness.scripts import Diary, converse, converse_with
from tests.harness.servers.conversation import KEY, Fault, Say, Trouble, Turn, Use, turn
from tests.harness.servers.openai_chat import OpenAIChat
from tests.harness.servers.wire import serve

import ecbench
from ecbench.harness import retry
from ecbench.harness.brief import Brief
from ecbench.harness.context import ContextPolicy
from ecbench.harness.messages import answer_from_json, answer_to_json
from ecbench.harness.model_player import RecordedModel
from ecbench.harness.settings import ModelSettings
from ecbench.players.driver import play_year

DAYS = 60  # three orders of the merchant, and every fault and slip
# A small window keeps requests small and needs evictions all along.
BRIEF = Brief(days=DAYS, policy=ContextPolicy(window=8_000, trigger=5_000, release=2_000, keep=2))

# On the way to which turn the line breaks, and how.
FAULTS: dict[int, Trouble] = {10: "rate_limit", 17: "server_error", 25: "drop", 32: "unavailable", 40: "hang"}
# Answers that the model gives before the merchant's own: no tool, no such tool, arguments that cannot be read.
SLIPS = {
    7: turn(Say("Let me think about that for a moment.")),
    15: turn(Use("withdraw", '{"amount": 5')),
    22: turn(Use("chatbox", "hello there"), Use("ship_orders", "[1, 2]")),
    30: turn(Use("teleport", {"to": "the warehouse"})),
    37: Turn(),
    45: turn(Say("profit " * 300_000), Use("teleport", {})),
    52: Turn((Say("I will"), Use("chatbox", '{"uid": "sales')), stop="length"),
}


def test_months_on_a_bad_line_earn_the_same_money(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "FIRST_BACKOFF", 0.1)
    world = ecbench.load_world("default")
    reference, episode = ecbench.Episode(world, days=DAYS), ecbench.Episode(world, days=DAYS)
    calls = play_year(Patient(), reference)
    faults = {number: partial(Fault, trouble) for number, trouble in FAULTS.items()}
    behind, diary, dialect = PatientModel(SLIPS, faults), Diary(), OpenAIChat()
    with serve(dialect, behind) as server:
        settings = ModelSettings(dialect.agent, base_url=server.url, model_args={"api_key": KEY}, attempt_seconds=4)
        outcome = anyio.run(converse_with, settings, episode, BRIEF, diary)
    assert not behind.faults and not behind.slips
    assert server.refusals == []
    assert (outcome.ending, outcome.reason) == ("year_end", "")
    assert outcome.turns == behind.turn + len(SLIPS)
    assert outcome.calls == calls + sum(len(slip.uses) for slip in SLIPS.values())
    assert len(diary.evictions) > 5
    assert len(diary.reminders) == 2
    assert episode.report() == reference.report()
    assert episode.bank + episode.wallet == reference.bank + reference.wallet != 100_000

    recorded = [answer_from_json(json.loads(json.dumps(answer_to_json(answer)))) for answer in diary.answers]
    replayed, copy = ecbench.Episode(world, days=DAYS), Diary()
    assert anyio.run(converse, replayed, RecordedModel(recorded), BRIEF, copy).ending == "year_end"
    assert (copy.replies, copy.evictions) == (diary.replies, diary.evictions)
    assert replayed.report() == reference.report()
