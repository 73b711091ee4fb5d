"""What the merchants earn, and that they earn it with schemas and replies alone."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from tests.players.conftest import batches_until

from ecbench import Episode, tool_schemas
from ecbench.analysis.bound.assets import upper_bound
from ecbench.players.driver import play_year
from ecbench.players.loop import play
from ecbench.players.merchant_player import MerchantPlayer, begin_play
from ecbench.players.merchants.protocol import Insider, Merchant
from ecbench.players.merchants.registry import LISTINGS, get_merchant, merchant_names
from ecbench.players.session import TableSession
from ecbench.rules import DEFAULT_RULES, rule_set
from ecbench.season.seasons import MAX_TURNS
from ecbench.suppliers.kernel import terms_of
from ecbench.world.generate import generate_world
from ecbench.world.model import World

BEST_MODEL = 1_431_425  # of the paper, on another catalog
STAKE = 100_000
OUTSIDERS = [listing.name for listing in LISTINGS if not listing.reads_hidden_state]
YearOf = Callable[[str], Episode]


def assets(episode: Episode) -> float:
    return episode.bank + episode.wallet


def outsider(name: str, days: int) -> Merchant:
    merchant = get_merchant(name, days=days)
    assert isinstance(merchant, Merchant)
    return merchant


@pytest.mark.parametrize("rules", ["paper", "conduct"])
def test_steady_ends_its_year_within_the_turn_limit_of_seasons(rules: str, default_world: World) -> None:
    year, steady = Episode(default_world, rules=rules), get_merchant("steady", rules=rule_set(rules))
    session = TableSession(year.table, max_turns=MAX_TURNS)
    play(session, [MerchantPlayer(partial(begin_play, steady, year), trusted=True)])
    assert year.ending == "year_end"
    assert session.seats[0].turns < 0.9 * MAX_TURNS  # other worlds take more turns than this one
    assert assets(year) > BEST_MODEL


def test_knowing_more_earns_more(year_of: YearOf) -> None:
    earned = [assets(year_of(name)) for name in ("idle", "first-quote", "haggler", "steady", "insider")]
    assert earned == sorted(earned)


def test_knowing_more_earns_more_under_the_fair_rules_too(small_world: World) -> None:
    rules, earned = rule_set("fair"), []
    for name in merchant_names():
        year = Episode(small_world, days=90, rules=rules)
        play_year(get_merchant(name, days=90, rules=rules), year)
        assert year.ending == "year_end"
        assert sum(store.listings for store in year.account.books.trading) <= rules.most_listings
        earned.append(assets(year))
    assert earned == sorted(earned)


def test_first_quote_buys_goods_whatever_characters_their_sku_has(small_world: World) -> None:
    products = tuple(
        replace(each, sku=f"{each.sku[:4]}-{each.sku[4:8]}.{each.sku[8:]}") for each in small_world.products
    )
    year = Episode(replace(small_world, products=products), days=40)
    play_year(get_merchant("first-quote", days=40), year)
    assert len({order.product.sku for order in year.account.books.orders if order.product is not None}) > 10


def test_the_insider_bargains_better_than_anybody_and_is_never_cheated_with_goods(year_of: YearOf) -> None:
    year = year_of("insider")
    report = year.report()
    kept = [year_of(name).report()["negotiation_quality"]["CSE+"] for name in ("first-quote", "haggler", "steady")]
    assert report["negotiation_quality"]["CSE+"] > max(0.93, *kept)
    assert not any(order.defective or order.product is None for order in year.account.books.orders)


def test_the_insider_pays_every_supplier_its_floor(year_of: YearOf) -> None:
    year = year_of("insider")
    for order in year.account.books.orders:
        assert order.product is not None
        supplier = year.world.supplier_by_name[order.supplier]
        assert order.unit_price == terms_of(year.account.economy, supplier, order.product).reservation


def test_where_suppliers_deliver_little_the_insider_writes_to_one_of_each_line_at_once(default_world: World) -> None:
    rules = rule_set("fair").with_overrides({"most_listings": DEFAULT_RULES.most_listings})
    episode = Episode(default_world, days=60, stake=1e7, rules=rules)
    insider = get_merchant("insider", days=60)
    assert isinstance(insider, Insider)
    made = batches_until(insider.play_knowing(episode, tool_schemas()), episode, 60)
    letters = [call["arguments"].get("uids", ()) for calls in made for call in calls if call["name"] == "chatbox"]
    assert max(map(len, letters)) > 5
    for addresses in letters:
        lines = [default_world.supplier_by_email[address.lower()].category for address in addresses]
        assert len(lines) == len(set(lines))


def test_no_merchant_ends_its_year_above_the_bound(year_of: YearOf, small_world: World) -> None:
    bound = upper_bound(small_world).assets
    for name in ("idle", "first-quote", "haggler", "steady", "insider"):
        assert assets(year_of(name)) < bound, name


def test_steady_multiplies_its_stake_on_worlds_it_has_never_seen(year_of: YearOf) -> None:
    poor = Episode(generate_world(seed=22, name="few goods", products=300, suppliers=150))
    play_year(get_merchant("steady"), poor)
    for episode in (year_of("steady"), poor):
        assert episode.ending == "year_end"
        assert assets(episode) > 5 * STAKE


def test_only_the_insider_is_shown_the_episode() -> None:
    insiders = {listing.name for listing in LISTINGS if isinstance(get_merchant(listing.name), Insider)}
    assert insiders == {listing.name for listing in LISTINGS if listing.reads_hidden_state} == {"insider"}


@pytest.mark.parametrize("name", OUTSIDERS)
def test_a_merchant_trades_with_schemas_and_replies_alone_and_twice_alike(name: str, default_world: World) -> None:
    properties = {s["function"]["name"]: set(s["function"]["parameters"]["properties"]) for s in tool_schemas()}
    years = [Episode(default_world, days=60) for _ in range(2)]
    first, second = (batches_until(outsider(name, 60).play(tool_schemas()), year, 60) for year in years)
    assert first == second
    assert all(set(made["arguments"]) <= properties[made["name"]] for batch in first for made in batch)
    if name != "idle":
        report = years[0].report()
        assert report["fraud_identification"]["orders_total"] > 10
        assert report["fulfilment_quality"]["orders_shipped"] > 10
