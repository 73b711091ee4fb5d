"""Whatever an agent reads says the rules, dates and terms that hold, and no others."""

import json
import re
from dataclasses import fields, replace
from datetime import date
from typing import Any

import pytest

import ecbench
from ecbench.formatting import amount, between, counted, long_date, ordinal, percent, share, yuan
from ecbench.harness.brief import FIRST_USER_MESSAGE, Brief, system_message
from ecbench.harness.context import ContextPolicy
from ecbench.rules import DEFAULT_RULES, Rules, rule_set
from ecbench.tools import tool_schemas
from ecbench.tools.catalog import TOOLS
from ecbench.world.model import World

# Another figure for every rule that a text may quote; all are told apart from one another and from the usual ones.
OTHER: dict[str, Any] = {
    "stake": 87_654.5,
    "max_stores": 23,
    "setup_fee": 617.25,
    "commission": 0.034,
    "salvage_rate": 0.165,
    "unpaid_limit": 29,
    "opening_hour": 9,
    "closing_hour": 17,
    "min_discount": 0.07,
    "max_discount": 0.435,
    "enrol_days": 37,
    "return_days": [31, 47],
    "memory_entries": 53,
}
TERMS = Brief(start=date(2031, 3, 25), days=211, stake=87_654.5, max_turns=3_456, idle_limit=14)
POLICY = ContextPolicy(window=61_000, trigger=59_000, release=33_000, keep=12)


# Figures and numerals that belong to the sentences themselves: minutes of tools, examples, an address.
EXAMPLES = ("such as 'store_001'", "such as 0.2.", "Unit 6, 218 Canal Bank Road", "at least 1.", '"default": 0')
NUMERALS = (
    *("three backticks", "Three actions exist", "three places", "twelve characters", "the first user message"),
    *("come first", "catalog first", "Worst first"),
)
NUMERAL = r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|first|second|third|fourth)\b"


def prepared_texts(rules: Rules, brief: Brief) -> str:
    """All that an agent is told before its first call."""
    return "\n".join((system_message(replace(brief, rules=rules)), FIRST_USER_MESSAGE, json.dumps(tool_schemas(rules))))


# Rules that are off in the paper's set, which states nothing of them: tests/harness/test_brief.py has their sentences.
OFF = {"talk"} | {name for name, value in rule_set("conduct").values().items() if value != getattr(DEFAULT_RULES, name)}


@pytest.mark.parametrize("rule", sorted({each.name for each in fields(Rules)} - set(OTHER) - OFF))
def test_other_rules_are_for_the_agent_to_find_out(rule: str) -> None:
    """Halved they change no text: a text that followed them would have to be listed above."""
    value = getattr(DEFAULT_RULES, rule)
    changed = DEFAULT_RULES.with_overrides({rule: _changed(value)})
    assert prepared_texts(changed, Brief()) == prepared_texts(DEFAULT_RULES, Brief())


