"""What the board is told of a review, and who is told nothing of it."""

from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.pages.board.browsing import waits_for
from tests.pages.board.conftest import WAIT, only_run, sit_down
from tests.pages.board.reviews import keep_by_hand, review_by_hand

from ecbench.analysis.review.engine import ENGINE_AGENT, VARIANTS, final_assets
from ecbench.analysis.review.positions import positions_of, replay_positions
from ecbench.pages.board.run_index import Library
from ecbench.pages.board.server.actions import Desk
from ecbench.pages.board.server.reviewing import reviewed_year
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


def test_a_quick_review_is_made_beside_the_board(board: TestClient, recorded: Run) -> None:
    path = year_of(recorded)
    begun = board.post(f"{path}/review", json={}).json()
    assert begun["under_way"] and begun["review"] is None
    waits_for(lambda: not board.get(f"{path}/truth/review", headers=SHOWN).json()["under_way"], seconds=120)
    told = board.get(f"{path}/truth/review", headers=SHOWN).json()
    assert told["review"] is not None, told["output"]
    assert "a quick review" in told["review"]["legend"] and told["review"]["points"][0]["day"] == 0
