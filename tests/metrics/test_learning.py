"""Halves of the year (eq:d6_halflift, eq:d6_slope, eq:d6_fraudlift)."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from ecbench.metrics.learning import learning_speed
from ecbench.metrics.negotiation import score
from ecbench.suppliers.records import Session

Build = Callable[..., Session]


def learn(sessions: Sequence[Session]) -> dict[str, Any]:
    report = learning_speed([score(s) for s in sessions])
    assert report is not None
    return report


def test_three_honest_sessions_say_nothing_about_learning(session: Build) -> None:
    sessions = [score(session(75.0, day, honest=honest)) for honest in (True, False) for day in (1, 2, 3)]
    assert learning_speed(sessions) is None


@pytest.mark.parametrize(
    ("deals", "name", "expected"),
    [
        # An odd count leaves the extra session late: surplus 0.2, 0.4 | 0.6, none, 0.9; agreements 1 and 2/3.
        ([(90.0, 1), (80.0, 2), (70.0, 3), (None, 4), (55.0, 5)], "se_half_lift", 0.2),
        ([(90.0, 1), (80.0, 2), (70.0, 3), (None, 4), (55.0, 5)], "agr_half_lift", -0.3333),
        # Halves follow the day of conclusion and then the filing order: by day 0.2, 0.4 | 0.6, 0.8.
        ([(60.0, 9), (90.0, 1), (80.0, 5), (70.0, 5)], "se_half_lift", 0.4),
        # Days 0, 1, 2, 5 (mean 2), surplus 0, 0.2, 0.2, 0.8 (mean 0.3): (0.6 + 0.1 + 0 + 1.5) / (4 + 1 + 0 + 9).
        ([(100.0, 0), (90.0, 1), (90.0, 2), (60.0, 5)], "se_slope_per_day", 0.157143),
        ([(60.0, 7), (70.0, 7), (80.0, 7), (90.0, 7)], "se_slope_per_day", 0.0),  # all on one day
        # Without a fraudulent deal zero bad is reached at once.
        ([(75.0, 3), (75.0, 4), (75.0, 5), (75.0, 6)], "time_to_zero_bad", 0),
        ([(75.0, 3), (75.0, 4), (75.0, 5), (75.0, 6)], "fraud_avoidance_lift", 0.0),
        ([(75.0, 1), (75.0, 1), (75.0, 1), (None, 1)], "rounds_half_improvement", None),  # below four honest deals
    ],
)
def test_honest_sessions_are_read_by_halves_and_by_the_line_through_their_days(
    session: Build, deals: list[tuple[float | None, int]], name: str, expected: float | None
) -> None:
    assert learn([session(price, day) for price, day in deals])[name] == expected


def test_the_fraud_lift_cuts_all_sessions_and_a_walk_away_is_not_a_loss(session: Build) -> None:
    """Seven, cut at three: bad deal, bad deal, honest | honest, honest, honest, bad walk-away."""
    honest = [session(75.0, day) for day in (3, 4, 5, 6)]
    bad = [session(price, day, honest=False) for price, day in ((75.0, 1), (75.0, 2), (None, 7))]
    report = learn([*honest, *bad])
    assert report["fraud_avoidance_lift"] == 0.6667  # 2/3 - 0/4
    assert report["time_to_zero_bad"] == 2
    assert report["sample_size"] == {"good_negotiations": 4, "good_deals": 4, "bad_deals": 2, "total_timed": 7}


def test_rounds_improve_when_later_honest_deals_take_fewer_turns(session: Build) -> None:
    """9, 8 | 5, 4: the walk-away of 30 turns and the fraudulent deal do not count."""
    turns = [session(75.0, day, turns=n) for day, n in enumerate((9, 8, 5, 4))]
    report = learn([*turns, session(None, 0, turns=30), session(75.0, 9, turns=30, honest=False)])
    assert report["rounds_half_improvement"] == 4.0
    same = learn([session(75.0, day) for day in range(4)])  # and no figure has a minus sign
    assert str(same["fraud_avoidance_lift"]) == str(same["rounds_half_improvement"]) == "0.0"


def test_families_learn_on_four_honest_sessions_or_are_left_out(session: Build) -> None:
    candid = [session(price, day) for day, price in enumerate((100.0, 90.0, 80.0, 70.0))]
    taciturn = [session(75.0, day, template="taciturn") for day in range(3)]
    adversarial = [session(75.0, day, template="adversarial", honest=False) for day in range(4)]
    report = learn(candid + taciturn + adversarial)
    assert report["by_family_learning"] == {
        "Candid": {"se_half_lift": 0.4, "agr_half_lift": 0.0, "count": 4}  # (0.4 + 0.6) / 2 - (0 + 0.2) / 2
    }
    none = learn([session(75.0, template=t) for t in ("candid", "candid", "taciturn", "strategic")])
    assert none["by_family_learning"] is None
