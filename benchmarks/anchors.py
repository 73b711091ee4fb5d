"""Measure the anchors of the world `default` under each rule set, and write them into the package.

    python benchmarks/anchors.py
    python benchmarks/anchors.py docs/studies.md    put the shipped ones into the page, between its marks

It plays every merchant for a year and computes the upper bound, once for each rule set, which takes a few minutes. Run
it after a change of the default world, of the rules or of a merchant; money is the same on every machine.
"""

from pathlib import Path

import msgspec
from doc_tables import markdown_table, options_of, publish

import ecbench
from ecbench.analysis.bound.assets import upper_bound
from ecbench.metrics.anchors import FILE, AnchorsFile, TermsAnchors, shipped_file, skill
from ecbench.players.merchants.registry import merchant_names
from ecbench.rules import DEFAULT_RULES, RULE_SETS
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


def scores_table() -> str:
    """The shipped anchors under two rule sets: money and skill, and the upper bound."""
    terms = {each.rule_set: each for each in shipped_file().terms}
    sets, stake = [terms[name] for name in ("paper", "fair-2")], DEFAULT_RULES.stake
    rows = [
        [
            f"`{name}`",
            *(f"{each.assets[name] / 1e6:,.2f}" for each in sets),
            *(f"{skill(each.assets[name], stake, each.bound) or 0.0:.2f}" for each in sets),
        ]
        for name in sets[0].assets
    ]
    rows.append(["upper bound", *(f"{each.bound / 1e6:,.2f}" for each in sets), "1", "1"])
    return markdown_table(["", "`paper`, ¥ million", "`fair`, ¥ million", "skill, `paper`", "skill, `fair`"], rows)


def main() -> None:
    if pages := options_of(__doc__).pages:
        publish("scores", scores_table(), pages)
        return
    found = AnchorsFile(load_world("default").id, BEHAVIOUR, [measured(rule_set) for rule_set in RULE_SETS])
    PATH.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n")


if __name__ == "__main__":
    main()
