"""Any turn of a recorded year can be looked at, and what a page is shown of it agrees with the books."""

import json
import random
import re
from contextlib import closing
from sqlite3 import connect

import pytest
from tests.pages.board.conftest import DAYS
from tests.runs.conftest import TRADER, NewRun, Play, new_run, play

from ecbench.episode import Episode
from ecbench.errors import Divergence
from ecbench.market.demand import price_response
from ecbench.pages.board.run_index import Library, thinned
from ecbench.pages.board.server.actions import Desk
from ecbench.pages.board.snapshots import SeatSnapshots, Snapshots
from ecbench.pages.board.views.agenda import LAST_DAYS, agenda
from ecbench.pages.board.views.conversations import chat
from ecbench.pages.board.views.hidden_values import listing_truths
from ecbench.pages.board.views.knowledge import Knowledge
from ecbench.pages.board.views.own_books import morning, supplier_histories
from ecbench.pages.board.views.state_view import news_of_calendar, position, timeline
from ecbench.pages.board.views.turn_view import turn_view
from ecbench.pages.year_days import calendar_spans, overdrawn_spans
from ecbench.runs.folder import Run
from ecbench.runs.play.episodes import read_episode
from ecbench.runs.play.recorded_table import open_table, replay_entry
from ecbench.runs.record.reader import Recording
from ecbench.runs.results.database import RESULTS
from ecbench.suppliers.kernel import terms_of
from ecbench.suppliers.voices import TemplateVoice
from ecbench.table import Table
from ecbench.world.load import load_world

under_both = pytest.mark.parametrize("recorded", ["paper", "fair"], indirect=True)


@pytest.fixture
def year(recorded: Run) -> SeatSnapshots:
    snapshots = Snapshots(recorded, 0, recorded.load_world())
    snapshots.grow()
    return SeatSnapshots(snapshots, 0)


@under_both
def test_money_shelves_stock_and_shipments_are_those_of_the_books(year: SeatSnapshots) -> None:
    moment = year.moment(year.last_turn_of(25))
    seen, books = position(moment), moment.account.books
    assert (seen["money"]["bank"], seen["money"]["total"]) == (books.purse.bank, books.purse.total)
    assert sum(row["held"] for row in seen["stock"]) == books.units
    assert [len(store["shelf"]) for store in seen["stores"]] == [len(store.shelf) for store in books.stores.values()]
    assert sum(sum(row["ages"]) for row in seen["stock"]) == books.units
    assert all(row["days_left"] >= 0 for row in seen["shipments"])


def test_mornings_show_each_arrival_once_and_what_was_sold_the_day_before(year: SeatSnapshots) -> None:
    last = 38
    mornings = [morning(year.moment(year.last_turn_of(day))) for day in range(last + 1)]
    books = year.at(year.last_turn_of(last)).account.books
    coming = {order.number for orders in books.in_transit.values() for order in orders}
    arrived = [order for order in books.orders if order.product is not None and order.number not in coming]
    seen = [(row["supplier"], row["ordered"], row["delivered"]) for found in mornings for row in found["arrivals"]]
    assert sorted(seen) == sorted((order.supplier, order.quantity, order.delivered) for order in arrived) != []
    sold = sum(row["sold"] for found in mornings for row in found["sales"])
    assert sold == sum(stock.sold for stock in books.stock.values()) > 0


def test_units_of_a_supplier_are_on_the_way_until_the_morning_that_receives_them(year: SeatSnapshots) -> None:
    for day in (12, 20, 30):
        then = year.moment(year.last_turn_of(day))
        waiting = [order for orders in then.account.books.in_transit.values() for order in orders]
        histories = supplier_histories(then)
        assert sum(row["on_the_way"] for row in histories) == sum(order.quantity for order in waiting)
        placed = sum(order.quantity for order in then.account.books.orders if order.product is not None)
        assert sum(row["ordered"] + row["on_the_way"] for row in histories) == placed > 0


@under_both
def test_letters_and_ladders_of_a_supplier(year: SeatSnapshots) -> None:
    latest = year.moment()
    name = supplier_histories(latest)[0]["name"]
    talk = chat(latest, name)
    senders = re.findall(r'<div class="letter( mine)?">', talk["html"])
    assert senders == [" mine", ""] * len(latest.year.desk.exchanges[name])
    assert {ladder["outcome"] for ladder in talk["ladders"]} <= {"deal", "open", "SupplierReject", "AgentReject"}
    with pytest.raises(KeyError):
        chat(latest, "nobody")


def test_the_best_price_of_a_curve_earns_most_over_the_floor(year: SeatSnapshots) -> None:
    seen = year.moment(year.last_turn_of(25))
    store, world = seen.account.books.trading[0], seen.year.world
    for row in listing_truths(seen, store.id):
        product = world.product_by_sku[row["sku"]]
        category, reference = world.category_by_name[product.category], product.reference_price
        gains = {
            ratio: (ratio * reference - row["floor"])
            * price_response(category, ratio * reference, reference, 1.0, seen.account.rules)
            for ratio in (row["best_ratio"] + step for step in (-0.1, 0.0, 0.1))
        }
        assert max(gains.values()) == gains[row["best_ratio"]]
    assert listing_truths(seen, "store_999") == []


