"""What a model is told before its first turn."""

import json
import re

import pytest

from ecbench.harness.brief import ONE_CALL_A_TURN, Brief, client_message, job_description, system_message
from ecbench.harness.context import ContextPolicy
from ecbench.rules import Rules, rule_set
from ecbench.suppliers.grammar import read_message
from ecbench.tools import tool_schemas

PAPER = ("128,000", "120,000", "60,000", "2 newest groups", "a few days", "by the tier")
TERMS = ("90 days", "¥50,000", "700 turns", "third", "January 1, 2026", "2% commission", "¥500", "10 days in a row")


@pytest.mark.parametrize(
    ("brief", "told", "hidden"),
    [
        (Brief(), PAPER, (r"¥?130\b", r"¥60\b", r"\b9 days\b", "nine days")),  # what an agent has to find out
        (Brief(days=90, stake=50_000, max_turns=700), TERMS, ()),
        (Brief(policy=ContextPolicy(32_000, 30_000, 15_000, 4)), ("30,000", "4 newest groups"), ("120,000",)),
        (
            Brief(rules=Rules(setup_fee=750.0, commission=0.05, max_stores=2)),
            ("¥750", "5% commission", "up to 2 online stores"),
            (),
        ),
        (
            Brief(days=30, wording="Sell tea for {days} days with ¥{stake}. {other} stays."),
            ("Sell tea for 30 days with ¥100,000. {other} stays.", "120,000"),
            ("ship_orders",),
        ),
    ],
    ids=["default", "terms", "window", "rules", "another wording"],
)
def test_the_system_message_states_what_is_in_force(
    brief: Brief, told: tuple[str, ...], hidden: tuple[str, ...]
) -> None:
    text = system_message(brief)
    assert [fact for fact in told if fact not in text] == []
    assert [secret for secret in hidden if re.search(secret, text)] == []


def test_rules_beyond_the_papers_are_told_where_they_hold_and_hidden_draws_are_not() -> None:
    paper, fair = (job_description(Brief(rules=rule_set(name))) for name in ("paper", "fair"))
    rules = rule_set("fair")
    for fact in (
        f"costs ¥{rules.listing_fee:g} a day more",
        f"All your stores together may list at most {rules.most_listings} products at once",
        f"Above {rules.price_ceiling:g} times the reference price nothing is sold",
        f"Below {rules.lowest_price_ratio:.0%} of the reference price",
        f"lowest price of the product in the last {rules.promotion_memory_days} days",
        f"brings {rules.closing_stock_share:.0%} of the lowest price",
        f"by {rules.price_return_slope:g} times a product's usual rate for each reference price more, up to 95%",
        "Each has a lowest price of its own",
        "Demand may change over the year",
    ):
        assert fact in fair and fact not in paper, fact
    for hidden in ("drift", "salt", "seed", f"{rules.drift_size:g}", f"{rules.floor_spread:g}"):
        assert not re.search(rf"\b{re.escape(hidden)}\b", fair), hidden


def test_the_examples_of_the_grammar_are_read_by_the_grammar() -> None:
    actions = [action.kind for action in read_message(system_message(Brief())).actions]
    assert actions == ["offer", "accept", "reject"]


def test_a_client_hears_of_its_turns_and_not_of_a_window_that_it_does_not_have() -> None:
    told = client_message(Brief(max_turns=700), ONE_CALL_A_TURN)
    assert "Every tool call is a turn" in told and "700 turns" in told
    for absent in ("gauge", "reminder, and", "user messages", "120,000", "removed whole"):
        assert absent not in told, absent
        assert absent in system_message(Brief(max_turns=700)), absent


@pytest.mark.parametrize("rules", ["paper", "fair"])
def test_no_prepared_text_advises_on_cheats_beyond_the_one_warning(rules: str) -> None:
    """Neither the brief nor the tools say how cheats act, or what to do about them."""
    told = f"{job_description(Brief(rules=rule_set(rules)))}\n{json.dumps(tool_schemas(rule_set(rules)))}".lower()
    assert len(re.findall(r"honest or", told)) == 1
    for word in ("cheat", "fraud", "scam", "trust", "careful", "defect", "membership", "promise", "small order"):
        assert not re.search(rf"\b{word}", told), word


def test_rivals_and_the_fee_for_unshipped_orders_are_in_the_brief_of_an_arena_alone() -> None:
    rules = Rules(unshipped_fee=0.25)
    alone, shared = (job_description(Brief(rules=rules, rivals=rivals)) for rivals in (False, True))
    assert "Rivals" not in alone and shared.startswith(alone)
    assert "a fee of 25% of the reference price" in shared and "below 50% of the reference price" in shared
