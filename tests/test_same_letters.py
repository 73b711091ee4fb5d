"""What a letter says is read from its text alone: not from the stack, the environment or the transport around it."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ecbench import load_world
from ecbench.suppliers.grammar import read_message
from ecbench.table import Table
from ecbench.tools.arguments import lenient_number

LETTERS = 2_000
TURN = 50  # letters
DEPTHS = (50, 300, 600, 900)
SKU = "a3"
ADDRESS = "hello@tin.example"
KAWI_FIVE = "\U00011f55"  # a digit to Python 3.12 and later


def letters(seed: int = 1, count: int = LETTERS) -> list[str]:
    """Letters with a block that is sound, broken, deep, long or full of digits."""
    chance = Random(seed)
    return [f"Hello.\n```negotiate\n{_body(chance)}\n```" for _ in range(count)]


def _body(chance: Random) -> str:
    sound = json.dumps({"action": "offer", "sku_id": SKU, "price": chance.randint(1, 40), "quantity": 1})
    deep = chance.choice([2, 6, 7, 8, 9, 40, 200, 500, 900, chance.randint(930, 1_000), 2_000])
    digits = chance.choice("19") * chance.choice([3, 399, 400, 401, 640, 700, 4_300, 4_301, 5_000])
    field = chance.choice(["price", "quantity", "sku_id", "other"])
    value = chance.choice(
        [
            "[" * deep + "]" * deep,
            '{"a":' * deep + "1" + "}" * deep,
            "[" * deep,
            json.dumps("[" * deep + '"'),
            *(digits, f"-{digits}", f"0.{digits}", f"1e{digits}", f'"{digits}"'),
            *(f'"{KAWI_FIVE}"', '"\u0665"', '"1_0"', "NaN", "-Infinity", "true", '"\\'),
        ]
    )
    odd = f'{{"action": "offer", "sku_id": "{SKU}", "price": 9, "{field}": {value}}}'
    form = chance.choice(["{0}", "[{0}, {1}]", "{0}\n{1}", "{1}\n{0}\nnot json\n{1}", '"\n{1}\n{0}'])
    return form.format(odd, sound)


def call(letter: str) -> dict[str, Any]:
    return {"name": "chatbox", "arguments": {"uid": ADDRESS, "content": letter}}


def replies(world: Path, depth: int = 0) -> list[str]:
    """Of all letters, in turns, each answered at least so deep in the stack."""
    table, sent = Table(load_world(world)), letters()

    def turn(depth: int, start: int) -> list[str]:
        if depth > 0:
            return turn(depth - 1, start)
        outcomes = table.act(0, [call(letter) for letter in sent[start : start + TURN]])
        return [outcome.text for outcome in outcomes or ()]

    return [text for start in range(0, LETTERS, TURN) for text in turn(depth, start)]


def digest(texts: list[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def test_letters_are_answered_alike_at_every_depth_of_the_stack(small_world: Path) -> None:
    frames, frame = 0, sys._getframe()
    while frame.f_back is not None:
        frames, frame = frames + 1, frame.f_back
    found = {digest(replies(small_world, depth - frames)) for depth in DEPTHS}
    assert len(found) == 1


def test_letters_are_answered_alike_whatever_the_environment_says_of_digits(small_world: Path) -> None:
    program = "import sys; from pathlib import Path; from tests.test_same_letters import *; "
    program += "print(digest(replies(Path(sys.argv[1]))))"
    found = set()
    for limit in ("0", "640", ""):
        environment = {**os.environ, "PYTHONINTMAXSTRDIGITS": limit} if limit else os.environ
        ran = subprocess.run(
            [sys.executable, "-c", program, str(small_world)],
            capture_output=True,
            text=True,
            check=True,
            env={**environment, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        found.add(ran.stdout)
    assert len(found) == 1


@pytest.mark.parametrize("name", ["merchant", "http", "seat"])
def test_letters_are_answered_alike_in_a_run_on_a_host_and_in_an_arena(
    name: str, tmp_path: Path, small_world: Path
) -> None:
    from tests.adapters.transports import open_transport  # the processes of the test above need none of what it imports

    sent, found = letters(), list[str]()
    with open_transport(name, tmp_path, small_world) as transport:
        for start in range(0, LETTERS, TURN):
            found += transport.send([call(letter) for letter in sent[start : start + TURN]]) or []
    assert [_decided(text) for text in found] == [_decided(text) for text in replies(small_world)]


def _decided(text: str) -> Any:
    reply = json.loads(text)
    return reply["message"], reply.get("negotiation_responses"), reply.get("note")


def test_a_block_beyond_the_limits_is_not_a_block_and_the_reply_says_so(small_world: Path) -> None:
    table = Table(load_world(small_world))
    good = json.dumps({"action": "offer", "sku_id": SKU, "price": 9, "quantity": 1})
    bad = f'{{"action": "offer", "sku_id": "{SKU}", "price": 9, "x": {"[" * 9}{"]" * 9}}}'
    text = f"```negotiate\n{good}\n```\n```negotiate\n{bad}\n```"
    outcomes = table.act(0, [call(text)])
    assert outcomes is not None
    [outcome] = outcomes
    assert outcome.reply["note"] == (
        "not a negotiate block: one has at most 1,048,576 characters, brackets nested 8 deep and numbers of 400 digits."
        " Blocks of this message that were not read: 1"
    )
    assert len(outcome.reply["negotiation_responses"]) == 1


@pytest.mark.parametrize("digit", [KAWI_FIVE, "\u0665", "\uff15"])
def test_only_ascii_digits_are_digits(digit: str) -> None:
    written = json.dumps({"action": "accept", "sku_id": SKU, "price": digit, "quantity": digit}, ensure_ascii=False)
    [action] = read_message(f"```negotiate\n{written}\n```").actions
    assert (action.price, action.quantity) == (None, 1)
    assert lenient_number(digit) is None
