"""Known exploits: there under the paper's rules, closed under `fair`."""

from redteam import EXPLOITS, SEEDS, gain


def test_revaluing_stock_multiplies_money_under_the_papers_rules_and_loses_it_under_fair() -> None:
    [revalued] = [name for name in EXPLOITS if name.startswith("Revalued")]
    assert gain(revalued, "paper", SEEDS[0]) > 5
    assert gain(revalued, "fair", SEEDS[0]) < 0


def test_floors_computed_or_probed_are_worth_nothing_under_fair() -> None:
    for name in EXPLOITS:
        if name.startswith(("Probe", "Floors", "Kernels")):
            assert gain(name, "fair", SEEDS[0]) < 0.05, name