def _changed(value: Any) -> Any:
    """Half of every figure, whole ones whole."""
    if isinstance(value, tuple):
        return [[step[0], step[1] / 2] if isinstance(step, tuple) else _changed(step) for step in value]
    if isinstance(value, int):
        return max(1, value // 2)
    return value / 2 if isinstance(value, float) else {key: part / 2 for key, part in value.items()}


def test_no_figure_of_the_usual_terms_is_left_in_a_text_under_others() -> None:
    rules = DEFAULT_RULES.with_overrides(OTHER)
    told = prepared_texts(rules, replace(TERMS, policy=POLICY))
    for phrase in (*EXAMPLES, *NUMERALS, *(f"{tool.minutes} minutes" for tool in TOOLS)):
        told = told.replace(phrase, "")
    told = re.sub(r"```negotiate.*?```|\"0a1b2c3d4e5f\"|^\d\. ", "", told, flags=re.DOTALL | re.MULTILINE)
    figures = set(re.findall(r"\d+(?:[.,]\d+)*", told))
    terms = {"2031", "25", "211", "87,654.50", "3,456", "14", "61,000", "59,000", "33,000", "12"}
    quoted = {"23", "617.25", "3.4", "16.5", "29", "9", "17", "00", "0.07", "0.435", "37"}
    assert figures == terms | quoted | {"31", "47", "53"}
    assert re.findall(NUMERAL, told, re.IGNORECASE) == []


def test_a_brief_on_a_world_names_its_date_and_its_store_types(small_world: Any) -> None:
    world = replace(ecbench.load_world(small_world), start=date(2031, 11, 3))
    told = system_message(Brief(days=1).on(world))
    assert "after 1 day, beginning on November 3, 2031." in told
    assert "(Tea & Coffee, Pots and so on)" in told
    assert "2026" not in told and "Beauty" not in told


def test_one_of_a_kind_is_said_in_the_singular() -> None:
    rules = Rules(max_stores=1, unpaid_limit=1, return_days=(5, 5), enrol_days=1, memory_entries=1)
    told = prepared_texts(rules, Brief(max_turns=1, idle_limit=1))
    for phrase in ("1 online store at", "for 1 day in a row", "back 5 days later", "within 1 day before"):
        assert phrase in told, phrase
    for phrase in ("1 titled note that", "at most 1 turn.", "the first such turn"):
        assert phrase in told, phrase


def test_what_is_only_hinted_at_is_true_under_other_rules() -> None:
    told = prepared_texts(Rules(escrow_days=0, storage_age_steps=((0, 1.0),)), Brief())
    assert "it reaches the wallet the next morning." in told
    assert "the longer it lies" not in told
    assert "delay of some weeks" in prepared_texts(Rules(escrow_days=30), Brief())
    backwards = Rules(freight_factor={"fast": 1.0, "standard": 1.0, "slow": 3.0})
    assert "Faster costs more" not in prepared_texts(backwards, Brief())
    free = prepared_texts(Rules(freight_factor={"fast": 2.0, "standard": 0.0, "slow": 0.0}), Brief())
    assert "Fast costs more and brings fewer returns; slow costs the same and brings more." in free


# Replies

REPLY_RULES = DEFAULT_RULES.with_overrides(
    {
        **OTHER,
        "max_stores": 2,
        "memory_entries": 2,
        "membership_fee": 1_843.0,
        "idle_charge": 1_234.5,
        "idle_grace_days": 1,
        "stake": 50_000.0,
        "operating_cost": {"1": 61_000, "2": 62_000, "3": 63_000},
        "speed_return_factor": {"fast": 1.5, "slow": 0.5},
    }
)


@pytest.fixture(scope="module")
def world() -> World:
    return replace(ecbench.load_world("default"), start=date(2031, 3, 25))


class Asked:
    """An episode under other rules, and all that it answered."""

    def __init__(self, world: World, rules: Rules) -> None:
        self.episode = ecbench.Episode(world, rules=rules)
        self.texts: list[str] = []

    def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        [text] = self.episode.act([{"name": tool, "arguments": arguments}])
        self.texts.append(text)
        reply: dict[str, Any] = json.loads(text)
        return reply


def test_replies_quote_the_rules_in_force(world: World) -> None:
    ask = Asked(world, REPLY_RULES)
    ask("wait_for_next_day")
    idle = ask("wait_for_next_day")
    assert "idle charge of ¥1,234.50 was" in idle["system_notifications"][-1]["news"][0]["content"]
    first, second, third = (store_type.id for store_type in world.store_types[:3])
    opened = ask("open_store", store_type=first, store_name="A")
    assert (opened["setup_fee_charged"], opened["daily_ops_cost"]) == (617.25, 62_000)
    ask("open_store", store_type=second, store_name="B")
    assert "at most 2 stores may be open" in ask("open_store", store_type=third, store_name="C")["error"]
    assert ask("check_store_status")["max_stores"] == 2
    promotion = world.promotions[0].name
    discount = ask("join_promotion", store_id="store_001", event_name=promotion, discount_rate=0.5)["error"]
    assert "between 0.07 and 0.435" in discount
    early = [
        ask("join_promotion", store_id="store_001", event_name=each.name, discount_rate=0.2)
        for each in world.promotions
    ]
    refusals = [reply["error"] for reply in early if "error" in reply]
    assert refusals and all("within 37 days" in refusal for refusal in refusals)
    for title in "abc":
        noted = ask("operate_memory", action="add", title=title, content="x")
    assert "all 2 memos" in noted["error"]
    assert (
        "Fast costs more and brings more returns; slow is cheap and brings fewer."
        in (ask("ship_orders", action="list")["note"])
    )
    assert ask("close_store", store_id="store_001", liquidate=True)["salvage_rate"] == 0.165
    assert "29 days in a row" in ask("check_balance")["balance_reminder"]
    assert not re.search(r"2026|\b4 stores|four stores|10 days|¥500\b|¥1,000\b", "".join(ask.texts))


def test_a_supplier_asks_for_the_fee_of_the_rules(world: World) -> None:
    ask = Asked(world, REPLY_RULES)
    seller = next(supplier for supplier in world.suppliers if supplier.scam == "vip_fee")
    letters = [ask("chatbox", uid=seller.email, content="Hello.")["supplier_reply"] for _ in range(4)]
    assert any("¥1,843" in letter for letter in letters)
    product = world.products_by_category[seller.category][0]
    bid = {"action": "offer", "sku_id": product.sku, "price": product.reference_price, "quantity": 1}
    refused = ask("chatbox", uid=seller.email, content=f"```negotiate\n{json.dumps(bid)}\n```")
    assert "¥1,843.00, once" in refused["error"]
    joined = ask("chatbox", uid=seller.email, content="I will pay the fee of ¥1,843 now.")
    assert "Membership fee received: ¥1,843.00." in joined["supplier_reply"]
    assert "¥1,000" not in "".join(ask.texts)


@pytest.mark.parametrize(
    ("said", "right"),
    [
        (amount(1_000.0), "1,000"),
        (amount(0.5), "0.50"),
        *((yuan(half), right) for half, right in ((0.5, "¥1"), (-0.5, "-¥1"), (-0.499_999_9, "-¥1"), (-0.49, "¥0"))),
        (percent(0.07), "7%"),
        (percent(0.125), "12.5%"),
        (share(0.3), "0.30"),
        (share(0.435), "0.435"),
        (counted(1, "day"), "1 day"),
        (between(3, 7, "day"), "3 to 7 days"),
        (between(4, 4, "day"), "4 days"),
        (long_date(date(2031, 11, 3)), "November 3, 2031"),
        *((ordinal(n), right) for n, right in ((3, "third"), (4, "4th"), (11, "11th"), (21, "21st"), (112, "112th"))),
    ],
)
def test_figures_are_said_with_all_their_digits(said: str, right: str) -> None:
    assert said == right
