"""Budgets: a reached limit stops a run after its turn, with exit code 3, and a larger one lets the run continue it."""

import json
from pathlib import Path

import pytest
from tests.cli.command import NAME, TRADER, Cli, agent, manifest, waiting
from tests.harness.provider import Turn, serve

from ecbench.harness.messages import Usage
from ecbench.runs.budget_limits import BudgetLimits
from ecbench.runs.folder import open_run
from ecbench.runs.play.budget import Budget
from ecbench.runs.play.episodes import read_episode

TURN = 1_050  # tokens of one answer of the provider
PRICE = ("-M", "price=1000,1000")  # so that a turn costs $1.05


def turns_in(folder: str) -> list[int]:
    """Recorded turns by episode."""
    run = open_run(Path(folder))
    return [len(read_episode(run, episode).turns) for episode in range(run.episodes)]


def test_a_run_stops_after_the_turn_that_reaches_the_limit_and_continues_with_a_larger_one(
    cli: Cli, small_world: Path
) -> None:
    with serve(waiting) as provider:
        year = (*agent(provider), "--world", str(small_world), "--days", "4")
        done = cli("run", *year, "--out", "out", *PRICE, "--budget", "dollars=1")
        assert (done.code, turns_in("out")) == (3, [1])
        estimate, reached, advice = done.err.splitlines()
        assert estimate.startswith("Estimate for 4 days in 1 episode: ")
        assert reached == "Budget reached: $1.05 of $1 (--budget dollars)"
        assert advice == "Continue with: ecbench resume out --budget dollars=2"
        assert "; $1.05 of $1" in done.text
        assert manifest()["budget"] == {"dollars": 1.0}
        asked = len(provider.requests)
        again = cli("resume", "out")
        assert (again.code, again.out, len(provider.requests)) == (3, "", asked)
        assert again.err == (
            "ecbench: the budget is used up: $1.05 of $1 (--budget dollars). Continue with: ecbench resume out "
            "--budget dollars=2\n"
        )
        twice = cli("resume", "out", "--budget", "dollars=2.2", "--json")
        assert (twice.code, turns_in("out")) == (3, [3])
        assert json.loads(twice.out)["estimate"]["dollars"]
        assert cli("resume", "out", "--budget", "dollars=100", "--quiet").code == 0
    assert turns_in("out") == [4]
    assert cli("verify", "out").code == 0


@pytest.mark.parametrize("where", [(), ("--executor", "processes")], ids=["here", "in processes"])
def test_episodes_in_parallel_share_a_budget_and_none_loses_an_answer_that_is_paid(
    cli: Cli, small_world: Path, where: tuple[str, ...]
) -> None:
    with serve(waiting) as provider:
        given = (*agent(provider), "--world", str(small_world), "--days", "20")
        more = ("--episodes", "2", "--jobs", "2", *where, "--quiet")
        done = cli("run", *given, *more, "--out", "out", "--budget", f"tokens={4 * TURN!s}")
        asked = [each for each in provider.requests if each["messages"][0]["role"] == "system"]
    assert done.code == 3
    assert 4 <= sum(turns_in("out")) == len(asked) < 40
    assert "tokens (--budget tokens)" in done.err and f"--budget tokens={8 * TURN}" in done.err


def test_the_suppliers_model_alone_uses_the_budget(cli: Cli, small_world: Path) -> None:
    with serve(lambda _: Turn("My price is in the figures, dear customer.")) as provider:
        year = ("--agent", TRADER, "--world", str(small_world), "--days", "4", "--supplier-model", NAME)
        more = ("--supplier-M", f"base_url={provider.url}", "--supplier-M", "price=1000,1000", "--quiet")
        done = cli("run", *year, *more, "--out", "out", "--budget", "dollars=0.5")
    assert done.code == 3
    assert "of $0.5 (--budget dollars)" in done.err


def test_seats_of_an_arena_share_a_budget(cli: Cli, small_world: Path) -> None:
    with serve(waiting) as provider:
        seats = ("--seats", f"{NAME},{NAME}", *agent(provider)[2:], "--world", str(small_world))
        done = cli("arena", *seats, "--days", "9", "--out", "out", *PRICE, "--budget", "dollars=4", "--json")
        assert done.code == 3
        assert done.json["estimate"]["turns"][0] == 2 * 11
        assert cli("resume", "out", "--budget", "dollars=900", "--json").code == 0


def test_hours_count_from_the_beginning_of_a_command() -> None:
    now = [1_000.0]
    budget = Budget(BudgetLimits(hours=2.0, tokens=100), Usage(30), clock=lambda: now[0])
    assert (budget.reached, budget.state) == ("", "30 of 100 tokens, 0.00 of 2 h")
    now[0] += 7_200
    assert budget.reached == "2.00 of 2 h (--budget hours)"
    assert budget.resume_options == "--budget tokens=100 --budget hours=2"


def test_a_provider_that_reports_no_tokens_cannot_pass_a_budget() -> None:
    timed, counted = Budget(BudgetLimits(hours=2.0)), Budget(BudgetLimits(dollars=5.0))
    for budget in (timed, counted):
        budget.add(Usage())
    assert not timed.reached
    assert "reports no tokens" in counted.reached
