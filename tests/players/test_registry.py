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


def test_a_merchant_of_ones_own_is_found_by_module_or_file_and_class(tmp_path: Path) -> None:
    assert isinstance(get_merchant("ecbench.players.merchants.protocol:Idle"), Idle)
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
        ("own.py:NoMerchant", r"needs a method play\(self, schemas\)"),
        ("broken.py:Merchant", "nothing_of_that_name"),
        ("nobody", f"the merchants are {', '.join(merchant_names())}, or name your own"),
    ],
)
def test_a_merchant_that_cannot_be_had_is_refused_with_the_reason(
    name: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.py").write_text(OWN, encoding="utf-8")
    Path("broken.py").write_text("import nothing_of_that_name", encoding="utf-8")
    with pytest.raises(ValueError, match=complaint):
        get_merchant(name)
