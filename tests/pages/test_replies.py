"""Every reply of every tool is shown as a sentence and blocks of text."""

import json
from typing import Any

import pytest
from tool_samples import demonstrate

from ecbench import load_world
from ecbench.pages.reply_blocks import KnownNames, declarations, shortened_blocks
from ecbench.pages.reply_view import ReplyView, known_view, reply_view
from ecbench.tools.catalog import TOOL_BY_NAME
from ecbench.tools.outcome import CallError, Outcome
from ecbench.tools.statements import STATEMENT_TOOLS

HOSTILE = "<img src=x onerror=alert(1)> \u202e[bold]"
BONE = "Bobodo Natural Rubber Dental Chew Bone, For Large Dogs, Blue"
TOY = "Miaoxi Plush Caterpillar Cat Toy, Chew and Chase, Single"


@pytest.fixture(scope="module")
def names() -> KnownNames:
    return KnownNames(load_world("default"))


@pytest.fixture(scope="module")
def outcomes() -> dict[tuple[str, str], Outcome]:
    """Real calls of all tools and all ways in which they fail, by tool and occasion."""
    return {
        (tool, sample.when): outcome(tool, sample.arguments, sample.reply, failed=sample.shape is not None)
        for tool, samples in demonstrate().items()
        for sample in samples
    }


def outcome(tool: str, arguments: Any, reply: Any, *, failed: bool = False) -> Outcome:
    error = CallError("refused", "refused") if failed else None
    text = reply if isinstance(reply, str) else json.dumps(reply)
    return Outcome({"name": tool, "arguments": arguments}, text, error, 0, 0, 0, 0)


def texts(view: ReplyView) -> list[str]:
    return [view.sentence, *(cell for block in view.blocks for row in block.rows for cell in row)]


def test_every_reply_of_every_tool_has_a_sentence_and_whole_rows(
    outcomes: dict[tuple[str, str], Outcome], names: KnownNames
) -> None:
    assert {tool for tool, _ in outcomes} - {"fly"} == set(TOOL_BY_NAME)
    assert set(declarations()["refusals"]) == {*TOOL_BY_NAME, *(tool.name for tool in STATEMENT_TOOLS)}
    for place, found in outcomes.items():
        view = known_view(found, names)  # raises where it would have to be shown name by name
        assert view.sentence.endswith(".") and len(view.sentence) > 10, place
        assert not [text for text in texts(view) if "{" in text or "}" in text or not isinstance(text, str)], place
        for block in view.blocks:
            assert block.kind != "table" or {len(row) for row in block.rows} == {len(block.columns)}, place


def test_a_membership_fee_and_a_price_that_was_not_kept_are_named(names: KnownNames) -> None:
    decided = {"sku_id": "1a3a0f435bb0", "decision": "Accept", "price": 5.0, "round": 2, "agreed_price": 5.0}
    decided |= {"order_placed": True, "charged_per_unit": 7.5, "charged_total": 15.0}
    placed = [
        {"sku_id": "MEMBERSHIP_FEE", "quantity": 1, "charged": 1000.0},
        {"sku_id": "1a3a0f435bb0", "quantity": 2, "agreed_price": 5.0, "charged": 15.0},
    ]
    reply = {"message": "message_sent", "supplier_reply": "Yes.", "negotiation_responses": [decided]}
    view = known_view(outcome("chatbox", {"uid": "x@y.example"}, {**reply, "orders_placed": placed}), names)
    assert view.sentence == (
        "Paid x@y.example a membership fee of ¥1,000.00. "
        f"Ordered 2 of {BONE} at ¥7.50, not the ¥5.00 that were agreed: ¥15.00 paid."
    )


def test_a_price_list_is_a_table_and_long_lists_are_cut_with_a_count(
    outcomes: dict[tuple[str, str], Outcome], names: KnownNames
) -> None:
    view = reply_view(outcomes["chatbox", "a first letter: the catalog comes back"], names, most_rows=8)
    [listed] = [block for block in view.blocks if block.title == "Price list"]
    assert (len(listed.rows), listed.left_out) == (8, 172)
    [letter, *_] = [block for block in view.blocks if block.title == "Dongqiao Ruizhu Sourcing"]
    assert "opening quote ¥" not in letter.rows[0][0]
    cut = shortened_blocks(view.blocks, 300)
    assert sum(len(cell) for block in cut for row in block.rows for cell in row) <= 302


@pytest.mark.parametrize("reply", ["no JSON", '"text"', "[]", "7", "null", '{"results": 7}', '{"items": {"a": 1}}'])
@pytest.mark.parametrize("tool", [*TOOL_BY_NAME, "fly"])
def test_a_damaged_or_unknown_reply_is_still_shown(tool: str, reply: str) -> None:
    view = reply_view(outcome(tool, {}, reply), KnownNames(None))
    assert view.sentence and all(isinstance(text, str) for text in texts(view))


def test_hostile_text_stays_the_text_it_is(names: KnownNames) -> None:
    letter = outcome("chatbox", {"uid": "x@y.example", "content": HOSTILE}, {"message": "", "supplier_reply": HOSTILE})
    assert texts(known_view(letter, names)).count(HOSTILE) == 2
    note = outcome("operate_memory", {"action": "get"}, {"title": HOSTILE, "content": HOSTILE})
    assert HOSTILE in texts(known_view(note, names))