def test_the_timeline_is_the_daily_books(year: SeatSnapshots) -> None:
    found = timeline(year, calendar_spans(year.world, DAYS))
    books = year.latest.account.books
    assert found["bank"][1:-1] == [round(day.bank, 2) for day in books.days[:-1]]
    assert found["turns"][-1] == year.length
    assert found["turns"] == sorted(found["turns"])


def test_days_below_zero_are_one_span_each() -> None:
    assert [(span.first, span.last) for span in overdrawn_spans([5, -1, -2, 3, -4])] == [(1, 2), (4, 4)]


def test_a_curve_is_thinned_with_both_ends_kept() -> None:
    assert thinned([1.0, 2.0, 3.0]) == [1.0, 2.0, 3.0]
    long = thinned([float(value) for value in range(1_000)], most=10)
    assert (len(long), long[0], long[-1]) == (10, 0.0, 999.0)


def test_the_curve_of_a_year_whose_tables_are_of_another_version_is_that_of_its_record(recorded: Run) -> None:
    [before] = Library(recorded.folder.parent).summaries()
    with closing(connect(recorded.episode_folder(0) / RESULTS)) as database:
        database.execute("update results set schema = schema - 1")
        database.commit()
    [after] = Library(recorded.folder.parent).summaries()
    assert (len(after.curve), after.curve[0], after.day) == (len(before.curve), before.curve[0], before.day)
    assert after.curve[-1] == before.curve[-1] == before.final_assets


def test_the_shelf_knows_runs_by_ids_and_reads_them_once(recorded: Run) -> None:
    library = Library(recorded.folder.parent)
    [spine] = library.summaries()
    assert (spine.ending, spine.live, spine.agent) == ("year_end", False, "my_merchant.py:MyMerchant")
    assert library.run(spine.id).folder == recorded.folder
    assert library.year(spine.id, 0).snapshots is library.year(spine.id, 0).snapshots
    with pytest.raises(KeyError):
        Library(recorded.folder.parent).run("../../etc")


def test_the_news_of_the_calendar_is_what_mornings_have_posted() -> None:
    year, posted = Episode(load_world("default"), days=200, stake=1e9), list[tuple[str, int, str]]()
    for _ in range(190):
        [reply] = year.act([{"name": "wait_for_next_day", "arguments": {}}])
        for notice in json.loads(reply).get("system_notifications", ()):
            posted += [(item["type"], notice["day"], item["content"]) for item in notice["news"]]
    news = news_of_calendar(year.account)
    events = [(day, text) for kind, day, text in posted if kind == "event"]
    texts = {event.name: event.news[:200] for event in year.world.events}
    assert [(span.first, texts[span.name]) for span in news if span.kind == "event"] == events != []
    sales = [(day, text) for kind, day, text in posted if kind == "promotion"]
    announced = [(span.first, span.name) for span in news if span.kind == "promotion"]
    assert len(announced) == len(sales) >= 3
    assert all(day == on and name in text for (on, name), (day, text) in zip(announced, sales, strict=True))
    assert "New Year Kickoff Sale" not in {span.name for span in news}, "it runs on the opening day, which has no news"


def test_a_later_look_that_shows_less_takes_nothing_away() -> None:
    year, knowledge = Episode(load_world("default")), Knowledge()
    store_type = year.world.store_types[0]
    category = store_type.categories[0]
    for turn, asked in enumerate([{"category": category}, {"store_type": store_type.id}], start=1):
        knowledge.learn(turn, year.table.act(0, [{"name": "market_search", "arguments": asked}]) or ())
    first, second = (each for each in knowledge.between(0, 2) if (each.kind, each.key) == ("category", category))
    assert (
        (first.turn, second.turn) == (1, 2)
        and first.row["return_rate_note"]
        and first.row["store_type"] == store_type.id
    )
    assert not second.row, "what is known already is not sent again"


def test_replies_call_stores_by_their_names(year: SeatSnapshots) -> None:
    [store, *_] = year.latest.account.books.stores.values()
    sentences = [card.view.sentence for turn in range(1, year.length + 1) for card in turn_view(year, turn).cards]
    assert any(sentence.endswith(f" listed in {store.name}.") for sentence in sentences)
    assert not [sentence for sentence in sentences if store.id in sentence]


def test_a_letter_shows_its_price_list_as_rows(desk: Desk) -> None:
    supplier = next(each for each in load_world("default").suppliers if each.honest)
    key = desk.sit_down({"world": "default", "days": 5})["id"]
    asked = {"uid": supplier.email, "content": "Please send us your price list."}
    desk.act(key, 0, {"calls": [{"name": "chatbox", "arguments": asked}]})
    moment = desk.queries.moment(key, 0, 1)
    talk = chat(moment, supplier.name)
    economy = moment.account.economy
    products = economy.world.products_by_category[supplier.category]
    assert [(line.sku, line.quote) for line in talk["prices"]] == [
        (product.sku, round(terms_of(economy, supplier, product).opening_target, 2)) for product in products
    ]
    assert products[0].sku not in talk["html"] and "With a price list of" in talk["html"]


