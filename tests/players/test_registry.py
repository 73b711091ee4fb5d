"""Merchants by name, and merchants of one's own."""

from pathlib import Path

import pytest

from ecbench.players.merchants.protocol import Idle, Merchant
from ecbench.players.merchants.registry import DEFAULT_MERCHANT, LISTINGS, get_merchant, merchant_names

OWN = """
from ecbench.players.merchants.protocol import call

class Sleeper:
    def play(self, schemas):
        while True:
            yield [call("wait_for_next_day")]

class NoMerchant:
    pass
"""


def test_every_listed_merchant_has_a_description_and_can_be_made() -> None:
    assert {"idle", "first-quote", "haggler", DEFAULT_MERCHANT, "insider"} <= set(merchant_names())
    for listing in LISTINGS:
        assert listing.description
        assert "\n" not in listing.description
        get_merchant(listing.name, days=30)


def test_an_unknown_name_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(ValueError, match=f"the merchants are {', '.join(merchant_names())}, or name your own"):
        get_merchant("nobody")


def test_a_merchant_of_ones_own_is_found_by_module_and_class() -> None:
    assert isinstance(get_merchant("ecbench.players.merchants.protocol:Idle"), Idle)


def test_a_merchant_of_ones_own_is_found_by_file_and_class(tmp_path: Path) -> None:
    file = tmp_path / "sleeper_of_my_own.py"
    file.write_text(OWN, encoding="utf-8")
    merchant = get_merchant(f"{file}:Sleeper")
    assert isinstance(merchant, Merchant)
    assert next(merchant.play([])) == [{"name": "wait_for_next_day", "arguments": {}}]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("no_such_module:Merchant", "cannot import 'no_such_module'"),
        ("no/such/file.py:Merchant", "no Python file at 'no/such/file.py'"),
        ("ecbench.players.merchants.protocol:Busy", "merchants.protocol' has no class 'Busy'; it has Merchant, Idle"),
        ("ecbench.players.merchants.registry:MerchantListing", "cannot be made without arguments"),
    ],
)
def test_a_merchant_that_cannot_be_had_is_refused_with_the_reason(name: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        get_merchant(name)


def test_a_class_that_cannot_play_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "no_merchant.py"
    file.write_text(OWN, encoding="utf-8")
    with pytest.raises(ValueError, match=r"needs a method play\(self, schemas\)"):
        get_merchant(f"{file}:NoMerchant")


def test_a_file_that_does_not_run_is_refused_with_the_reason(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text("import nothing_of_that_name", encoding="utf-8")
    with pytest.raises(ValueError, match="nothing_of_that_name"):
        get_merchant(f"{file}:Merchant")
