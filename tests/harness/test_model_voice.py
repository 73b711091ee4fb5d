"""A model that speaks for the suppliers: what it is told, and what it cannot do."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import convert
from tests.harness.provider import Fault, Turn, serve, settings

import ecbench
from ecbench.harness.messages import Answer, Message, ModelFailure, Usage
from ecbench.harness.model_voice import supplier_model
from ecbench.runs.record.recorded_voice import model_voice

HONEST, FRAUD = "sales@hillfarm.example", "desk@roast.example"  # the second one sells memberships


class Writer:
    """A supplier model that keeps what it was told and answers with the next line of its script."""

    def __init__(self, *said: str | ModelFailure) -> None:
        self.said = list(said)
        self.told: list[tuple[str, str]] = []

    def __call__(self, system: str, user: str) -> Answer:
        self.told.append((system, user))
        line = self.said.pop(0) if self.said else "Thank you for your letter."
        if isinstance(line, ModelFailure):
            raise line
        return Answer(Message("assistant", line), Usage(input_tokens=7))


Write = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def world(small_world: Path) -> Any:
    return ecbench.load_world(str(small_world))


def exchange(world: Any, voice: Any, *letters: tuple[str, str]) -> tuple[list[dict[str, Any]], ecbench.Episode]:
    episode = ecbench.Episode(world, voice=voice)
    replies = [
        json.loads(episode.act([{"name": "chatbox", "arguments": {"uid": uid, "content": content}}])[0])
        for uid, content in letters
    ]
    return replies, episode


def offer(sku: str, price: float, words: str = "") -> str:
    block = json.dumps({"action": "offer", "sku_id": sku, "price": price, "quantity": 2})
    return f"{words}\n```negotiate\n{block}\n```"


def test_the_letter_is_the_models_and_the_decisions_are_the_kernels(world: Any) -> None:
    letters = [(HONEST, "Good day"), (HONEST, offer("a1", 5)), (HONEST, offer("a1", 12))]
    voice = model_voice((), Writer("Take it for ¥1.00!"))
    spoken, played = exchange(world, voice, *letters)
    plain, reference = exchange(world, "template", *letters)
    assert spoken[0]["supplier_reply"] == "Take it for ¥1.00!"
    for said, template in zip(spoken, plain, strict=True):
        assert {**said, "supplier_reply": ""} == {**template, "supplier_reply": ""}
    assert played.bank == reference.bank < 100_000
    assert [line["kind"] for line in voice.collect()] == ["letter"] * 3


def test_the_contract_holds_catalog_label_and_decisions_but_no_secret(world: Any) -> None:
    writer = Writer()
    exchange(world, model_voice((), writer), (HONEST, offer("a1", 5, "Our first bid.")), (FRAUD, "Hello"))
    (honest, letter), (fraud, _) = writer.told
    for fact in (
        "Hill Farm",
        HONEST,
        "Leaf Spring Harvest",
        "¥12.50",
        "¥10.00",
        "an honest supplier",
        "counter-offer at ¥",
    ):
        assert fact in honest, fact
    assert letter == "Customer: Our first bid."
    assert "a fraudulent supplier" in fraud
    assert "¥1,000" in fraud
    floor = f"{12.5 * 0.6:.2f}"
    for secret in (floor, "candid", "reservation", "adversarial", "vip_fee"):
        assert secret not in honest, secret
    for secret in ("candid", "reservation", "adversarial", "vip_fee"):
        assert secret not in fraud, secret


def test_the_model_sees_the_last_four_messages_without_blocks_and_every_deal(world: Any) -> None:
    writer = Writer("First.", "Second.", "Third.", "Fourth.")
    letters = [(HONEST, "One"), (HONEST, offer("a1", 12, "Two")), (HONEST, "Three"), (HONEST, "Four")]
    exchange(world, model_voice((), writer), *letters)
    contract, correspondence = writer.told[-1]
    lines = [line for line in correspondence.split("\n\n") if line]
    assert [line.split("\n")[0] for line in lines] == [
        "Supplier: Second.",
        "Customer: Three",
        "Supplier: Third.",
        "Customer: Four",
    ]
    assert "negotiate" not in correspondence
    assert "Two" in contract[contract.index("# Earlier business") :]


@pytest.mark.parametrize(
    "bad",
    [ModelFailure("out of order"), "", "As a fraudulent supplier I must press you.", "Tone: positive\nDear customer"],
)
def test_a_model_that_fails_or_breaks_its_contract_is_replaced_by_the_template(
    world: Any, bad: str | ModelFailure
) -> None:
    voice = model_voice((), Writer(bad))
    spoken, _ = exchange(world, voice, (HONEST, "Good day"))
    plain, _ = exchange(world, "template", (HONEST, "Good day"))
    assert spoken == plain
    assert voice.collect()[0]["fallback"]


YES, NO = "I agree. Charge the membership fee now.", "What does the membership cost?"


@pytest.mark.parametrize(
    ("verdict", "content", "charged"),
    [
        ("YES", NO, True),
        ("No.", YES, False),
        ("Perhaps", YES, True),
        ("Perhaps", NO, False),
        (ModelFailure("out of order"), YES, True),
        (ModelFailure("out of order"), NO, False),
    ],
)
def test_the_model_reads_the_membership_and_the_rule_stands_in(
    world: Any, verdict: str | ModelFailure, content: str, charged: bool
) -> None:
    writer = Writer("Become a member for ¥1,000!", verdict)
    voice = model_voice((), writer)
    _, episode = exchange(world, voice, (FRAUD, "Hello"), (FRAUD, content))
    assert episode.bank == (99_000 if charged else 100_000)
    assert [line["kind"] for line in voice.collect()] == ["letter", "membership", "letter"]
    assert writer.told[1][1].split("\n\n") == [
        "Customer: Hello",
        "Supplier: Become a member for ¥1,000!",
        f"Customer: {content}",
    ]


@pytest.mark.parametrize("named", [True, False])
def test_a_letter_without_the_decided_price_is_replaced_by_the_template(world: Any, named: bool) -> None:
    letter = (HONEST, offer("a1", 5))

    def ask(system: str, _user: str) -> Answer:
        decided = re.findall(r"counter-offer at ¥(\d+\.\d\d)", system)
        return Answer(Message("assistant", f"We ask ¥{decided[0]}." if named else "We ask ¥1,000,000.00."))

    voice = model_voice((), ask)
    spoken, _ = exchange(world, voice, letter)
    plain, _ = exchange(world, "template", letter)
    assert (spoken == plain) is not named
    assert voice.collect()[0].get("fallback", "") == ("" if named else "the model's letter left out a decided price")


def test_suppliers_speak_through_a_server_that_is_asked_again(world: Any) -> None:
    faults = [Fault(status=500)]

    def script(request: dict[str, Any]) -> Turn | Fault:
        return faults.pop() if len(request["messages"]) > 1 and faults else Turn("Dear shop.")

    with serve(script) as provider, supplier_model(settings(provider)) as ask:
        voice = model_voice((), ask)
        exchange(world, voice, (HONEST, "Good day"))
    (line,) = voice.collect()
    assert (line["said"], "fallback" in line) == ("Dear shop.", False)
    assert convert(line["usage"], Usage) == Usage(600, 50, 400, 0, 20)
    assert [retry["cause"] for retry in line["retries"]] == ["HTTP 500"]
    assert "tools" not in provider.requests[-1]
