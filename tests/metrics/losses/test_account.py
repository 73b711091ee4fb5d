"""The account as data: its rows are put together, have a turn, and add up."""

from pathlib import Path

import pytest
from tests.metrics.losses.trading import SKU

from ecbench.metrics.losses.account import (
    ABOVE_FLOOR,
    CAUSES,
    EMPTY_SHELF,
    FEES,
    FREIGHT,
    PRICE,
    STORAGE,
    Cause,
    Loss,
    Mark,
    PlayLog,
    by_cause,
    by_day,
    paid_total,
    summed,
)

PAID = Loss(3, ABOVE_FLOOR, 20.0, sku="A", supplier="Lin", units=10, order=2)
FEE = Loss(5, FEES, 1_000.0, supplier="Lin", units=1, order=3)
PRICED = Loss(3, PRICE, 7.5, store="store_001", sku="A", units=2)


def put_together(*losses: Loss, log: PlayLog | None = None) -> list[Loss]:
    return summed(losses, log or PlayLog())


def test_losses_stand_by_day_and_cause_and_those_of_one_subject_on_one_day_are_one() -> None:
    assert put_together(FEE, PRICED, PAID) == [PAID, PRICED, FEE]
    assert put_together(PAID, PAID) == [PAID._replace(amount=40.0, units=20)]
    assert len(put_together(PAID, PAID._replace(order=4))) == 2
    assert put_together(Loss(1, STORAGE, 0.00001, units=3)) == []


def test_every_cause_has_its_line_in_the_sums() -> None:
    losses = [PAID, PRICED, FEE]
    assert list(by_cause(losses)) == [cause.key for cause in CAUSES]
    assert by_cause(losses)[PRICE] == 7.5
    assert paid_total(losses) == 1_020.0
    assert dict(by_day(losses, 5)) == {
        ABOVE_FLOOR: [0.0, 0.0, 0.0, 20.0, 0.0],
        FEES: [0.0, 0.0, 0.0, 0.0, 1_000.0],  # what comes after the days belongs to the last of them
        PRICE: [0.0, 0.0, 0.0, 7.5, 0.0],
    }


def test_a_loss_belongs_to_the_turn_that_brought_it_about() -> None:
    """Turn 1 buys, turn 2 ends day 0, turn 3 ships and ends days 1 and 2."""
    log = PlayLog([Mark(0, 0, 1, 0, 0), Mark(1, 1, 1, 0, 0), Mark(3, 3, 1, 0, 4)])
    bought = Loss(0, ABOVE_FLOOR, 1.0, order=1)
    morning, evening, late = Loss(1, STORAGE, 1.0), Loss(1, EMPTY_SHELF, 1.0), Loss(3, EMPTY_SHELF, 1.0)
    turns = {loss[:2]: loss.turn for loss in put_together(bought, morning, evening, late, log=log)}
    assert turns == {(0, ABOVE_FLOOR): 1, (1, STORAGE): 2, (1, EMPTY_SHELF): 3, (3, EMPTY_SHELF): 3}
    assert put_together(Loss(1, FREIGHT, 1.0, sku=SKU, turn=2), log=log)[0].turn == 2
    assert put_together(bought)[0].turn is None


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.key)
def test_the_docs_define_every_cause_by_its_title_and_say_what_kind_it_is(cause: Cause) -> None:
    text = (Path(__file__).parents[3] / "docs" / "understand.md").read_text(encoding="utf-8")
    [row] = [line for line in text.splitlines() if line.startswith(f"| `{cause.key}` |")]
    assert [cell.strip() for cell in row.split("|")[2:4]] == [cause.title, cause.kind]
