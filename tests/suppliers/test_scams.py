"""Every scam is one record, which says all there is to it."""

from string import Formatter
from typing import get_args

import pytest

from ecbench.metrics.labels import SCAMS
from ecbench.suppliers.scams import MEMBERS_ONLY, SCHEMES
from ecbench.world.supplier_kinds import FRESH_FRAUDULENT, Scam

KINDS = sorted(SCHEMES)


def test_every_scam_that_a_roster_may_hold_has_its_record() -> None:
    assert set(get_args(Scam)) == {"", *SCHEMES}
    assert set(FRESH_FRAUDULENT) <= set(SCHEMES)


def test_a_report_lists_every_scam_once() -> None:
    assert sorted(SCAMS) == KINDS


@pytest.mark.parametrize("scam", KINDS)
def test_a_scam_either_lies_before_the_deal_or_cheats_with_the_goods(scam: Scam) -> None:
    scheme = SCHEMES[scam]
    assert (scheme.story is not None) is (scheme.markup > 1) is not (scheme.short or scheme.defective)


@pytest.mark.parametrize("scam", KINDS)
def test_a_script_leaves_open_only_the_fee_and_how_it_stands(scam: Scam) -> None:
    fields = {name for _, name, _, _ in Formatter().parse(SCHEMES[scam].script) if name}
    assert fields == ({"fee", "membership"} if scam in MEMBERS_ONLY else set())
