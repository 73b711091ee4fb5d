"""What a page is shown of a position agrees with the books, and holds nothing that is hidden."""

import json

import msgspec
import pytest

from ecbench.board.conversations import chat, chats
from ecbench.board.hidden_values import listing_truths, supplier_truth
from ecbench.board.run_index import Library, thinned
from ecbench.board.snapshots import Film
from ecbench.board.state_view import position
from ecbench.board.timeline import timeline
from ecbench.board.turn_view import turn_view
from ecbench.runs.folder import Run
from ecbench.runs.record.indexed_record import IndexedRecord


@pytest.fixture
def film(recorded: Run) -> Film:
    made = Film(recorded.terms, recorded.load_world(), IndexedRecord(recorded, 0))
    made.grow()
    return made


def test_money_and_what_moved_since_yesterday(film: Film) -> None:
    turn = film.last_turn_of(20)
    seen = position(film, turn)
    purse = film.at(turn).account.books.purse
    assert (seen.money.bank, seen.money.total) == (purse.bank, purse.total)
    days = film.at(turn).account.books.days
    moved = sum(purse.totals.values()) - sum(days[-2].flows)
    assert sum(seen.money.moved.values()) == pytest.approx(moved, abs=0.05)


def test_shelves_stock_and_shipments_are_those_of_the_books(film: Film) -> None:
    seen, books = position(film, film.last_turn_of(25)), film.at(film.last_turn_of(25)).account.books
    assert sum(row.held for row in seen.stock) == books.units
    assert [len(store.shelf) for store in seen.stores] == [len(store.shelf) for store in books.stores.values()]
    assert sum(sum(row.ages) for row in seen.stock) == books.units
    assert all(row.days_left >= 0 for row in seen.shipments)


def test_a_turn_is_shown_as_cards(film: Film) -> None:
    turn = film.turn(10)
    seen = turn_view(film, 10)
    assert [card.tool for card in seen.cards] == [call["name"] for call in turn.calls]
    assert [card.reply for card in seen.cards] == list(turn.replies)
    assert [card.ok for card in seen.cards] == ["error" not in json.loads(reply) for reply in turn.replies]


def test_letters_and_ladders_of_a_supplier(film: Film) -> None:
    year = film.end
    name = chats(year)[0]["name"]
    talk = chat(year, name)
    assert talk is not None
    assert len(talk.letters) == 2 * len(year.desk.exchanges[name])
    assert talk.letters[0].sender == "agent" and talk.letters[1].sender == name
    assert {ladder.outcome for ladder in talk.ladders} <= {"deal", "open", "SupplierReject", "AgentReject"}
    assert chat(year, "nobody") is None


def test_hidden_truth_is_only_in_truth(film: Film) -> None:
    year = film.end
    name = chats(year)[0]["name"]
    hidden = supplier_truth(year, name)
    assert hidden is not None and hidden.floors
    shown = msgspec.json.encode([position(film, film.length), chat(year, name), chats(year)]).decode()
    supplier = next(supplier for supplier in year.world.suppliers if supplier.name == name)
    for secret in ("floor", "honest", "order_limit", '"template"', "elasticity", supplier.template):
        assert secret not in shown, secret


def test_the_best_price_of_a_curve_earns_most_over_the_floor(film: Film) -> None:
    year = film.at(film.last_turn_of(25))
    store = year.account.books.trading[0]
    for row in listing_truths(year, store.id):
        reference = year.world.product_by_sku[row.sku].reference_price
        gains = [(ratio * reference - row.floor) * units for ratio, units in zip(row.ratios, row.units, strict=True)]
        assert row.best_ratio == row.ratios[gains.index(max(gains))]
    assert listing_truths(year, "store_999") == []


def test_the_timeline_is_the_daily_books(film: Film) -> None:
    found = timeline(film, "year_end", "", [])
    books = film.end.account.books
    assert found.bank[1:-1] == [round(day.bank, 2) for day in books.days[:-1]]
    assert found.turns[-1] == film.length
    assert found.turns == sorted(found.turns)


def test_days_below_zero_are_one_span_each() -> None:
    from ecbench.board.timeline import _overdrawn

    assert [(span.first, span.last) for span in _overdrawn([5, -1, -2, 3, -4])] == [(1, 2), (4, 4)]


def test_a_curve_is_thinned_with_both_ends_kept() -> None:
    assert thinned([1.0, 2.0, 3.0]) == [1.0, 2.0, 3.0]
    long = thinned([float(value) for value in range(1_000)], most=10)
    assert (len(long), long[0], long[-1]) == (10, 0.0, 999.0)


def test_the_shelf_knows_runs_by_ids_and_reads_them_once(recorded: Run) -> None:
    library = Library(recorded.folder.parent)
    [spine] = library.spines()
    assert (spine.ending, spine.live, spine.agent) == ("year_end", False, "my_merchant.py:MyMerchant")
    assert library.run(spine.id).folder == recorded.folder
    assert library.film(spine.id, 0) is library.film(spine.id, 0)
    with pytest.raises(KeyError):
        Library(recorded.folder.parent).run("../../etc")
