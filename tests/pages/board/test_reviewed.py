"""Reviews on the board: what is told to whom, and the marks on the timeline."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.pages.board.browsing import Page, await_day, key_of, needs_browser, waits_for
from tests.pages.board.conftest import DAYS, WAIT, only_run, sit_down
from tests.pages.board.reviews import keep_by_hand, review_by_hand

from ecbench.analysis.review.engine import ENGINE_AGENT, VARIANTS, final_assets
from ecbench.analysis.review.model import Review
from ecbench.analysis.review.recorded_year import positions_of, replay_positions
from ecbench.pages.board.run_index import Library
from ecbench.pages.board.server.actions import Desk
from ecbench.pages.board.server.reviewing import reviewed_year
from ecbench.pages.report.templates_env import board_part
from ecbench.runs.folder import Run, open_run
from ecbench.runs.play.episodes import read_episode

SHOWN = {"x-ecbench-truth": "shown"}
BY_ENGINE = "with what followed by the end of the year, by the engine: 95% between"


def year_of(run: Run) -> str:
    return f"/api/runs/{Library(run.folder.parent).key_of(run)}/0"


def test_a_reviewed_year_has_its_values_weeks_marks_and_strategy(recorded: Run) -> None:
    year = reviewed_year(review_by_hand(recorded))
    points, marks = year["points"], year["marks"]
    assert [(point["day"], point["value"]) for point in points][:2] == [(0, 1_000_000.0), (7, 700_000.0)]
    # Student's 12.7062 for two values x their deviation of 141,421 / root 2
    assert points[0]["band"] == pytest.approx(12.7062 * 100_000, rel=1e-4)
    assert points[-1] == {"day": 40, "value": 600_000.0, "band": 0.0}
    assert [(mark["day"], mark["sign"], mark["kind"], mark["cost"]) for mark in marks] == [
        (0, "??", "blunder", 300_000.0),
        (14, "?", "mistake", 105_000.0),
        (21, "?!", "inaccuracy", 35_700.0),
    ]
    assert f"{BY_ENGINE} ¥105,000 and ¥105,000" in marks[1]["sentence"]
    assert [(cause["title"], cause["yuan"]) for cause in marks[0]["causes"]] == [  # the three that stand out most
        ("Fees to suppliers", 200.0),
        ("Margin lost to the price set", 80.0),
        ("Paid above the floor", 60.0),
    ]
    assert len(marks[1]["causes"]) == 1
    assert [(week["first"], week["loss"]) for week in year["weeks"]] == [
        (0, 300_000.0),
        (7, 0.0),
        (14, 105_000.0),
        (21, 35_700.0),
        (28, -40_700.0),
    ]
    # Both variants lose the same in a week of play, so nothing is left to chance; the result has no spread, they do.
    assert ["± ¥0 " in week["html"] for week in year["weeks"]] == [True, True, True, True, False]
    [part] = year["strategy"]
    assert (part["title"], part["loss"]) == ("Stores unopened", 550.0)


def test_who_plays_a_year_is_told_nothing_of_its_review(board: TestClient, shelf: Path) -> None:
    key = sit_down(board, days=40)
    board.post(f"/api/runs/{key}/0/act", json={"calls": [WAIT]})
    keep_by_hand(only_run(shelf))
    asked = (
        board.get(f"/api/runs/{key}/0/truth/review"),
        board.get(f"/api/runs/{key}/0/truth/review", headers=SHOWN),
        board.post(f"/api/runs/{key}/0/review", json={}),
        board.post(f"/api/runs/{key}/0/branch", json={"agent": "engine", "day": 0}),
    )
    assert [answer.status_code for answer in asked] == [403, 409, 409, 409]
    assert not [path for path in shelf.iterdir() if path.name.endswith(("_fork", ".review.log"))]
    board.post(f"/api/runs/{key}/0/finish", json={})
    keep_by_hand(only_run(shelf))
    assert board.get(f"/api/runs/{key}/0/truth/review", headers=SHOWN).json()["review"] is not None


def test_review_of_another_record_is_ignored_and_the_command_is_shown(board: TestClient, recorded: Run) -> None:
    keep_by_hand(recorded, record="0" * 16)
    told = board.get(f"{year_of(recorded)}/truth/review", headers=SHOWN).json()
    assert told == {"review": None, "command": "ecbench review runs/trader", "under_way": False, "output": ""}


def test_the_engine_plays_on_from_the_first_day_of_a_week(board: TestClient, shelf: Path, recorded: Run) -> None:
    made = board.post(f"{year_of(recorded)}/branch", json={"agent": "engine", "day": 14}).json()
    run = only_run(shelf, "*engine_fork")
    assert (run.player.agent, run.terms.days) == (ENGINE_AGENT, 40)
    assert run.terms.fork is not None and run.terms.fork.day == 14
    waits_for(lambda: board.get(f"/api/runs/{made['id']}/0").json()["over"])
    played, before = read_episode(run, 0), read_episode(recorded, 0)
    shared = run.terms.fork.turns
    assert played.turns[:shared] == before.turns[:shared]
    end = played.end()
    assert end is not None and end.ending == "year_end"
    [position] = [each for each in positions_of(before, recorded.terms.stake) if each.day == 14]
    [year] = replay_positions(recorded, 0, [position])
    assert end.final_assets == pytest.approx(final_assets(year, VARIANTS[0])), "what the review heard of it"


def test_whoever_asks_again_what_the_engine_did_is_shown_the_same_branch(
    board: TestClient, desk: Desk, shelf: Path, recorded: Run
) -> None:
    def instead(day: int, agent: str = "engine") -> str:
        made = board.post(f"{year_of(recorded)}/branch", json={"agent": agent, "day": day})
        assert made.status_code == 200, made.text
        return str(made.json()["id"])

    first = instead(14)
    assert instead(14) == first, "while it is being played"
    desk.workers.end()
    assert instead(14) == first, "after it was killed"
    waits_for(lambda: board.get(f"/api/runs/{first}/0").json()["over"])
    assert instead(14) == first, "and once it is over"
    assert instead(21) != first
    assert instead(14, "idle") != instead(14, "idle"), "who else goes on begins anew"
    [folder] = [path for path in shelf.glob("*engine_fork") if open_run(path).terms.fork.day == 14]  # type: ignore[union-attr]
    manifest = folder / "run.json"
    assert '"engine": "' in manifest.read_text()
    manifest.write_text(manifest.read_text().replace('"engine": "', '"engine": "an earlier one, '))
    assert instead(14) != first, "another engine would have played on differently"


MARKS = ".timeline .chart-marks button"
ENGINE = ".timeline .chart-legend button:has-text('the engine from here')"
TRUTH = "label:has-text('show hidden truth') input"


@needs_browser
def test_the_review_appears_with_hidden_truth_and_m_moves_between_its_marked_weeks(
    open_page: Callable[..., Page], recorded: Run
) -> None:
    keep_by_hand(recorded)
    page = open_page(f"/runs/{key_of(recorded)}/0?day=20")
    await_day(page, 20)
    assert page.locator(MARKS).count() == 0 and not page.is_visible(".review")
    page.keyboard.press("m")
    page.wait_for_selector("p.message:has-text('press h to show it')")
    page.check(TRUTH)
    page.wait_for_selector(ENGINE)
    assert page.locator(MARKS).all_inner_texts() == ["??", "?", "?!"]
    assert page.get_attribute(f"{MARKS} >> nth=0", "aria-label").startswith("?? blunder, days 0 to 6, ¥300,000 ")
    assert "Review of days 14 to 20 ? mistake" in page.inner_text(".review")
    assert "95% band" in page.inner_text(".verdict-legend") and page.is_checked(TRUTH)
    for key, days in (("Shift+M", "14 to 20"), ("Shift+M", "0 to 6"), ("m", "14 to 20"), ("Shift+M", "0 to 6")):
        page.keyboard.press(key)
        page.wait_for_selector(f"section.review h2:has-text('days {days}')")
        await_day(page, int(days.split()[0]))
    page.keyboard.press("Shift+M")
    page.wait_for_selector("p.message:has-text('No marked week before day 0')")
    shown = page.inner_text(".review")
    assert "lost ¥300,000 ± ¥0 of the engine's value (95%); this player usually loses ¥0 in such days" in shown
    assert "95% between ¥300,000 and ¥300,000" in shown and "Stores unopened" in shown
    assert "Fees to suppliers" in shown and "¥200" in shown
    page.keyboard.press("h")
    page.wait_for_selector(ENGINE, state="detached")
    assert page.locator(MARKS).count() == 0 and not page.is_visible(".review")


@needs_browser
def test_what_the_engine_did_instead_opens_beside_the_year(open_page: Callable[..., Page], recorded: Run) -> None:
    keep_by_hand(recorded)
    page = open_page(f"/runs/{key_of(recorded)}/0?day=16")
    await_day(page, 16)
    page.check(TRUTH)
    page.click("text=What the engine did instead")
    page.wait_for_url(lambda url: f"/runs/{key_of(recorded)}/" not in url)
    page.wait_for_selector(".chart-legend .dashed")
    page.wait_for_selector(".top-bar .tag:has-text('played to the end')")
    await_day(page, 14)
    page.wait_for_selector(".beside-year li:has-text('other calls from day 14 on')")
    page.keyboard.press("End")
    await_day(page, DAYS)
    page.wait_for_selector(".top-bar strong:has-text('engine')")


def test_the_dearest_habit_is_one_and_not_all_of_them_together() -> None:
    habits = (("Few listings", "24 at most", 20.0), ("Capital idle", "9%", 10.0), ("All of these together", "", 30.0))
    strategy = [{"title": title, "had": had, "loss": loss, "band": 1.0} for title, had, loss in habits]
    assert "<strong>Few listings</strong>, ¥20 ± ¥1. This player had 24 at most." in board_part(
        "strategy", strategy=strategy
    )


def test_a_week_shows_its_mark_also_where_that_reaches_into_the_next_week(
    recorded: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    review = review_by_hand(recorded)
    monkeypatch.setattr(Review, "marks", [replace(review.marks[0], last_day=9)])
    week, other, *_ = reviewed_year(review)["weeks"]
    assert week["last"] == 6 and "blunder" in week["html"] and "blunder" not in other["html"]
