"""Who won: worked out by hand on small arenas."""

from math import log

import pytest

from ecbench.metrics.arena_standings import EntryResult, head_to_head, mid_rank, rate, standings
from ecbench.runs.terms import numbered, rotated


def played(*assets: float, bankrupt: tuple[int, ...] = ()) -> list[EntryResult]:
    return [
        EntryResult(entry, amount, "bankruptcy" if entry in bankrupt else "year_end")
        for entry, amount in enumerate(assets)
    ]


def test_means_wins_places_and_bankruptcies() -> None:
    rounds = [played(100, 300, 200), played(500, 100, 100), played(300, 200, -50, bankrupt=(2,))]
    first, second, third = standings(["a", "b", "c"], ["x", "y", "z"], rounds)
    assert (first.label, first.assets, first.wins, first.bankruptcies) == ("a", 300, 2, 0)
    assert (second.label, second.assets, second.wins) == ("b", 200, 1)
    assert (third.label, third.bankruptcies) == ("c", 1)
    assert first.rank == pytest.approx((3 + 1 + 1) / 3)
    assert third.rank == pytest.approx((2 + 2.5 + 3) / 3)


def test_equal_assets_share_places_and_wins() -> None:
    rounds = [played(7, 7, 1)]
    assert [mid_rank(rounds[0], entry) for entry in range(3)] == [1.5, 1.5, 3]
    assert [standing.wins for standing in standings(["a", "b", "c"], ["x"] * 3, rounds)] == [0.5, 0.5, 0]


def test_a_bankrupt_business_wins_no_round() -> None:
    """In the first round the richer one is bankrupt, in the second both are."""
    rounds = [played(5, 1, bankrupt=(0,)), played(-1, -9, bankrupt=(0, 1))]
    assert {each.label: each.wins for each in standings(["a", "b"], ["x", "y"], rounds)} == {"a": 0, "b": 1}


def test_head_to_head_is_the_share_of_rounds_that_one_ended_richer() -> None:
    shares = head_to_head([played(2, 1), played(2, 1), played(1, 1), played(0, 1)])
    assert shares == [[None, 0.625], [0.375, None]]
    assert not head_to_head([]) and not standings(["a", "b"], ["x", "y"], [])


def test_two_are_rated_by_the_odds_of_what_was_seen() -> None:
    """Three wins to one, and half a win for each side before: odds of 3.5 to 1.5."""
    high, low = rate([played(2, 1), played(2, 1), played(2, 1), played(1, 2)])
    assert high.value - low.value == pytest.approx(400 * log(3.5 / 1.5) / log(10))
    assert high.value + low.value == pytest.approx(2_000)


def test_the_interval_of_two_follows_from_the_information_in_their_meetings() -> None:
    """Even after 4 rounds: 5 meetings with the one before, each worth a quarter, on the difference of two strengths."""
    even, _ = rate([played(2, 1), played(1, 2)] * 2)
    variance = 1 / (5 * 0.25) / 4  # of half the difference, as ratings average 1,000
    assert even.error == pytest.approx(1.96 * variance**0.5 * 400 / log(10), rel=1e-4)


def test_rounds_that_are_equal_to_the_yuan_are_one_observation() -> None:
    rounds = [played(300.2, 200), played(299.9, 200), played(300, 200.4)]
    best, other = standings(["a", "b"], ["x", "y"], rounds)
    assert (best.rounds, best.wins, best.assets) == (3, 3, 300.2)
    assert (best.interval, other.interval, best.rating.error) == (None, None, None)
    more, _ = standings(["a", "b"], ["x", "y"], [*rounds, played(500, 200)])
    assert more.assets == pytest.approx((300.2 + 500) / 2) and more.interval is not None


def test_seats_rotate_and_come_back() -> None:
    assert ["".join(rotated("abc", episode)) for episode in range(4)] == ["abc", "cab", "bca", "abc"]


def test_who_sits_several_times_is_numbered() -> None:
    assert numbered(["steady", "idle", "steady"]) == ["steady-1", "idle", "steady-2"]
    assert numbered(["steady", "steady-1", "steady"]) == ["steady-2", "steady-1", "steady-3"]
