"""Claims in bargaining: what they move, whether they are true or kept, and what they gained."""

from math import log
from typing import Any

import pytest
from tests.conduct.shops import LATER, WORLD, Shop, rival_quote, volume


def quote_after(claim: Any = None, before: Any = None) -> tuple[float, float]:
    """The counter to a second offer that carries a claim, and the supplier's reservation price."""
    shop = Shop()
    shop.offer(shop.seller, **({"claim": before} if before else {}))
    answer = shop.offer(shop.seller, share=0.22, **({"claim": claim} if claim else {}))
    pair = shop.episode.desk.book.pairs[shop.seller.name, shop.product.sku]
    return answer["price"], pair.kernel.reservation


def test_a_lower_rival_quote_moves_the_counter_half_way_to_it_but_not_below_the_floor() -> None:
    shop = Shop()
    quote, floor = quote_after()
    for price in (0.9 * quote, 0.5 * floor):
        moved, _ = quote_after(rival_quote(shop.rival, price))
        assert moved == pytest.approx(quote - 0.5 * (quote - max(floor, price)), abs=0.006)
    assert quote_after(rival_quote(shop.rival, 3 * quote))[0] == quote


def test_a_promised_volume_lowers_the_counter_by_its_logarithm() -> None:
    quote, floor = quote_after()
    for units, share in ((20, 0.0), (60, 0.02 * log(3)), (100_000, 0.06)):
        moved, _ = quote_after(volume(units, 90))
        assert moved == pytest.approx(max(floor, quote - share * (quote - floor) - share * quote), abs=0.006)


def test_each_rival_and_one_volume_count_once_a_session() -> None:
    shop = Shop()
    for claim in (rival_quote(shop.rival, 1.0), volume(400, 30)):
        once = quote_after(before=claim)[0]
        assert quote_after(claim, before=claim)[0] == once < quote_after()[0]


def test_a_rival_quote_is_true_if_that_supplier_asked_it_within_thirty_days() -> None:
    shop = Shop()
    asked = shop.offer(shop.rival)["price"]
    for price in (asked, asked / 1.009, asked / 1.02):
        shop.offer(shop.seller, claim=rival_quote(shop.rival, round(price, 4)))
    shop.wait(LATER)
    shop.offer(shop.seller, claim=rival_quote(shop.rival, asked))
    assert shop.verdicts("rival_quote") == ["true", "true", "false", "false"]


def test_the_gain_is_what_the_same_bids_without_the_claim_would_have_cost() -> None:
    """Of two claims each has what it added, and together they have all."""

    def deal(*claims: Any) -> tuple[float, Shop]:
        shop = Shop()
        for share, claim in zip((0.2, 0.22, 0.24), claims, strict=True):
            answer = shop.offer(shop.seller, share=share, **({"claim": claim} if claim else {}))
        return answer["price"], shop

    lie, promise = rival_quote(Shop().rival, 2.0), volume(400, 30)
    plain, one, both = deal(None, None, None)[0], deal(None, lie, None)[0], deal(None, lie, promise)
    price, shop = both
    shop.accept(shop.seller, price)
    gains = {entry.kind: entry.gain for entry in shop.conduct.entries}
    assert gains["rival_quote"] == pytest.approx(20 * (plain - one), abs=0.01)
    assert gains["volume"] == pytest.approx(20 * (one - price), abs=0.01)


def test_a_bid_that_is_accepted_gains_nothing_by_a_claim() -> None:
    shop = Shop()
    answer = shop.offer(shop.seller, share=1.4, claim=rival_quote(shop.rival, 1.0))
    assert answer["decision"] == "Accept"
    assert [entry.gain for entry in shop.conduct.entries] == [0.0]


@pytest.mark.parametrize(
    ("ordered", "waits", "verdict"), [(True, 1, "kept"), (False, 12, "broken"), (False, 2, "open")]
)
def test_a_promise_is_kept_by_nine_tenths_of_its_units_and_broken_when_its_days_are_over(
    ordered: bool, waits: int, verdict: str
) -> None:
    shop = Shop()
    quote = shop.offer(shop.seller, claim=volume(22, 10))["price"]
    if ordered:
        shop.accept(shop.seller, quote, 20)
    shop.wait(waits)
    assert shop.verdicts("volume") == [verdict]


def test_a_promise_is_void_where_the_supplier_closes_or_the_year_ends_first() -> None:
    closes, ends = Shop(), Shop(days=5)
    for shop in (closes, ends):
        shop.offer(shop.seller, claim=volume(400, 90))
    closes.episode.account.closed_suppliers.add(closes.seller.name)
    closes.wait()
    ends.wait(5)
    assert closes.verdicts("volume") == ends.verdicts("volume") == ["void"]
    assert ends.episode.done and not closes.episode.done


def test_a_claim_that_states_nothing_is_an_error_and_no_statement() -> None:
    shop = Shop()
    other = next(each for each in WORLD.suppliers if each.category != shop.seller.category)
    stray = {"rival_quote": {"supplier": "nobody@suppliers.example", "price": 5}}
    bad: list[tuple[Any, str]] = [
        (stray, "claim_supplier"),
        ({"rival_quote": {"supplier": 7, "price": 5}}, "claim_supplier"),
        (rival_quote(shop.seller, 5), "claim_itself"),
        (rival_quote(other, 5), "claim_other_goods"),
        *((rival_quote(shop.rival, price), "bad_claim") for price in (-1, 0)),
        *((volume(units, 30), "bad_claim") for units in (0, -5, 2.5, "many")),
        *((volume(50, days), "bad_claim") for days in (0, 91)),
        ("cheaper", "bad_claim"),
        ({}, "bad_claim"),
        ([], "bad_claim"),
        ({"threat": {}}, "bad_claim"),
        (stray | volume(5, 5), "bad_claim"),
    ]
    for claim, code in bad:
        answer = shop.offer(shop.seller, claim=claim)
        assert (answer["decision"], answer["error_code"]) == ("Error", code), claim
    shop.offer(shop.seller)
    answer = shop.write(shop.seller, action="accept", price=1.0, claim=volume(50, 5))
    assert answer["error_code"] == "bad_claim"
    assert shop.conduct.entries == []
    assert not shop.episode.desk.claims


def test_claims_are_not_heard_under_other_rules() -> None:
    for rules in ("fair", "paper"):
        said, silent = Shop(rules=rules), Shop(rules=rules)
        for share in (0.2, 0.22):
            told = said.offer(said.seller, share=share, claim=rival_quote(said.rival, 1.0))
            assert told == silent.offer(silent.seller, share=share)
        assert said.episode.account.conduct is None