def test_the_agenda_names_what_wants_doing(year: SeatSnapshots) -> None:
    """Never a single unit that came back, nor orders that would arrive too late."""
    kinds = set()
    for turn in range(1, year.length):
        moment = year.moment(turn)
        account, seen, tasks = moment.account, position(moment), agenda(moment)
        kinds |= {task["kind"] for task in tasks}
        late = year.terms.days - seen["day"] <= LAST_DAYS
        assert all(late == (task["kind"] == "end") for task in tasks if task["kind"] in ("end", "dry"))
        back = {
            f"{row.product.title}: {row.returned} of {row.sold} came back": row for row in account.books.stock.values()
        }
        assert all(back[task["title"]].returned > 2 for task in tasks if task["kind"] == "returns")
    assert {"shipments", "letters", "end"} <= kinds


__all__ = ["new_run", "play"]

BYTES_APART = 15_000  # several snapshots of a little year


@pytest.fixture
def shared(new_run: NewRun, play: Play) -> Run:
    run = new_run(TRADER, "idle", TRADER, days=25)
    play(run)
    return run


def opened(run: Run, bytes_apart: int = BYTES_APART) -> Snapshots:
    snapshots = Snapshots(run, 0, run.load_world(), bytes_apart)
    snapshots.grow()
    return snapshots


def replayed(run: Run, recording: Recording, seat: int, turns: int) -> Table:
    """The table after a given number of turns of a seat, replayed from the first morning."""
    table = open_table(run.terms, run.load_world(), TemplateVoice())
    for entry in recording.entries:
        if turns:
            replay_entry(table, entry)
            turns -= entry.kind in ("turn", "morning") and entry.seat == seat
    return table


@pytest.mark.parametrize("alone", [True, False])
def test_any_turn_of_any_seat_stands_as_it_was_recorded(request: pytest.FixtureRequest, *, alone: bool) -> None:
    run: Run = request.getfixturevalue("recorded" if alone else "shared")
    snapshots, recording, draws = opened(run), read_episode(run, 0), random.Random("turns")
    assert len(snapshots._snapshots) > 3
    for seat in range(run.seats):
        year, turns = SeatSnapshots(snapshots, seat), recording.turns_of(seat)
        assert year.length == len(turns)
        for number in [1, year.length, *(draws.randrange(1, year.length) for _ in range(6))]:
            state, seen = turns[number - 1].state, year.at(number)
            assert state is not None and seen.now.isoformat() == state.time
            assert (seen.bank, seen.wallet, seen.escrow) == (state.bank, state.wallet, state.escrow)
            assert year.turn(number) == turns[number - 1]
            assert seen.report() == replayed(run, recording, seat, number).report(seat)
        assert year.at(year.length).report() == year.latest.report()
        assert year.end == recording.end(seat) is not None


@pytest.mark.parametrize("alone", [True, False])
def test_unfinished_episode_is_replayed_from_the_last_snapshot(request: pytest.FixtureRequest, *, alone: bool) -> None:
    """The record is written piece by piece, and cut in the middle of turns."""
    run: Run = request.getfixturevalue("recorded" if alone else "shared")
    path, seat = run.events_path(0), run.seats - 1
    content, whole = path.read_bytes(), SeatSnapshots(opened(run), seat)
    path.write_bytes(b"")
    growing, lengths = Snapshots(run, 0, run.load_world(), BYTES_APART), list[int]()
    with path.open("ab") as file:
        for first in range(0, len(content), len(content) // 7):
            file.write(content[first : first + len(content) // 7])
            file.flush()
            growing.grow()
            lengths.append(SeatSnapshots(growing, seat).length)
    assert lengths == sorted(lengths) and len(set(lengths)) > 5 and lengths[-1] == whole.length
    grown = SeatSnapshots(growing, seat)
    assert grown.latest.report() == whole.latest.report()
    assert len(growing._snapshots) == len(whole.snapshots._snapshots)
    assert grown.end == whole.end is not None


def test_a_record_of_another_world_is_not_shown(recorded: Run) -> None:
    with pytest.raises(Divergence, match="on day 0 differs from the record"):
        Snapshots(recorded, 0, load_world("seed-5")).grow()


def test_seats_are_years_of_the_shelf_and_know_their_rivals(shared: Run) -> None:
    library = Library(shared.folder.parent)
    summaries = library.summaries()
    assert len({spine.id for spine in summaries}) == 3 and {spine.folder for spine in summaries} == {shared.folder.name}
    idle = next(spine for spine in summaries if spine.agent == "idle")
    beside = [library.key_of(run) for run, _ in library.beside(library.run(idle.id), 0)]
    assert sorted(beside) == sorted(spine.id for spine in summaries if spine is not idle)
    year = library.year(idle.id, 0)
    assert (year.terms.seats[year.seat].agent, position(year.moment())["day"]) == ("idle", 25)
    assert len(timeline(year, [])["bank"]) == 26
