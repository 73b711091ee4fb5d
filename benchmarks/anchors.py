"""Measure the anchors of the world `default` under each rule set, and write them into the package.

    python benchmarks/anchors.py

It plays every merchant for a year and computes the upper bound, once for each rule set, which takes a few minutes. Run
it after a change of the default world, of the rules or of a merchant; money is the same on every machine.
"""

from pathlib import Path

import msgspec

import ecbench
from ecbench.analysis.bound.assets import upper_bound
from ecbench.metrics.anchors import FILE, AnchorsFile, TermsAnchors
from ecbench.players.merchants.registry import merchant_names
from ecbench.rules import RULE_SETS
from ecbench.runs.manifest import BEHAVIOUR
from ecbench.runs.results.anchors_file import anchor_assets
from ecbench.world.load import load_world

PATH = Path(ecbench.__file__).parent / "metrics" / "data" / FILE


def measured(rule_set: str) -> TermsAnchors:
    world, rules = load_world("default"), RULE_SETS[rule_set].rules
    assets = {name: anchor_assets(name, world, world.days, rules.stake, rules) for name in merchant_names()}
    bound = upper_bound(world, days=world.days, stake=rules.stake, rules=rules).assets
    print(rule_set, f"{bound:,.2f}", assets)
    return TermsAnchors(rule_set, world.days, bound, assets)


def main() -> None:
    found = AnchorsFile(load_world("default").id, BEHAVIOUR, [measured(rule_set) for rule_set in RULE_SETS])
    PATH.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n")


if __name__ == "__main__":
    main()
