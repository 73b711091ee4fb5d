"""Rules changed from the command line."""

import pytest

from ecbench.rules import DEFAULT_RULES
from ecbench.runs.overrides import read_overrides, rules_with
from ecbench.runs.problems import RunError


def test_numbers_tables_and_steps_can_be_changed() -> None:
    given = read_overrides(
        [
            "commission=0.05",
            "max_stores=2",
            'freight_factor={"fast": 3}',
            'operating_cost={"1": 50}',
            "lead_days=[1, 2]",
        ]
    )
    rules = rules_with(given)
    assert (rules.commission, rules.max_stores, rules.lead_days) == (0.05, 2, (1, 2))
    assert rules.freight_factor == {"fast": 3.0, "standard": 1.0, "slow": 0.5}
    assert rules.operating_cost == {1: 50.0, 2: 100.0, 3: 60.0}
    assert rules_with({"storage_age_steps": [[0, 1], [30, 2.5]]}).storage_age_steps == ((0, 1.0), (30, 2.5))


def test_without_changes_the_rules_are_the_papers() -> None:
    assert rules_with({}) is DEFAULT_RULES


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("commission", "write it as key=value"),
        ("comission=1", "there is no rule 'comission'; the rules are: announce_days, "),
        ("commission=much", "'much' is neither a number nor a JSON table"),
        ("commission=true", "rule commission: True is not a number of 0 or more; the default is 0.02"),
        ("max_stores=2.5", "rule max_stores: 2.5 is not a whole number of 0 or more; the default is 4"),
        ("stake=-5", "rule stake: -5 is not a number of 0 or more"),
        ("stake=NaN", "rule stake: nan is not a number of 0 or more"),
        ("freight_factor=2", "is not a table with keys out of fast, standard, slow"),
        ('freight_factor={"warp": 2}', "is not a table with keys out of fast, standard, slow"),
        ('freight_factor={"fast": "x"}', "rule freight_factor.fast: 'x' is not a number"),
        ("lead_days=[1]", "rule lead_days: [1] is not a list like [3, 7]"),
        ("storage_age_steps=[[0]]", "rule storage_age_steps[0]: [0] is not a list like [0, 1.0]"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(setting: str, message: str) -> None:
    with pytest.raises(RunError) as refused:
        read_overrides([setting])
    assert message in str(refused.value)
