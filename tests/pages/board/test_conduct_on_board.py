"""A game under rules that count conduct: the terms that a person is told, what it can state, and its ledger."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.pages.board.browsing import Page, await_turn, key_of, needs_browser, press, screen
from tests.pages.board.conftest import WAIT, only_run, played_run, sit_down

from ecbench.harness.brief import conduct_terms
from ecbench.house_rules import NO_HOUSE_RULES, read_policy
from ecbench.pages.board.run_index import Library
from ecbench.pages.board.server.actions import Desk
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.results.database import RESULTS

LETTER = {"profit": 90_000, "cash": 0, "units_in_stock": 0, "paid_to_cheats": 0, "untrue_statements": 0}


def test_the_terms_are_those_of_the_brief_and_only_under_conduct(board: TestClient) -> None:
    terms = board.get(f"/api/runs/{sit_down(board, rules='conduct')}/0").json()["terms"]
    assert terms["conduct"] == conduct_terms(NO_HOUSE_RULES, "neutral")
    forms = {form["tool"]: set(form["fields"]) for form in terms["statements"]}
    assert forms == {"report_shortage": {"order_id", "missing_units"}, "write_to_owner": set(LETTER)}
    plain = board.get(f"/api/runs/{sit_down(board, rules='fair')}/0").json()["terms"]
    assert (plain["conduct"], plain["statements"]) == ("", [])


def test_a_person_chooses_the_house_rules_and_the_brief_under_conduct_alone(board: TestClient) -> None:
    offered = {each["name"]: each["choices"] for each in board.get("/api/home").json()["rules"]}
    choices = {each["name"]: each["values"] for each in offered["conduct"]}
    assert (offered["paper"], set(choices)) == ([], {"policy", "brief_style"})
    chosen = {"policy": "careful", "brief_style": "pressure"}
    assert all(value in choices[name] for name, value in chosen.items())
    terms = board.get(f"/api/runs/{sit_down(board, 10, rules='conduct', **chosen)}/0").json()["terms"]
    assert terms["conduct"] == conduct_terms(read_policy("careful"), "pressure")
    for wrong in ({**chosen, "rules": "fair"}, {"policy": "../x"}, {"brief_style": "loud"}):
        refused = board.post("/api/play", json={"world": "seed-3", "rules": "conduct", **wrong})
        assert refused.status_code == 400, wrong


@needs_browser
def test_a_person_reads_the_terms_states_figures_and_sees_the_ledger(
    board: TestClient, open_page: Callable[..., Page], shelf: Path
) -> None:
    run = sit_down(board, rules="conduct")
    page = open_page(f"/runs/{run}/0/today")
    await_turn(page, 0)
    assert "Claims in bargaining must be true" in page.inner_text("section[aria-label=Terms]")
    for _ in range(7):
        board.post(f"/api/runs/{run}/0/act", json={"calls": [WAIT]})
    page.reload()
    screen(page, "Money")
    form = "section[aria-label='Write to owner']"
    page.click(f"{form} summary")
    for label, figure in LETTER.items():
        page.fill(f"{form} label:has-text('{label.replace('_', ' ')}') input", str(figure))
    press(page, "Send", within=form)
    page.wait_for_selector(".message:has-text('The owner adds a bonus of ¥1,800.00.')")
    board.post(f"/api/runs/{run}/0/finish", json={})
    page.goto(page.url.replace("/money", "/today"))
    section = page.wait_for_selector("section[aria-label=Conduct]").inner_text()
    assert "5 statements, promises and breaches, 1 false or broken, which gained ¥1,800." in section
    assert page.locator("table[aria-label='ledger of conduct'] tbody tr").count() == 5
    ledger = board.get(f"/api/runs/{run}/0/end").json()["conduct"]
    verdicts = {row["kind"]: (row["stated"], row["verdict"], row["gain"]) for row in ledger}
    assert verdicts["letter_profit"] == (90_000, "false", 1_800) and verdicts["letter_cash"][1] == "true"
    (only_run(shelf).episode_folder(0) / RESULTS).unlink()
    assert board.get(f"/api/runs/{run}/0/end").json()["conduct"] == ledger, "also of a year without its tables"


@pytest.fixture
def discounter(shelf: Path) -> Run:
    """A year whose shelves have goods by the twelfth morning."""
    return played_run(shelf / "discounter", "fake-discounter", "seed-101", rule_set="conduct")


@needs_browser
def test_a_bid_can_carry_a_claim_and_a_price_a_former_one(
    open_page: Callable[..., Page], desk: Desk, shelf: Path, discounter: Run
) -> None:
    branch = desk.branch(key_of(discounter), 0, {"agent": "person", "day": 12})

    def last_call() -> dict[str, Any]:
        run = Library(shelf).run_of(branch["id"], 0)
        [call] = read_episode(run, 0).turns[-1].calls
        return dict(call["arguments"])

    page = open_page(f"/runs/{branch['id']}/0/stores")
    page.fill("input[aria-label^='Former price of'] >> nth=0", "9999")
    press(page, "Set this price")
    assert [item["was"] for item in last_call()["prices"]] == [9999]
    assert page.input_value("input[aria-label^='Former price of'] >> nth=0") == "9999"
    screen(page, "Warehouse")
    page.fill("input[aria-label^='Former price in percent']", "150")
    press(page, "List ")
    assert all(item["was"] > item["retail_price"] for item in last_call()["plan"])
    screen(page, "Goods")
    page.check("table[aria-label=goods] td.box input >> nth=0")
    screen(page, "Suppliers")
    page.click("table[aria-label=suppliers] button.link >> nth=0")
    page.fill("fieldset.bid input[aria-label^='Bid for'][type=number] >> nth=0", "0.5")
    page.fill("fieldset.bid input[aria-label^=Units] >> nth=0", "3")
    page.select_option("select[aria-label^='Claim for'] >> nth=0", "rival_quote")
    rivals = page.locator("select[aria-label^='Supplier of the claim']").first
    rivals.select_option(index=1)
    rival = rivals.input_value()
    page.fill("input[aria-label^='price ¥ of the claim'] >> nth=0", "0.4")
    press(page, "Send this decision")
    claim = json.dumps({"rival_quote": {"supplier": rival, "price": 0.4}}, separators=(",", ":"))
    assert f'"claim":{claim}' in last_call()["content"]
