"""Any turn of a recorded year can be looked at, and it is the year as it was."""

import random
from itertools import pairwise
from pathlib import Path

import pytest
from tests.board.conftest import DAYS

from ecbench.board.snapshots import Film
from ecbench.episode import Episode
from ecbench.errors import Divergence
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.record.indexed_record import IndexedRecord

KEEP_EVERY = 15_000  # bytes: several copies of a little year


def film_of(run: Run) -> Film:
    film = Film(run.terms, run.load_world(), IndexedRecord(run, 0), KEEP_EVERY)
    film.grow()
    return film


def direct(run: Run, turns: int) -> Episode:
    year = Episode(run.load_world(), days=run.terms.days, stake=run.terms.stake)
    for turn in read_episode(run, 0).turns[:turns]:
        year.act(readable(turn.calls))
    return year


def test_random_turns_equal_a_direct_replay(recorded: Run) -> None:
    film = film_of(recorded)
    assert film.copies > 3
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


def test_the_last_turn_of_a_day_is_the_one_before_the_first_of_the_next(recorded: Run) -> None:
    film = film_of(recorded)
    for day in (1, 9, DAYS - 1):
        last = film.last_turn_of(day)
        assert film.states[last - 1].day == day < film.states[last].day
    assert film.last_turn_of(DAYS) == film.length


def test_copies_are_so_many_bytes_of_the_record_apart(recorded: Run) -> None:
    film = film_of(recorded)
    size = recorded.events_path(0).stat().st_size
    assert size // (2 * KEEP_EVERY) <= film.copies - 1 <= size // KEEP_EVERY


def test_a_year_that_goes_on_is_played_on_from_where_it_was(recorded: Run, tmp_path: Path) -> None:
    """The record is written piece by piece, and cut in the middle of turns."""
    path = recorded.events_path(0)
    content, whole = path.read_bytes(), film_of(recorded)
    path.write_bytes(b"")
    film = Film(recorded.terms, recorded.load_world(), IndexedRecord(recorded, 0), KEEP_EVERY)
    lengths = []
    with path.open("ab") as growing:
        for first in range(0, len(content), len(content) // 7):
            growing.write(content[first : first + len(content) // 7])
            growing.flush()
            film.grow()
            lengths.append(film.length)
    assert lengths == sorted(lengths) and len(set(lengths)) > 5 and film.length == whole.length
    assert film.end.report() == whole.end.report()
    assert film.copies == whole.copies
    assert film.closed == whole.closed is not None


def test_progress_is_told_up_to_the_last_turn(recorded: Run) -> None:
    told: list[tuple[int, int]] = []
    film = Film(recorded.terms, recorded.load_world(), IndexedRecord(recorded, 0))
    film.grow(lambda done, whole: told.append((done, whole)))
    assert len(told) == film.length and told == sorted(told)
    assert 0.99 < told[-1][0] / told[-1][1] <= 1


def test_a_record_of_another_world_is_not_shown(recorded: Run, small_world: Path) -> None:
    from ecbench.world.load import load_world

    film = Film(recorded.terms, load_world("seed-5"), IndexedRecord(recorded, 0))
    with pytest.raises(Divergence, match="turn 1 comes out otherwise"):
        film.grow()


def test_years_are_compared_by_their_calls(recorded: Run) -> None:
    film = film_of(recorded)
    assert [list(calls) for calls in film.calls()] == [list(turn.calls) for turn in read_episode(recorded, 0).turns]


def test_kept_copies_share_what_has_not_changed_between_them(recorded: Run) -> None:
    film = Film(recorded.terms, recorded.load_world(), IndexedRecord(recorded, 0), keep_every=1_000)
    film.grow()
    kept = [frame.year for frame in film._kept]
    pairs = [
        (before.account.books.stock[sku], after.account.books.stock[sku])
        for before, after in pairwise(kept)
        for sku in before.account.books.stock
    ]
    assert all((before is after) == (before == after) for before, after in pairs)
    assert any(before is after for before, after in pairs) and any(before is not after for before, after in pairs)
