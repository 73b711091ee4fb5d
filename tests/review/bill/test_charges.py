"""A bill as data: it adds up, can be cut by days, and comes back from its file as it went in."""

import json
from pathlib import Path

import pytest

from ecbench.review.bill.causes import ABOVE_BEST, ABOVE_FLOOR, CAUSE_BY_KEY, CAUSES, FEES, PRICE, STORAGE
from ecbench.review.bill.charges import Bill, Charge, bill_from

PAID = Charge(3, ABOVE_FLOOR, 20.0, sku="A", supplier="Lin", units=10)
PAID_AGAIN = Charge(3, ABOVE_BEST, 12.0, sku="A", supplier="Lin", units=10)
FEE = Charge(5, FEES, 1_000.0, supplier="Lin", units=1)
PRICED = Charge(3, PRICE, 7.5, store="store_001", sku="A", units=2)
BILL = bill_from([FEE, PRICED, PAID_AGAIN, PAID], last_day=9)


def test_charges_stand_by_day_and_then_in_the_order_of_the_causes() -> None:
    assert BILL.charges == (PAID, PAID_AGAIN, PRICED, FEE)


def test_charges_of_one_subject_on_one_day_are_one() -> None:
    bill = bill_from([PAID, PAID], last_day=9)
    assert bill.charges == (Charge(3, ABOVE_FLOOR, 40.0, sku="A", supplier="Lin", units=20),)


def test_a_charge_of_nothing_is_left_out_but_a_count_without_money_stays() -> None:
    minutes = Charge(1, "wasted_minutes", 0.0, units=15)
    assert bill_from([Charge(1, STORAGE, 0.00001), minutes], last_day=9).charges == (minutes,)


def test_what_stands_beside_another_cause_is_not_added_to_the_money_that_went() -> None:
    assert BILL.ledger_total == 1_020.0
    assert BILL.total(ABOVE_BEST) == 12.0


def test_every_cause_has_its_line_in_the_sums() -> None:
    assert list(BILL.by_cause()) == [cause.key for cause in CAUSES]
    assert BILL.by_cause()[PRICE] == 7.5
    assert BILL.by_day == {3: {ABOVE_FLOOR: 20.0, ABOVE_BEST: 12.0, PRICE: 7.5}, 5: {FEES: 1_000.0}}


def test_a_bill_can_be_cut_to_some_of_its_days() -> None:
    week = BILL.between(0, 3)
    assert (week.charges, week.last_day) == ((PAID, PAID_AGAIN, PRICED), 3)
    assert BILL.between(5, 20).last_day == 9


def test_a_bill_comes_back_from_json_as_it_went_in() -> None:
    assert Bill.from_json(json.loads(json.dumps(BILL.to_json()))) == BILL


def test_charges_of_one_day_cause_and_store_say_so_once_and_keep_their_order() -> None:
    priced = [Charge(3, PRICE, 0.5 + place, store="store_001", sku=f"{place:012}", units=place) for place in range(50)]
    bill = bill_from([*priced, PAID, *(Charge(4, PRICE, 1.25, store="store_001", sku=each.sku) for each in priced)], 9)
    told = bill.to_json()
    assert [(group[0], group[1], len(group[4])) for group in told["groups"]] == [
        (3, ABOVE_FLOOR, 1),
        (3, PRICE, 50),
        (4, PRICE, 50),
    ]
    assert len(told["skus"]) == 51
    assert Bill.from_json(json.loads(json.dumps(told))) == bill


@pytest.mark.parametrize(
    "record",
    [
        [],
        {},
        {"last_day": 3, "skus": [], "groups": [[1, 2]]},
        {"last_day": 3, "skus": [], "groups": [[1, "luck", None, None, [None], [1.0], [0]]]},
        {"last_day": 3, "skus": ["A"], "groups": [[1, "price", None, None, [1], [1.0], [0]]]},
        {"last_day": 3, "skus": ["A"], "groups": [[1, "price", None, None, [-1], [1.0], [0]]]},
        {"last_day": 3, "skus": ["A"], "groups": [[1, "price", None, None, [0], [1.0, 2.0], [0]]]},
        {"last_day": 3, "skus": ["A"], "groups": [[1, "price", None, None, [0], [float("nan")], [0]]]},
    ],
)
def test_what_is_no_bill_is_refused_in_one_line(record: object) -> None:
    with pytest.raises(ValueError, match="not a bill"):
        Bill.from_json(record)


def test_a_cause_is_known_by_one_key_and_stands_beside_one_that_exists() -> None:
    assert len(CAUSE_BY_KEY) == len(CAUSES)
    assert {cause.beside for cause in CAUSES} - {""} <= set(CAUSE_BY_KEY)


def test_the_docs_define_every_cause_by_its_title_and_say_what_kind_it_is() -> None:
    text = (Path(__file__).parents[3] / "docs" / "review.md").read_text(encoding="utf-8")
    for cause in CAUSES:
        [row] = [line for line in text.splitlines() if line.startswith(f"| `{cause.key}` |")]
        assert row.split(" | ")[1] == cause.title
        assert row.removesuffix(" |").split(" | ")[-1] == cause.counts
        assert ("ledger" in row) == cause.ledger
        assert f"- **{cause.title}.**" in text
