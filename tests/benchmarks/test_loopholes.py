"""Known exploits: there under the paper's rules, closed under `fair`."""

from redteam import EXPLOITS, SEEDS, haggler, log_money, revalued

from ecbench import load_world

STAKE = 100_000


def test_revaluing_stock_earns_billions_under_the_papers_rules_and_loses_money_under_fair() -> None:
    world = load_world("default")
    assert revalued(world, "paper") > 1e9
    assert revalued(world, "fair") < STAKE


def test_floors_computed_or_probed_are_worth_nothing_under_fair() -> None:
    base = log_money(haggler, "fair", SEEDS[0])
    for name, exploit in EXPLOITS.items():
        if name.startswith(("Probe", "Floors", "Kernels")):
            assert log_money(exploit.play, "fair", SEEDS[0]) < base + 0.05, name
