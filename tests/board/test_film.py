"""Any turn of a recorded year can be looked at, and it is the year as it was."""

import random

from tests.board.conftest import DAYS

from ecbench.board.film import KEEP_EVERY_DAYS, Film
from ecbench.episode import Episode
from ecbench.runs.folder import Run
from ecbench.runs.session import read_episode
from ecbench.seat import readable


def film_of(run: Run) -> Film:
    return Film.of(run.terms, run.load_world(), read_episode(run, 0))


def direct(run: Run, turns: int) -> Episode:
    year = Episode(run.load_world(), days=run.terms.days, stake=run.terms.stake)
    for turn in read_episode(run, 0).turns[:turns]:
        year.act(readable(turn.calls))
    return year


def test_random_turns_equal_a_direct_replay(recorded: Run) -> None:
    film = film_of(recorded)
    draws = random.Random("turns")
    for turns in [0, film.length, *(draws.randrange(film.length) for _ in range(12))]:
        seen, played = film.at(turns), direct(recorded, turns)
        assert (seen.now, seen.bank, seen.wallet, seen.escrow) == (
            played.now,
            played.bank,
            played.wallet,
            played.escrow,
        )
        assert seen.report() == played.report()


def test_looking_changes_nothing(recorded: Run) -> None:
    film = film_of(recorded)
    middle = film.at(film.length // 2)
    before = middle.report()
    film.at(film.length // 2 + 3)
    assert film.at(film.length // 2).report() == before


def test_days_and_turns_are_found_from_each_other(recorded: Run) -> None:
    film = film_of(recorded)
    assert film.first_turn_of(0) == 0
    for day in (1, 9, DAYS - 1):
        first, last = film.first_turn_of(day), film.last_turn_of(day)
        assert film.states[first - 1].day == day == film.states[last - 1].day
        assert first < 2 or film.states[first - 2].day < day
    assert film.last_turn_of(DAYS) == film.length


def test_a_year_that_goes_on_is_appended(recorded: Run) -> None:
    recording = read_episode(recorded, 0)
    film = Film(recorded.terms, recorded.load_world())
    for first in range(0, len(recording.turns), 17):
        film.append(recording.turns[first : first + 17], recording.states[first : first + 17])
    whole = film_of(recorded)
    assert film.length == whole.length
    assert film.end.report() == whole.end.report()
    assert len(film._kept) == len(whole._kept) >= DAYS // KEEP_EVERY_DAYS
